"""Cost matrices that have names.

Everywhere ``C[j, k]`` is the cost of predicting ``k`` when the truth is ``j``: rows = truth, columns = predicted.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost.costs.checks import take_labels
from csboost.costs.steps import check_number_order


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


def named_matrix(name: str, labels: list[Any], order: list[Any]) -> NDArray[np.float64]:
    """A preset whose steps are counted in ``order``, cut to ``labels``."""
    preset = _preset(name)
    if preset is zero_one:
        return zero_one(len(labels))
    check_number_order(order, name)
    places = take_labels(order, labels, "the order of the classes", "place")
    return np.ascontiguousarray(preset(len(order))[np.ix_(places, places)])


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
