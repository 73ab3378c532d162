"""The timing study on a Dask cluster: its works, samples, tables and verdict, and fits that never end."""

from __future__ import annotations

import csv
import json
import math
from types import SimpleNamespace

import pytest
from timing_rows import false_launch

from bench import exits, extras, timing
from bench.rows.store import Store
from bench.timing import cluster, cluster_tables, on_dask, session, targets
from bench.timing.contestants import REFERENCE
from bench.timing.on_dask import LIGHTGBM, SPREAD
from bench.timing.work import Work

NAMES = (REFERENCE, SPREAD, LIGHTGBM)
SECONDS = {REFERENCE: 0.2, SPREAD: 0.25, LIGHTGBM: 1.0}


def false_prepare(work, name, seed):
    """Rounds in proportion to the rows of a thread; a cluster takes a quarter more and 2 ms, and sends."""
    seconds = SECONDS.get(name, 0.1) * work.n / 2_000_000 / work.workers
    if not name.endswith(on_dask.SUFFIX):
        return lambda: {"value": seconds, "fit_seconds": 9.0, "fit_rounds": work.rounds}
    found = {"value": seconds + 0.002, "fit_seconds": 9.0, "fit_rounds": work.rounds, "setup_seconds": 1.5}
    return lambda: found if name == LIGHTGBM else {**found, "exchanges": 9.0, "sent_bytes": 1_377_000.0}


def measured(folder, quick=False, prepare=false_prepare):
    """The rows of a whole run on false samples."""
    with Store(folder, "timing") as store:
        store.open({"seed": 0})
        groups = cluster.plan(NAMES, cores=2, quick=quick)
        session.run(groups, store, seed=0, variant="quick" * quick, launch=false_launch(prepare))
        return store.rows()


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    return measured(tmp_path_factory.mktemp("rows"))


def test_the_plan_has_a_group_per_number_of_workers():
    groups = cluster.plan(NAMES, cores=2)
    assert [[work.key for work in group] for group in groups] == [
        [
            "cluster-round: 500000 x 57, K = 7, 65 rounds, 1 threads, 1 workers",
            "cluster-round: 2000000 x 57, K = 7, 65 rounds, 1 threads, 1 workers",
        ],
        [
            "cluster-round: 1000000 x 57, K = 7, 65 rounds, 2 threads, 2 workers",
            "cluster-round: 2000000 x 57, K = 7, 65 rounds, 2 threads, 2 workers",
            "cluster-tiny: 10000 x 20, K = 5, 205 rounds, 1 threads, 2 workers",
        ],
        ["cluster-round: 2000000 x 57, K = 7, 65 rounds, 2 threads, 4 workers"],  # both scalings have it
    ]
    assert groups[1][2].names == (
        "Angle AdaBoost", "Angle AdaBoost on Dask", "Angle LogitBoost", "Angle LogitBoost on Dask",
        "Angle Gradient", "Angle Gradient on Dask",
    )  # fmt: skip
    assert {work.threads for group in cluster.plan(NAMES, cores=1) for work in group} == {1}
    quick = [work for group in cluster.plan(NAMES, cores=2, quick=True) for work in group]
    assert max(work.n for work in quick) == 100_000
    assert {work.workers for work in quick} == {1, 2}


class FalseFit:
    """A fit that takes a second and a tenth of one per round, and counts what it sends."""

    def __init__(self, rounds, seconds, at):
        self.rounds, self.seconds, self.at = rounds, seconds, at

    def fit(self, X, y):
        self.at.now += self.seconds(self.rounds)
        self.n_exchanges_, self.bytes_sent_ = 3 + 8 * self.rounds, 100 + 1000 * self.rounds


def false_sample(monkeypatch, seconds):
    at = SimpleNamespace(now=0.0)
    monkeypatch.setattr(on_dask, "build", lambda name, rounds, threads: FalseFit(rounds, seconds, at))
    work = Work("cluster-round", "round", "cluster", 60, 4, 3, 25, 1, names=NAMES, repeats=1, workers=1)
    return on_dask.prepare(work, REFERENCE, 0, lambda: at.now)


