"""The further tables of the suite: the rule that found them holds, and they take part only when asked for."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from suite_fakes import fakes, run  # noqa: F401 - a fixture
from test_suite_sets import skip_without

from bench import compare
from bench.command import suite
from bench.suite import further, rdata, sets
from bench.suite.names import PARTS
from bench.suite.splits import split
from bench.suite.tasks import tasks


def options_of(*words):
    return compare.parser().parse_args(["--suite", *words])


def test_there_are_a_hundred_and_no_name_is_there_twice():
    names = [entry.name for entry in further.ENTRIES]
    assert len(names) == 100
    assert len({name.lower() for name in sets.KNOWN}) == len(sets.KNOWN) == 148  # the command line takes any case
    assert {entry.source for entry in further.ENTRIES}.isdisjoint(entry.source for entry in sets.ENTRIES.values())
    assert [entry.source for entry in further.ENTRIES] == sorted(entry.source for entry in further.ENTRIES)


def could_be_target(column):
    counts = column.dropna().astype(str).value_counts()
    fits = 3 <= len(counts) <= 10 and counts.min() >= 20 and counts.max() < 0.8 * counts.sum()
    return fits and not re.search("rac|ethn", column.name, re.IGNORECASE)


@pytest.mark.parametrize("entry", further.ENTRIES, ids=lambda entry: entry.name)
def test_the_rule_holds(entry):
    skip_without(rdata.PACKAGE)
    raw, data = entry.read(), entry.load()
    numbers = [column for column in raw if pd.api.types.is_numeric_dtype(raw[column])]
    assert len(raw) >= 400
    assert data.X.shape[1] >= 3
    assert max(raw[column].nunique() for column in numbers if raw[column].dtype != bool) > 127
    assert entry.target == next(column for column in raw if column not in numbers and could_be_target(raw[column]))
    assert not re.search("rac|ethn", entry.target, re.IGNORECASE)
    shares = np.bincount(data.y) / len(data.y)
    assert 3 <= len(shares) <= 10
    assert np.bincount(data.y).min() >= 20
    assert shares.max() < 0.8
    assert all(raw[column].astype(str).nunique() > 50 for column in entry.drop)
    assert len(np.unique(data.y[split(data, 0).train])) == len(data.classes)


def test_they_take_part_when_asked_for():
    usual = {task.set_name for task in suite._asked_tasks(options_of())}
    assert usual == set(sets.ENTRIES)
    asked = suite._asked_tasks(options_of("--sets", "further"))
    assert {task.set_name for task in asked} == {entry.name for entry in further.ENTRIES}
    assert {task.kind for task in asked} == {"equal", "random"}
    assert [task.name for task in suite._asked_tasks(options_of("--sets", "CAR", "hawks", "--kinds", "equal"))] == [
        "car/equal", "Hawks/equal",
    ]  # fmt: skip
    assert [task.name for task in suite._asked_tasks(options_of("--tasks", "Hawks/random"))] == ["Hawks/random"]
    assert len(tasks(sets.KNOWN)) == len(tasks()) + 200


def test_each_part_has_figures_and_times_of_its_own_sets(tmp_path, fakes):  # noqa: F811 - a fixture
    skip_without(rdata.PACKAGE)
    words = ["--sets", "iris", "glass", "midwest", "--kinds", "equal", "--algorithms", "Cheapest", "LogisticRegression"]
    done = run(*words, "--replications", "1", out=tmp_path)
    titles = ["tuning and held-out sets: 2 tasks", "tuning sets: 1", "held-out sets: 1", "further sets: 1"]
    places = [done.stdout.find(f"arm defaults, {title}".capitalize()) for title in titles]
    assert min(places) >= 0
    assert places == sorted(places)
    table = pd.read_csv(tmp_path / "table.csv")
    assert dict(zip(table["scenario"], table["part"], strict=True)) == {
        "iris": "tuning", "glass": "held-out", "midwest": "further",
    }  # fmt: skip
    assert (tmp_path / "table.md").read_text().count("midwest/equal") == 1
    assert "of 6 cells are 0" in done.stdout


def test_a_misspelt_name_is_answered_in_a_line(tmp_path):
    done = run("--sets", "irris", out=tmp_path)
    assert "unknown set 'irris'. Did you mean 'iris'? `python -m bench.suite.sets` lists them" in done.stderr
    assert len(done.stderr) < 300


def test_every_set_is_of_one_part():
    parts = {part: [name for name in sets.KNOWN if sets.part_of(name) == part] for part in PARTS}
    assert {part: len(names) for part, names in parts.items()} == {"tuning": 32, "held-out": 16, "further": 100}
