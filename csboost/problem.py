"""Training data as the boosters see it: checked, coded, without the rows of weight zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from csboost import costs as cost_tools
from csboost._cost_checks import check_sample_weight, listed

EXTREME = 500  # powers of two by which costs may lie away from 1


@dataclass
class Problem:
    """Rows of positive weight, with what every answer costs.

    Attributes
    ----------
    X : ndarray (n, d), float32 or float64
    y : ndarray (n,) uint16, or int64 beyond 65,535 classes
        Class numbers.
    weights : ndarray (n,)
        Sample weights, positive.
    costs : ndarray (n, K)
        Cost rows, weights included.
    classes : ndarray (K,)
    cost_matrix : ndarray (K, K)
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    costs: np.ndarray
    classes: np.ndarray
    cost_matrix: np.ndarray

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    def take(self, rows: np.ndarray) -> Problem:
        """The problem on some of the rows."""
        return Problem(self.X[rows], self.y[rows], self.weights[rows], self.costs[rows], self.classes, self.cost_matrix)


def check_features(estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool = False) -> Any:
    """``X``, or ``X, y``, as arrays: float32 stays, everything else becomes float64, NaN is allowed."""
    _refuse_other_than_numbers(X)
    return validate_data(estimator, X, y, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan", reset=reset)


def _refuse_other_than_numbers(X: Any) -> None:
    """Refuse categories, text and dates of a DataFrame by the names of their columns."""
    if not (hasattr(X, "iloc") and hasattr(X, "columns")):
        return
    refused = []
    for place, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True)):
        kind = getattr(dtype, "kind", "O")
        objects = kind == "O" and dtype == np.dtype(object)  # of numbers and None: as good as floats
        if kind not in "biufcO" or (kind == "O" and not objects):
            refused.append(f"{name!r} ({dtype})")
        elif objects and any(isinstance(value, str) for value in X.iloc[:, place]):
            refused.append(f"{name!r} (text)")
    if refused:
        raise ValueError(
            f"X has columns that are not numbers: {', '.join(refused)}. Encode them first, for example with "
            "sklearn.preprocessing.OneHotEncoder or OrdinalEncoder, or leave them out."
        )


def check_problem(estimator: Any, X: Any, y: Any, sample_weight: Any, sample_cost: Any) -> Problem:
    """Validate the arguments of ``fit`` and resolve the costs."""
    _refuse_other_order(y, estimator.cost_matrix)
    _refuse_other_rows(X, sample_cost)
    X, y = check_features(estimator, X, y, reset=True)
    check_classification_targets(y)
    weights = np.ones(len(y)) if sample_weight is None else check_sample_weight(sample_weight, len(y))
    kept = weights > 0
    classes, codes = np.unique(y[kept], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y holds only one class, {listed(list(classes))} (in rows of positive weight); "
            "a classifier needs at least two classes."
        )
    matrix = cost_tools.resolve(estimator.cost_matrix, classes)
    if not kept.all():
        X, weights = X[kept], weights[kept]
        if sample_cost is not None:
            sample_cost = sample_cost[kept] if hasattr(sample_cost, "columns") else np.asarray(sample_cost)[kept]
    codes = codes.astype(np.uint16 if len(classes) < 2**16 else np.int64)  # one type, so that kernels compile once
    rows = cost_tools.cost_rows(matrix, codes, None if sample_weight is None else weights, sample_cost, classes=classes)
    return Problem(X, codes, weights, _in_range(rows), classes, matrix)


def _refuse_other_order(y: Any, cost_matrix: Any) -> None:
    """A named cost matrix counts steps between sorted classes; ordered categories may say otherwise."""
    dtype: Any = getattr(y, "dtype", None)
    if isinstance(cost_matrix, str) and cost_matrix != "equal" and getattr(dtype, "ordered", False):
        present = set(y)
        used = [category for category in dtype.categories if category in present]
        if used != sorted(used):
            raise ValueError(
                f"y orders its categories {listed(used)}, but cost_matrix={cost_matrix!r} takes the classes in sorted "
                f"order, {listed(sorted(used))}; give a DataFrame of costs whose index and columns are the labels in "
                "your order."
            )


def _refuse_other_rows(X: Any, sample_cost: Any) -> None:
    """Rows meet their costs by position; a table with the rows' labels in another order would be taken amiss."""
    labelled = all(hasattr(table, "index") and hasattr(table, "columns") for table in (X, sample_cost))
    if labelled and len(X) == len(sample_cost) and not X.index.equals(sample_cost.index):
        raise ValueError(
            "sample_cost has another index than X; rows are matched by position. Give sample_cost.loc[X.index], or "
            "sample_cost.to_numpy() if the positions are right."
        )


def _in_range(costs: np.ndarray) -> np.ndarray:
    """Costs of a very small or large unit, brought near 1 by a power of two: only proportions matter to a fit."""
    _, exponent = np.frexp(costs.max(initial=0.0))
    return np.ldexp(costs, -exponent) if abs(exponent) > EXTREME else costs


def held_out(problem: Problem, fraction: float, rng: np.random.RandomState) -> tuple[Problem, Problem]:
    """Split off ``fraction`` of every class for early stopping; each class keeps at least one training row."""
    chosen = np.zeros(len(problem.y), bool)
    for k in range(problem.n_classes):
        rows = np.flatnonzero(problem.y == k)
        chosen[rng.permutation(rows)[: min(round(fraction * len(rows)), len(rows) - 1)]] = True
    if not chosen.any():
        raise ValueError(
            f"validation_fraction={fraction} of {len(chosen)} rows leaves no row to validate on; "
            "raise it, or set n_iter_no_change=None."
        )
    return problem.take(np.flatnonzero(~chosen)), problem.take(np.flatnonzero(chosen))


def class_costs(estimator: Any, y: Any, sample_weight: Any, sample_cost: Any, n_rows: int) -> tuple[np.ndarray, float]:
    """What every answer costs each of ``n_rows`` rows (n, K), and the total weight, for a fitted estimator."""
    y = np.asarray(y)
    if y.shape != (n_rows,):
        raise ValueError(f"y has shape {y.shape}, but X has {n_rows} rows")
    codes = np.searchsorted(estimator.classes_, y)
    known = estimator.classes_[np.minimum(codes, len(estimator.classes_) - 1)] == y
    if not known.all():
        raise ValueError(f"y contains classes that were not in the training data: {np.unique(y[~known])[:5].tolist()}")
    weights = np.ones(n_rows) if sample_weight is None else check_sample_weight(sample_weight, n_rows)
    if sample_cost is not None:
        return cost_tools.cost_rows(
            estimator.cost_matrix_, codes, weights, sample_cost, classes=estimator.classes_
        ), float(weights.sum())
    return estimator.cost_matrix_[codes] * weights[:, None], float(weights.sum())
