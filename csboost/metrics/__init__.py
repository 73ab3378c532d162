"""What predictions cost: means, scorers, the cost-weighted confusion matrix, calibration of expected costs.

Costs are given as in :func:`csboost.costs.resolve` (rows = truth). Where ``labels`` is not given, the classes are those
of a labelled matrix in its order, or else the categories that the data declare (in their order, if it is declared too),
or else the sorted labels found. Give one of these where a class may be absent from the data: a name such as
``"linear"`` counts steps between the classes it is told of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: a mean must not pay for what the scorer needs of scikit-learn.
_HOMES = {
    "CostScorer": "scorer",
    "constant_costs": "means",
    "cost_calibration": "calibration",
    "cost_confusion_matrix": "confusion",
    "make_cost_scorer": "scorer",
    "mean_cost": "means",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.metrics.calibration import cost_calibration as cost_calibration
    from csboost.metrics.confusion import cost_confusion_matrix as cost_confusion_matrix
    from csboost.metrics.means import constant_costs as constant_costs
    from csboost.metrics.means import mean_cost as mean_cost
    from csboost.metrics.scorer import CostScorer as CostScorer
    from csboost.metrics.scorer import make_cost_scorer as make_cost_scorer
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
