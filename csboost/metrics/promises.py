"""Promised against realised cost: whether the expected costs of a model can be quoted."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost.metrics.by_row import by_answer
from csboost.metrics.encoding import Outcomes, encode
from csboost.metrics.intervals import check_confidence, normal_interval
from csboost.metrics.sentences import interval_of, percent, rounded


class PromisedCost(NamedTuple):
    """What decisions were expected to cost, and what they did cost, per case: as from :func:`promised_cost`.

    Attributes
    ----------
    promised : float
        Mean expected cost of the answers given.
    realised : float
        Their mean cost.
    difference : float
        Realised less promised: positive where the promise was too low.
    lower, upper : float
        Interval of the difference, from the paired differences.
    confidence : float
        Of the interval.
    differs : bool
        Whether the interval is, all of it, further from 0 than a tenth (or another tolerance) of the realised cost.
    verdict : str
        The same in a sentence.

    References
    ----------
    Murphy, A. H. and Winkler, R. L. (1977), "Reliability of subjective probability forecasts of precipitation and
    temperature", Journal of the Royal Statistical Society C 26, 41-47, doi:10.2307/2346866 (reliability, here of
    costs).

    Examples
    --------
    >>> from csboost import metrics
    >>> truth, answers = ["A", "B"] * 50, ["A", "A"] * 50
    >>> found = metrics.promised_cost(truth, answers, [0.5] * 100, None)
    >>> found.promised, found.realised, found.differs
    (0.5, 0.5, False)
    """

    promised: float
    realised: float
    difference: float
    lower: float
    upper: float
    confidence: float
    differs: bool
    verdict: str


def promised_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    expected_cost: Any,
    cost_matrix: Any = None,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    confidence: float = 0.95,
    tolerance: float = 0.1,
) -> PromisedCost:
    """Compare what a model promised its decisions would cost with what they did cost, and warn where it differs.

    A model may order answers well and promise costs that are far off: overconfident probabilities promise too little,
    which recalibrating mends, and so may those of a model trained at other shares of the classes, which the shares to
    come, given as priors, mend. Judge on rows that no model was fitted on.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        The answers given: predicted labels, or what else the columns of the costs name.
    expected_cost : array-like of shape (n,) or (n, A)
        What the model expected of them, or ``predict_expected_cost(X)``: as in :func:`cost_calibration`.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How many cases each row stands for, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out.
    confidence : float, default=0.95
        Of the interval.
    tolerance : float, default=0.1
        Differences up to this share of the realised cost are near enough.

    Returns
    -------
    PromisedCost
        With ``.verdict``, a sentence.

    Raises
    ------
    ValueError
        As :func:`cost_calibration`.

    Warns
    -----
    UserWarning
        Where the interval lies beyond the tolerance, with the verdict.

    References
    ----------
    Murphy, A. H. and Winkler, R. L. (1977), "Reliability of subjective probability forecasts of precipitation and
    temperature", Journal of the Royal Statistical Society C 26, 41-47, doi:10.2307/2346866 (reliability, here of
    costs).

    Examples
    --------
    >>> from csboost import metrics
    >>> truth, answers = ["A", "A", "A", "B"] * 50, ["A"] * 200
    >>> print(metrics.promised_cost(truth, answers, [0.24] * 200, None).verdict)
    promised 0.24, realised 0.25 per case (95 % interval of the difference -0.05 to 0.07): nothing speaks against ...
    """
    confidence = check_confidence(confidence)
    if not np.isfinite(tolerance) or tolerance < 0:
        raise ValueError(f"tolerance must be a share of at least 0, such as 0.1, got {tolerance!r}")
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={"y_pred": y_pred})
    expected = expected_of_answers(expected_cost, outcomes, ordered=labels is not None)
    found = judge_promise(outcomes, expected, confidence, tolerance)
    if found.differs:
        warnings.warn(found.verdict, UserWarning, stacklevel=2)
    return found


def expected_of_answers(expected_cost: Any, outcomes: Outcomes, *, ordered: bool) -> NDArray[np.float64]:
    """What was expected of the answers given (n,), of expected costs of these or of every answer."""
    n, A = len(outcomes.truth), len(outcomes.answers)
    expected = by_answer(
        expected_cost,
        "expected_cost",
        outcomes.classes,
        outcomes.answers,
        n,
        ordered=ordered,
        unplaced=outcomes.unplaced,
    )
    if expected.shape == (n, A):
        expected = expected[np.arange(n), outcomes.given[0]]
    if expected.shape != (n,) or not np.isfinite(expected).all():
        raise ValueError(f"expected_cost must be finite and of shape ({n},) or ({n}, {A}), got {expected.shape}")
    return expected


def judge_promise(
    outcomes: Outcomes, expected: NDArray[np.float64], confidence: float = 0.95, tolerance: float = 0.1
) -> PromisedCost:
    """Compare what was expected of the answers given (n,) with what they cost."""
    realised, kept = outcomes.costs_of(outcomes.given[0]), outcomes.weights > 0
    found = normal_interval((realised - expected)[None, kept], outcomes.weights[kept], confidence)
    promise, cost, lower, upper = outcomes.mean(expected), outcomes.mean(realised), found.lower[0], found.upper[0]
    differs, advice = _advice(lower, upper, tolerance * abs(cost), tolerance)
    figures = rounded(promise, cost, lower, upper, width=upper - lower)
    said = f"promised {figures[0]}, realised {figures[1]} per case"
    if np.isfinite(lower):
        said += f" ({interval_of(figures[2], figures[3], confidence, 'the difference')})"
    return PromisedCost(promise, cost, cost - promise, lower, upper, confidence, differs, f"{said}: {advice}")


def _advice(lower: float, upper: float, near: float, tolerance: float) -> tuple[bool, str]:
    """Whether the difference is proven to be more than is ``near``, and what to do."""
    within = f"to within {percent(tolerance)}"
    if not np.isfinite(lower):
        return False, "a single row tells nothing of their difference"
    if lower > near or upper < -near:
        return True, "do not quote these costs; recalibrate or give priors"
    if -near <= lower and upper <= near:
        return False, f"these costs can be quoted, {within}"
    if lower > 0 or upper < 0:
        return False, f"these costs are too {'low' if lower > 0 else 'high'}, by how much takes more rows to tell"
    return False, f"nothing speaks against these costs, but it takes more rows to quote them {within}"
