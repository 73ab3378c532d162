"""In which order a name counts steps: one rule for fit, metrics, scorers, the Bayes rule and displays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import easy, make, unequal_costs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from csboost import costs, metrics, plots
from csboost.weak import CostTree

LEVELS = ["low", "mid", "high"]  # sorted: high, low, mid
X, CODES = easy(90)
TRUTH, ANSWERS = ["low", "mid", "high"], ["high", "high", "low"]
STEPS = [[0, 2, 1], [2, 0, 1], [1, 1, 0]]  # high, low, mid


def ordered(labels, categories=LEVELS):
    return pd.Series(pd.Categorical(labels, categories=categories, ordered=True))


def enum(labels, categories=LEVELS):
    polars = pytest.importorskip("polars")
    return polars.Series(list(labels), dtype=polars.Enum(categories))


def narwhals_enum(labels, categories=LEVELS):
    return pytest.importorskip("narwhals").from_native(enum(labels, categories), series_only=True)


def dictionary(labels, categories=LEVELS):
    arrow = pytest.importorskip("pyarrow")
    codes = arrow.array([categories.index(label) for label in labels], arrow.int8())
    return arrow.chunked_array([arrow.DictionaryArray.from_arrays(codes, arrow.array(categories), ordered=True)])


def arrow_in_pandas(labels, categories=LEVELS):
    return pd.Series(pd.arrays.ArrowExtensionArray(dictionary(labels, categories)))


def column(labels, categories=LEVELS):
    return ordered(labels, categories).to_frame("level")


DECLARED = {
    "pandas": ordered,
    "column": column,
    "polars": enum,
    "narwhals": narwhals_enum,
    "pyarrow": dictionary,
    "pyarrow in pandas": arrow_in_pandas,
}
declared = pytest.mark.parametrize("kind", DECLARED)


@declared
def test_metrics_count_in_the_declared_order(kind):
    truth = DECLARED[kind](TRUTH)
    assert metrics.mean_cost(truth, DECLARED[kind](ANSWERS), "linear") == pytest.approx(5 / 3)
    assert metrics.mean_cost(truth, ANSWERS, "linear") == pytest.approx(5 / 3)
    assert metrics.mean_cost(TRUTH, DECLARED[kind](ANSWERS), "linear") == pytest.approx(5 / 3)
    assert metrics.mean_cost(truth, ANSWERS, "linear", labels=["low", "high", "mid"]) == pytest.approx(1)
    table = metrics.cost_confusion_matrix(truth, ANSWERS, "linear")
    assert table.index.tolist() == table.columns.tolist() == LEVELS
    assert metrics.constant_costs(truth, "linear").to_dict() == pytest.approx({"low": 1, "mid": 2 / 3, "high": 1})


@declared
@pytest.mark.parametrize("present", [["low", "high"], ["high", "mid"]])
def test_a_name_does_not_shrink_where_a_class_is_absent(kind, present):
    y = DECLARED[kind]([present[0]] * 2 + [present[1]] * 2)
    steps = abs(LEVELS.index(present[0]) - LEVELS.index(present[1]))
    assert metrics.mean_cost(y, [present[1]] * 4, "linear") == steps / 2
    assert metrics.cost_confusion_matrix(y, y, "linear").shape == (3, 3)
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    tree = CostTree(cost_matrix="linear").fit(X, y["level"] if kind == "column" else y)
    assert tree.cost_matrix_.tolist() == [[0, steps], [steps, 0]]


@pytest.mark.parametrize("kind", [kind for kind in DECLARED if kind != "column"])
def test_fits_count_in_the_declared_order(kind):
    y = DECLARED[kind](np.array(LEVELS)[CODES])
    for name in ("angle-ada", "samme", "mh"):
        model = make(name, cost_matrix="linear").fit(X, y)
        assert model.classes_.tolist() == sorted(LEVELS)
        assert model.cost_matrix_.tolist() == STEPS
        expected = make(name, cost_matrix=np.array(STEPS)).fit(X, np.array(LEVELS)[CODES])
        np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
        cost = metrics.mean_cost(y, model.predict(X), "linear")
        assert model.staged_cost(X, y)[-1] == pytest.approx(cost, rel=1e-12)
        assert metrics.make_cost_scorer("linear")(model, X, y) == pytest.approx(-cost, rel=1e-12)
    bayes = costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y)
    assert bayes.cost_matrix_.tolist() == STEPS
    assert costs.resolve("linear", DECLARED[kind](sorted(LEVELS))).tolist() == STEPS
    cut = DECLARED[kind](np.array(["low", "high"])[(CODES > 1) * 1])
    assert make("samme", cost_matrix="partitioned-linear").fit(X, cut).cost_matrix_.tolist() == [[0, 20], [2, 0]]


def test_scorers_in_folds_that_lack_a_class():
    y = ordered(np.repeat(LEVELS, 30))
    found = cross_validate(
        make("samme", cost_matrix="linear"),
        X,
        y,
        cv=KFold(3),  # the tested class is never in training
        scoring=metrics.make_cost_scorer("linear"),
        return_estimator=True,
        error_score="raise",
    )
    for k, (model, score) in enumerate(zip(found["estimator"], found["test_score"], strict=True)):
        answers = model.predict(X[30 * k : 30 * k + 30])
        by_hand = np.mean([abs(k - LEVELS.index(answer)) for answer in answers])
        assert score == pytest.approx(-by_hand)
    assert found["estimator"][1].cost_matrix_.tolist() == [[0, 2], [2, 0]]  # low and high, mid is away


def test_categories_without_an_order_are_sorted_but_all_there():
    y = pd.Series(pd.Categorical(["a", "a", "d"], categories=["d", "c", "b", "a"]))
    assert metrics.mean_cost(y, ["d", "d", "a"], "linear") == 3
    assert CostTree(cost_matrix="linear").fit([[0.0], [0.0], [1.0]], y).cost_matrix_.tolist() == [[0, 3], [3, 0]]
    # An array of costs is in sorted order, at every door.
    C = unequal_costs(4)
    assert metrics.mean_cost(y, ["d", "d", "a"], C) == pytest.approx((2 * C[0, 3] + C[3, 0]) / 3)


def test_arrays_stay_in_sorted_order():
    C = unequal_costs(3)
    y = ordered(np.array(LEVELS)[CODES])
    np.testing.assert_array_equal(make("samme", cost_matrix=C).fit(X, y).cost_matrix_, C)
    expected = metrics.mean_cost(np.array(TRUTH), ANSWERS, C)
    assert metrics.mean_cost(ordered(TRUTH), ANSWERS, C) == expected


def test_orders_that_contradict_each_other_are_refused():
    other = ordered(ANSWERS, ["mid", "low", "high"])
    with pytest.raises(ValueError, match="orders its categories 'low', 'mid', 'high', but y_pred 'mid', 'low', 'high'"):
        metrics.mean_cost(ordered(TRUTH), other, "linear")
    part = ordered(["high", "high", "low"], ["low", "high"])  # of the same order
    assert metrics.mean_cost(ordered(TRUTH), part, "linear") == pytest.approx(5 / 3)
    model = make("samme").fit(X, np.array(LEVELS)[CODES])
    with pytest.raises(ValueError, match="declare the ordered categories 'low', 'high', without 'mid'"):
        metrics.make_cost_scorer("linear")(model, X[:2], ordered(["low", "high"], ["low", "high"]))


NUMBERS_AS_TEXT = [["1", "2", "10"], ["-2", "-1", "3"], ["grade 2", "grade 9", "grade 10"], ["0.5", "1e1", "9"]]


@pytest.mark.parametrize("levels", NUMBERS_AS_TEXT)
def test_numbers_held_as_text_are_refused_at_every_door(levels):
    levels = sorted(levels, key=lambda label: float(label.split()[-1]))
    y = np.array(levels)[CODES]
    message = "counts steps between neighbouring classes, but .* numbers held as text.*CostTable"
    model = make("samme").fit(X, y)
    for name in ("linear", "partitioned-linear"):
        for use in (
            lambda name=name: make("samme", cost_matrix=name).fit(X, y),
            lambda name=name: costs.BayesDecisionClassifier(GaussianNB(), name).fit(X, y),
            lambda name=name: metrics.mean_cost(y, y, name),
            lambda name=name: metrics.make_cost_scorer(name)(model, X, y),
            lambda name=name: costs.resolve(name, np.unique(y)),
            lambda name=name: metrics.mean_cost(y, y, name, labels=np.unique(y)),
            lambda name=name: make("samme", cost_matrix=name).fit(X, pd.Categorical(y)),
            lambda name=name: plots.CostConfusionDisplay.from_estimator(model, X, y, cost_matrix=name),
        ):
            with pytest.raises(ValueError, match=message):
                use()
    table = costs.CostTable("linear", levels)  # what the message advises
    for matrix, labels in ((table, y), ("linear", ordered(y, levels))):
        fitted = make("samme", cost_matrix=matrix).fit(X, labels)
        np.testing.assert_array_equal(fitted.cost_matrix_, costs.resolve(table, sorted(levels)))
    assert metrics.mean_cost([levels[0]], [levels[2]], "linear", labels=levels) == 2
    assert metrics.mean_cost(y, y, "equal") == 0


def test_numbers_count_in_the_order_of_numbers():
    y = np.array([10, 2, 1])[CODES]
    assert make("samme", cost_matrix="linear").fit(X, y).cost_matrix_.tolist() == costs.linear(3).tolist()
    assert metrics.mean_cost([1, 2, 10], [10, 10, 1], "linear") == pytest.approx(5 / 3)
    assert metrics.mean_cost(["1", "2", "3"], ["3", "3", "1"], "linear") == pytest.approx(5 / 3)  # text agrees


def test_displays_follow_the_cost_table_or_the_declared_order():
    names = np.array(LEVELS)[CODES]
    frame = pd.DataFrame(unequal_costs(3), index=LEVELS, columns=LEVELS)
    for matrix in (frame, costs.CostTable(frame)):
        model = make("samme", cost_matrix=matrix).fit(X, names)
        shown = plots.CostConfusionDisplay.from_estimator(model, X, names)
        assert [label.get_text() for label in shown.ax_.get_xticklabels()] == LEVELS
        expected = metrics.cost_confusion_matrix(names, model.predict(X), frame)
        np.testing.assert_allclose(shown.table, expected, rtol=1e-12)
        assert shown.table.index.tolist() == expected.index.tolist()
    model = make("samme", cost_matrix="linear").fit(X, ordered(names))
    shown = plots.CostConfusionDisplay.from_estimator(model, X, ordered(names))
    assert shown.table.index.tolist() == LEVELS
    np.testing.assert_array_equal(
        shown.table, metrics.cost_confusion_matrix(ordered(names), model.predict(X), "linear")
    )


def test_displays_find_the_costs_inside_a_pipeline():
    names = np.array(LEVELS)[CODES]
    frame = pd.DataFrame(unequal_costs(3), index=LEVELS, columns=LEVELS)
    pipeline = make_pipeline(StandardScaler(), make("samme", cost_matrix=frame)).fit(X, names)
    shown = plots.CostConfusionDisplay.from_estimator(pipeline, X, names).table
    np.testing.assert_allclose(shown, metrics.cost_confusion_matrix(names, pipeline.predict(X), frame), rtol=1e-12)
    without = LogisticRegression().fit(X, names)
    shown = plots.CostConfusionDisplay.from_estimator(without, X, names).table
    assert shown.to_numpy().sum() == (without.predict(X) != names).sum()
