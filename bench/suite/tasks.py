"""Tasks of the suite: a data set with a cost structure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from bench.suite.entry import DataSet
from bench.suite.names import KINDS
from bench.suite.sets import ENTRIES, KNOWN
from csboost import costs

__all__ = ["KINDS", "Task", "kinds_of", "random_costs", "tasks"]


class Task(NamedTuple):
    """A data set and the kind of costs it is judged by."""

    set_name: str
    kind: str

    @property
    def name(self) -> str:
        """``"hpc_data/published"``."""
        return f"{self.set_name}/{self.kind}"

    def cost_matrix(self, data: DataSet) -> np.ndarray:
        """Return the costs for the loaded set, shape (K, K), rows = truth, in the order of ``data.classes``."""
        K = len(data.classes)
        if self.kind == "equal":
            return costs.zero_one(K)
        if self.kind == "linear":
            return costs.linear(K)
        if self.kind == "random":
            return random_costs(self.set_name, K)
        matrix = np.array(KNOWN[self.set_name].costs[self.kind])
        if matrix.shape != (K, K):
            raise ValueError(f"{self.name}: costs of shape {matrix.shape} for {K} classes")
        return matrix


def random_costs(name: str, K: int) -> np.ndarray:
    """Return asymmetric costs that depend on the set's name alone.

    Each cost off the diagonal is log-uniform on [1, 10], made from the SHA-256 of name, row and column and rounded to
    three decimals, so that it is the same on every platform and with every version of NumPy.

    Parameters
    ----------
    name : str
        Of the data set.
    K : int
        Number of classes.

    Returns
    -------
    ndarray (K, K)
        Rows = truth, 0 on the diagonal.
    """

    def cost(true: int, answer: int) -> float:
        digest = hashlib.sha256(f"{name}/{true}/{answer}".encode()).digest()
        return 0.0 if true == answer else round(10.0 ** (int.from_bytes(digest[:6]) / 2**48), 3)

    return np.array([[cost(true, answer) for answer in range(K)] for true in range(K)])


def kinds_of(name: str) -> tuple[str, ...]:
    """Return the cost structures of a set, in the order of :data:`KINDS`."""
    entry = KNOWN[name]
    own = {"equal", "random", *entry.costs} | ({"linear"} if entry.order else set())
    return tuple(kind for kind in KINDS if kind in own)


def tasks(names: Iterable[str] | None = None, kinds: Iterable[str] = KINDS) -> list[Task]:
    """List the tasks, set by set; no data is read.

    Parameters
    ----------
    names : iterable of str or None
        Sets to list; None lists all but the further ones.
    kinds : iterable of str
        Cost structures to list.
    """
    wanted = set(kinds)
    return [
        Task(name, kind) for name in (ENTRIES if names is None else names) for kind in kinds_of(name) if kind in wanted
    ]
