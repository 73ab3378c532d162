"""Costs per row: what every answer costs each sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import numeric
from csboost._inputs.weights import check_sample_weight
from csboost.costs.checks import LABELLED_REMEDY, check_finite_everywhere, take_labels
from csboost.costs.row_tables import CostTables
from csboost.costs.tables import default_labels, is_labelled, read_columns


def cost_rows(
    C: NDArray[np.float64],
    codes: NDArray[np.integer],
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    *,
    classes: Sequence[Any] | NDArray[Any] | None = None,
    allow_zero: bool = False,
) -> NDArray[np.float64]:
    """The cost row of every sample, ``c[i, a] = s[i] * C[codes[i], a]``.

    Parameters
    ----------
    C : ndarray of shape (K, A)
        A resolved cost matrix, gains (negative entries) included; answers need not be classes.
    codes : ndarray of int, shape (n,)
        The true classes as indices into the rows of ``C``.
    sample_weight : array-like of shape (n,), optional
        The weights ``s``, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        Costs per row: ``c[i, a] = s[i] * sample_cost[i, a]``. Where both are given, these rows win over ``C``.
    classes : array-like of shape (A,), optional
        The labels of the columns of ``C``, classes or other answers; with them a table's columns are aligned by label
        (and cut to the answers present).
    allow_zero : bool, default=False
        Whether costs may be zero throughout, as where nothing is learnt from them.

    Returns
    -------
    ndarray of shape (n, A)
        A new C-contiguous float64 array, in the unit of the costs.

    Raises
    ------
    ValueError
        When weights or costs have a wrong shape, are NaN, infinite or zero throughout, weights are negative, or costs
        are gains (negative entries) throughout.

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
    C, n = np.ascontiguousarray(C, dtype=np.float64), len(codes)
    if sample_cost is None:
        rows = C[codes]
    else:
        rows = check_sample_cost(read_sample_cost(sample_cost, classes), n, C.shape[1], allow_zero=allow_zero)
    if sample_weight is not None:
        rows = rows * check_sample_weight(sample_weight, n)[:, None]
    if not allow_zero and not rows.any():
        raise ValueError("every row of positive sample_weight has zero costs throughout: there is nothing to learn")
    return rows


def read_sample_cost(
    sample_cost: Any,
    classes: Sequence[Any] | np.ndarray | None,
    n_rows: int | None = None,
    *,
    name: str = "sample_cost",
) -> np.ndarray:
    """Costs per row as an array in the order of ``classes``, which may be other answers too; entries are not checked,
    and ``n_rows`` are expected if given.
    """
    refuse_forms_of_decide(sample_cost, name)
    if is_labelled(sample_cost):
        labels = None if classes is None else list(classes)
        table = read_columns(sample_cost, name, labels)
        if labels is None and not default_labels(table.columns):
            raise ValueError(f"{name} has labelled columns: give classes=, the class labels, to align them")
        costs = numeric(table.values, name)
        if labels is not None:
            costs = costs[:, take_labels(table.columns, labels, name, "column")]
    else:
        costs = numeric(sample_cost, name)
    if n_rows is not None and (costs.ndim != 2 or len(costs) != n_rows):
        K = "K" if classes is None else len(classes)
        raise ValueError(
            f"{name} has shape {costs.shape}, expected ({n_rows}, {K}): a row per sample and a column per class, or "
            "per answer where these are others"
        )
    return costs


def refuse_forms_of_decide(sample_cost: Any, name: str = "sample_cost") -> None:
    """Refuse what ``decide`` takes before the truth is known: tables per row, or entries by truth and answer."""
    if isinstance(sample_cost, CostTables | Mapping):
        held = "tables per row" if isinstance(sample_cost, CostTables) else "a dict of entries"
        raise ValueError(
            f"{name} holds {held}, which decide takes before the truth is known. Here it is known: give what each "
            "answer costs each row, (n, A), such as csboost.costs.from_formulas(table, X, y)."
        )


def check_sample_cost(costs: NDArray[np.float64], n: int, A: int, *, allow_zero: bool = False) -> NDArray[np.float64]:
    """Check costs per row: (n, A), finite, not all zero or gains."""
    if costs.shape != (n, A):
        hint = LABELLED_REMEDY if costs.ndim == 2 and len(costs) == n else "Give one row per sample."
        raise ValueError(
            f"sample_cost has shape {costs.shape}, expected ({n}, {A}): a row per sample and, in sorted order, a "
            f"column per class (then one per other answer, in the order of cost_matrix). {hint}"
        )
    check_finite_everywhere(costs, "sample_cost")
    if not allow_zero and not costs.any():
        raise ValueError("sample_cost is zero everywhere: no mistake would cost anything")
    if not allow_zero and (costs < 0).all():
        raise ValueError(
            "sample_cost holds gains alone: negative entries are gains, so the sign is likely wrong. If not, subtract "
            "its minimum from each row, which changes no decision."
        )
    return np.ascontiguousarray(costs)
