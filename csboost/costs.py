"""Cost matrices: presets, validation, alignment with class labels, costs per row, the Bayes rule.

Everywhere ``C[j, k]`` is the cost of predicting ``k`` when the truth is ``j``: rows = truth, columns = predicted.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._cost_checks import check_matrix, check_sample_cost, check_sample_weight, listed, numeric, take_labels
from csboost._cost_table import CostTable, aligned, labels_of
from csboost._labels import check_step_order, known_classes
from csboost._tables import is_labelled, read_columns, read_sample_cost

if TYPE_CHECKING:
    from csboost.bayes import BayesDecisionClassifier as BayesDecisionClassifier

__all__ = [
    "PRESETS",
    "CostTable",
    "bayes_decision",
    "cost_rows",
    "linear",
    "partitioned_linear",
    "resolve",
    "zero_one",
]


def zero_one(K: int) -> NDArray[np.float64]:
    """Every mistake costs 1: the mean cost is the error rate.

    Parameters
    ----------
    K : int
        Number of classes.

    Returns
    -------
    ndarray of shape (K, K)
        Costs, rows = truth: 0 on the diagonal, 1 elsewhere.

    Raises
    ------
    ValueError
        When ``K`` is no positive integer.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from csboost import costs
    >>> costs.zero_one(3)
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    """
    return 1.0 - np.eye(_class_count(K))


def linear(K: int) -> NDArray[np.float64]:
    """The cost is the distance ``abs(j - k)`` between ordered classes.

    Parameters
    ----------
    K : int
        Number of classes.

    Returns
    -------
    ndarray of shape (K, K)
        Costs, rows = truth, in steps from class to class.

    Raises
    ------
    ValueError
        When ``K`` is no positive integer.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import costs
    >>> costs.linear(3)
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """
    index = np.arange(_class_count(K), dtype=np.float64)
    return np.abs(index[:, None] - index[None, :])


def partitioned_linear(K: int, ratio: float = 10.0) -> NDArray[np.float64]:
    """Linear costs, ``ratio`` times as high below the diagonal.

    ``C[j, k] = k - j`` for ``k >= j`` and ``ratio * (j - k)`` for ``k < j``: taking a bad loan (late class) for a
    good one costs more than the reverse.

    Parameters
    ----------
    K : int
        Number of classes.
    ratio : float, default=10.0
        Positive and finite.

    Returns
    -------
    ndarray of shape (K, K)
        Costs, rows = truth.

    Raises
    ------
    ValueError
        When ``K`` is no positive integer, or ``ratio`` not positive and finite.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import costs
    >>> costs.partitioned_linear(3, ratio=2.0)
    array([[0., 1., 2.],
           [2., 0., 1.],
           [4., 2., 0.]])
    """
    if not (np.isfinite(ratio) and ratio > 0):
        raise ValueError(f"ratio must be positive and finite, got {ratio!r}")
    costs = linear(K)
    return np.where(np.tri(len(costs), k=-1, dtype=bool), ratio * costs, costs)


#: The cost matrices that can be asked for by name.
PRESETS: dict[str, Callable[[int], NDArray[np.float64]]] = {
    "equal": zero_one,
    "linear": linear,
    "partitioned-linear": partitioned_linear,
}


def bayes_decision(proba: ArrayLike, C: ArrayLike) -> NDArray[np.intp]:
    """Index of the class of least expected cost, ``argmin_k sum_j proba[i, j] C[j, k]`` (the Bayes rule).

    Parameters
    ----------
    proba : array-like of shape (n, K)
        Class probabilities; rows need not sum to 1.
    C : array-like of shape (K, K)
        Cost matrix, rows = truth. Costs on the diagonal are taken as they stand.

    Returns
    -------
    ndarray of shape (n,)
        Column indices; the lowest one where costs tie.

    Raises
    ------
    ValueError
        When the shapes do not match, or an entry is NaN, infinite or negative.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the Bayes rule).

    Examples
    --------
    >>> from csboost import costs
    >>> costs.bayes_decision([[0.6, 0.4], [0.9, 0.1]], [[0, 1], [4, 0]])
    array([1, 0])
    """
    P, costs = _decision_tables(proba, C)
    if P.ndim != 2 or costs.shape != (P.shape[1], P.shape[1]):
        raise ValueError(f"proba must have shape (n, K) and C (K, K), got {P.shape} and {costs.shape}")
    if not (np.isfinite(P) & (P >= 0)).all():
        raise ValueError("proba must be finite and not negative")
    return np.argmin(P @ check_matrix(costs, range(len(costs)), name="C", allow_zero=True), axis=1)


def _decision_tables(proba: Any, C: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities and costs in one order of the classes, that of the columns of ``proba``."""
    labels = labels_of(C)
    if not is_labelled(proba):
        if labels is not None and not isinstance(C, CostTable) and labels != _sorted(labels):
            raise ValueError(
                f"C orders its classes {listed(labels)}, but proba has no labels to tell whether its columns do too: "
                "give costs.resolve(C, model.classes_), or both with labels, or C.to_numpy() if the orders agree"
            )
        costs = numeric(C, "C") if labels is None else resolve(C, _sorted(labels))
        return numeric(proba, "proba"), costs
    table = read_columns(proba, "proba", labels)
    costs = numeric(C, "C") if labels is None else resolve(C, table.columns)
    return numeric(table.values, "proba"), costs


