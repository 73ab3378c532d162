"""Fits on Dask of what users have: DataFrames, labels of every kind, labelled costs, gains, weights, early stopping."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import compiled

pytest.importorskip("distributed")
pytest.importorskip("dask.dataframe")

import dask.dataframe as dd
from dask_cases import BOOSTERS, assert_same_bits, cluster, in_parts, local, spread, table

from csboost.costs import CostTable

pytestmark = [compiled("whole fits"), pytest.mark.timeout(300)]
LABELS = ["high", "low", "middle"]
STOPPED = [name for name in BOOSTERS if name != "mh-apart"]  # which has no common round to stop at
SIZES = [250, 0, 400, 250]


@pytest.fixture(scope="module", autouse=True)
def client():
    found, client = cluster(2)
    yield client
    client.close()
    found.close()


@pytest.fixture(scope="module")
def data():
    return table(n=900, dtype=np.float64)


@pytest.fixture(scope="module")
def frames(data):
    """Features of several types, with an index, and labels."""
    X, y = data
    index = pd.Index(np.arange(900) * 3, name="id")
    F = pd.DataFrame(X, columns=["age", "size", "rate", "debt", "days"], index=index)
    F["size"], F["owner"], F["days"] = F["size"].fillna(0).astype(int), F["age"] > 0, F["days"].astype("float32")
    return F, pd.Series(y, index=index, name="grade")


def parted(table, n=3):
    return dd.from_pandas(table, npartitions=n, sort=False)


def differing(*parts):
    """A collection of partitions whose types may differ."""
    return dd.from_map(lambda place: parts[place], range(len(parts)), meta=parts[0].iloc[:0])


def assert_same_fit(name, given, lazy, *costs, parameters=None, **extras):
    """Fit both, of what is given in memory and of the same in partitions; extras are pairs of such."""
    one = local(name, *costs, **parameters or {}).fit(*given, **{key: pair[0] for key, pair in extras.items()})
    other = spread(name, *costs, **parameters or {}).fit(*lazy, **{key: pair[1] for key, pair in extras.items()})
    assert_same_bits(one, other.to_local(), given[0])
    assert one.answers_.tolist() == other.answers_.tolist()
    assert one.cost_matrix_.tolist() == other.cost_matrix_.tolist()
    return one, other


@pytest.mark.parametrize("name", ["angle-ada", "mh", "gradient"])
def test_frames_with_named_columns_of_several_types(frames, name):
    F, y = frames
    _, fitted = assert_same_fit(name, (F, y), (parted(F), parted(y)))
    assert fitted.feature_names_in_.tolist() == F.columns.tolist()
    assert fitted.to_local().feature_names_in_.tolist() == F.columns.tolist()


def test_frames_without_names_beside_labels_in_an_array(frames):
    F, y = frames
    F = F.set_axis(range(6), axis=1)
    _, fitted = assert_same_fit("samme", (F, y.to_numpy()), (parted(F), in_parts(y.to_numpy(), [300, 300, 300])))
    assert not hasattr(fitted, "feature_names_in_")


def test_types_that_differ_between_partitions(data):
    X, y = data
    F, y = pd.DataFrame(np.nan_to_num(X), columns=list("abcde")), pd.Series(y)
    parts = [F[:300].astype("float32"), F[300:500].round().astype(int), F[500:]]
    whole = pd.concat(parts)
    lazy = differing(*parts), differing(y[:300], y[300:500].astype(object), y[500:])
    assert_same_fit("angle-ada", (whole, y), lazy)


@pytest.mark.parametrize("is_ordered", [False, True])
def test_categories_as_labels(frames, is_ordered):
    F, y = frames
    y = y.astype(pd.CategoricalDtype(["low", "middle", "high", "absent"], ordered=is_ordered))
    assert_same_fit("angle-ada", (F, y), (parted(F), parted(y)))
    if is_ordered:
        one, other = assert_same_fit("angle-ada", (F, y), (parted(F), parted(y)), "linear")
        assert other.cost_matrix_[LABELS.index("low"), LABELS.index("high")] == 2
        assert one.decide(F[:9], "linear").tolist() == other.decide(F[:9], "linear").tolist()


def test_categories_that_differ_between_partitions_are_taken_together(frames):
    F, y = frames
    order = ["low", "middle", "high"]
    whole = y.astype(pd.CategoricalDtype(order, ordered=True))
    ends = y.where(y != "middle", "low").astype(pd.CategoricalDtype(["low", "high"], ordered=True))
    lazy = differing(*(F[start : start + 300] for start in (0, 300, 600)))
    labels = pd.concat([ends[:300].astype(whole.dtype), whole[300:]])
    assert_same_fit("samme", (F, labels), (lazy, differing(ends[:300], whole[300:600], whole[600:])), "linear")
    turned = y[600:].astype(pd.CategoricalDtype(order[::-1], ordered=True))
    with pytest.raises(ValueError, match="y in partition 0 orders its categories .* but y in partition 2"):
        spread("samme", "linear").fit(lazy, differing(whole[:300], whole[300:600], turned))


HUMAN = pd.DataFrame([[0, 2, 1, 0.3], [5, 0, 1, 0.3], [2, 1, 0, 0.3]], index=LABELS, columns=[*LABELS, "human"])


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm", "gradient", "gradient-logistic"])
def test_an_answer_that_is_no_class(frames, name):
    F, y = frames
    _, fitted = assert_same_fit(name, (F, y), (parted(F), parted(y)), HUMAN[["human", "low", "high", "middle"]])
    assert fitted.answers_.tolist() == [*LABELS, "human"]


def test_a_cost_table_with_a_class_that_is_not_there(frames):
    F, y = frames
    costs = CostTable("linear", ["absent", "low", "middle", "high"])
    one, _ = assert_same_fit("angle-logit", (F, y), (parted(F), parted(y)), costs)
    assert one.cost_matrix_.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]


@pytest.fixture(scope="module")
def row_costs(data):
    """Costs per row, with gains where the answer is right."""
    costs = np.random.default_rng(3).gamma(1.0, size=(900, 3))
    costs[np.arange(900), np.unique(data[1], return_inverse=True)[1]] = -0.5
    return costs


@pytest.mark.parametrize("name", BOOSTERS)
def test_gains_and_empty_partitions(data, row_costs, name):
    pairs = [(values, in_parts(values, SIZES)) for values in (*data, row_costs)]
    assert_same_fit(name, *zip(*pairs[:2], strict=True), sample_cost=pairs[2])


def test_labelled_costs_per_row(frames, row_costs):
    F, y = frames
    costs = pd.DataFrame(row_costs, columns=LABELS, index=F.index)[["middle", "high", "low"]]
    assert_same_fit("samme", (F, y), (parted(F), parted(y)), sample_cost=(costs, parted(costs)))
    other = parted(costs.set_axis(np.arange(900) + 1))
    with pytest.raises(ValueError, match=r"partition \d: sample_cost has another index than X.*X.join\(sample_cost\)"):
        spread("samme").fit(parted(F), parted(y), sample_cost=other)


def test_costs_of_rows_without_weight_do_not_count(data):
    X, y = data
    weights, costs = (X[:, 0] > 0).astype(float), np.where(X[:, :1] > 0, [[0.5, 2, 1]], [[np.nan, -3, 0]])
    assert_same_fit(
        "angle-ada",
        (X, y),
        (in_parts(X, SIZES), in_parts(y, SIZES)),
        sample_weight=(weights, in_parts(weights, SIZES)),
        sample_cost=(costs, in_parts(costs, SIZES)),
    )


@pytest.mark.parametrize(
    ("name", "is_weighted"), [*((name, True) for name in STOPPED), ("angle-ada", False), ("mh", False)]
)
def test_early_stopping_sees_the_same_costs(data, name, is_weighted):
    X, y = data
    weights = np.random.default_rng(4).gamma(2.0, size=900)
    weights[::7] = 0.0
    extras = {"sample_weight": (weights, in_parts(weights, SIZES))} if is_weighted else {}
    parameters = {"n_estimators": 8, "n_iter_no_change": 2, "validation_fraction": 0.2}
    if name.startswith("gradient"):
        del parameters["validation_fraction"]
    lazy = in_parts(X, SIZES), in_parts(y, SIZES)
    one, other = assert_same_fit(name, (X, y), lazy, parameters=parameters, **extras)
    assert one.n_iter_ == other.n_iter_
    assert one.validation_curve_.keys() == other.validation_curve_.keys()
    for kind, curve in one.validation_curve_.items():
        assert len(curve) >= one.n_iter_
        np.testing.assert_array_equal(curve, other.validation_curve_[kind])
    if hasattr(one, "margin_scale_"):
        assert one.margin_scale_ == other.margin_scale_


@pytest.mark.parametrize("name", ["angle-ada", "samme"])
@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_extreme_weights_and_costs(data, row_costs, name, unit):
    X, y = data
    weights = np.random.default_rng(5).gamma(2.0, size=900)
    weights = np.where(weights > 2, weights * unit, weights / unit)
    lazy = in_parts(X, SIZES), in_parts(y, SIZES)
    sized = row_costs * unit
    weighed = {"sample_weight": (weights, in_parts(weights, SIZES))}
    assert_same_fit(name, (X, y), lazy, (1 - np.eye(3)) * unit, **weighed)
    assert_same_fit(name, (X, y), lazy, sample_cost=(sized, in_parts(sized, SIZES)), **weighed)


def test_a_partition_that_lacks_a_class_one_without_weight_and_expected_classes(data):
    X, y = data
    order = np.argsort(y, kind="stable")
    X, y, weights = X[order], y[order], np.repeat([1.0, 0.0, 2.0], 300)
    weights[300:600:20] = 0.5
    weights[600:] *= y[600:] != "low"
    lazy, sizes = (in_parts(X, [300] * 3), in_parts(y, [300] * 3)), [300] * 3
    one, _ = assert_same_fit("mh", (X, y), lazy, sample_weight=(weights, in_parts(weights, sizes)))
    fitted = spread("mh").fit(*lazy, classes=["middle", "low", "high"])
    assert fitted.classes_.tolist() == one.classes_.tolist() == LABELS


def test_sizes_that_nobody_knows(data, frames):
    X, y = data
    chosen = X[:, 0] > -0.5
    lazy, mask = (in_parts(X, [300] * 3), in_parts(y, [300] * 3)), in_parts(chosen, [300] * 3)
    assert_same_fit("samme", (X[chosen], y[chosen]), (lazy[0][mask], lazy[1][mask]))
    F = frames[0].astype(float)
    assert_same_fit("samme", (F.to_numpy(), y), (parted(F).to_dask_array(), lazy[1]))


def test_columns_of_files_whose_partitions_dask_would_merge(frames, tmp_path):
    F, y = frames
    table = F.astype({"age": "float32"}).assign(note="of no use", weight=F["owner"] + 1.0, grade=y)
    parted(table, 8).to_parquet(tmp_path)
    files = dd.read_parquet(tmp_path)
    assert len(files["grade"].to_delayed()) < files["grade"].npartitions == 8  # the danger is there
    lazy = files[F.columns.tolist()], files["grade"]
    one, other = assert_same_fit("samme", (table[F.columns], y), lazy, sample_weight=(table["weight"], files["weight"]))
    assert other.score(*lazy) == pytest.approx(one.score(table[F.columns], y), abs=1e-12)
    np.testing.assert_array_equal(other.predict(lazy[0]).compute(), one.predict(F))


def test_features_in_blocks_of_columns(data):
    X, y = data
    assert_same_fit("m2", (X, y), (in_parts(X, SIZES).rechunk({1: 2}), in_parts(y, SIZES)))


def test_fewer_rows_than_workers_and_labels_as_numbers():
    X, y = np.array([[0.0], [1.0]]), np.array([7, 3])
    assert_same_fit("samme", (X, y), (in_parts(X, [1, 1]), in_parts(y, [1, 1])))


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_labels_as_one_column(data):
    X, y = data
    assert_same_fit("samme", (X, y[:, None]), (in_parts(X, SIZES), in_parts(y[:, None], SIZES)))
