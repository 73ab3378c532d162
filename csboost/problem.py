"""Training data as the boosters see it: checked, coded, without the rows of weight zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets

from csboost._inputs.categories import Categories
from csboost._inputs.features import check_features
from csboost._inputs.labels import known_classes, label_array, label_column
from csboost._inputs.row_index import check_row_index
from csboost._inputs.values import listed
from csboost._inputs.weights import check_sample_weight
from csboost.costs.alignment import are_classes
from csboost.costs.answers import resolve_answers
from csboost.costs.checks import differing_labels
from csboost.costs.gains import gains_of, without_gains
from csboost.costs.rows import cost_rows, read_sample_cost
from csboost.costs.steps import check_stated_order
from csboost.weak.rows import Rows

EXTREME = 500  # powers of two by which costs and weights may lie away from 1
OTHERS = (  # what to say where only classes can be answered
    "Answers that are not just the classes are learnt by CostSensitiveClassifier, AngleGradientBoostingClassifier, "
    "AngleAdaBoostClassifier, AngleLogitBoostClassifier, AngleBoostClassifier, and PNormBoostClassifier with "
    'hypothesis="label".'
)


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
    costs : ndarray (n, A)
        Cost rows, weights included, less the row's gains: not negative.
    classes : ndarray (K,)
    cost_matrix : ndarray (K, A)
        In the user's unit, gains (negative entries) included.
    exponent : int
        ``costs`` and ``gains`` are in units of 2 to this power, ``weights`` included.
    other_answers : ndarray (A,), optional
        The answers where they are not just the classes.
    gains : ndarray (n,), optional
        What was taken off each row's costs, not positive, weights included; None where nothing was.
    known : list, optional
        All classes in the order in which y declares them, where it does.
    categorical : ndarray (d,) of bool, optional
        Columns of ``X`` that hold category numbers (:class:`csboost._inputs.categories.Categories`).
    spread : callable, optional
        ``spread(n_threads)`` gives the blocks of these rows where other machines hold further ones.
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    costs: np.ndarray
    classes: np.ndarray
    cost_matrix: np.ndarray
    exponent: int = 0
    other_answers: np.ndarray | None = None
    gains: np.ndarray | None = None
    known: list[Any] | None = None
    categorical: np.ndarray | None = None
    spread: Callable[[int], Rows] | None = field(default=None, repr=False, compare=False)
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    @property
    def answers(self) -> np.ndarray:
        """The labels of the answers (A,)."""
        return self.classes if self.other_answers is None else self.other_answers

    @property
    def n_answers(self) -> int:
        """A."""
        return len(self.answers)

    @property
    def training_matrix(self) -> np.ndarray:
        """The cost matrix (K, A) less the largest gain of each row, as the costs are that a fit sees."""
        return without_gains(self.cost_matrix)

    def rows(self, n_threads: int = 1) -> Rows:
        """The blocks of the rows, and the threads that work on them."""
        return Rows(len(self.X), n_threads) if self.spread is None else self.spread(n_threads)

    def class_means(self, values: np.ndarray) -> np.ndarray:
        """Totals of ``values`` (n,) or (n, m), weights included, by class over its weight: (K,) or (K, m)."""
        rows = self.rows()
        weights = rows.class_sums(self.y, self.weights, self.n_classes)
        totals = rows.class_sums(self.y, values, self.n_classes)
        means: np.ndarray = (totals.T / weights).T
        return means

    def total_gain(self, chosen: np.ndarray | None = None) -> float:
        """What was taken off the costs of all rows, or of those that are ``chosen`` (n,)."""
        if self.gains is None:
            return 0.0
        return self.rows().sum(self.gains if chosen is None else np.where(chosen, self.gains, 0.0))

    def restated(self, costs: np.ndarray, y: np.ndarray | None = None, classes: np.ndarray | None = None) -> Problem:
        """Another problem on the same rows: other costs, and other classes where given. What was made of ``X`` and
        ``weights`` (:meth:`once`) serves both.
        """
        other = replace(
            self, costs=costs, y=self.y if y is None else y, classes=self.classes if classes is None else classes
        )
        other._made = self._made
        return other

    def once(self, kind: Any, make: Callable[[], Any]) -> Any:
        """What ``make()`` makes of ``X`` and ``weights``, such as their bins: made once for all problems on these rows
        and kept under the name ``kind``.
        """
        if kind not in self._made:
            self._made[kind] = make()
        return self._made[kind]

    def take(self, rows: np.ndarray) -> Problem:
        """The problem on some of the rows."""
        parts = self.X[rows], self.y[rows], self.weights[rows], self.costs[rows]
        gains = None if self.gains is None else self.gains[rows]
        shared = self.classes, self.cost_matrix, self.exponent, self.other_answers
        return Problem(*parts, *shared, gains, self.known, self.categorical)


def check_problem(
    estimator: Any, X: Any, y: Any, sample_weight: Any, sample_cost: Any, read: Callable[..., Any] | None = None
) -> Problem:
    """Validate the arguments of ``fit`` and resolve the costs; ``read(estimator, X, y)`` makes arrays of features and
    labels where not only numbers are taken.
    """
    check_row_index(X=X, y=y, sample_weight=sample_weight, sample_cost=sample_cost)
    known = known_classes(y=y)
    y = y if y is None or issparse(y) else label_array(y)
    X, y = check_features(estimator, X, y, reset=True) if read is None else read(estimator, X, y)
    check_classification_targets(y)
    weights = np.broadcast_to(1.0, len(y))  # one number in memory
    if sample_weight is not None:
        weights = _in_range(check_sample_weight(sample_weight, len(y)))[0]
    kept = weights > 0
    classes, codes = np.unique(y[kept], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y holds only one class, {listed(list(classes))} (in rows of positive weight); "
            "a classifier needs at least two classes."
        )
    check_stated_order(estimator.cost_matrix, classes.tolist(), known)
    order = None if known is None else known[0]
    matrix, answers = resolve_answers(estimator.cost_matrix, classes, known=order)
    other_answers = None if are_classes(answers, classes) else check_other_answers(estimator, answers, classes)
    if sample_cost is not None:
        sample_cost = read_sample_cost(sample_cost, answers, len(y))
    if not kept.all():
        X, weights = X[kept], weights[kept]
        sample_cost = None if sample_cost is None else sample_cost[kept]
    codes = class_numbers(codes, len(classes))
    given = cost_rows(matrix, codes, None, sample_cost)
    rows, gains, exponent = _training_costs(given, None if sample_weight is None else weights)
    return Problem(X, codes, weights, rows, classes, matrix, exponent, other_answers, gains, order)


def read_problem(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    sample_cost: Any,
    categories: Categories,
    *,
    goes_on: bool = False,
) -> Problem:
    """:func:`check_problem` of tables whose columns may hold categories: those that the training rows have are learnt
    into ``categories``, unless a fit ``goes_on`` with the ones that are there.
    """
    read = categories.read_again if goes_on else categories.learn
    problem = check_problem(estimator, X, y, sample_weight, sample_cost, read=read)
    if not goes_on:
        categories.settle(problem.X, problem.weights)
    if categories.tables:
        problem.categorical = categories.mask(problem.X.shape[1])
    return problem


def _training_costs(given: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None, int]:
    """Costs (n, A) less their gains, and these (n,), if any, with weights and in units of two to the exponent."""
    rows, exponent = _in_range(without_gains(given))
    if not rows.any():
        raise ValueError("all answers to a row gain the same, in every row: there is nothing to learn")
    gains = np.ldexp(gains_of(given), -exponent)
    if weights is not None:
        rows, more = _in_range(rows * weights[:, None])  # both are in range, so that the product is finite
        gains, exponent = np.ldexp(gains * weights, -more), exponent + more
    return rows, gains if gains.any() else None, exponent


def check_other_answers(estimator: Any, answers: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Refuse answers that are not just the classes where the estimator cannot learn them."""
    reason = estimator._needs_classes() if hasattr(estimator, "_needs_classes") else None
    if reason is not None:
        said = differing_labels(answers.tolist(), classes.tolist(), "cost_matrix")
        raise ValueError(f"{said} {reason} {OTHERS}")
    if len(answers) < 2:
        raise ValueError(f"cost_matrix has one answer only, {listed(answers.tolist())}: there is nothing to decide")
    return answers


