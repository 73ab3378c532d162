"""Docstrings of the boosters on Dask collections: those for one machine, with what differs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)
Method = TypeVar("Method", bound=Callable[..., Any])

ABOUT = """
The rows stay with the workers, and are moved at most once to bring whole blocks together. Every worker grows the same
trees from sums over all of them, so that the model is the one of a single machine, bit by bit, whatever the number of
workers and partitions. A worker that is lost costs time alone: docs/distributed.md.
"""

#: Parameters and attributes that differ, each with its whole entry.
ENTRIES = {
    "weak_learner": """weak_learner : None or CostTree, default=None
    None is ``CostTree(max_leaf_nodes=4)``. Other weak learners need all rows on one machine.""",
    "validation_fraction": """validation_fraction : float, default=0.1
    Share of the rows of every class that early stopping holds out: those of a single machine.""",
    "n_jobs": """n_jobs : int or None, default=None
    Threads of each worker; None or -1: all that it has. The result does not depend on it.""",
    "warm_start": """warm_start : bool, default=False
    Has to be False: going on needs rows in memory.""",
    "evals_result_": """evals_result_ : dict
    Empty: ``fit`` takes no ``eval_set``.""",
    "oof_probabilities_": """oof_probabilities_ : ndarray of shape (0, K)
    Empty: what was predicted for the rows stays where they are.""",
}

CLIENT = """client : distributed.Client, optional
    The client of the cluster; by default that of this process. It is never pickled.
"""

ATTRIBUTES = """client_ : distributed.Client
    The client in use.
n_exchanges_ : int
    How often the workers put together what they had found.
bytes_sent_ : int
    What one of them had to say for that.
"""

MODEL = """>>> import dask.array as da
>>> from distributed import Client
>>> from csboost import data
>>> from csboost.dask import {name}
>>> client = Client(processes=False, dashboard_address=None)  # a cluster inside of this process
>>> X, y = (da.from_array(each, chunks=100) for each in data.make_waveform(300, random_state=0))
>>> model = {name}(n_estimators=3).fit(X, y)
"""


def with_model(method: Method) -> Method:
    """Begin the example of a method with a fitted ``model``, and end it without the cluster."""
    if method.__doc__ is not None:  # else python -OO
        text = textwrap.dedent(f"        {method.__doc__}").rstrip()
        head, example = text.split("Examples\n--------\n")
        method.__doc__ = head + _example("DaskSAMMEClassifier", example)
    return method


def _example(name: str, example: str) -> str:
    return f"Examples\n--------\n{MODEL.format(name=name)}{example}\n>>> client.close()\n"


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
    attributes, notes = re.split(r"\n(?=\w+\n---)", after, maxsplit=1)
    notes = re.split(r"^Examples\n", notes, maxsplit=1, flags=re.MULTILINE)[0]
    whole = f"{summary[:-1]}, on Dask collections.\n{head}{ABOUT}\nParameters\n{_adapted(entries)}\n{CLIENT}\n"
    example = _example(name, ">>> model.predict(X).compute().shape\n(300,)")
    return f"{whole}{_adapted(attributes)}\n{ATTRIBUTES}\n{notes}{example}"


def _adapted(entries: str) -> str:
    """Entries of parameters or attributes, some of them replaced."""
    for name, entry in ENTRIES.items():
        entries = re.sub(rf"^{name} : .*(?:\n    .*)*", entry, entries, flags=re.MULTILINE)
    return entries.rstrip()
