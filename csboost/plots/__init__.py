"""Displays in scikit-learn's style: build one with ``from_estimator`` or ``from_predictions``, redraw it with ``plot``.

``frame`` gives the numbers that are drawn. Models may be fitted pipelines and searches. Matplotlib is imported when
something is drawn, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

_HOMES = {
    "ContributionDisplay": "contributions",
    "CostCalibrationDisplay": "calibration",
    "CostConfusionDisplay": "confusion",
    "CostCurveDisplay": "curves",
    "SavingsDisplay": "savings",
    "SimplexDisplay": "simplex",
    "SimplexProjectionDisplay": "projection",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.plots.calibration import CostCalibrationDisplay as CostCalibrationDisplay
    from csboost.plots.confusion import CostConfusionDisplay as CostConfusionDisplay
    from csboost.plots.contributions import ContributionDisplay as ContributionDisplay
    from csboost.plots.curves import CostCurveDisplay as CostCurveDisplay
    from csboost.plots.projection import SimplexProjectionDisplay as SimplexProjectionDisplay
    from csboost.plots.savings import SavingsDisplay as SavingsDisplay
    from csboost.plots.simplex import SimplexDisplay as SimplexDisplay
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
