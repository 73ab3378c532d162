"""Costs that know their labels, also where scikit-learn has turned the labels into numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import is_integer, listed
from csboost.costs.checks import check_matrix
from csboost.costs.matrices import as_matrix
from csboost.costs.tables import is_labelled, read_cost_table

if TYPE_CHECKING:
    import pandas as pd


class CostTable:
    """A cost matrix with its class labels, for ``cost_matrix=``: also where a labelled DataFrame will not do.

    Bagging, Voting, Stacking, ``CalibratedClassifierCV`` and ``cross_val_predict`` of probabilities turn the labels
    into the numbers 0, 1, ... of the sorted labels before a classifier sees them. A ``CostTable`` fits both: classes
    that are its labels are aligned by label (and the table is cut to them), classes that are such numbers by the
    sorted order of its labels. What could be read either way is refused.

    Parameters
    ----------
    costs : array-like of shape (K, K), str, or a labelled table
        Rows = truth, columns = predicted, in the order of ``labels``; a name is one of
        :data:`csboost.costs.PRESETS`, whose steps are counted in the order of ``labels``.
    labels : sequence of length K, optional
        The class labels, in any order, which is also the order of displays. A labelled table brings its own; with it,
        ``labels`` choose and order.

    Attributes
    ----------
    labels : tuple of length K
        The class labels in the order given.
    costs : ndarray of shape (K, K)
        The costs in the order of ``labels``, read-only.

    Raises
    ------
    ValueError
        When there are no labels, fewer than two different ones, ones that cannot be sorted, or costs that do not fit.

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
    """

    labels: tuple[Any, ...]
    costs: NDArray[np.float64]

    def __init__(self, costs: Any, labels: Iterable[Any] | None = None) -> None:
        given = labels_of(costs) if labels is None else labels
        if given is None:
            raise ValueError("CostTable needs labels, the class labels in the order of the costs, as these have none")
        self.labels = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
        self._position = {label: place for place, label in enumerate(self.labels)}
        if len(self._position) < max(len(self.labels), 2):
            raise ValueError(f"CostTable needs at least two different labels, got {listed(self.labels) or 'none'}")
        try:
            self._sorted = sorted(self.labels)
        except TypeError:
            raise ValueError(f"the labels of a CostTable must be sortable, got {listed(self.labels)}") from None
        if isinstance(costs, CostTable):
            self.costs = costs.matrix(self.labels)
        else:
            self.costs = as_matrix(costs, self.labels, self.labels)
        self.costs.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.costs.flags.writeable = False  # which neither a pickle nor a deep copy of an array keeps

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
            For classes that are neither, or that could be either with different costs.

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> CostTable([[0, 5], [1, 0]], labels=["sick", "well"]).matrix(["well", "sick"])
        array([[0., 1.],
               [5., 0.]])
        """
        wanted = self._sorted if classes is None else list(classes)
        places = self._places(wanted)
        return check_matrix(self.costs[np.ix_(places, places)], wanted)

    def to_frame(self) -> pd.DataFrame:
        """The table as a pandas.DataFrame.

        Returns
        -------
        pandas.DataFrame of shape (K, K)
            A copy in the order of ``labels``, rows = truth.

        Examples
        --------
        >>> from csboost.costs import CostTable
        >>> CostTable([[0, 5], [1, 0]], labels=["sick", "well"]).to_frame()
              sick  well
        sick   0.0   5.0
        well   1.0   0.0
        """
        import pandas as pd

        return pd.DataFrame(self.costs.copy(), index=list(self.labels), columns=list(self.labels))

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
        found = list(dict.fromkeys(seen))
        own = [label in self._position and is_integer(label) == is_integer(self._own(label)) for label in found]
        if all(own) or not self._are_numbers(found):
            return list(self.labels)
        return [self._sorted.index(label) for label in self.labels]

    def _own(self, label: Any) -> Any:
        """The label that equals ``label``: 1 is equal to True."""
        return self.labels[self._position[label]]

    def _are_numbers(self, classes: Sequence[Any]) -> bool:
        """Whether ``classes`` must be numbers of all K sorted labels: with the last one among them, the one who
        numbered the labels has seen as many as the table has.
        """
        K = len(self.labels)
        return all(map(is_integer, classes)) and min(classes, default=-1) >= 0 and max(classes, default=-1) == K - 1

    def _places(self, classes: list[Any]) -> list[int]:
        by_label = [self._position.get(label, -1) for label in classes]
        by_number = [self._position[self._sorted[k]] for k in classes] if self._are_numbers(classes) else None
        if -1 not in by_label:
            if by_number not in (None, by_label):
                raise ValueError(
                    f"the classes {listed(classes)} may be labels of this cost table or numbers of its sorted labels "
                    f"{listed(self._sorted)}, which cost differently. Number the labels from 0, or use text; where "
                    "nothing encodes them, give a labelled pandas.DataFrame."
                )
            return by_label
        if by_number is None:
            raise ValueError(
                f"the cost table has the labels {listed(self._sorted)}, the classes are {listed(classes)}: neither "
                f"labels of it nor the numbers 0 to {len(self.labels) - 1} of its sorted labels. {self._why(classes)}"
            )
        return by_number

    def _why(self, classes: Sequence[Any]) -> str:
        if not all(map(is_integer, classes)):
            return "Give a table with a row and a column for every class."
        return (
            "Where scikit-learn numbers the classes of a part (one-vs-rest, one-vs-one, a fold or a sample that lacks "
            "a class) it cannot be told which they are. These classifiers take all classes at once and need no "
            "one-vs-rest; elsewhere keep every class in every part, or give a table of the classes that are there."
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostTable):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.costs, other.costs)

    def __hash__(self) -> int:
        return hash((self.labels, self.costs.tobytes()))

    def __repr__(self) -> str:
        return f"CostTable({self.costs.tolist()}, labels={list(self.labels)})"


def labels_of(cost_matrix: Any) -> list[Any] | None:
    """The labels of a cost matrix in its own order, or None where it has none."""
    if isinstance(cost_matrix, CostTable):
        return list(cost_matrix.labels)
    return read_cost_table(cost_matrix).rows if is_labelled(cost_matrix) else None
