"""Angle LogitBoost: Algorithm 2 of the paper."""

from __future__ import annotations

from csboost.angle.general import _AngleBooster
from csboost.angle.losses import LogisticLoss, MarginLoss


class AngleLogitBoostClassifier(_AngleBooster):
    """Angle-based cost-sensitive LogitBoost for any number of classes (Algorithm 2 of the paper).

    As :class:`AngleAdaBoostClassifier`, with the logistic loss, which forgives outliers more, and a line search for
    the step. Parameters, attributes and what the probabilities mean are the same.
    """

    def _loss(self) -> MarginLoss:
        return LogisticLoss()
