"""Displays in scikit-learn's style: build one with ``from_estimator`` or ``from_predictions``, redraw it with ``plot``.

Matplotlib is imported when something is drawn, not before.
"""

from csboost.plots.calibration import CostCalibrationDisplay
from csboost.plots.confusion import CostConfusionDisplay
from csboost.plots.curves import CostCurveDisplay
from csboost.plots.simplex import SimplexDisplay

__all__ = ["CostCalibrationDisplay", "CostConfusionDisplay", "CostCurveDisplay", "SimplexDisplay"]