def test_a_round_is_the_difference_of_two_fits_and_so_is_what_it_sends(monkeypatch):
    found = false_sample(monkeypatch, lambda rounds: 1.0 + 0.1 * rounds)()
    assert found == pytest.approx(
        {"value": 0.1, "fit_seconds": 3.5, "fit_rounds": 25, "setup_seconds": 1.0, "exchanges": 8, "sent_bytes": 1000}
    )


def test_a_machine_too_busy_to_tell_is_named(monkeypatch):
    sample = false_sample(monkeypatch, lambda rounds: 1.0)
    with pytest.raises(RuntimeError, match="25 rounds took no longer than 5: the machine is too busy to tell"):
        sample()


def test_contestants_are_matched():
    pytest.importorskip("distributed")
    light = pytest.importorskip("lightgbm")
    peer, own, local = (on_dask.build(name, 7, 2) for name in (LIGHTGBM, SPREAD, REFERENCE))
    assert isinstance(peer, light.DaskLGBMClassifier)
    wanted = {"num_leaves": 4, "max_bin": 255, "n_estimators": 7, "tree_learner": "data"}
    assert peer.get_params() | wanted == peer.get_params()
    assert (type(own).__name__, own.n_estimators, own.n_jobs) == ("DaskAngleAdaBoostClassifier", 7, 1)
    assert (type(local).__name__, local.n_estimators, local.n_jobs) == ("AngleAdaBoostClassifier", 7, 2)
    gradient = on_dask.build("Angle Gradient on Dask", 7, 1)
    assert (gradient.n_bags, gradient.n_iter_no_change) == (1, None)


def test_scaling_tables(everything):
    strong, weak = cluster_tables.scaling_views(everything)
    assert strong.title == "One round, strong scaling: 2,000,000 x 57, K = 7"
    assert weak.title == "One round, weak scaling: 500,000 x 57 for each worker, K = 7"
    assert strong.frame["workers"].tolist() == weak.frame["workers"].tolist() == ["1", "2", "4"]
    assert weak.frame["rows"].tolist() == ["500,000", "1,000,000", "2,000,000"]
    assert strong.frame.to_dict("records")[1] == {
        "workers": "2",
        "rows": "2,000,000",
        "on Dask": "127 ms",  # 250 / 2 + 2
        "spread": "",
        "local": "100 ms",
        "times local": "1.27",
        "exchanges": "9.00",
        "kB a round": "1,377",
        "per exchange": "3.00 ms",  # 27 / 9
        "local threads": "2",
        "rows a second against one worker": "1.98",  # 252 / 127
        "before round 1": "1.50 s",
        "LightGBM on Dask": "502 ms",
        "times ours": "3.95",
    }
    # 64.5 ms for 500,000 rows, 127 ms for 1,000,000 of two workers would be the same pace
    assert weak.frame["rows a second against one worker"].tolist() == ["1.00", "2.00", "4.00"]


def test_overhead_table(everything):
    (view,) = cluster_tables.tiny_views(everything)
    assert view.title == "One round, overhead: 10,000 x 20, K = 5, 2 workers"
    assert view.frame[""].tolist() == ["Angle AdaBoost", "Angle LogitBoost", "Angle Gradient"]
    assert view.frame["overhead"].tolist()[1] == "2.00 ms"
    assert view.frame["per exchange"].tolist()[1] == "222 µs"


def test_without_lightgbm_its_column_is_empty(everything):
    strong, _ = cluster_tables.scaling_views([row for row in everything if row.algorithm != LIGHTGBM])
    assert set(strong.frame["LightGBM on Dask"]) == set(strong.frame["times ours"]) == {"-"}


