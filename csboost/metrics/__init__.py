"""What answers cost: means, scorers, the cost-weighted confusion matrix, calibration of expected costs, savings.

Costs are given as in :func:`csboost.costs.resolve` (rows = truth). The columns of a labelled table are the answers that
there are, classes or not, and ``y_pred`` holds answers; those of an array that is not square are the numbers of its
columns, as :func:`csboost.decisions.decide` gives them. With ``sample_cost`` every row has costs of its own; they win
over ``cost_matrix``, as in ``fit``. Where that is left out, the names of their columns are the answers.

Where ``labels`` is not given, the classes are those of a labelled matrix in its order, or else the categories that the
data declare (in their order, if it is declared too), or else the sorted labels found. Give one of these where a class
may be absent from the data: a name such as ``"linear"`` counts steps between the classes it is told of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: a mean must not pay for what the scorer needs of scikit-learn.
_HOMES = {
    "CostScorer": "scorer",
    "PromisedCost": "promises",
    "constant_costs": "means",
    "cost_calibration": "calibration",
    "cost_confusion_matrix": "confusion",
    "cost_search": "searching",
    "flip_points": "flips",
    "make_cost_scorer": "scorer",
    "mean_cost": "means",
    "promised_cost": "promises",
    "savings": "paired_savings",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.metrics.calibration import cost_calibration as cost_calibration
    from csboost.metrics.confusion import cost_confusion_matrix as cost_confusion_matrix
    from csboost.metrics.flips import flip_points as flip_points
    from csboost.metrics.means import constant_costs as constant_costs
    from csboost.metrics.means import mean_cost as mean_cost
    from csboost.metrics.paired_savings import savings as savings
    from csboost.metrics.promises import PromisedCost as PromisedCost
    from csboost.metrics.promises import promised_cost as promised_cost
    from csboost.metrics.scorer import CostScorer as CostScorer
    from csboost.metrics.scorer import make_cost_scorer as make_cost_scorer
    from csboost.metrics.searching import cost_search as cost_search
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