def _sorted(labels: Sequence[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:  # of mixed types: no order to rely on
        return []


def resolve(
    cost_matrix: Any, classes: Sequence[Any] | NDArray[Any], *, known: Sequence[Any] | None = None
) -> NDArray[np.float64]:
    """Turn any accepted form of ``cost_matrix`` into a validated array in the order of ``classes``.

    Parameters
    ----------
    cost_matrix : None, str, CostTable, array-like of shape (K, K) or labelled table
        ``None`` is 0/1 costs. A name is a key of :data:`PRESETS`; it counts steps in the order of ``known``. An array
        is in the order of ``classes``. A labelled table (rows = truth, columns = predicted) is aligned by label and
        cut to ``classes``: a pandas.DataFrame, or one of polars, pyarrow and the like whose first column holds the
        labels of the rows. So is a :class:`CostTable`, also where the labels have become numbers.
    classes : array-like of shape (K,)
        The class labels, sorted as in ``classes_``.
    known : sequence, optional
        All classes there are, in their natural order, where ``classes`` are fewer or in another one. By default the
        categories that ``classes`` declare, or else ``classes``.

    Returns
    -------
    ndarray of shape (K, K)
        A new C-contiguous float64 array.

    Raises
    ------
    ValueError
        For an unknown name, a wrong shape, labels that are missing, repeated or differ between rows and columns,
        entries that are not numbers, NaN, infinite or negative, for a matrix of zeros only, and for a name where the
        classes are numbers held as text in the order of text.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on the form of a cost matrix).

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import costs
    >>> table = pd.DataFrame([[0, 5], [1, 0]], index=["sick", "well"], columns=["sick", "well"])
    >>> costs.resolve(table, ["well", "sick"])
    array([[0., 1.],
           [5., 0.]])
    >>> costs.resolve("linear", ["A", "C"], known=["A", "B", "C"])
    array([[0., 2.],
           [2., 0.]])
    """
    labels = list(classes.to_pylist() if hasattr(classes, "to_pylist") else classes)
    if cost_matrix is None:
        return zero_one(len(labels))
    if isinstance(cost_matrix, str):
        if known is None:
            declared = known_classes(classes=classes)
            known = declared[0] if declared is not None and declared[1] else None
        return _by_name(cost_matrix, labels, labels if known is None else list(known))
    if isinstance(cost_matrix, CostTable):
        return cost_matrix.matrix(labels)
    if is_labelled(cost_matrix):
        return check_matrix(aligned(cost_matrix, labels), labels)
    return check_matrix(numeric(cost_matrix, "cost_matrix"), labels)


def _by_name(name: str, labels: list[Any], order: list[Any]) -> NDArray[np.float64]:
    """A preset whose steps are counted in ``order``, cut to ``labels``."""
    preset = _preset(name)
    if preset is zero_one:
        return zero_one(len(labels))
    check_step_order(order, name)
    places = take_labels(order, labels, "the order of the classes", "place")
    return np.ascontiguousarray(preset(len(order))[np.ix_(places, places)])


def cost_rows(
    C: NDArray[np.float64],
    codes: NDArray[np.integer],
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    *,
    classes: Sequence[Any] | NDArray[Any] | None = None,
    allow_zero: bool = False,
) -> NDArray[np.float64]:
    """The cost row of every sample, ``c[i, k] = s[i] * C[codes[i], k]``.

    Parameters
    ----------
    C : ndarray of shape (K, K)
        A resolved cost matrix.
    codes : ndarray of int, shape (n,)
        The true classes as indices into ``C``.
    sample_weight : array-like of shape (n,), optional
        The weights ``s``, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, K), optional
        Costs per row: ``c[i, k] = s[i] * sample_cost[i, k]``. Where both are given, these rows win over ``C``.
    classes : array-like of shape (K,), optional
        The class labels; with them a table's columns are aligned by label (and cut to the classes present).
    allow_zero : bool, default=False
        Whether costs may be zero throughout, as where nothing is learnt from them.

    Returns
    -------
    ndarray of shape (n, K)
        A new C-contiguous float64 array, in the unit of the costs.

    Raises
    ------
    ValueError
        When weights or costs have a wrong shape, are NaN, infinite, negative or zero throughout.

    References
    ----------
    Zadrozny, B., Langford, J. and Abe, N. (2003), "Cost-sensitive learning by cost-proportionate example weighting",
    Third IEEE International Conference on Data Mining, 435-442, doi:10.1109/ICDM.2003.1250950 (costs that differ from
    example to example).

    Examples
    --------
    >>> import numpy as np
    >>> from csboost import costs
    >>> costs.cost_rows(costs.linear(3), np.array([2, 0]), sample_weight=[1.0, 3.0])
    array([[2., 1., 0.],
           [0., 3., 6.]])
    """
    n, K = len(codes), len(C)
    if sample_cost is None:
        rows = np.ascontiguousarray(C, dtype=np.float64)[codes]
    else:
        rows = check_sample_cost(read_sample_cost(sample_cost, classes), n, K, allow_zero=allow_zero)
    if sample_weight is not None:
        rows = rows * check_sample_weight(sample_weight, n)[:, None]
    if not allow_zero and not rows.any():
        raise ValueError("every row of positive sample_weight has zero costs throughout: there is nothing to learn")
    return rows


def _class_count(K: int) -> int:
    if not isinstance(K, (int, np.integer)) or isinstance(K, bool) or K < 1:
        raise ValueError(f"the number of classes K must be a positive integer, got {K!r}")
    return int(K)


def _preset(name: str) -> Callable[[int], NDArray[np.float64]]:
    if name in PRESETS:
        return PRESETS[name]
    close = difflib.get_close_matches(name, PRESETS, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"unknown cost_matrix name {name!r}{hint} Known names: {', '.join(map(repr, PRESETS))}")


def __getattr__(name: str) -> Any:
    # Lives in its own file, so that importing this one does not load scikit-learn.
    if name == "BayesDecisionClassifier":
        from csboost.bayes import BayesDecisionClassifier

        return BayesDecisionClassifier
    raise AttributeError(f"module 'csboost.costs' has no attribute {name!r}")
