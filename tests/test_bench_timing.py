"""The timing study: stored rows, tables, files, and its command line."""

from __future__ import annotations

import csv
import json
import math
import os
import re

import pytest
from timing_rows import EVERYONE, all_rows, false_launch, false_prepare, stored, work

from bench import exits, timing
from bench.algorithms import PAPER
from bench.rows.store import Store
from bench.timing import data, measured, probe, session, surroundings, tables
from bench.timing.contestants import CONTESTANTS, FIRST_MODEL, ONE_BAG, REFERENCE, SKLEARN_ADABOOST, installed
from bench.timing.work import MATCHED


@pytest.fixture(scope="module")
def everything():
    return all_rows()


def test_a_failing_contestant_does_not_stop_the_others(tmp_path):
    def prepare(work, name, seed):
        if name == "SAMME":
            raise ValueError("not today")
        return false_prepare(work, name, seed)

    rows = stored(tmp_path, [(work(repeats=2),)], prepare)
    failed = [row for row in rows if row.status == "failed"]
    assert [(row.algorithm, row.replication) for row in failed] == [("SAMME", 0), ("SAMME", 1)]
    assert failed[0].error.startswith("ValueError: not today [prepare")
    again = stored(tmp_path, [(work(repeats=2),)])
    assert {row.status for row in again} == {"done"}


def test_an_interrupted_repeat_is_measured_again_as_a_whole(tmp_path):
    asked = []

    def prepare(work, name, seed):
        def sample():
            asked.append(name)
            if len(asked) == 5:
                raise KeyboardInterrupt
            return {"value": 1.0}

        return sample

    group = (work(names=(REFERENCE, "LightGBM"), repeats=3),)
    with pytest.raises(exits.Interrupted, match="4 samples of this run are kept"):
        stored(tmp_path, [group], prepare)
    asked.clear()
    asked.append("so that nothing interrupts")
    asked.extend([""] * 5)
    rows = stored(tmp_path, [group], prepare)
    assert len(rows) == 6
    assert len(asked) == 6 + 2  # the third repeat alone


def test_rows_tell_what_was_measured(tmp_path):
    rows = stored(tmp_path, [(work(names=(REFERENCE,), repeats=1),)])
    (row,) = rows
    assert row.value == pytest.approx(0.011)
    told = {"work": "small-fit", "n": 300, "d": 21, "K": 3, "rounds": 200, "threads": 1, "unit": "s", "variant": ""}
    assert row.stored() | told == row.stored()
    assert {"python", "numba", "lightgbm"} <= row.versions.keys() | {"lightgbm"}


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1.234, "s", "1.23 s"), (0.0123, "s", "12.3 ms"), (4.5e-5, "s", "45.0 µs"), (123.4, "s", "123 s"),
     (1234.5, "s", "1,234 s"), (0.9999, "s", "1.00 s"), (1.5 * 2**30, "bytes", "1.50 GiB"), (math.nan, "s", "-")],
)  # fmt: skip
def test_quantities(value, unit, text):
    assert tables.quantity(value, unit) == text


def test_sweeps_have_a_column_per_contestant(everything):
    table = tables.sweep_table(measured.of_work(everything, "sweep-n"), "n")
    assert list(table.index) == [10**3, 10**4, 10**5, 10**6, 10**7]
    assert list(table.columns) == [name for name in EVERYONE if CONTESTANTS[name].protocol == MATCHED]
    assert table.loc[10**4, REFERENCE] / table.loc[10**3, REFERENCE] == pytest.approx(10)
    assert math.isnan(table.loc[10**7, SKLEARN_ADABOOST])


