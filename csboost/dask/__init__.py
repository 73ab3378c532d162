"""Boosters on Dask collections: the same bits as on one machine, whatever the partitions, workers and failures.

Inside, from what a machine does to what the client does: ``meeting`` (where machines meet), ``rows`` (what a fit asks
of all rows), ``parts`` (partitions, read and coded) and ``member`` (a machine's part in a fit); ``waiting`` (for
workers and what they find), ``reading`` (a user's collections), ``holding`` (rows for early stopping), ``dealing`` (who
gets which rows), ``memory`` (what that takes), ``watching`` (who is lost) and ``course`` (a whole fit); ``_docs``
(docstrings), ``mapping`` and ``answers`` (lazy predictions), ``booster`` and ``estimators``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

_HOMES = {
    "DaskAngleAdaBoostClassifier": "estimators",
    "DaskAngleLogitBoostClassifier": "estimators",
    "DaskAngleGradientBoostingClassifier": "estimators",
    "DaskSAMMEClassifier": "estimators",
    "DaskAdaBoostMHClassifier": "estimators",
    "DaskAdaBoostM2Classifier": "estimators",
    "DaskPNormBoostClassifier": "estimators",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.dask.estimators import DaskAdaBoostM2Classifier as DaskAdaBoostM2Classifier
    from csboost.dask.estimators import DaskAdaBoostMHClassifier as DaskAdaBoostMHClassifier
    from csboost.dask.estimators import DaskAngleAdaBoostClassifier as DaskAngleAdaBoostClassifier
    from csboost.dask.estimators import DaskAngleGradientBoostingClassifier as DaskAngleGradientBoostingClassifier
    from csboost.dask.estimators import DaskAngleLogitBoostClassifier as DaskAngleLogitBoostClassifier
    from csboost.dask.estimators import DaskPNormBoostClassifier as DaskPNormBoostClassifier
    from csboost.dask.estimators import DaskSAMMEClassifier as DaskSAMMEClassifier
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
