"""Class labels that scikit-learn may have turned into numbers: which label is which class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from csboost._inputs.labels import is_missing
from csboost._inputs.values import is_integer, listed


class Numbering:
    """The labels of a cost table, and the numbers that the sorted labels have.

    Attributes
    ----------
    labels : tuple of length K
    position : dict
        Label -> its place among the labels.
    sorted : list of length K
        A label's place here is its number.
    """

    def __init__(self, labels: tuple[Any, ...]):
        if any(map(is_missing, labels)):
            raise ValueError(f"the labels of a CostTable must not be missing, got {listed(labels)}")
        self.labels = labels
        self.position = {label: place for place, label in enumerate(labels)}
        if len(self.position) < max(len(labels), 2):
            raise ValueError(f"CostTable needs at least two different labels, got {listed(labels) or 'none'}")
        try:
            self.sorted = sorted(labels)
        except TypeError:
            raise ValueError(f"the labels of a CostTable must be sortable, got {listed(labels)}") from None

    def written_as(self, seen: Iterable[Any]) -> list[Any]:
        """All labels in their order, or the number of each where ``seen`` are numbers."""
        found = list(dict.fromkeys(seen))
        own = [label in self.position and is_integer(label) == is_integer(self._own(label)) for label in found]
        if all(own) or not self._are_numbers(found):
            return list(self.labels)
        return [self.sorted.index(label) for label in self.labels]

    def places(self, classes: list[Any]) -> list[int]:
        """The place of each class among the labels."""
        by_label = [self.position.get(label, -1) for label in classes]
        by_number = [self.position[self.sorted[k]] for k in classes] if self._are_numbers(classes) else None
        if -1 not in by_label:
            if by_number not in (None, by_label):
                raise ValueError(
                    f"the classes {listed(classes)} may be labels of this cost table or numbers of its sorted labels "
                    f"{listed(self.sorted)}, which cost differently. Number the labels from 0, or use text; where "
                    "nothing encodes them, give a labelled pandas.DataFrame."
                )
            return by_label
        if by_number is None:
            raise ValueError(
                f"the cost table has the labels {listed(self.sorted)}, the classes are {listed(classes)}: neither "
                f"labels of it nor the numbers 0 to {len(self.labels) - 1} of its sorted labels. {_why(classes)}"
            )
        return by_number

    def _own(self, label: Any) -> Any:
        """The label that equals ``label``: 1 is equal to True."""
        return self.labels[self.position[label]]

    def _are_numbers(self, classes: Sequence[Any]) -> bool:
        """Whether ``classes`` must be numbers of all K sorted labels: with the last one among them, the one who
        numbered the labels has seen as many as the table has.
        """
        K = len(self.labels)
        return all(map(is_integer, classes)) and min(classes, default=-1) >= 0 and max(classes, default=-1) == K - 1


def _why(classes: Sequence[Any]) -> str:
    if not all(map(is_integer, classes)):
        return "Give a table with a row and a column for every class."
    return (
        "Where scikit-learn numbers the classes of a part (one-vs-rest, one-vs-one, a fold or a sample that lacks "
        "a class) it cannot be told which they are. These classifiers take all classes at once and need no "
        "one-vs-rest; elsewhere keep every class in every part, or give a table of the classes that are there."
    )
