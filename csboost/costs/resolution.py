"""Any accepted form of ``cost_matrix`` as an array in the order of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.labels import known_classes
from csboost._inputs.values import refuse_parted
from csboost.costs.cost_table import CostTable
from csboost.costs.matrices import as_matrix
from csboost.costs.steps import check_stated_order


def resolve(
    cost_matrix: Any, classes: Sequence[Any] | NDArray[Any], *, known: Sequence[Any] | None = None
) -> NDArray[np.float64]:
    """Turn any accepted form of ``cost_matrix`` into a validated array in the order of ``classes``.

    Parameters
    ----------
    cost_matrix : None, str, CostTable, array-like of shape (K, K) or labelled table
        ``None`` is 0/1 costs. A name is a key of :data:`PRESETS`; it counts steps in the order of ``known``. An array
        is in the order of ``classes``. A labelled table (rows = truth, columns = predicted, the same labels on both) is
        aligned by label and cut to ``classes``: a pandas.DataFrame, or one of polars, pyarrow and the like whose first
        column holds the labels of the rows. So is a :class:`CostTable`, also where the labels have become numbers.
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
        For an unknown name, a wrong shape, labels that are missing, repeated or differ between rows and columns (for
        answers that are not the classes see :func:`resolve_answers`), entries that are not numbers, NaN or infinite,
        for a matrix of zeros only, a row of gains (negative entries) only, gains without any cost where the right
        answer always gains least, axes that are called the wrong way round, and for a name where the classes are
        numbers held as text in the order of text, or words whose order nobody stated.

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
    refuse_parted(labels, "classes")
    if isinstance(cost_matrix, CostTable):
        return cost_matrix.matrix(labels)
    if known is None and isinstance(cost_matrix, str):
        declared = known_classes(classes=classes)
        check_stated_order(cost_matrix, labels, declared)
        known = declared[0] if declared is not None and declared[1] else None
    return as_matrix(cost_matrix, labels, labels if known is None else known)
