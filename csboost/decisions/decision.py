"""What a decision comes to: the answers, and what they are expected to cost."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

_PARTS = ("expected_costs", "labels", "classes", "priors", "shadow_prices", "index")
_LEFT = {*_PARTS, "_places", "expected_cost", "counts"}  # what answers lack that were changed
_OWN = {"copy", "dump", "dumps", "flags", "setflags"}  # all else that arrays have is that of the answers as an array
_OF_ARRAYS = {name for name in vars(np.ndarray) if not name.startswith("_")} - _OWN


class Decision(np.ndarray):
    """Answers as a read-only array (n,) of labels, with what they are expected to cost.

    It is an array because that is what ``predict`` returns: a decision can be compared with it, handed to a metric or
    put into a table, and who asks for answers alone need not know more. Whatever NumPy makes of it is a plain array:
    parts, comparisons, other shapes and orders. Copies are decisions: those of :mod:`copy` and :mod:`pickle` read-only
    too, while the answers of ``copy()`` can be changed, and from then on lack the rest, which belongs to others.

    Parameters
    ----------
    places : array-like of int, shape (n,)
        The answers as places in ``labels``.
    expected_costs : array-like of shape (n, A)
        What each answer is expected to cost.
    labels : array-like of shape (A,)
        The answers' labels.
    classes : array-like of shape (K,)
        The classes' labels.
    priors : array-like of shape (K,), optional
        The shares of the classes that were used.
    shadow_prices : dict, optional
        What each limit costs.
    index : pandas.Index, optional
        The names of the rows, as ``X.index``.

    Attributes
    ----------
    answers : ndarray of shape (n,)
        The answers as a plain array.
    expected_cost : ndarray of shape (n,)
        What each row's answer is expected to cost, in the unit of the costs.
    expected_costs : ndarray of shape (n, A)
        What each answer is expected to cost each row; read-only, as are the labels, the classes and the priors.
    labels : ndarray of shape (A,)
        The answers' labels, in the order of the columns of ``expected_costs``.
    classes : ndarray of shape (K,)
        The classes' labels.
    priors : ndarray of shape (K,) or None
        The shares of the classes that the probabilities were brought to, in the order of ``classes``; None where they
        were taken as they are.
    shadow_prices : dict
        Limited answer -> by how much the sum of the expected costs falls when the limit that binds is relaxed by one
        row; 0 where none binds.
    index : pandas.Index or None
        The names of the rows, where X (or the probabilities) had an index.
    counts : dict
        Answer -> how many rows have it.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from csboost import decisions
    >>> decision = decisions.decide([[0.9, 0.1], [0.4, 0.6]], [[0, 1], [5, 0]])
    >>> decision
    Decision of 2 rows: 1 x 0, 1 x 1; expected cost 0.45 per row
    >>> decision.tolist(), decision.expected_cost.tolist()
    ([0, 1], [0.5, 0.4])
    """

    _places: NDArray[np.intp]
    expected_costs: NDArray[np.float64]
    labels: NDArray[Any]
    classes: NDArray[Any]
    priors: NDArray[np.float64] | None
    shadow_prices: dict[Any, float]
    index: Any

    # what messages on the order of rows recommend
    _in_order = ("{0}.to_frame()['answer'].loc[{1}.index]", "{0}.to_frame()['answer'].sort_index()", "{0}.answers")

    def __new__(
        cls,
        places: Any,
        expected_costs: Any,
        labels: Any,
        classes: Any,
        priors: Any = None,
        shadow_prices: dict[Any, float] | None = None,
        index: Any = None,
    ) -> Decision:
        """Make a decision of the places of its answers."""
        places, labels = _fixed(np.asarray(places, dtype=np.intp)), _fixed(labels)
        answers = labels[places]
        answers.flags.writeable = False
        self = answers.view(cls)
        self._places, self.labels, self.classes = places, labels, _fixed(classes)
        self.expected_costs, self.priors = _fixed(expected_costs), None if priors is None else _fixed(priors)
        self.shadow_prices, self.index = dict(shadow_prices or {}), index
        return self

    @property
    def answers(self) -> NDArray[Any]:
        """The answers as a plain array."""
        return self.view(np.ndarray)

    @property
    def expected_cost(self) -> NDArray[np.float64]:
        """What each row's answer is expected to cost, shape (n,)."""
        return self.expected_costs[np.arange(len(self._places)), self._places]

    @property
    def counts(self) -> dict[Any, int]:
        """How many rows have each answer."""
        found = np.bincount(self._places, minlength=len(self.labels))
        return dict(zip(self.labels.tolist(), found.tolist(), strict=True))

    def to_frame(self) -> pd.DataFrame:
        """The decision as a table.

        Returns
        -------
        pandas.DataFrame of shape (n, 2 + A)
            ``answer`` and ``expected_cost``, then what each answer is expected to cost, under its label. It has the
            index of X, where that had one, so that it can be joined to X.

        Examples
        --------
        >>> from csboost import decisions
        >>> decisions.decide([[0.9, 0.1], [0.4, 0.6]], [[0, 1], [5, 0]]).to_frame()
           answer  expected_cost    0    1
        0       0            0.5  0.5  0.9
        1       1            0.4  3.0  0.4
        """
        import pandas as pd

        chosen = pd.DataFrame({"answer": self.answers, "expected_cost": self.expected_cost})
        frame = pd.concat([chosen, pd.DataFrame(self.expected_costs, columns=self.labels.tolist())], axis=1)
        return frame if self.index is None else frame.set_axis(self.index, axis=0)

    # An array of answers for all others.

    def __array_finalize__(self, made_of: Any) -> None:
        if isinstance(made_of, Decision) and made_of.shape == self.shape and made_of.dtype == self.dtype:
            vars(self).update(vars(made_of))

    def _is_whole(self) -> bool:
        """Whether the rest is here and belongs to the answers, which may have been changed in a copy."""
        own = vars(self)
        if "_places" not in own or not self.flags.writeable:
            return "_places" in own
        return bool((self.answers == own["labels"][own["_places"]]).all())

    if not TYPE_CHECKING:  # hidden from type checkers, which would take every misspelt name for one of any type

        def __getattribute__(self, name: str) -> Any:
            if name in _OF_ARRAYS:
                return getattr(np.ndarray.view(self, np.ndarray), name)
            if name in _LEFT and not self._is_whole():
                raise AttributeError(name)  # __getattr__ says it
            return super().__getattribute__(name)

        def __getattr__(self, name: str) -> Any:
            if name in _LEFT:
                raise AttributeError(f"these answers were taken out of a Decision; its {name.strip('_')} stayed there")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getitem__(self, key: Any) -> Any:
        return self.answers[key]

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*_plain(inputs), **_plain(options))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return function(*_plain(args), **_plain(options))

    def __reduce__(self) -> Any:
        if not self._is_whole():
            return super().__reduce__()
        make = _changeable if self.flags.writeable else type(self)
        return make, (self._places, *(vars(self)[name] for name in _PARTS))

    def __copy__(self) -> Any:
        if not self._is_whole():
            return super().__copy__()
        make, parts = self.__reduce__()
        return make(*parts)

    def __deepcopy__(self, memo: Any) -> Any:
        if not self._is_whole():
            return super().__deepcopy__(memo)
        make, parts = self.__reduce__()
        return make(*deepcopy(parts, memo))

    def __repr__(self) -> str:
        if self.flags.writeable or not self._is_whole():
            return repr(self.answers)
        counts = ", ".join(f"{count} x {label}" for label, count in self.counts.items() if count)
        mean = f"; expected cost {self.expected_cost.mean():.4g} per row" if len(self) else ""
        return f"Decision of {len(self)} rows: {counts or 'none'}{mean}"

    __str__ = __repr__


def _changeable(*parts: Any) -> Decision:
    """A copy whose answers can be changed."""
    return Decision(*parts).copy()


def _fixed(values: Any) -> NDArray[Any]:
    """The values as an array that cannot be written."""
    found = np.asarray(values).view()
    found.flags.writeable = False
    return found


def _plain(values: Any) -> Any:
    """Decisions as arrays, also those in lists, tuples and dicts."""
    if isinstance(values, Decision):
        return values.answers
    if type(values) in (list, tuple):
        return type(values)(map(_plain, values))
    return {name: _plain(value) for name, value in values.items()} if type(values) is dict else values
