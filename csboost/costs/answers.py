"""Any accepted form of ``cost_matrix`` as the costs of answers, which need not be the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import numeric
from csboost.costs.alignment import Answers, check_answers, label_vector, labelled_answers
from csboost.costs.cost_table import CostTable
from csboost.costs.resolution import resolve
from csboost.costs.tables import is_labelled

__all__ = ["Answers", "are_numbered", "read_answers", "resolve_answers"]


def resolve_answers(
    cost_matrix: Any, classes: Sequence[Any] | NDArray[Any], *, known: Sequence[Any] | None = None
) -> Answers:
    """Turn any accepted form of ``cost_matrix`` into the costs of all its answers, and these answers' labels.

    The columns of a labelled table are its answers: the classes, some of them, or others such as "human". Where they
    are the classes, as in all other forms, this is :func:`resolve`.

    Parameters
    ----------
    cost_matrix : None, str, CostTable, array-like of shape (K, K) or labelled table of shape (K, A)
        As for :func:`resolve`. The rows of a labelled table are aligned to ``classes`` by label and cut to them; the
        column of a class that is cut goes too.
    classes : array-like of shape (K,)
        The class labels, sorted as in ``classes_``.
    known : sequence, optional
        All classes there are, in their natural order: see :func:`resolve`.

    Returns
    -------
    Answers
        ``costs`` (K, A) in the user's unit, gains (negative entries) included, and ``labels`` (A,): the answers that
        are classes in the order of ``classes``, then the others in the order of the table.

    Raises
    ------
    ValueError
        As :func:`resolve`, and where an answer differs from a class in upper case, spaces or type alone or nearly is a
        class that has no column, where two answers cost the same throughout and one of them is no class, and for
        entries that are NaN or infinite; for a table whose axes have names that say that its rows are the answers.

    Warns
    -----
    UserWarning
        For rows that are neither classes here nor answers where the columns are just the classes: the table may be
        turned over.

    References
    ----------
    Chow, C. K. (1970), "On optimum recognition error and reject tradeoff", IEEE Transactions on Information Theory 16,
    41-46, doi:10.1109/TIT.1970.1054406 (an answer that is no class: to reject).
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on the form of a cost matrix).

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import costs
    >>> table = pd.DataFrame({"well": [0, 9], "sick": [2, 0], "human": [1, 1]}, index=["well", "sick"])
    >>> found = costs.resolve_answers(table, ["sick", "well"])
    >>> found.costs.tolist(), found.labels.tolist()
    ([[0.0, 9.0, 1.0], [2.0, 0.0, 1.0]], ['sick', 'well', 'human'])
    """
    labels = label_vector(classes.to_pylist() if hasattr(classes, "to_pylist") else classes)
    if isinstance(cost_matrix, CostTable):
        return cost_matrix.answers_for(labels)
    found = labelled_answers(cost_matrix, labels, known=known) if is_labelled(cost_matrix) else None
    return Answers(resolve(cost_matrix, classes, known=known), labels) if found is None else found


def read_answers(cost_matrix: Any, classes: NDArray[Any], known: Sequence[Any] | None = None) -> Answers:
    """The same, and of an array that is not square, whose answers are the numbers of its columns: enough to decide and
    to judge by, while what is learnt has to know how its answers are called.
    """
    if not are_numbered(cost_matrix) or len(cost_matrix) != len(classes):
        return resolve_answers(cost_matrix, classes, known=known)
    costs = numeric(cost_matrix, "cost_matrix")
    check_answers(costs, range(costs.shape[0]), range(costs.shape[1]), is_meant=True)
    return Answers(costs, np.arange(costs.shape[1]))


def are_numbered(cost_matrix: Any) -> bool:
    """Whether costs are an array that is not square."""
    try:
        shape = np.shape(cost_matrix) if isinstance(cost_matrix, np.ndarray | list | tuple) else ()
    except ValueError:  # rows of several lengths, which are refused where they are read
        return False
    return len(shape) == 2 and shape[0] != shape[1]
