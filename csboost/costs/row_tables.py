"""A cost table for every row of X, with its labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import numeric
from csboost.costs.alignment import Answers, align, label_vector, plain_labels, refuse_slips
from csboost.costs.checks import check_finite_everywhere, check_unique
from csboost.costs.gains import doubtful_gains


class CostTables:
    """A cost table for each of n rows, for decisions before the truth is known: ``sample_cost=`` of ``decide``.

    An array of shape (n, K, A) does not say which class and which answer an axis holds; this does, so that the tables
    are aligned to a model's classes by label. NumPy takes it as that array; a choice of rows is such tables again.

    Parameters
    ----------
    costs : array-like of shape (n, K, A)
        Rows, truths in the order of ``labels``, answers in that of ``answers``; negative entries are gains.
    labels : sequence of length K
        The class labels.
    answers : sequence of length A, optional
        The answers; by default the class labels.
    index : pandas.Index or sequence of length n, optional
        The names of the rows, as ``X.index``. ``decide`` refuses tables whose rows it names in another order than X.

    Attributes
    ----------
    costs : ndarray of shape (n, K, A)
        A copy, read-only.
    labels, answers : tuple
        As given.
    index : pandas.Index or None
        As given; a choice of rows has its part of it.
    shape : tuple of int
        (n, K, A).

    Raises
    ------
    ValueError
        For labels that repeat, answers that differ from a class in upper case, spaces or type alone, an index of
        another length, and costs that do not fit or are not finite.

    Warns
    -----
    UserWarning
        For truths of which every answer earns in every row, and for gains without any cost of which the right answer's
        are always the least.

    References
    ----------
    Zadrozny, B., Langford, J. and Abe, N. (2003), "Cost-sensitive learning by cost-proportionate example weighting",
    Third IEEE International Conference on Data Mining, 435-442, doi:10.1109/ICDM.2003.1250950 (costs that differ from
    example to example).

    Examples
    --------
    >>> from csboost import costs, decisions
    >>> tables = costs.CostTables([[[0, 1], [5, 0]], [[0, 1], [90, 0]]], labels=["sound", "broken"])
    >>> decisions.decide([[0.9, 0.1], [0.9, 0.1]], sample_cost=tables, classes=["sound", "broken"]).tolist()
    ['sound', 'broken']
    """

    costs: NDArray[np.float64]
    labels: tuple[Any, ...]
    answers: tuple[Any, ...]
    index: Any

    # what messages on the order of rows recommend
    _in_order = (
        "{0}[{0}.index.get_indexer({1}.index)]",
        "{0}[{0}.index.argsort()]",
        "csboost.costs.CostTables({0}.costs, {0}.labels, {0}.answers)",
    )

    def __init__(
        self, costs: ArrayLike, labels: Iterable[Any], answers: Iterable[Any] | None = None, index: Any = None
    ) -> None:
        self.labels = plain_labels(labels)
        self.answers = self.labels if answers is None else plain_labels(answers, "answers")
        check_unique(self.labels, "CostTables", "row")
        check_unique(self.answers, "CostTables", "column")
        refuse_slips(self.labels, self.answers, "CostTables", is_meant=True)
        self.costs = numeric(costs, "costs")
        wanted = (len(self.labels), len(self.answers))
        if self.costs.ndim != 3 or self.costs.shape[1:] != wanted:
            raise ValueError(
                f"costs has shape {self.costs.shape}, expected (n, {wanted[0]}, {wanted[1]}): a table per row, with a "
                "row per label and a column per answer"
            )
        check_finite_everywhere(self.costs, "costs")
        self.index = _read_index(index, len(self.costs))
        self.costs.flags.writeable = False
        doubt = self._doubt()
        if doubt is not None:
            warnings.warn(doubt, stacklevel=2)

    @classmethod
    def _made(cls, costs: NDArray[np.float64], labels: Any, answers: Any, index: Any) -> CostTables:
        """The same of parts that were checked."""
        self = cls.__new__(cls)
        self.__setstate__({"costs": costs, "labels": labels, "answers": answers, "index": index})
        return self

    def _doubt(self) -> str | None:
        """What speaks against the signs."""
        n, K, A = self.costs.shape
        truths = np.tile(np.arange(K), n)
        return doubtful_gains(self.costs.reshape(n * K, A), truths, self.labels, self.answers, "sample_cost")

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.costs.flags.writeable = False  # which neither a pickle nor a deep copy of an array keeps

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, K, A)."""
        return self.costs.shape

    def answers_for(self, classes: Iterable[Any]) -> Answers:
        """The tables in the order of ``classes``.

        Parameters
        ----------
        classes : sequence
            All or some of the labels.

        Returns
        -------
        Answers
            Costs (n, len(classes), A) and the labels (A,) of the answers: those that are classes first, in the order of
            ``classes``; the column of a class that is left out goes.

        Raises
        ------
        ValueError
            For a class that is no label.

        Examples
        --------
        >>> from csboost import costs
        >>> tables = costs.CostTables([[[0, 2, 1], [9, 0, 1]]], ["well", "sick"], ["human", "well", "sick"])
        >>> found = tables.answers_for(["sick", "well"])
        >>> found.costs.tolist(), found.labels.tolist()
        ([[[1.0, 0.0, 9.0], [1.0, 2.0, 0.0]]], ['sick', 'well', 'human'])
        """
        wanted = classes if isinstance(classes, np.ndarray) else label_vector(list(classes))
        return align(self.costs, self.labels, self.answers, wanted.tolist(), wanted, name="sample_cost")

    def __len__(self) -> int:
        return len(self.costs)

    def __getitem__(self, key: Any) -> Any:
        part = self.costs[key]
        if part.ndim != 3 or isinstance(key, tuple):
            return part
        index = None if self.index is None else self.index.take(np.arange(len(self))[key])
        return self._made(part, self.labels, self.answers, index)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.costs, dtype=dtype)

    def __repr__(self) -> str:
        return f"CostTables of {len(self)} rows, labels={list(self.labels)}, answers={list(self.answers)}"


def _read_index(index: Any, n: int) -> Any:
    """Names of rows as a pandas.Index, None where there are none."""
    if index is None:
        return None
    if not hasattr(index, "equals"):
        import pandas as pd

        index = pd.Index(list(index))
    if len(index) != n:
        raise ValueError(f"index has {len(index)} names, but costs has {n} rows")
    return index
