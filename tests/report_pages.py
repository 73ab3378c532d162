"""A report of every kind, on quick competitors, for the tests of pages."""

from __future__ import annotations

import atexit
import contextlib
import functools
import io
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import suite_fakes
from test_bench_fakes import run_here
from timing_rows import all_rows

from bench import exits, timing
from bench.command import list_cli
from bench.rows.files import REPORT
from bench.rows.store import Store
from bench.studies.listing import Listing, jobs_of

KINDS = ("study", "list", "file", "names", "suite", "timing")
LONG = ["Zahlungsausfallwahrscheinlichkeitsüberschreitung_" * 2 + name for name in "AB"] + ["<b>&amp;"]


@functools.cache
def report(kind):
    """Write a report of a kind, once for all tests, and return its path."""
    folder = Path(tempfile.mkdtemp()) / "out"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        {"study": _study, "list": _list, "file": _file, "names": _names, "suite": _suite, "timing": _timing}[kind](
            folder
        )
    return folder / REPORT


def _study(folder):
    words = ["--algorithms", "Fake A", "Fake B", "Constant", "--replications", 4, "--rounds", 8, "--scenarios", 1, "2c"]
    assert run_here("simulations", *words, "--out", folder).returncode == exits.DONE


def _list(folder):
    def tidy(rows):
        return pd.DataFrame(
            {"scenario": [row.costs for row in rows], "fit": [row.algorithm for row in rows], "way": "a way of its own",
             **{name: [row.test_cost for row in rows] for name in ("log loss", "expected", "cost", "seconds", "more")}}
        )  # fmt: skip

    def make(options, stored):
        jobs = jobs_of([("s", costs, name, "p") for costs in ("1", "2") for name in ("LogisticRegression", "two")])
        return Listing(
            "measuring", "Measured", jobs, lambda job: {"test_cost": float(len(job.algorithm))}, tidy,
            lambda table: table.astype(str), notes=("A note.",), keys=2,
            finding=lambda table: f"Least: {table['cost'].min()}.",
        )  # fmt: skip

    parser, _ = list_cli.list_parser("measuring", "A list.")
    assert list_cli.run_list(parser, make, ["--out", str(folder)]) == exits.DONE


def _file(folder, labels=("good", "late", "lost"), name="loans.csv"):
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(150) % 3)
    truth = np.array(labels)[y]
    frame = pd.DataFrame({"u": y + rng.normal(0, 0.8, 150), "v": y * y + rng.normal(0, 2, 150), "y": truth})
    frame["desk"] = np.where(rng.random(150) < 0.7, truth, labels[1])
    folder.mkdir(exist_ok=True)
    frame.to_csv(folder / name, index=False)
    costs = pd.DataFrame([[0, 1, 2], [4, 0, 1], [9, 3, 0]], pd.Index(labels, name="truth"), labels)
    costs.to_csv(folder / "costs.csv")
    words = ["--target", "y", "--cost-file", folder / "costs.csv", "--today", "desk", "--replications", 2]
    with pytest.MonkeyPatch.context() as patch:
        suite_fakes.install(patch)
        done = run_here("compare", folder / name, *words, "--algorithms", "Nearest", "Cheapest", "--out", folder)
    assert done.returncode == exits.DONE, done.stderr


def _names(folder):
    _file(folder, LONG, "a_file_whose_name_is_longer_than_a_telephone_is_wide_and_has_no_space.csv")


def _suite(folder):
    with pytest.MonkeyPatch.context() as patch:
        suite_fakes.install(patch)
        assert suite_fakes.run(*suite_fakes.WORDS, out=folder).returncode == exits.DONE


def _timing(folder):
    with Store(folder, "timing") as store:
        store.open({"seed": 0})
        store.append([row for row in all_rows() if row.work in ("small-fit", "sweep-n")])
        store.save_settings(command="python -m bench.timing", notes=["Skipped, not installed: xgboost."])
    assert timing.main(["--render-only", "--out", str(folder)]) == exits.DONE
