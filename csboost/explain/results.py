"""Contributions of features: numbers, tables and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from csboost._inputs.values import check_whole
from csboost.explain.branches import number

__all__ = ["Contributions"]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Why one answer was given and not another: what each feature adds to their difference.

    ``expected + values.sum(axis=1)`` is ``difference``. Positive contributions speak for the answer, negative ones for
    the other. Made by :func:`csboost.explain.contributions`.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        What each feature adds.
    expected : ndarray of shape (n,)
        What the difference is before any feature is known.
    difference : ndarray of shape (n,)
        By how much the answer is better than the other: what the other is expected to cost more, or by how much its
        score is lower.
    answers : ndarray of shape (n,)
        The answers.
    against : ndarray of shape (n,)
        What each is compared with.
    feature_names : list of str
        The d names.
    data : ndarray of shape (n, d)
        The values of the features, as the last step of the model sees them.
    quantity : {"expected cost", "score"}
        What differs.
    is_exact : bool
        Whether the contributions are exact Shapley values of the difference itself.

    Attributes
    ----------
    values, expected, difference, answers, against, feature_names, data, quantity, is_exact
        As given.

    References
    ----------
    Shapley, L. S. (1953), "A value for n-person games", Contributions to the Theory of Games II, Princeton University
    Press, 307-317.

    Examples
    --------
    >>> from csboost import explain
    >>> from csboost.weak import CostTree
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> found = explain.contributions(CostTree().fit(X, y), [[0.5]], X, feature_names=["income"])
    >>> print(found.describe(0))
    A rather than B: expected cost 1 lower, 0 lower by the background alone
    income = 0.5: +1
    """

    values: np.ndarray
    expected: np.ndarray
    difference: np.ndarray
    answers: np.ndarray
    against: np.ndarray
    feature_names: list[str]
    data: np.ndarray
    quantity: str
    is_exact: bool

    def frame(self, row: int | None = None) -> pd.DataFrame:
        """The contributions as a table.

        Parameters
        ----------
        row : int, optional
            A row, counted from 0, whose features become the rows of the table, largest contributions first.

        Returns
        -------
        pandas.DataFrame
            Of all rows: ``answer``, ``against``, ``difference`` and ``expected``, then a column per feature. Of one
            row: ``value`` and ``contribution`` by feature.

        Raises
        ------
        ValueError
            For a row that is not there.

        Examples
        --------
        >>> from csboost import explain
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> found = explain.contributions(CostTree().fit(X, y), [[0.5]], X, feature_names=["income"])
        >>> found.frame(0).to_dict("index")
        {'income': {'value': 0.5, 'contribution': 1.0}}
        """
        if row is None:
            told = {"answer": self.answers, "against": self.against}
            told |= {"difference": self.difference, "expected": self.expected}
            return pd.concat([pd.DataFrame(told), pd.DataFrame(self.values, columns=self.feature_names)], axis=1)
        row = check_whole(row, "row", 0, len(self.values) - 1)
        order = np.argsort(-np.abs(self.values[row]), kind="stable")
        index = pd.Index([self.feature_names[place] for place in order], name="feature")
        columns = {"value": self.data[row][order], "contribution": self.values[row][order]}
        return pd.DataFrame(columns, index=index)

    def describe(self, row: int, n_features: int = 5) -> str:
        """One row in words.

        Parameters
        ----------
        row : int
            Counted from 0.
        n_features : int, default=5
            The features of the largest contributions; the others are added up.

        Returns
        -------
        str
            A line on the answers, then a line per feature.

        Raises
        ------
        ValueError
            For a row that is not there.

        Examples
        --------
        >>> from csboost import data, explain
        >>> from csboost.weak import CostTree
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> found = explain.contributions(CostTree(cost_matrix="linear").fit(X, y), X[:2], X)
        >>> len(found.describe(1, n_features=1).splitlines())
        3
        """
        table = self.frame(row)
        n_features = check_whole(n_features, "n_features", 1, 10**9)
        lines = [
            f"{self.answers[row]} rather than {self.against[row]}: {self.quantity} {self._by(self.difference[row])}, "
            f"{self._by(self.expected[row])} by the background alone"
        ]
        lines += [
            f"{name} = {shown(value)}: {signed(contribution)}"
            for name, value, contribution in table.head(n_features).itertuples()
        ]
        rest = table["contribution"].iloc[n_features:]
        if len(rest):
            lines.append(f"{len(rest)} other feature{'s' * (len(rest) > 1)}: {signed(rest.sum())}")
        return "\n".join(lines)

    def _by(self, difference: float) -> str:
        """A difference in words."""
        higher, lower = ("lower", "higher") if self.quantity == "expected cost" else ("higher", "lower")
        return f"{abs(float(difference)):.3g} {higher if difference >= 0 else lower}"


def shown(value: Any) -> str:
    """A value of a feature as text."""
    if value is None or (isinstance(value, float | np.floating) and np.isnan(value)):
        return "missing"
    return number(float(value)) if isinstance(value, int | float | np.number) else str(value)


def signed(value: float) -> str:
    """A contribution with its sign."""
    return f"{float(value):+.3g}"
