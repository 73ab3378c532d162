"""Bad input to the estimators: every message names the offender and says what is accepted."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from cases import CLASSES, Hyperbola, easy, make, unequal_costs
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost.weak import CostTree

X, Y = easy(60)
WORDS = np.array(["low", "mid", "top"])[Y]
SAMPLE_COST = unequal_costs(3)[Y]


def changed(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


def estimators():
    return [pytest.param(make(name), id=name) for name in CLASSES] + [pytest.param(CostTree(), id="tree")]


everywhere = pytest.mark.parametrize("estimator", estimators())

MATRICES = {
    "shape": (np.ones((2, 2)), r"shape \(2, 2\), but there are 3 classes \('low', 'mid', 'top'\).*pandas.DataFrame"),
    "vector": (np.ones(3), r"cost_matrix has shape \(3,\), but there are 3 classes"),
    "negative": (
        changed(unequal_costs(3), (0, 2), -1),
        r"cost_matrix\[0, 2\] \(truth 'low', predicted 'top'\) is -1: costs must be finite and not negative",
    ),
    "NaN": (changed(unequal_costs(3), (1, 0), np.nan), r"cost_matrix\[1, 0\] .* is nan: costs must be finite"),
    "infinite": (changed(unequal_costs(3), (2, 0), np.inf), r"cost_matrix\[2, 0\] .* is inf: costs must be finite"),
    "zero": (np.zeros((3, 3)), "cost_matrix is zero everywhere .*: no mistake would cost anything"),
    "text": ([["a"] * 3] * 3, "cost_matrix must be a rectangular table of numbers, got 'a'"),
    "one text": (
        pd.DataFrame(
            [[0, 1, 2], [1, 0, "dear"], [2, 1, 0]], index=["low", "mid", "top"], columns=["low", "mid", "top"]
        ),
        "cost_matrix must be a rectangular table of numbers, got 'dear'",
    ),
    "name": ("lineer", "unknown cost_matrix name 'lineer'; did you mean 'linear'.*'equal', 'linear', 'partitioned-lin"),
    "labels": (
        pd.DataFrame(unequal_costs(3), index=["low", "mid", "up"], columns=["low", "mid", "up"]),
        "cost_matrix has no row for the classes 'top'; its row labels are 'low', 'mid', 'up'",
    ),
    "axes": (
        pd.DataFrame(unequal_costs(3), index=["low", "mid", "top"], columns=["low", "mid", "up"]),
        "same labels on its rows .truth. and columns .predicted.; only on the columns: 'up'; only on the rows: 'top'",
    ),
}


@everywhere
@pytest.mark.parametrize("case", MATRICES)
def test_cost_matrix(estimator, case):
    matrix, message = MATRICES[case]
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(cost_matrix=matrix).fit(X, WORDS)


FIT_ARGUMENTS = {
    "one class": ({"y": np.zeros(60, int)}, r"y holds only one class, 0 \(in rows of positive weight\).*at least two"),
    "one class of text": ({"y": np.full(60, "a")}, "y holds only one class, 'a'"),
    "one weighted class": ({"sample_weight": (Y == 1) * 1.0}, "y holds only one class, 1 .in rows of positive weight"),
    "numbers as y": ({"y": X[:, 0]}, "Unknown label type: continuous"),
    "NaN in y": ({"y": np.where(Y == 0, np.nan, Y)}, "Input y contains NaN"),
    "short y": ({"y": Y[:-1]}, r"inconsistent numbers of samples: \[60, 59\]"),
    "negative weight": (
        {"sample_weight": changed(np.ones(60), 7, -2)},
        r"sample_weight\[7\] is -2: weights must be finite and not negative",
    ),
    "NaN weight": ({"sample_weight": changed(np.ones(60), 3, np.nan)}, r"sample_weight\[3\] is nan: weights must be"),
    "zero weights": ({"sample_weight": np.zeros(60)}, "sample_weight is zero everywhere: at least one sample needs"),
    "short weights": ({"sample_weight": np.ones(5)}, r"sample_weight has shape \(5,\), expected \(60,\)"),
    "shape of costs": ({"sample_cost": np.ones((60, 2))}, r"sample_cost has shape \(60, 2\), expected \(60, 3\)"),
    "rows of costs": ({"sample_cost": np.ones((59, 3))}, r"sample_cost has shape \(59, 3\), expected \(60, 3\)"),
    "NaN cost": ({"sample_cost": changed(SAMPLE_COST, (4, 1), np.nan)}, r"sample_cost\[4, 1\] is nan: costs must be"),
    "infinite cost": ({"sample_cost": changed(SAMPLE_COST, (4, 1), np.inf)}, r"sample_cost\[4, 1\] is inf"),
    "negative cost": ({"sample_cost": changed(SAMPLE_COST, (9, 0), -3)}, r"sample_cost\[9, 0\] is -3: costs must be"),
    "zero costs": ({"sample_cost": np.zeros((60, 3))}, "sample_cost is zero everywhere: no mistake would cost"),
    "labels of costs": (
        {"sample_cost": pd.DataFrame(SAMPLE_COST, columns=[0, 1, 3])},
        "sample_cost has no column for the classes 2; its column labels are 0, 1, 3",
    ),
    "infinite X": ({"X": changed(X, (3, 2), np.inf)}, "Input X contains infinity"),
    "one axis": ({"X": X[:, 0]}, "Expected 2D array, got 1D array"),
    "no rows": ({"X": X[:0], "y": Y[:0]}, r"0 sample\(s\)"),
    "no columns": ({"X": X[:, :0]}, r"0 feature\(s\)"),
    "complex X": ({"X": X + 1j}, "Complex data not supported"),
}


@everywhere
@pytest.mark.parametrize("case", FIT_ARGUMENTS)
def test_arguments_of_fit(estimator, case):
    given, message = FIT_ARGUMENTS[case]
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(**{"X": X, "y": Y, **given})


@everywhere
def test_sparse_data(estimator):
    with pytest.raises(TypeError, match=r"dense data is required. Use '.toarray\(\)'"):
        estimator.fit(csr_array(X), Y)


COLUMNS = {
    "categories": (pd.Categorical(WORDS), r"'grade' \(category\)"),
    "categories of numbers": (pd.Categorical(Y), r"'grade' \(category\)"),
    "text": (pd.array(WORDS, dtype="string"), r"'grade' \(str"),
    "text among objects": (pd.Series([1.0, "2"] * 30, dtype=object), r"'grade' \(text\)"),
    "dates": (pd.date_range("2020-01-01", periods=60), r"'grade' \(datetime64"),
}


@everywhere
@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_that_are_not_numbers(estimator, kind):
    values, message = COLUMNS[kind]
    message = f"X has columns that are not numbers: {message}.*OneHotEncoder or OrdinalEncoder"
    frame = pd.DataFrame(X, columns=["age", "income", "debt", "term"])
    with pytest.raises(ValueError, match=message):
        estimator.fit(frame.assign(grade=values), Y)
    fitted = clone(estimator).fit(frame.assign(grade=1.0), Y)
    with pytest.raises(ValueError, match=message):
        fitted.predict(frame.assign(grade=values))


def polars_frame(column):
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"age": X[:, 0], "grade": column})


def arrow_table(column):
    return pytest.importorskip("pyarrow").table({"age": X[:, 0], "grade": column})


DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(60)]
OTHER_TABLES = {
    "polars dates": (lambda: polars_frame(DAYS), r"'grade' \(Date\)"),
    "polars times": (lambda: polars_frame(np.array(DAYS, "datetime64[us]")), r"'grade' \(Datetime"),
    "polars spans": (lambda: polars_frame([datetime.timedelta(days=1)] * 60), r"'grade' \(Duration"),
    "polars text": (lambda: polars_frame(WORDS), r"'grade' \(String\)"),
    "pyarrow dates": (lambda: arrow_table(DAYS), r"'grade' \(date32"),
    "pyarrow text": (lambda: arrow_table(WORDS), r"'grade' \(string\)"),
    "NumPy dates": (lambda: np.array(DAYS, "datetime64[D]")[:, None], r"all \(datetime64\[D\]\)"),
    "NumPy spans": (lambda: np.ones((60, 2), "timedelta64[D]"), r"all \(timedelta64\[D\]\)"),
    "list of dates": (lambda: [[np.datetime64(day)] for day in DAYS], r"all \(datetime64\[D\]\)"),
    "dates among objects": (
        lambda: np.array([[1.0, np.datetime64(day)] for day in DAYS], dtype=object),
        r"column 1 \(datetime64\)",
    ),
    "days among objects": (lambda: np.array([[1.0, day] for day in DAYS], dtype=object), r"column 1 \(date\)"),
    "spans in pandas": (
        lambda: pd.DataFrame({"grade": pd.Series([np.timedelta64(1, "D")] * 60, dtype=object)}),
        r"'grade' \((timedelta64|Timedelta)\)",
    ),
    "objects in pandas": (lambda: pd.DataFrame({"grade": np.array(DAYS, dtype=object)}), r"'grade' \(date\)"),
}


@pytest.mark.parametrize("kind", OTHER_TABLES)
def test_dates_and_text_of_other_tables(kind):
    given, message = OTHER_TABLES[kind]
    given = given()
    message = f"X has columns that are not numbers: {message}.*OneHotEncoder"
    with pytest.raises(ValueError, match=message):
        make("samme").fit(given, Y)
    with pytest.raises(ValueError, match=message):
        make("samme").fit(X[:, : np.shape(given)[1]], Y).predict(given)


def test_numbers_of_other_tables():
    polars = pytest.importorskip("polars")
    expected = make("samme").fit(np.column_stack([X[:, 0], Y, Y > 0]), Y)
    columns = {"age": X[:, 0], "count": Y.astype(np.int16), "flag": Y > 0}
    for table in (polars.DataFrame(columns), polars.DataFrame(columns).to_arrow()):
        model = make("samme").fit(table, Y)
        np.testing.assert_array_equal(model.decision_function(table), expected.decision_function(np.asarray(table)))


MISSING = {
    "floats": (lambda: np.where(np.arange(60) == 7, np.nan, Y), "row 7 is missing. Leave"),
    "None in text": (
        lambda: [None if i in (3, 5, 8) else w for i, w in enumerate(WORDS)],
        "row 3 is missing, as are 2",
    ),
    "NaN in text": (
        lambda: np.array([np.nan if i == 4 else w for i, w in enumerate(WORDS)], object),
        "row 4 is missing",
    ),
    "pandas text": (
        lambda: pd.Series(WORDS, dtype="string", index=np.arange(60) + 100).mask(np.arange(60) == 9),
        r"row 9 \(index 109\) is missing",
    ),
    "categories": (
        lambda: pd.Categorical.from_codes(Y - 1, categories=["mid", "top"]),
        "row 0 is missing, as are 19 more",
    ),
    "booleans": (lambda: pd.Series([None] + [True, False] * 29 + [True], dtype="boolean"), "row 0 is missing"),
    "one column": (lambda: pd.DataFrame({"grade": pd.Series(WORDS).mask(np.arange(60) == 9)}), "row 9 is missing"),
    "times": (lambda: np.array(["NaT"] + ["2020", "2021"] * 29 + ["2020"], "datetime64[D]"), "row 0 is missing"),
}


@pytest.mark.parametrize("case", MISSING)
def test_missing_labels_name_their_row(case):
    y, message = MISSING[case]
    y = y()
    model = make("samme").fit(X, WORDS)
    for name, use in {
        "y": lambda: make("samme").fit(X, y),
        "y ": lambda: model.staged_cost(X, y),
        " y": lambda: csboost.costs.BayesDecisionClassifier(KNeighborsClassifier()).fit(X, y),
        "y_true": lambda: csboost.metrics.mean_cost(y, y, None),
        "y_pred": lambda: csboost.metrics.mean_cost(WORDS, y, None),
    }.items():
        with pytest.raises(ValueError, match=f"Input {name.strip()} contains NaN: the label of {message}"):
            use()


def test_sample_costs_of_other_rows():
    frame, costs = pd.DataFrame(X), pd.DataFrame(SAMPLE_COST, columns=["low", "mid", "top"])
    fitted = make("angle-ada").fit(frame, WORDS, sample_cost=costs)
    for other in (costs.sample(frac=1, random_state=0), costs.set_axis(range(100, 100 + len(costs)))):
        with pytest.raises(ValueError, match=r"sample_cost has another index than X.*Give sample_cost.loc\[X.index\]"):
            make("angle-ada").fit(frame, WORDS, sample_cost=other)
    shuffled = frame.sample(frac=1, random_state=0)
    again = make("angle-ada").fit(shuffled, WORDS[shuffled.index], sample_cost=costs.loc[shuffled.index])
    np.testing.assert_array_equal(again.predict(frame), fitted.predict(frame))
    make("angle-ada").fit(X, WORDS, sample_cost=costs.set_axis(range(100, 100 + len(costs))))  # X has no index


PARAMETERS = {
    "threads": (make("samme", n_jobs=0), "'n_jobs' .* Got 0"),
    "rounds": (make("mh", n_estimators=0), r"'n_estimators' .* must be an int in the range \[1, inf\). Got 0"),
    "learning rate": (make("samme", learning_rate=0), r"'learning_rate' .* in the range \(0.0, inf\). Got 0"),
    "loss": (make("angle-lum", loss="hinge"), "unknown loss 'hinge'.*'exponential', 'logistic', 'lum'"),
    "loss class": (make("angle-lum", loss=Hyperbola), r"Hyperbola; pass an instance of it: Hyperbola\(...\)"),
    "infinite lum_c": (make("angle-lum", lum_c=np.inf), "lum_c must be a finite number, not negative, got inf"),
    "negative lum_c": (make("angle-lum", lum_c=-1.0), "lum_c must be a finite number, not negative, got -1"),
    "lum_a": (make("angle-lum", lum_a=0.0), "lum_a must be a positive, finite number, got 0"),
    "votes": (make("mh", votes="maybe"), "'votes' .* must be a str among .*discrete"),
    "hypothesis": (make("m2", hypothesis="sets"), "'hypothesis' .* must be a str among .*label"),
    "step of M2": (make("m2", step=-1.0), r"'step' .* in the range \(0.0, inf\) or None. Got -1"),
    "step of p-norm": (make("pnorm", step=1.0), r"'step' .* in the range \(0.0, 1.0\) or None. Got 1"),
    "share": (make("pnorm", step=0.9, learning_rate=2.0), r"step \* learning_rate must be below 1, got 1.8"),
    "share forgets": (make("pnorm", step=0.9, n_estimators=5000), "forgets its first rounds.*lower one of them"),
    "p": (make("pnorm", p=1.0), r"'p' .* in the range \(1.0, inf\). Got 1"),
    "large p": (make("pnorm", p=2000.0), "p=2000 is too large: with 3 classes all weights would vanish"),
    "overflow": (make("samme", learning_rate=5000.0), "overflowed in round 1; lower learning_rate .learning_rate=5000"),
    "overflow, logit": (make("angle-logit", learning_rate=5000.0), "overflowed in round 1; lower learning_rate"),
    "overflow, MH": (make("mh", learning_rate=5000.0), "overflowed in round 1; lower learning_rate"),
    "votes around labels": (
        make("mh", weak_learner=DecisionTreeClassifier()),
        r"DecisionTreeClassifier answers labels, but this booster needs a vote per class; use weak_learner=CostTree",
    ),
    "no weights": (make("samme", weak_learner=KNeighborsClassifier()), "KNeighborsClassifier.fit takes no sample_weig"),
    "leaves": (make("samme", weak_learner=CostTree(1)), r"'max_leaf_nodes' .* in the range \[2, 65535\]. Got 1"),
    "stopping apart": (make("mh-apart", n_iter_no_change=3), "no common round to stop at; set n_iter_no_change=None"),
    "no validation": (
        make("samme", n_iter_no_change=3, validation_fraction=0.01),
        "validation_fraction=0.01 of 60 rows leaves no row to validate on; raise it, or set n_iter_no_change=None",
    ),
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters(case):
    estimator, message = PARAMETERS[case]
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, Y)


@pytest.mark.parametrize("learner", [CostTree, DecisionTreeClassifier])
def test_a_class_as_weak_learner(learner):
    message = rf"must be an instance, got the class {learner.__name__}; write weak_learner={learner.__name__}\(\)"
    with pytest.raises(TypeError, match=message):
        make("samme", weak_learner=learner).fit(X, Y)
    with pytest.raises(TypeError, match="must be None, a CostTree, a SklearnWeakLearner or a scikit-learn classifier"):
        make("samme", weak_learner=3).fit(X, Y)


class NotConvex:
    """Decreasing, but concave."""

    def value(self, z):
        return -np.exp(z / 20)

    def derivative(self, z):
        return -np.exp(z / 20) / 20

    def second_derivative(self, z):
        return -np.exp(z / 20) / 400


class Increasing(NotConvex):
    def value(self, z):
        return np.exp(z / 20)

    def derivative(self, z):
        return np.exp(z / 20) / 20

    def second_derivative(self, z):
        return np.exp(z / 20) / 400


@pytest.mark.parametrize(("loss", "message"), [(NotConvex(), "is not convex"), (Increasing(), "is not decreasing")])
def test_a_loss_that_breaks_the_contract_is_refused_before_fitting(loss, message):
    with pytest.raises(ValueError, match=f"loss {type(loss).__name__} {message}.*Theorem 1 needs"):
        csboost.AngleBoostClassifier(loss=loss).fit(X, Y)


@pytest.mark.parametrize("name", CLASSES)
def test_data_without_signal(name):
    K = 2 if name == "mh" else 3  # with more classes, "no" to all of them is right more often than not
    message = "first weak rule is no better than guessing.*check X and cost_matrix, or give weak_learner more leaves"
    with pytest.raises(ValueError, match=message):
        make(name).fit(np.ones((12, 2)), np.arange(12) % K)


@pytest.mark.parametrize("name", ["m2", "m2-label"])
def test_only_correct_answers_cost(name):
    with pytest.raises(ValueError, match="no mistake costs anything"):
        make(name).fit(X, Y, sample_cost=np.eye(3)[Y])


@pytest.mark.parametrize("name", CLASSES)
def test_after_the_fit(name):
    model = make(name).fit(X, WORDS)
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 4 features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match=r"y contains classes that were not in the training data: \['up'\]"):
        model.staged_cost(X, np.where(Y == 2, "up", WORDS))
    with pytest.raises(ValueError, match=r"y contains classes that were not in the training data: \[0, 1, 2\]"):
        model.staged_cost(X, Y)
    with pytest.raises(ValueError, match=r"y has shape \(59,\), but X has 60 rows"):
        model.staged_cost(X, WORDS[1:])
