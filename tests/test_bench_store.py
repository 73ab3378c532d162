"""The results folder: what a killed, cramped or careless run leaves behind, and what the next one makes of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import partial

import pytest
from test_bench_fakes import command, run_here

from bench import exits
from bench.exits import UnusableError, UsageError
from bench.rows.files import ROWS
from bench.rows.reading import read_rows
from bench.rows.row import Row
from bench.rows.settings import SETTINGS
from bench.rows.store import Store

resource = pytest.importorskip("resource", reason="file locks and limits of Unix")

SETTING = {"seed": 0, "rounds": 5}


def row(replication, status="done", **more):
    cost = {"test_cost": 0.25} if status == "done" else {"error": "because"}
    key = {"scenario": "s", "costs": "equal", "algorithm": "A", "protocol": "faithful", "replication": replication}
    return Row(**{**key, "status": status, **cost, **more})


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "out", "study") as opened:
        opened.open(SETTING)
        yield opened


def test_rows_come_back_as_they_went(store):
    rows = [row(r, cost_curve=[1 / 3, 0.1 + 0.2], algorithm="é") for r in range(3)]
    store.append(rows)
    assert store.rows() == rows
    assert store.problems == []


def test_a_half_written_last_line_is_reported_and_cut_off(store):
    store.append([row(0), row(1)])
    path = store.folder / ROWS
    whole = path.read_bytes()
    for length in (1, 20, len(whole) // 2 - 2):
        path.write_bytes(whole + whole[:length])
        rows, problems = read_rows(path)
        assert [r.replication for r in rows] == [0, 1]
        assert len(problems) == 1
        assert "line 3: not a whole row" in problems[0]
        store.__exit__()
        store.open(SETTING)
        assert path.read_bytes() == whole
        assert "half-written and has been cut off" in store.problems[-1]
    store.append([row(2)])
    assert [r.replication for r in store.rows()] == [0, 1, 2]


def test_a_last_line_that_lacks_only_its_newline_is_kept(store):
    store.append([row(0), row(1)])
    path = store.folder / ROWS
    path.write_bytes(path.read_bytes()[:-1])
    store.__exit__()
    store.open(SETTING)
    store.append([row(2)])
    assert [r.replication for r in store.rows()] == [0, 1, 2]
    assert store.problems == []


@pytest.mark.parametrize("damage", [b"\0" * 40, b"{}", b"[1, 2]", b'{"scenario": "s"', b"\xff\xfe"])
def test_a_corrupt_line_costs_its_own_row_only(store, damage):
    store.append([row(0)])
    with (store.folder / ROWS).open("ab") as file:
        file.write(damage + b"\n")
    store.append([row(1)])
    assert [r.replication for r in store.rows()] == [0, 1]
    assert len(store.problems) == 1
    assert "line 2" in store.problems[0]


def test_no_job_counts_twice_and_a_finished_one_wins(store):
    store.append([row(0, "failed"), row(0, test_cost=0.5), row(0, test_cost=0.7), row(0, "failed"), row(1, "failed")])
    assert [r.stored() for r in store.rows()] == [row(0, test_cost=0.5).stored(), row(1, "failed").stored()]


def test_two_runs_into_one_folder(store):
    with Store(store.folder, "study") as second, pytest.raises(UsageError, match="another run is writing to"):
        second.open(SETTING)
    store.__exit__()
    with Store(store.folder, "study") as second:
        second.open(SETTING)


def test_other_settings_are_refused_and_named(store):
    store.append([row(0)])
    store.__exit__()
    with Store(store.folder, "study") as other:
        with pytest.raises(UsageError, match=r"rounds was 5, is now 9\).* Give --fresh .* or another --out"):
            other.open({**SETTING, "rounds": 9})
        assert len(other.rows()) == 1
        other.open({**SETTING, "rounds": 9}, fresh=True)
        assert other.rows() == []
    with Store(store.folder, "another") as other, pytest.raises(UsageError, match="study was study, is now another"):
        other.open({**SETTING, "rounds": 9})


def test_rows_without_settings_are_refused(store):
    store.append([row(0)])
    (store.folder / SETTINGS).unlink()
    store.__exit__()
    with Store(store.folder, "study") as other, pytest.raises(UsageError, match="nothing says how it was made"):
        other.open(SETTING)


def test_fresh_deletes_its_own_files_only(store):
    store.append([row(0)])
    for name in ("table.csv", "figure-a.png", "notes.txt"):
        (store.folder / name).write_text("x")
    store.__exit__()
    with Store(store.folder, "study") as again:
        again.open(SETTING, fresh=True)
    assert sorted(path.name for path in store.folder.iterdir()) == [".lock", "notes.txt", ROWS, SETTINGS]


def test_fresh_refuses_a_folder_that_is_not_ours(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    (tmp_path / "table.tex").write_text("more work")
    with (
        Store(tmp_path, "study") as store,
        pytest.raises(UsageError, match=r"refuses to delete.*table.tex, thesis.tex"),
    ):
        store.open(SETTING, fresh=True)
    assert (tmp_path / "table.tex").read_text() == "more work"


def test_an_output_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with Store(tmp_path / "file" / "out", "study") as store, pytest.raises(UnusableError, match="Not a directory"):
        store.open(SETTING)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder(tmp_path):
    tmp_path.chmod(0o500)
    with Store(tmp_path / "out", "study") as store, pytest.raises(UnusableError, match="Permission denied"):
        store.open(SETTING)


def test_a_full_disk_ends_in_words_and_the_run_goes_on_later(tmp_path):
    """A limit on the size of files stands in for a full disk: both let a write stop half-way."""
    out, words = (
        tmp_path / "out",
        ["--algorithms", "Fake A", "Fake B", "--replications", "12", "--rounds", "40", "--scenarios", "1"],
    )
    line = command("simulations", *words, "--out", out, "--jobs", 1)
    own = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # coverage writes too
    environment = {**own, "PYTHONDONTWRITEBYTECODE": "1", "CSBOOST_CACHE": "0"}
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (9000, 9000))
    limited = subprocess.run(line, capture_output=True, text=True, timeout=300, env=environment, preexec_fn=limit)
    assert limited.returncode == exits.UNUSABLE
    assert "The finished jobs are kept; make room and give the same command again" in limited.stderr
    assert "Traceback" not in limited.stderr
    data = (out / ROWS).read_bytes()
    kept = [json.loads(text) for text in data.splitlines()]
    assert data.endswith(b"\n")
    assert 0 < len(kept) < 24
    done = run_here("simulations", *words, "--out", out)
    assert done.returncode == exits.DONE
    assert f"{len(kept)} of 24 jobs are done already" in done.stderr
    assert (out / ROWS).read_bytes().startswith(data)


def test_a_second_run_is_told_to_wait(tmp_path):
    words = ["--algorithms", "Slow", "--replications", "50", "--rounds", "3", "--out", tmp_path, "--jobs", 1]
    first = subprocess.Popen(command("simulations", *words), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        _wait_for(lambda: (tmp_path / ROWS).exists() and (tmp_path / ROWS).read_bytes())
        second = run_here("simulations", *words[:-2])
        assert second.returncode == exits.USAGE
        assert "another run is writing to" in second.stderr
        assert first.poll() is None
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()


def _wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
