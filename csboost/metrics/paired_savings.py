"""What some answers save against others, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import is_integer, listed
from csboost.metrics.encoding import Outcomes, encode
from csboost.metrics.flipping import changes_that_flip, first_flip
from csboost.metrics.intervals import Interval, bootstrap_interval, check_confidence, normal_interval
from csboost.metrics.sentences import interval_of, percent, plain, rounded

BEST_CONSTANT = "best constant"


def savings(
    y_true: ArrayLike,
    answers: Mapping[str, ArrayLike],
    cost_matrix: Any = None,
    *,
    baseline: str | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    confidence: float = 0.95,
    method: Literal["normal", "bootstrap"] = "normal",
    n_resamples: int = 2000,
    random_state: Any = None,
) -> pd.DataFrame:
    """What sets of answers cost, and what they save against a baseline: with intervals of the paired differences.

    Both answered the same cases, and most cases cost both the same: the difference is known much better than either
    cost. Judge on rows that no model was fitted on.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    answers : mapping of str to array-like of shape (n,)
        Sets of answers by name, such as ``{"today": ..., "model": ...}``. What is not there is not judged: to compare
        with the most probable class, give it as one of them.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    baseline : str, optional
        A name among ``answers``, or ``"best constant"``: the answer that, given throughout, costs least on these rows.
        By default ``"today"`` if there is one (and another beside it), else the best constant answer.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How many cases each row stands for, not negative; 1 by default. A row is one observation whatever it weighs:
        weights never make an interval narrower than the rows justify.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out.
    confidence : float, default=0.95
        Of the intervals.
    method : {"normal", "bootstrap"}, default="normal"
        By the standard error of the paired differences, or by percentiles of resampled cases. Take the second where
        few rows carry the cost.
    n_resamples : int, default=2000
        Of the bootstrap.
    random_state : int, RandomState or None, default=None
        Draws the resamples.

    Returns
    -------
    pandas.DataFrame
        A row per set of answers and one for ``"best constant"``: ``mean_cost``; ``saving`` per case against the
        baseline, positive where the answers are cheaper, with ``lower``, ``upper`` and ``standard_error``;
        ``saved_share``, of the baseline's mean cost (NaN where that is not positive); ``p_value``, two-sided, of no
        difference (NaN for the baseline). In ``.attrs``: ``verdict``, a sentence on the cheapest set and on the
        smallest change of an entry that flips it (:func:`flip_points`), ``baseline``, ``best_constant`` (the answer),
        ``confidence`` and ``method``. The best constant answer is chosen on these rows, which makes it look a little
        better than it is; intervals take it as given.

    Raises
    ------
    ValueError
        As :func:`mean_cost`, and for a baseline that is not there, or no answers to compare with it.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, Chapman & Hall, chapter 13,
    doi:10.1201/9780429246593 (percentile intervals).
    Särndal, C.-E., Swensson, B. and Wretman, J. (1992), Model Assisted Survey Sampling, Springer, chapter 5,
    doi:10.1007/978-1-4612-4378-6 (the error of a weighted mean).

    Examples
    --------
    >>> from csboost import metrics
    >>> truth = ["sick", "well", "well", "well"] * 50
    >>> today, model = ["well"] * 200, ["sick", "sick", "well", "well"] * 50
    >>> table = metrics.savings(truth, {"today": today, "model": model}, [[0, 5], [1, 0]])
    >>> table.loc["model", ["mean_cost", "saving", "saved_share"]].to_dict()
    {'mean_cost': 0.25, 'saving': 1.0, 'saved_share': 0.8}
    >>> print(table.attrs["verdict"])
    model costs 1.00 per case less than today (95 % interval 0.67 to 1.33), 80 % of the cost; that flips where a true
    sick answered well costs less than 1 instead of 5
    """
    sets = _named(answers)
    _check_method(method, n_resamples)
    confidence = check_confidence(confidence)
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers=sets)
    best = int(np.argmin(outcomes.constant_costs()))
    codes = dict(zip(answers, outcomes.given, strict=True))
    codes[BEST_CONSTANT] = np.full(len(outcomes.truth), best)
    base = _baseline(baseline, list(answers))
    costs = np.array([outcomes.costs_of(code) for code in codes.values()])
    kept, place = outcomes.weights > 0, list(codes).index(base)
    differences, weights = (costs[place] - costs)[:, kept], outcomes.weights[kept]
    if method == "normal":
        found = normal_interval(differences, weights, confidence)
    else:
        found = bootstrap_interval(differences, weights, confidence, n_resamples, random_state)
    means = np.array([outcomes.mean(cost) for cost in costs])
    table = _table(list(codes), means, found, place)
    table.attrs |= {"baseline": base, "best_constant": plain(outcomes.answers[best])}
    table.attrs |= {"confidence": confidence, "method": method}
    table.attrs["verdict"] = _verdict(table, outcomes, codes)
    return table


def _named(answers: Any) -> dict[str, Any]:
    if not hasattr(answers, "items") or not len(answers):
        found = "an empty one" if hasattr(answers, "items") else f"a {type(answers).__name__}"
        raise ValueError(f"answers must be a mapping, such as {{'today': answers, 'model': answers}}, got {found}")
    if BEST_CONSTANT in answers:
        raise ValueError(f"answers hold a set named {BEST_CONSTANT!r}, which is computed here: give it another name")
    return {f"answers[{name!r}]": values for name, values in answers.items()}


def _check_method(method: Any, n_resamples: Any) -> None:
    if method not in ("normal", "bootstrap"):
        raise ValueError(f"method must be 'normal' or 'bootstrap', got {method!r}")
    if not is_integer(n_resamples) or n_resamples < 2:
        raise ValueError(f"n_resamples must be a whole number of at least 2, got {n_resamples!r}")


def _baseline(baseline: Any, names: list[str]) -> str:
    if baseline is None:
        return "today" if "today" in names and len(names) > 1 else BEST_CONSTANT
    if baseline not in (*names, BEST_CONSTANT):
        raise ValueError(f"baseline {baseline!r} is none of the answers {listed(names)}, nor {BEST_CONSTANT!r}")
    if names == [baseline]:
        raise ValueError(
            f"answers hold only the baseline {baseline!r}: give another set to compare with it, or "
            f"baseline={BEST_CONSTANT!r}"
        )
    return baseline


def _table(names: list[str], means: NDArray[np.float64], found: Interval, place: int) -> pd.DataFrame:
    p_value = found.p_value.copy()
    p_value[place] = np.nan
    columns = {
        "mean_cost": means,
        "saving": found.mean,
        "lower": found.lower,
        "upper": found.upper,
        "standard_error": found.standard_error,
        "saved_share": found.mean / means[place] if means[place] > 0 else np.full(len(names), np.nan),
        "p_value": p_value,
    }
    return pd.DataFrame(columns, index=pd.Index(names, name="answers"))


def _verdict(table: pd.DataFrame, outcomes: Outcomes, codes: dict[str, NDArray[np.intp]]) -> str:
    """A sentence on the cheapest set of answers beside the baseline."""
    base, rows = table.attrs["baseline"], dict(zip(codes, table.to_dict("records"), strict=True))
    name = min((name for name in rows if name not in (base, BEST_CONSTANT)), key=lambda name: rows[name]["mean_cost"])
    other = f"always answering {table.attrs['best_constant']}" if base == BEST_CONSTANT else base
    saving, lower, upper, share = (rows[name][column] for column in ("saving", "lower", "upper", "saved_share"))
    if not saving:
        return f"{name} costs the same as {other}"
    than = f"per case less than {other}"
    if saving < 0:
        saving, lower, upper, than = -saving, -upper, -lower, f"per case more than {other}"
    size, low, high = rounded(saving, lower, upper, width=upper - lower)
    if not np.isfinite(lower):
        return f"{name} costs {size} {than}; a single row does not tell how sure that is"
    said = f"{name} costs {size} {than} ({interval_of(low, high, table.attrs['confidence'])})"
    if lower <= 0:
        return f"{said}: that is not sure"
    flips = first_flip(changes_that_flip(outcomes, codes[name], codes[base])[0])
    return f"{said}{'' if np.isnan(share) else f', {percent(abs(share))} of the cost'}; {flips}"
