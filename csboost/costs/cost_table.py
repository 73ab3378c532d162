"""Costs that know their labels, also where scikit-learn has turned the labels into numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import numeric
from csboost.costs.alignment import (
    Answers,
    align,
    check_answers,
    is_rectangular,
    label_vector,
    labelled_answers,
    plain_labels,
)
from csboost.costs.checks import check_matrix, differing_labels, take_labels
from csboost.costs.matrices import as_matrix
from csboost.costs.numbering import Numbering
from csboost.costs.row_tables import CostTables
from csboost.costs.tables import is_labelled, read_cost_table

if TYPE_CHECKING:
    import pandas as pd


class CostTable:
    """Costs with their class labels and answers, for ``cost_matrix=``: also where a labelled DataFrame will not do.

    Bagging, Voting, Stacking, ``CalibratedClassifierCV`` and ``cross_val_predict`` of probabilities turn the labels
    into the numbers 0, 1, ... of the sorted labels before a classifier sees them. A ``CostTable`` fits both: classes
    that are its labels are aligned by label (and the table is cut to them), classes that are such numbers by the
    sorted order of its labels. What could be read either way is refused.

    Answers need not be classes: some classes may have none, and others may be there, such as "human".

    Parameters
    ----------
    costs : array-like of shape (K, A), str, or a labelled table
        Rows = truth in the order of ``labels``, columns = answers in that of ``answers``; negative entries are gains. A
        name is one of :data:`csboost.costs.PRESETS`, whose steps are counted in the order of ``labels``.
    labels : sequence of length K, optional
        The class labels, in any order, which is also the order of displays. A labelled table brings its own; with it,
        ``labels`` choose and order.
    answers : sequence of length A, optional
        The answers; by default the class labels. A labelled table brings its own; with it, ``answers`` choose and
        order.

    Attributes
    ----------
    labels : tuple of length K
        The class labels in the order given.
    answers : tuple of length A
        The answers: ``labels`` where these are the same.
    costs : ndarray of shape (K, A)
        The costs in the order of ``labels`` and ``answers``, read-only.

    Raises
    ------
    ValueError
        When there are no labels, fewer than two different ones, ones that cannot be sorted, or costs or answers that do
        not fit.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on the form of a cost matrix).

    Examples
    --------
    >>> from csboost.costs import CostTable
    >>> table = CostTable("linear", labels=["low", "mid", "high"])
    >>> table.matrix(["high", "low", "mid"]).tolist()
    [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    >>> table.matrix([0, 1, 2]).tolist()  # the same labels, sorted and numbered
    [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    >>> CostTable([[0, 2, 1], [9, 0, 1]], labels=["well", "sick"], answers=["well", "sick", "human"]).answers
    ('well', 'sick', 'human')
    """

    labels: tuple[Any, ...]
    answers: tuple[Any, ...]
    costs: NDArray[np.float64]

    def __init__(self, costs: Any, labels: Iterable[Any] | None = None, answers: Iterable[Any] | None = None) -> None:
        given = labels_of(costs) if labels is None else labels
        if given is None:
            raise ValueError("CostTable needs labels, the class labels in the order of the costs, as these have none")
        self.labels = plain_labels(given)
        self._numbering = Numbering(self.labels)
        self.costs, self.answers = self._read(costs, None if answers is None else plain_labels(answers, "answers"))
        self.costs.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.costs.flags.writeable = False  # which neither a pickle nor a deep copy of an array keeps

    def _read(self, costs: Any, answers: tuple[Any, ...] | None) -> tuple[NDArray[np.float64], tuple[Any, ...]]:
        """The costs in the order of ``labels``, and the answers that their columns are."""
        brings_answers = costs is None or isinstance(costs, (str, CostTable)) or is_labelled(costs)
        if answers is None or brings_answers:
            values, columns = self._with_own_answers(costs, is_meant=answers is not None)
            if answers is None:
                return values, columns
            values = values[:, take_labels(list(columns), answers, "cost_matrix", "column")]
        else:
            values = numeric(costs, "cost_matrix")
        check_answers(values, self.labels, answers, is_meant=True)
        if is_rectangular(self.labels, answers):
            return values, answers
        places = take_labels(list(answers), self.labels, "cost_matrix", "column")
        return check_matrix(values[:, places], self.labels), self.labels

    def _with_own_answers(self, costs: Any, is_meant: bool) -> tuple[NDArray[np.float64], tuple[Any, ...]]:
        """The same of costs that say themselves which answers they have."""
        found = costs.answers_for(self.labels) if isinstance(costs, CostTable) else None
        if found is None and is_labelled(costs):
            found = labelled_answers(costs, label_vector(self.labels), is_meant=is_meant)
        if found is None:
            return as_matrix(costs, self.labels, self.labels), self.labels
        return found.costs, tuple(found.labels.tolist())

    def matrix(self, classes: Iterable[Any] | None = None) -> NDArray[np.float64]:
        """The costs in the order of ``classes``: labels, or numbers of the sorted labels.

        Parameters
        ----------
        classes : sequence, optional
            All or some of the labels, or of the numbers; the sorted labels by default.

        Returns
        -------
        ndarray of shape (len(classes), len(classes))
            A new array, rows = truth.

        Raises
        ------
        ValueError
            For classes that are neither, or that could be either with different costs; where the answers are not the
            classes (see :meth:`answers_for`).

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> CostTable([[0, 5], [1, 0]], labels=["sick", "well"]).matrix(["well", "sick"])
        array([[0., 1.],
               [5., 0.]])
        """
        wanted = self._numbering.sorted if classes is None else list(classes)
        places = self._numbering.places(wanted)
        if self.answers != self.labels:
            raise ValueError(f"{differing_labels(self.answers, self.labels, 'a matrix of classes')} Use answers_for.")
        return check_matrix(self.costs[np.ix_(places, places)], wanted)

    def answers_for(self, classes: Any = None) -> Answers:
        """The costs of all answers in the order of ``classes``: labels, or numbers of the sorted labels.

        Parameters
        ----------
        classes : sequence, optional
            All or some of the labels, or of the numbers; the sorted labels by default.

        Returns
        -------
        Answers
            Costs (len(classes), A) and the labels (A,) of the answers: those that are classes first, in the order and
            writing of ``classes``; the column of a class that is left out goes.

        Raises
        ------
        ValueError
            For classes that are neither, or that could be either with different costs.

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> table = CostTable([[0, 2, 1], [9, 0, 1]], labels=["well", "sick"], answers=["well", "sick", "human"])
        >>> costs, labels = table.answers_for([0, 1])
        >>> costs.tolist(), labels.tolist()
        ([[0.0, 9.0, 1.0], [2.0, 0.0, 1.0]], [0, 1, 'human'])
        """
        wanted = self._numbering.sorted if classes is None else list(classes)
        written = classes if isinstance(classes, np.ndarray) else label_vector(wanted)
        places = self._numbering.places(wanted)
        if self.answers == self.labels:
            return Answers(check_matrix(self.costs[np.ix_(places, places)], wanted), written)
        return align(self.costs, self.labels, self.answers, [self.labels[place] for place in places], written)

    def to_frame(self) -> pd.DataFrame:
        """The table as a pandas.DataFrame.

        Returns
        -------
        pandas.DataFrame of shape (K, A)
            A copy in the order of ``labels`` and ``answers``, rows = truth.

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> CostTable([[0, 5], [1, 0]], labels=["sick", "well"]).to_frame()
              sick  well
        sick   0.0   5.0
        well   1.0   0.0
        """
        import pandas as pd

        return pd.DataFrame(self.costs.copy(), index=list(self.labels), columns=list(self.answers))

    def classes_for(self, seen: Iterable[Any]) -> list[Any]:
        """All K classes in the order of ``labels``, written as in ``seen``: as labels, or as numbers.

        Parameters
        ----------
        seen : iterable
            Class labels, or numbers of the sorted labels.

        Returns
        -------
        list of length K
            The labels themselves, or the number of each among the sorted labels.

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> table = CostTable("linear", labels=["low", "mid", "high"])
        >>> table.classes_for(["mid", "low"]), table.classes_for([0, 2])
        (['low', 'mid', 'high'], [1, 2, 0])
        """
        return self._numbering.written_as(seen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostTable):
            return NotImplemented
        same_labels = self.labels == other.labels and self.answers == other.answers
        return same_labels and np.array_equal(self.costs, other.costs)

    def __hash__(self) -> int:
        return hash((self.labels, self.answers, self.costs.tobytes()))

    def __repr__(self) -> str:
        answers = "" if self.answers == self.labels else f", answers={list(self.answers)}"
        return f"CostTable({self.costs.tolist()}, labels={list(self.labels)}{answers})"


def labels_of(cost_matrix: Any) -> list[Any] | None:
    """The labels of a cost matrix, or of one per row, in its own order, or None where it has none."""
    if isinstance(cost_matrix, CostTable | CostTables):
        return list(cost_matrix.labels)
    return read_cost_table(cost_matrix).rows if is_labelled(cost_matrix) else None
