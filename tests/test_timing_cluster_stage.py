"""The timing study on a Dask cluster: the stage on which it fits, fits that never end, and a real run."""

from __future__ import annotations

import contextlib
import json

import pytest
from cases import compiled, examples

from bench import exits, timing
from bench.timing import cluster, on_dask
from bench.timing.contestants import REFERENCE
from bench.timing.on_dask import LIGHTGBM, SPREAD
from bench.timing.work import Work
from bench.timing.worker import Worker

NAMES = (REFERENCE, SPREAD, LIGHTGBM)


class FalseWorker:
    def __init__(self, answers):
        self.answers, self.was_late = iter(answers), False

    def __call__(self, work, name, seed):
        self.was_late, found = next(self.answers)
        return found


@pytest.fixture
def stage(monkeypatch):
    """A stage whose processes answer (late or not, with what) as told, and how often it was opened."""

    def made(answers):
        worker, opened = FalseWorker(answers), []
        found = cluster.Stage((), 0, {})

        def open_it():
            opened.append(1)
            found._workers.update({False: worker, True: worker})

        monkeypatch.setattr(found, "_open", open_it)
        return found, opened

    return made


DONE, FAILED = (False, {"status": "done", "value": 1.0}), (False, {"status": "failed", "error": "no luck"})


def test_after_a_failure_the_cluster_begins_anew(stage):
    take, opened = stage([DONE, DONE, FAILED, DONE])
    with contextlib.closing(take):
        statuses = [take(None, LIGHTGBM, 0)["status"] for _ in range(4)]
    assert statuses == ["done", "done", "failed", "done"]
    assert len(opened) == 2


def test_who_never_ends_is_not_asked_again(stage):
    take, opened = stage([(True, {"status": "failed", "error": "no answer within 600 s"}), DONE])
    assert take(None, LIGHTGBM, 0) == take(None, LIGHTGBM, 0) == {"status": "failed", "error": "no answer within 600 s"}
    assert take(None, SPREAD, 0)["status"] == "done"
    assert len(opened) == 2


def test_a_process_that_does_not_answer_is_killed(tmp_path):
    (tmp_path / "csboost").mkdir()
    (tmp_path / "csboost" / "__init__.py").write_text("import time; time.sleep(60)")
    work = Work("cluster-round", "round", "cluster", 60, 4, 3, 25, 1, names=NAMES, repeats=1, workers=1)
    with contextlib.closing(Worker(tmp_path, limit=0.5)) as worker:
        found = worker(work, SPREAD, 0)
    assert found["status"] == "failed"
    assert found["error"].startswith("no answer within 0.5 s; the process ended with exit code -9")
    assert worker.was_late


@pytest.mark.skipif(examples(1) == 1, reason="a minute: make test-cluster")
@pytest.mark.slow
@compiled("clusters of several processes")
def test_a_quick_run_on_a_real_cluster(capfd, tmp_path):
    pytest.importorskip("distributed")
    pytest.importorskip("lightgbm")
    assert timing.main(["--cluster", "--quick", "--out", str(tmp_path)]) == exits.DONE
    printed = capfd.readouterr().out
    assert "no mark: quick" in printed
    assert "[LightGBM]" not in printed
    rows = [json.loads(line) for line in (tmp_path / "runs.jsonl").open()]
    assert {row["algorithm"] for row in rows} == {
        *NAMES,
        *(name + s for name in on_dask.BOOSTERS for s in ("", on_dask.SUFFIX)),
    }
    for row in rows:
        is_ours_on_dask = row["algorithm"].endswith(on_dask.SUFFIX) and row["algorithm"] != LIGHTGBM
        assert row["value"] > 0
        assert ("exchanges" in row) == is_ours_on_dask
        if is_ours_on_dask:
            assert row["exchanges"] >= 1
            assert row["sent_bytes"] > 8