def class_numbers(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Class numbers (n,) in the type of :class:`Problem`'s ``y``: one for nearly all, so that kernels compile once."""
    return codes.astype(np.uint16 if n_classes < 2**16 else np.int64)


def _in_range(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Costs or weights of a very small or large unit, brought near 1 by a power of two (only proportions matter to a
    fit), and its exponent. What is positive stays so.
    """
    exponent = unit_of(values.max(initial=0.0))
    return in_units(values, exponent), exponent


def unit_of(largest: float) -> int:
    """The exponent of the unit for costs or weights of which the ``largest`` is this: 0 unless it is extreme."""
    _, exponent = np.frexp(largest)
    return 0 if abs(exponent) <= EXTREME else int(exponent)


def in_units(values: np.ndarray, exponent: int) -> np.ndarray:
    """Costs or weights in units of 2 to the exponent; what is positive stays so."""
    if exponent == 0:
        return values
    near: np.ndarray = np.where(values > 0, np.maximum(np.ldexp(values, -exponent), np.finfo(np.float64).tiny), 0.0)
    return near


def class_shares(problem: Problem) -> np.ndarray:
    """Share of each class (K,) in the weight of all rows."""
    rows = problem.rows()
    relative = problem.weights / rows.most(float(problem.weights.max(initial=0.0)))
    totals = rows.class_sums(problem.y, relative, problem.n_classes)
    shares: np.ndarray = totals / totals.sum()
    return shares


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


def class_costs(estimator: Any, X: Any, y: Any, sample_weight: Any, sample_cost: Any) -> tuple[np.ndarray, float]:
    """What every answer costs each row of ``X`` (n, A), gains included, and the total weight, for a fitted model."""
    check_row_index(X=X, y=y, sample_weight=sample_weight, sample_cost=sample_cost)
    n_rows, y = len(X), label_column(y, "y")
    if len(y) != n_rows:
        raise ValueError(f"y has shape {y.shape}, but X has {n_rows} rows")
    unknown = sorted(set(y.tolist()) - set(estimator.classes_.tolist()), key=str)
    if unknown:
        raise ValueError(f"y contains classes that were not in the training data: {unknown[:5]}")
    codes = np.searchsorted(estimator.classes_, y)
    weights = np.ones(n_rows) if sample_weight is None else _in_range(check_sample_weight(sample_weight, n_rows))[0]
    costs = cost_rows(estimator.cost_matrix_, codes, weights, sample_cost, classes=estimator.answers_, allow_zero=True)
    return costs, float(weights.sum())