@pytest.mark.parametrize(("seconds", "mark", "text"), [(0.25, "ok", "1.27"), (0.4, "missed", "2.02")])
def test_the_verdict(tmp_path, monkeypatch, seconds, mark, text):
    monkeypatch.setitem(SECONDS, SPREAD, seconds)
    found = targets.evaluate(measured(tmp_path), None, cluster_tables.TARGETS)
    assert cluster_tables.finding(found) == (
        f"A round on two workers of one thread takes {text} times a local one with two threads "
        f"(at most 1.5 times is the figure to reach): {mark}."
    )


def test_fewer_rows_and_none_have_no_verdict(tmp_path):
    quick = targets.evaluate(measured(tmp_path, quick=True), None, cluster_tables.TARGETS)
    assert quick["mark"].tolist() == ["no mark: quick"]
    none = targets.evaluate([], {"cluster-round": "it takes two cores"}, cluster_tables.TARGETS)
    assert cluster_tables.finding(none).endswith(
        "(at most 1.5 times is the figure to reach): not measured: it takes two cores."
    )
    assert math.isnan(none["measured"][0])


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--sizes", "small"], "--sizes"),
        (["--works", "memory", "--peers"], "--works, --peers"),
        (["--rounds", "50", "--jobs", "1"], "--rounds, --jobs"),
    ],
)
def test_options_of_other_works_are_refused(more, named, capsys, tmp_path):
    assert timing.main(["--cluster", *more, "--out", str(tmp_path / "out")]) == exits.USAGE
    said = f"--cluster has works, contestants and threads of its own; give it without {named}."
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_without_dask_it_says_what_to_install(monkeypatch, capsys, tmp_path):
    there = extras.is_installed
    monkeypatch.setattr(extras, "is_installed", lambda package: package != "distributed" and there(package))
    assert timing.main(["--cluster", "--out", str(tmp_path)]) == exits.UNUSABLE
    assert "needs the package distributed (extra 'cluster'), which is not installed" in capsys.readouterr().err


def test_a_run_is_written_resumed_and_redrawn(monkeypatch, capsys, tmp_path):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "launcher", lambda _: false_launch(false_prepare))
    monkeypatch.setattr(cluster, "available_cores", lambda: 2)
    monkeypatch.setattr(cluster, "available_memory", lambda: 2.0**40)
    there = extras.is_installed
    monkeypatch.setattr(extras, "is_installed", lambda package: package != "lightgbm" and there(package))
    arguments = ["--cluster", "--replications", "2", "--out", str(tmp_path)]
    assert timing.main(arguments) == exits.DONE
    captured = capsys.readouterr()
    assert "A round on two workers of one thread takes 1.27 times a local one with two threads" in captured.out
    assert "4 workers on 2 cores show what more workers cost, not how fast they are." in captured.out
    assert "Skipped, not installed: lightgbm" in captured.out
    assert "Load of the machine: " in captured.out
    first = (tmp_path / "runs.jsonl").read_text()
    assert timing.main(arguments) == exits.DONE
    assert "3 of 3 works are done already" in capsys.readouterr().err
    assert (tmp_path / "runs.jsonl").read_text() == first
    assert timing.main([*arguments, "--render-only"]) == exits.DONE
    (line,) = csv.DictReader((tmp_path / "targets.csv").open())
    assert (line["mark"], float(line["measured"])) == ("ok", pytest.approx(1.27))
    tidy = [line for line in csv.DictReader((tmp_path / "table.csv").open()) if line["algorithm"] == SPREAD]
    assert [line["workers"] for line in tidy if line["n"] == "2000000"] == ["1", "2", "4"]
    assert {float(line["sent_bytes"]) for line in tidy} == {1_377_000.0}
    assert "### One round, weak scaling" in (tmp_path / "table.md").read_text()
    assert "strong scaling" in (tmp_path / "report.html").read_text()
    assert json.loads((tmp_path / "environment.json").read_text())["versions"]["distributed"]
