"""Angle LogitBoost: Algorithm 2 of the paper."""

from __future__ import annotations

from dataclasses import dataclass

from csboost.angle.general import _AngleBooster
from csboost.angle.losses import LogisticLoss, MarginLoss


@dataclass(kw_only=True, eq=False, repr=False)
class AngleLogitBoostClassifier(_AngleBooster):
    """Angle-based cost-sensitive LogitBoost for any number of classes (Algorithm 2 of the paper).

    As :class:`AngleAdaBoostClassifier`, with the logistic loss, which forgives outliers more, and a line search for the
    step.

    Parameters
    ----------
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        Weighted cost share of each weak rule (the paper's epsilon).
    margin_scale_ : float
        By what ``predict_proba`` multiplies the margins: fitted on held-out rows, 1 without any.

    Notes
    -----
    ``predict_proba`` and ``predict_expected_cost`` follow the link of the paper's Theorem 2, as
    :class:`AngleAdaBoostClassifier` describes.

    References
    ----------
    {yang_2021}
    {zhang_liu_2014}
    {friedman_2000}

    Examples
    --------
    >>> from csboost import AngleLogitBoostClassifier, data
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = AngleLogitBoostClassifier("linear", n_estimators=10, learning_rate=0.1).fit(X, y)
    >>> bool((model.predict(X) == model.predict_expected_cost(X).argmin(axis=1)).all())
    True
    """

    def _loss(self) -> MarginLoss:
        return LogisticLoss()
