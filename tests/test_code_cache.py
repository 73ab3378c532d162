"""Machine code on disk: never older than the sources, never in the way."""

from __future__ import annotations

import os
import shutil
import zipfile
from functools import partial

import pytest
from processes import ROOT, run, said, start

SOURCES = ROOT / "csboost"

# A kernel that compiles fast; prints its result, and how often its code was found on disk and how often not.
MERGE = """
import numpy as np
from csboost.weak.binning import merge_equal
values, masses = np.array([1.0, 1.0, 2.0]), np.empty(3)
count = merge_equal(values, np.ones(3), masses)
stats = merge_equal.stats
print(count, *masses[:2], sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
COMPILED, FOUND = "2 2.0 1.0 0 1", "2 2.0 1.0 1 0"

# The gain of the first split of a fit, and the same counts for the kernel that grows trees.
FIT = """
import numpy as np
import csboost
from csboost.weak.growth import grow
X = np.arange(12.0)[:, None]
model = csboost.AngleAdaBoostClassifier(n_estimators=1).fit(X, X[:, 0] > 5)
stats = grow.stats
print(float(model._ensemble.rules.gains.max()), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


# What a model says, and whether anything was compiled for it.
USE = """
import numpy as np
from numba.core import event
import csboost
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(1)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
X, y = csboost.data.make_waveform(90, random_state=0)
model = csboost.{model}.fit(X, y)
answers = model.predict_proba(X) if hasattr(model, "predict_proba") else model.decision_function(X)
print(answers.sum(axis=0), len(compiled))
"""
MODELS = [
    "AngleAdaBoostClassifier('linear', n_estimators=2)",
    "AngleLogitBoostClassifier('linear', n_estimators=2)",
    "PNormBoostClassifier('linear', n_estimators=2)",
    "AdaBoostM2Classifier(n_estimators=2)",
    "AngleGradientBoostingClassifier(n_estimators=2, n_bags=1, n_iter_no_change=None, random_state=0)",
    "AngleGradientBoostingClassifier(n_estimators=2, n_bags=1, n_iter_no_change=None, loss='logistic', random_state=0)",
]


def copied(folder):
    """A copy of the package's sources, as a folder for PYTHONPATH."""
    shutil.copytree(SOURCES, folder / "csboost", ignore=shutil.ignore_patterns("__pycache__", "*.gz"))
    return folder


def replace(file, old, new):
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def code_folders(folder):
    """Folders of machine code anywhere below."""
    return sorted(path for path in folder.rglob("csboost-*") if path.is_dir())


@pytest.mark.slow
def test_an_edit_of_an_inner_kernel_shows_in_the_next_fit(tmp_path):
    root = copied(tmp_path)
    edited = root / "csboost" / "weak" / "bookkeeping.py"  # growth.py, which calls it, stays as it is
    fit = partial(run, FIT, root, PYTHONDONTWRITEBYTECODE="1")
    gain, found, compiled = fit().split()
    assert (found, compiled) == ("0", "1")
    assert fit().split() == [gain, "1", "0"]
    replace(edited, "gained[node] *= unit\n", "gained[node] *= 3.0 * unit\n")
    assert fit().split() == [str(3.0 * float(gain)), "0", "1"]
    replace(edited, "gained[node] *= 3.0 * unit\n", "gained[node] *= unit\n")
    assert fit().split() == [gain, "1", "0"]  # each state of the sources has code of its own


def test_a_constant_of_another_file_counts_as_source(tmp_path):
    root = copied(tmp_path / "package")
    merge = partial(run, MERGE, root, NUMBA_CACHE_DIR=tmp_path / "code", PYTHONDONTWRITEBYTECODE="1")
    assert merge() == COMPILED
    assert merge() == FOUND
    replace(root / "csboost" / "weak" / "layout.py", "MISSING = 255 ", "MISSING = 254 ")
    assert merge() == COMPILED


def test_code_with_checks_of_bounds_is_kept_apart(tmp_path):
    assert run(MERGE, NUMBA_CACHE_DIR=tmp_path) == COMPILED
    assert run(MERGE, NUMBA_CACHE_DIR=tmp_path, NUMBA_BOUNDSCHECK="1") == COMPILED
    assert run(MERGE, NUMBA_CACHE_DIR=tmp_path, NUMBA_BOUNDSCHECK="1") == FOUND


def test_damaged_files_are_compiled_afresh_and_mended(tmp_path):
    merge = partial(run, MERGE, NUMBA_CACHE_DIR=tmp_path)
    for kind, damage in (("nbi", b""), ("nbi", b"\x80\x04"), ("nbc", b""), ("nbc", b"\x80\x04\x95")):
        merge()
        assert merge() == FOUND
        files = list(tmp_path.rglob(f"*.{kind}"))
        assert files
        for file in files:
            file.write_bytes(damage)
        assert merge() == COMPILED
        assert merge() == FOUND


def test_half_of_a_file_is_compiled_afresh(tmp_path):
    merge = partial(run, MERGE, NUMBA_CACHE_DIR=tmp_path)
    merge()
    for file in [*tmp_path.rglob("*.nbc"), *tmp_path.rglob("*.nbi")]:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert merge() == COMPILED
    assert merge() == FOUND


def test_an_index_without_its_data_is_compiled_afresh(tmp_path):
    merge = partial(run, MERGE, NUMBA_CACHE_DIR=tmp_path)
    merge()
    for file in tmp_path.rglob("*.nbc"):
        file.unlink()
    assert merge() == COMPILED


def test_many_processes_may_fill_one_cache(tmp_path):
    workers = [start(MERGE, NUMBA_CACHE_DIR=tmp_path) for _ in range(4)]
    assert {said(worker) for worker in workers} <= {COMPILED, FOUND}
    assert run(MERGE, NUMBA_CACHE_DIR=tmp_path) == FOUND


def test_code_of_old_sources_is_cleared_away(tmp_path):
    run(MERGE, NUMBA_CACHE_DIR=tmp_path)
    (own,) = (path for path in code_folders(tmp_path) if path.parent.name.startswith("weak"))
    old = [own.with_name(f"csboost-{number:016x}") for number in range(6)]
    for age, folder in enumerate(old, start=1):
        folder.mkdir()
        (folder / "code.nbc").write_bytes(b"old")
        os.utime(folder, (1e9 - age, 1e9 - age))
    other = own.with_name("else")
    other.mkdir()
    shutil.rmtree(own)
    assert run(MERGE, NUMBA_CACHE_DIR=tmp_path) == COMPILED
    assert sorted(own.parent.iterdir()) == sorted([own, *old[:3], other])  # those used last


def test_sources_that_change_while_a_process_runs_leave_no_code_behind(tmp_path):
    root = copied(tmp_path / "package")
    change = f"open({str(root / 'csboost' / 'late.py')!r}, 'w').write('late = 1')\n"
    early = MERGE.replace("count =", f"{change}count =")
    assert run(early, root, NUMBA_CACHE_DIR=tmp_path / "code") == COMPILED
    assert not list(tmp_path.rglob("*.nbc"))


def test_a_zipped_package_works(tmp_path):
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(SOURCES.rglob("*.py")):
            packed.write(file, file.relative_to(ROOT))
    assert run(MERGE, archive, HOME=tmp_path, XDG_CACHE_HOME=tmp_path) == COMPILED
    again = run(MERGE, archive, HOME=tmp_path, XDG_CACHE_HOME=tmp_path)
    assert again in (COMPILED, FOUND)  # Numba keeps code for archives since 0.61
    blocked = tmp_path / "a file"
    blocked.touch()
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), blocked / "folder")
    assert run(MERGE, archive, **nowhere) == COMPILED


def test_a_cache_that_vanishes_meanwhile_costs_nothing(tmp_path):
    folder = tmp_path / "code"
    hinder = f"import shutil; shutil.rmtree({str(folder)!r}); open({str(folder)!r}, 'w').close()\n"
    assert run(MERGE.replace("count =", f"{hinder}count ="), NUMBA_CACHE_DIR=folder) == COMPILED


def test_the_cache_can_be_switched_off(tmp_path):
    printed = run(MERGE, NUMBA_CACHE_DIR=tmp_path, CSBOOST_CACHE="0")
    assert printed.startswith("2 2.0 1.0 0")
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.parametrize("model", MODELS)
def test_code_from_disk_is_all_that_a_new_process_needs(model, tmp_path):
    """Kernels may call what Numba makes ready only when it compiles; here each is the first that a process meets."""
    code = USE.replace("{model}", model)
    first, then = (run(code, NUMBA_CACHE_DIR=str(tmp_path.parent / "shared")) for _ in range(2))
    assert then.rsplit(maxsplit=1) == [first.rsplit(maxsplit=1)[0], "0"]
