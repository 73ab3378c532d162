"""Works, false samples and rows for the tests of the timing study."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from pathlib import Path
from unittest.mock import patch

from bench.algorithms import PAPER
from bench.rows.row import Row
from bench.rows.store import Store
from bench.timing import sampling, session, sizes
from bench.timing.contestants import (
    EARLIER,
    LIGHTGBM_EIGHT,
    REFERENCE,
    SKLEARN_ADABOOST,
    VECTORS_MODEL,
    XGBOOST_VECTORS,
    XGBOOST_VECTORS_EIGHT,
    names_of,
)
from bench.timing.plan import plan
from bench.timing.work import COMPILING, FIRST_FIT, FIT, MEMORY, Work

EVERYONE = names_of(PAPER, sizes.PEERS)
SECONDS = {REFERENCE: 0.01, "LightGBM": 0.08, "XGBoost": 0.05, SKLEARN_ADABOOST: 0.9, "AdaBoost.MH": 0.017,
           XGBOOST_VECTORS: 0.06, EARLIER: 0.015, VECTORS_MODEL: 0.02, LIGHTGBM_EIGHT: 0.18,
           XGBOOST_VECTORS_EIGHT: 0.06}  # fmt: skip


def work(name="small-fit", measure=FIT, **changes):
    fields = {"size": "small", "n": 300, "d": 21, "K": 3, "rounds": 200, "threads": 1, "repeats": 3}
    return Work(name, measure, **{**fields, "names": tuple(EVERYONE), **changes})


def false_prepare(work, name, seed):
    """Samples that grow with rows and shrink with threads, each a little slower than the one before."""
    taken = []

    def sample():
        taken.append(name)
        value = SECONDS.get(name, 0.012) * max(work.n, 1) / 300 / work.threads * (1 + 0.1 * len(taken))
        value *= work.K if work.name in ("many-classes", "vector-classes") else 1
        extra = {"fit_seconds": 1.6 * value, "fit_rounds": 12, "setup_seconds": 16 * value, "import_seconds": 0.5,
                 "fit_bytes": 3 * 2**28, "second_seconds": 0.5, "warm_seconds": 0.25}  # fmt: skip
        return {"value": {MEMORY: 2.0**30, FIRST_FIT: 8.0, COMPILING: 30.0}.get(work.measure, value), **extra}

    return sample


def false_launch(prepare=false_prepare):
    return lambda group: contextlib.nullcontext(sampling.Sampler(prepare))


def stored(folder, groups, prepare=false_prepare, variant=""):
    """The rows that a run of the groups leaves in a folder."""
    with Store(folder, "timing") as store:
        store.open({"seed": 0})
        with patch.object(sampling.gc, "collect"):  # hundreds of false samples; collecting a test run's garbage is slow
            session.run(groups, store, seed=0, variant=variant, launch=false_launch(prepare))
        return store.rows()


@functools.cache
def all_rows():
    """The rows of all sizes, on false samples."""
    groups = plan(sizes.SIZES, EVERYONE, threads=2, cores=4, against="0123456789ab")
    with tempfile.TemporaryDirectory() as folder:
        return stored(Path(folder), groups)


def rows_of(values, **fields):
    """A row per contestant and repeat, of values by contestant."""
    plain = {"work": "small-fit", "status": "done", "variant": "", "cache": "", "threads": 1, "n": 300, "size": "small"}
    return [
        Row(**{**plain, "algorithm": name, "replication": repeat, "value": value, **fields})
        for name, series in values.items()
        for repeat, value in enumerate(series)
    ]


def changed(row, **changes):
    """A row with other values in some columns."""
    return Row(**{**row.stored(), **changes})
