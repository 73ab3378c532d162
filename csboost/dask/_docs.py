"""Docstrings of the boosters on Dask collections: those for one machine, with what differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

Class = TypeVar("Class", bound=type)

CLIENT = """client : distributed.Client, optional
    The client of the cluster; by default that of this process. It is never pickled.
"""

ABOUT = """
The rows stay with the workers, and are moved at most once to bring whole blocks together. Every worker grows the same
trees from sums over all of them, so that the model is the one of a single machine, bit by bit, whatever the number of
workers and partitions. A worker that is lost costs time alone: docs/distributed.md.

Unlike there, ``weak_learner`` must be a ``CostTree``, features are numbers, ``warm_start`` and ``eval_set`` are not
taken, and ``n_jobs`` are the threads of each worker, by default all that it has.
"""

EXAMPLE = """Examples
--------
>>> import dask.array as da
>>> from distributed import Client
>>> from csboost import data
>>> from csboost.dask import {name}
>>> client = Client(n_workers=2, threads_per_worker=1)  # doctest: +SKIP
>>> X, y = data.make_waveform(10_000, random_state=0)
>>> X, y = da.from_array(X, chunks=2_500), da.from_array(y, chunks=2_500)
>>> {name}().fit(X, y).predict(X).compute()  # doctest: +SKIP
"""


def on_dask(plain: type) -> Callable[[Class], Class]:
    """Give a class the docstring of the ``plain`` one, with what differs."""

    def described(cls: Class) -> Class:
        text = plain.__doc__
        if text is not None:  # else python -OO
            cls.__doc__ = _described(text, cls.__name__)
        return cls

    return described


def _described(text: str, name: str) -> str:
    summary, rest = text.split("\n", 1)
    head, parameters = rest.split("\nParameters\n", 1)
    entries, after = re.split(r"\n(?=Attributes\n)", parameters, maxsplit=1)
    after = re.split(r"^Examples\n", after, maxsplit=1, flags=re.MULTILINE)[0]
    whole = f"{summary[:-1]}, on Dask collections.\n{head}{ABOUT}\nParameters\n{entries.rstrip()}\n{CLIENT}\n{after}"
    return whole + EXAMPLE.format(name=name)