def test_everything_is_written_and_redrawn(everything, tmp_path, capsys):
    out = tmp_path / "out"
    with Store(out, "timing") as store:
        store.open({"seed": 0})
        store.append(everything)
        store.save_settings(command="python -m bench.timing", notes=["Skipped, not installed: xgboost."])
    assert timing.main(["--render-only", "--out", str(out)]) == exits.DONE
    printed = capsys.readouterr().out
    assert "8.00x" in printed
    assert "no mark" not in printed
    assert "Skipped, not installed: xgboost." in printed
    lines = list(csv.DictReader((out / "targets.csv").open()))
    assert [line["mark"] for line in lines][:3] == ["ok", "ok", "missed"]
    tidy = list(csv.DictReader((out / "table.csv").open()))
    (light,) = (r for r in tidy if (r["work"], r["algorithm"]) == ("small-fit", "LightGBM"))
    assert float(light["ratio"]) == pytest.approx(8.0)
    for name in ["ratios", "n", "d", "K", "threads", "doubling"]:
        assert (out / f"figure-{name}.png").stat().st_size > 10_000
        assert (out / f"figure-{name}.pdf").exists()
    page = (out / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 6
    assert '<span class="far">missed</span>' in page
    assert "below" not in page.split("</style>")[1]  # a time above its limit is not below anything
    assert re.search(r'<p class="finding">\d+ of 31 measured figures reach their floor, .* Missed: ', page)
    assert "python -m bench.timing" in page
    assert "| work | verdict | floor | aim | measured | spread |" in (out / "table.md").read_text()
    assert r"\toprule" in (out / "table.tex").read_text()


def test_an_empty_folder_of_rows_still_has_a_table(tmp_path, capsys):
    with Store(tmp_path, "timing") as store:
        store.open({"seed": 0})
    assert timing.main(["--render-only", "--out", str(tmp_path)]) == exits.DONE
    assert capsys.readouterr().out.count("not measured: --sizes") == 29


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--sizes", "smal"], "unknown size 'smal'. Did you mean 'small'?"),
        (["--peers", "lightgbn"], "unknown peer 'lightgbn'. Did you mean 'lightgbm'?"),
        (["--algorithms", "LightGBM"], "unknown algorithm 'LightGBM'"),
        (["--rounds", "1"], "--rounds: must be a whole number of at least 2, not '1'"),
        (["--fresh", "--render-only"], "--fresh deletes the results that --render-only draws"),
        (["--works", "whole-fits"], "unknown work 'whole-fits'. Did you mean 'whole-fit'?"),
        (["--processes", "0"], "--processes: must be a whole number of at least 1, not '0'"),
        (["--against", "nowhere"], "--against nowhere: there is no csboost/__init__.py. Name the root of another"),
        (["--jobs", "4096"], "--jobs 4096: this machine lets the process use"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments, says, capsys, tmp_path):
    assert timing.main([*arguments, "--out", str(tmp_path / "out")]) == exits.USAGE
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err
    assert not (tmp_path / "out").exists()


def test_render_only_needs_rows(capsys, tmp_path):
    assert timing.main(["--render-only", "--out", str(tmp_path)]) == exits.UNUSABLE
    assert "has no runs.jsonl: nothing to draw" in capsys.readouterr().err


def test_a_missing_peer_is_skipped_and_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(session, "installed", lambda peers: (["sklearn"], ["lightgbm", "xgboost"]))
    monkeypatch.setattr(session, "launcher", lambda *_: false_launch())
    assert timing.main(["--sizes", "small", "--replications", "1", "--out", str(tmp_path)]) == exits.DONE
    captured = capsys.readouterr()
    remedy = "in the clone of the project: pip install '.[peers]'"
    assert f"Skipped, not installed: lightgbm, xgboost ({remedy})." in captured.err
    assert "Skipped, not installed: lightgbm, xgboost" in captured.out
    assert captured.out.count("not measured: lightgbm is not installed") == 8
    assert captured.out.count("not measured: xgboost is not installed") == 3
    names = {json.loads(line)["algorithm"] for line in (tmp_path / "runs.jsonl").open()}
    assert names == {*PAPER, "HistGradientBoosting", SKLEARN_ADABOOST, "csboost", FIRST_MODEL, ONE_BAG}
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert {"processor", "cores", "date", "versions", "load"} <= environment.keys()


def test_one_core_cannot_compare_two_threads(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(session, "launcher", lambda *_: false_launch())
    monkeypatch.setattr(session, "available_cores", lambda: 1)
    arguments = ["--sizes", "medium", "--peers", "--algorithms", REFERENCE, "--replications", "1"]
    assert timing.main([*arguments, "--out", str(tmp_path)]) == exits.DONE
    assert capsys.readouterr().out.count("not measured: it takes two cores") == 2


def test_a_run_resumes_and_refuses_rows_of_other_code(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(session, "launcher", lambda *_: false_launch())
    arguments = ["--sizes", "small", "--peers", "--replications", "1", "--out", str(tmp_path)]
    assert timing.main(arguments) == exits.DONE
    first = (tmp_path / "runs.jsonl").read_text()
    assert timing.main(arguments) == exits.DONE
    assert "7 of 7 works are done already" in capsys.readouterr().err
    assert (tmp_path / "runs.jsonl").read_text() == first
    monkeypatch.setattr(surroundings, "fingerprint", lambda seed: {"seed": seed, "code": "changed"})
    assert timing.main(arguments) == exits.USAGE
    assert "is now changed" in capsys.readouterr().err


def test_failures_are_exit_code_1(monkeypatch, capsys, tmp_path):
    def prepare(work, name, seed):
        raise OSError("no such luck")

    monkeypatch.setattr(session, "launcher", lambda *_: false_launch(prepare))
    arguments = ["--sizes", "small", "--peers", "--replications", "1", "--out", str(tmp_path)]
    assert timing.main(arguments) == exits.SOME_FAILED
    assert "OSError: no such luck" in capsys.readouterr().err


def test_installed_peers():
    assert installed(["sklearn", "no_such_package"]) == (["sklearn"], ["no_such_package"])


def test_compiled_code_of_older_sources_is_not_timed(monkeypatch):
    monkeypatch.setenv(probe.CACHE, "before")
    monkeypatch.delenv(data.ROWS_FOLDER, raising=False)
    with surroundings.new_cache():
        folder = os.environ[probe.CACHE]
        assert folder != "before"
        assert os.listdir(folder) == []
    assert os.environ[probe.CACHE] == "before"
    assert data.ROWS_FOLDER not in os.environ
    assert not os.path.exists(folder)
