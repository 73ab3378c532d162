"""Results folders that a hand or a full disk has damaged: the message names file, line and remedy."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from test_bench_fakes import command, run_here

from bench import exits
from bench.rows import store
from bench.rows.files import ROWS, write_atomic
from bench.rows.reading import read_rows
from bench.rows.row import Row, fault_of_row
from bench.rows.settings import SETTINGS, line_of

WORDS = ["--algorithms", "Fake A", "Constant", "--replications", 2, "--rounds", 3, "--scenarios", 1]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    done = run_here("simulations", *WORDS, "--out", folder)
    assert done.returncode == exits.DONE, done.stderr
    return folder


@pytest.fixture
def folder(sound, tmp_path):
    shutil.copytree(sound, tmp_path / "out")
    return tmp_path / "out"


def in_one_line(done, *says):
    assert done.returncode == exits.UNUSABLE, done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    for text in says:
        assert text in done.stderr


@pytest.mark.parametrize(
    ("keys", "value", "says"),
    [
        (("notes",), 3, "notes is 3, not a list of texts"),
        (("title",), None, "title is None, not a text"),
        (("fingerprint",), [], "fingerprint is [], not an object in braces"),
        (("fingerprint", "seed"), "0", "fingerprint.seed is '0', not a whole number of at least 0"),
        (("fingerprint", "rounds"), 0, "fingerprint.rounds is 0, not a whole number of at least 1"),
        (("selection",), "all", "selection is 'all', not an object in braces"),
        (("selection", "replications"), -2, "selection.replications is -2, not a whole number of at least 1"),
        (("selection", "scenarios"), ["1", "9"], "'9' is not one of 1, 1c, 2, 2c"),
        (("selection", "algorithms"), ["SAMEE"], "'SAMEE' is not one of AdaBoost.MH, SAMME"),
        (("selection", "protocols"), ["printed"], "'printed' is not one of faithful, published"),
        (("bayes_cost",), {"1": 0.1}, "bayes_cost is {'1': 0.1}, not a pair of numbers per scenario"),
        (("absent",), {"lightgbm": 1}, "absent is {'lightgbm': 1}, not an object of texts"),
        (("environment",), {"cores": 2}, "environment is {'cores': 2}, not an object with date"),
    ],
)
def test_damaged_settings_name_the_line_and_the_remedy(folder, keys, value, says):
    path = folder / SETTINGS
    settings = json.loads(path.read_text())
    part = settings if len(keys) == 1 else settings[keys[0]]
    part[keys[-1]] = value
    path.write_text(json.dumps(settings, indent=2))
    lines = path.read_text().splitlines()
    (number,) = [n for n, line in enumerate(lines, 1) if line.startswith("  " * len(keys) + f'"{keys[-1]}"')]
    done = run_here("simulations", "--render-only", "--out", folder)
    in_one_line(done, f"{path}, line {number}: {says}", "Mend that line; or give --fresh", "another --out")


def test_settings_that_are_no_json_name_the_line(folder):
    path = folder / SETTINGS
    lines = path.read_text().splitlines()
    lines[4] = lines[4].rstrip(",") + " oops"
    path.write_text("\n".join(lines))
    for words in (["--render-only"], WORDS):
        in_one_line(run_here("simulations", *words, "--out", folder), f"{path}, line 5: not whole", "Mend that line")
    for content in (b"", b"[1]", b"\xff\xfe", b"[" * 100_000):
        path.write_bytes(content)
        in_one_line(run_here("simulations", *WORDS, "--out", folder), f"{path}, line 1: ")


@pytest.mark.parametrize("keys", [("title",), ("notes",), ("fingerprint", "rounds")])
def test_settings_that_lack_something_say_what(folder, keys):
    settings = json.loads((folder / SETTINGS).read_text())
    del (settings if len(keys) == 1 else settings[keys[0]])[keys[-1]]
    (folder / SETTINGS).write_text(json.dumps(settings, indent=2))
    done = run_here("simulations", "--render-only", "--out", folder)
    in_one_line(done, f"{'.'.join(keys)} is missing; the same command without --render-only writes it")


def test_fresh_mends_damaged_settings_of_its_own_study_only(folder):
    path = folder / SETTINGS
    text = path.read_text()
    path.write_text(text[:-3])
    assert run_here("simulations", *WORDS, "--out", folder, "--fresh").returncode == exits.DONE
    path.write_text(text.replace('"study": "simulations"', '"study": "thesis"')[:-3])
    refused = run_here("simulations", *WORDS, "--out", folder, "--fresh")
    assert refused.returncode == exits.USAGE
    assert "--fresh refuses to delete anything" in refused.stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"test_cost": "0.3"}, "test_cost is '0.3', not a number"),
        ({"test_cost": None}, "test_cost is None, not a number"),
        ({"test_cost": float("nan")}, "test_cost is nan, not a number"),
        ({"cost_curve": 0.3}, "cost_curve is 0.3, not a list of numbers"),
        ({"cost_curve": [0.3, "x"]}, "cost_curve is [0.3, 'x'], not a list of numbers"),
        ({"fit_seconds": "fast"}, "fit_seconds is 'fast', not a number"),
        ({"versions": ["numpy"]}, "versions is ['numpy'], not packages and versions"),
        ({"replication": "0"}, "replication is '0', not a whole number of at least 0"),
        ({"scenario": ["simulation1"]}, "scenario is ['simulation1'], not a text"),
        ({"status": "perhaps"}, "status is 'perhaps', not 'done' or 'failed'"),
        ({"status": "failed"}, "error is missing"),
        ({"study": "credit"}, "its study is 'credit', not 'simulations'"),
        ({"peak_memory_bytes": "much"}, "peak_memory_bytes is 'much', not a number"),
    ],
)
def test_a_damaged_row_is_named(folder, change, says):
    path = folder / ROWS
    lines = path.read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    path.write_text("\n".join(lines) + "\n")
    rows, problems = read_rows(path, "simulations")
    assert problems == [
        f"{path}, line 2: {says}; skipped, its job counts as not run. Mend or delete the line; without --render-only "
        "the same command runs the job again."
    ]
    assert rows == [Row(**json.loads(line)) for line in (*lines[:1], *lines[2:])]


def test_the_job_of_a_damaged_row_runs_again(folder, sound):
    path = folder / ROWS
    lines = path.read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "test_cost": "0.3"})
    path.write_text("\n".join(lines) + "\n")
    drawn = run_here("simulations", "--render-only", "--out", folder)
    assert drawn.returncode == exits.DONE, drawn.stderr
    assert f"{path}, line 2: test_cost is '0.3', not a number; skipped" in drawn.stderr
    assert "reps 1/2" in drawn.stdout
    mended = run_here("simulations", *WORDS, "--out", folder)
    assert mended.returncode == exits.DONE
    assert f"{path}, line 2: test_cost is '0.3', not a number" in mended.stderr
    assert (folder / "table.csv").read_bytes() == (sound / "table.csv").read_bytes()


def test_rows_of_every_study_are_checked_for_what_is_made_of_them():
    key = {"scenario": "s", "costs": "", "algorithm": "A", "protocol": "", "replication": 0, "versions": {}}
    key |= {"work": "w", "size": "small"}
    work = {"cache": "", "variant": "", "n": 1, "d": 1, "K": 3, "rounds": 1, "threads": 1, "unit": "s", "value": 1.0}
    done = {**key, "status": "done"}
    assert fault_of_row({**done, **work, "measure": "fit"}, "timing") is None
    assert fault_of_row({**done, **work, "measure": "fit", "value": 0}, "timing") == "value is 0, not a number above 0"
    assert fault_of_row({**done, **work, "measure": "memory"}, "timing") == "fit_bytes is missing"
    latest = {"process": 0, "against": "", "setup_seconds": 1.0, "second_seconds": 1.0, "warm_seconds": 1.0}
    assert fault_of_row({**done, **work, "measure": "fit", **latest}, "timing") is None
    for name in latest:
        fault = fault_of_row({**done, **work, "measure": "fit", **latest, name: None}, "timing")
        assert fault.startswith(f"{name} is None, not")
    failed = {**key, "status": "failed", "error": "because"}
    assert fault_of_row(failed, "timing") is None
    del failed["work"]
    assert fault_of_row(failed, "timing") == "work is missing"
    assert fault_of_row({**done, "lines": [{"link": "x", "cost": 1.0}], "fit_seconds": 1.0}, "calibration") is None
    assert fault_of_row({**done, "lines": [1], "fit_seconds": 1.0}, "calibration").startswith(
        "lines is [1], not a list"
    )
    assert fault_of_row({**done, "test_cost": True}, "readings") == "test_cost is True, not a number"
    assert fault_of_row({**key, "status": "failed", "error": "because"}, "readings") is None


def test_a_line_is_found_by_its_keys():
    text = json.dumps({"a": {"b": 1}, "c": {"b": 2}}, indent=2)
    assert [line_of(text, keys) for keys in ((), ("a",), ("a", "b"), ("c", "b"), ("d",))] == [1, 2, 3, 6, 1]


@pytest.mark.parametrize("name", ["figure-simulation1-equal-faithful.png", "table.csv", "report.html"])
def test_a_full_disk_names_the_file_that_had_no_room(folder, monkeypatch, name):
    real = Path.write_bytes

    def write(self, content):
        if name in self.name:
            real(self, content[:10])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # of a write: it knows no file
        return real(self, content)

    before = (folder / name).read_bytes()
    monkeypatch.setattr(Path, "write_bytes", write)
    done = run_here("simulations", "--render-only", "--out", folder)
    in_one_line(
        done,
        f"cannot write {folder / name} (No space left on device). The finished jobs are kept; make room and give the "
        "same command again",
    )
    assert (folder / name).read_bytes() == before
    assert not list(folder.glob(".*.partial"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no device that is always full")
def test_a_full_standard_output_is_named(folder):
    with open("/dev/full", "w") as full:
        words = command("simulations", "--render-only", "--out", folder)
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    in_one_line(done, "cannot write the table to standard output (No space left on device)")


def test_a_file_that_may_not_be_replaced_is_named(tmp_path):
    (tmp_path / "table.csv").mkdir()
    with pytest.raises(store.UnusableError, match=r"cannot write .*table.csv \(Is a directory\)"):
        write_atomic(tmp_path / "table.csv", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
