"""The boosters on Dask collections, by the names of those for one machine."""

from __future__ import annotations

from dataclasses import dataclass

try:
    from distributed import Client
except ImportError as error:
    raise ImportError(f"csboost.dask needs Dask ({error}): pip install dask distributed") from error

from csboost.angle.adaboost import AngleAdaBoostClassifier
from csboost.angle.gradient import AngleGradientBoostingClassifier
from csboost.angle.logitboost import AngleLogitBoostClassifier
from csboost.baselines.adaboost_m2 import AdaBoostM2Classifier
from csboost.baselines.adaboost_mh import AdaBoostMHClassifier
from csboost.baselines.pnorm import PNormBoostClassifier
from csboost.baselines.samme import SAMMEClassifier
from csboost.dask._docs import on_dask
from csboost.dask.booster import DaskBooster

__all__ = [
    "DaskAdaBoostM2Classifier",
    "DaskAdaBoostMHClassifier",
    "DaskAngleAdaBoostClassifier",
    "DaskAngleGradientBoostingClassifier",
    "DaskAngleLogitBoostClassifier",
    "DaskPNormBoostClassifier",
    "DaskSAMMEClassifier",
]


@on_dask(AngleAdaBoostClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskAngleAdaBoostClassifier(DaskBooster, AngleAdaBoostClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = AngleAdaBoostClassifier


@on_dask(AngleLogitBoostClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskAngleLogitBoostClassifier(DaskBooster, AngleLogitBoostClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = AngleLogitBoostClassifier


@on_dask(AngleGradientBoostingClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskAngleGradientBoostingClassifier(DaskBooster, AngleGradientBoostingClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = AngleGradientBoostingClassifier


@on_dask(SAMMEClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskSAMMEClassifier(DaskBooster, SAMMEClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = SAMMEClassifier


@on_dask(AdaBoostMHClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskAdaBoostMHClassifier(DaskBooster, AdaBoostMHClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = AdaBoostMHClassifier


@on_dask(AdaBoostM2Classifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskAdaBoostM2Classifier(DaskBooster, AdaBoostM2Classifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = AdaBoostM2Classifier


@on_dask(PNormBoostClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskPNormBoostClassifier(DaskBooster, PNormBoostClassifier):  # type: ignore[misc]  # fit is of collections
    client: Client | None = None

    _plain = PNormBoostClassifier
