"""Metrics of answers that are not the classes, of gains, and of costs that every row has for itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from csboost import costs, metrics
from csboost.weak import CostTree

C = pd.DataFrame(
    {"well": [0.0, 2.0, 9.0], "treat": [3.0, 1.0, -4.0], "human": [1.0, 1.0, 1.0]}, index=["well", "ill", "sick"]
)
Y = ["well", "ill", "sick", "sick", "well"]
A = ["well", "human", "treat", "well", "treat"]  # costs 0, 1, -4, 9, 3
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame(RNG.integers(-3, 9, (5, 3)) + 0.5, columns=["human", "treat", "well"])
OWN = [ROWS.at[i, answer] for i, answer in enumerate(A)]
COLUMNS = pd.Index(list(C.columns))


def random_case(rng, gains):
    """Truths, answers and a labelled table of K classes and A answers, some of which are classes."""
    K, n_answers = rng.integers(2, 8), rng.integers(2, 11)
    names = [f"answer {a}" for a in range(n_answers)]
    shared = int(rng.integers(0, min(K, n_answers)))  # fewer than either: no square table
    names[:shared] = [f"class {k}" for k in rng.permutation(K)[:shared]]
    classes = [f"class {k}" for k in range(K)]
    values = rng.uniform(0, 5, (K, n_answers)) - (rng.random((K, 1)) < 0.5) * gains
    table = pd.DataFrame(np.where(np.arange(n_answers) == 0, 5.0, values), index=classes, columns=names)
    n = 50
    table = table[list(rng.permutation(table.columns))]
    return rng.choice(classes, n), rng.choice(names, n), table


@pytest.mark.parametrize("gains", [0.0, 2.5])
def test_means_and_confusion_are_those_of_a_loop_over_the_rows(gains):
    rng = np.random.default_rng(int(gains))
    for _ in range(40):
        truth, answers, table = random_case(rng, gains)
        weights = rng.uniform(0, 3, len(truth))
        paid = np.array([table.at[j, a] for j, a in zip(truth, answers, strict=True)])
        assert metrics.mean_cost(truth, answers, table) == pytest.approx(paid.mean())
        mean = metrics.mean_cost(truth, answers, table, sample_weight=weights)
        assert mean == pytest.approx(weights @ paid / weights.sum())
        constant = metrics.constant_costs(truth, table, sample_weight=weights)
        assert set(constant.index) == set(table.columns)
        for name in table.columns:
            assert constant[name] == pytest.approx(weights @ table.loc[truth, name] / weights.sum())
        confusion = metrics.cost_confusion_matrix(truth, answers, table, sample_weight=weights)
        assert confusion.shape == table.shape
        assert confusion.index.tolist() == table.index.tolist()
        for j, a in [(table.index[0], table.columns[0]), (table.index[-1], table.columns[-1])]:
            here = (truth == j) & (answers == a)
            assert confusion.at[j, a] == pytest.approx((weights * paid)[here].sum())
        assert confusion.to_numpy().sum() == pytest.approx(weights @ paid)


def test_answers_by_hand():
    assert metrics.mean_cost(Y, A, C) == pytest.approx(9 / 5)
    assert metrics.mean_cost(Y, A, C.iloc[::-1, ::-1]) == pytest.approx(9 / 5)
    assert metrics.constant_costs(Y, C).to_dict() == pytest.approx({"well": 4, "treat": -1 / 5, "human": 1})
    confusion = metrics.cost_confusion_matrix(Y, A, C)
    assert confusion.to_numpy().tolist() == [[0, 3, 0], [0, 0, 1], [9, -4, 0]]
    assert not np.signbit(confusion.to_numpy()[confusion == 0]).any()
    assert (confusion.index.name, confusion.columns.name) == ("truth", "predicted")
    shares = metrics.cost_confusion_matrix(Y, A, C, normalize="cost")  # of 17 lost and gained
    assert shares.loc["sick"].tolist() == pytest.approx([9 / 17, -4 / 17, 0])
    by_answer = metrics.cost_confusion_matrix(Y, A, C, normalize="pred").sum(axis=0)
    assert by_answer.to_dict() == pytest.approx({"well": 9 / 2, "treat": -1 / 2, "human": 1})


def test_labels_cut_the_table_to_these_classes():
    assert metrics.mean_cost(Y[:2], A[:2], C, labels=["ill", "well"]) == 0.5
    constant = metrics.constant_costs(["well", "ill"], C, labels=["ill", "well"])
    assert constant.to_dict() == {"well": 1, "treat": 2, "human": 1}
    square = C[["well"]].assign(ill=[2.0, 0.0, 4.0], sick=[5.0, 4.0, 0.0], human=1.0)
    cut = metrics.constant_costs(["well", "ill"], square, labels=["ill", "well"])
    assert cut.index.tolist() == ["ill", "well", "human"]  # the column of a class that is cut goes with its row


def test_a_cost_table_brings_its_answers_also_for_numbers_of_labels():
    table = costs.CostTable(C.to_numpy(), labels=list(C.index), answers=list(C.columns))
    assert metrics.mean_cost(Y, A, table) == pytest.approx(9 / 5)
    numbers = pd.Index(sorted(C.index)).get_indexer(Y)
    assert metrics.constant_costs(numbers, table)["human"] == 1
    coded = [2 if answer == "well" else answer for answer in A]  # the answer that is a class has its number
    assert metrics.mean_cost(numbers, coded, table) == pytest.approx(9 / 5)


def test_numbers_and_words_may_both_be_answers():
    table = pd.DataFrame([[0, 1, 0.5], [4, 0, 0.5]], index=[0, 1], columns=[0, 1, "human"])
    for answers in ([0, "human", 0], np.array([0, "human", 0], object), pd.Series([0, "human", 0])):
        assert metrics.mean_cost([0, 1, 1], answers, table) == pytest.approx(1.5)
    with pytest.raises(ValueError, match=r"labels of several types \(int, str\), which have no order: give labels="):
        metrics.mean_cost([0, 1, 1], np.array([0, "human", 0], object), None)


def test_a_square_table_of_classes_is_read_as_before():
    square = pd.DataFrame([[0.0, 1.0], [-2.0, 0.5]], index=["b", "a"], columns=["a", "b"])
    assert metrics.mean_cost(["a", "b"], ["b", "b"], square) == pytest.approx((0.5 + 1.0) / 2)
    with pytest.raises(ValueError, match="y_pred holds 'c', which the labels do not: 'b', 'a'"):
        metrics.mean_cost(["a"], ["c"], square)


# Costs of every row.


def test_costs_of_rows_win_over_the_table():
    for table in (None, C):
        assert metrics.mean_cost(Y, A, table, sample_cost=ROWS) == pytest.approx(np.mean(OWN))
    weights = np.arange(5.0)
    mean = metrics.mean_cost(Y, A, sample_cost=ROWS, sample_weight=weights)
    assert mean == pytest.approx(weights @ OWN / weights.sum())
    constant = metrics.constant_costs(Y, sample_cost=ROWS)
    assert constant.to_dict() == pytest.approx(ROWS.mean().to_dict())
    confusion = metrics.cost_confusion_matrix(Y, A, C, sample_cost=ROWS)
    assert confusion.shape == C.shape
    assert confusion.at["sick", "treat"] == OWN[2]
    assert confusion.to_numpy().sum() == pytest.approx(sum(OWN))
    assert metrics.cost_confusion_matrix(Y, A, sample_cost=ROWS).at["well", "treat"] == OWN[4]


def test_rows_of_the_table_as_costs_of_rows_change_nothing():
    same = C.loc[Y].reset_index(drop=True)
    assert metrics.mean_cost(Y, A, sample_cost=same) == metrics.mean_cost(Y, A, C)
    confusion = metrics.cost_confusion_matrix(Y, A, C, sample_cost=same.to_numpy(), labels=["well", "ill", "sick"])
    pd.testing.assert_frame_equal(confusion, metrics.cost_confusion_matrix(Y, A, C))
    expected = RNG.random(5)
    by_row = metrics.cost_calibration(Y, A, expected, sample_cost=same, n_bins=2)
    pd.testing.assert_frame_equal(by_row, metrics.cost_calibration(Y, A, expected, C, n_bins=2))


def test_columns_without_names_are_in_the_order_of_the_answers():
    square = np.array([[0.0, 3.0], [2.0, 1.0], [5.0, 0.0]])
    assert metrics.mean_cost(["a", "b", "b"], ["b", "b", "a"], sample_cost=square) == pytest.approx((3 + 1 + 5) / 3)
    in_order = ROWS[["well", "treat", "human"]].to_numpy()
    with pytest.raises(ValueError, match=r"sample_cost has columns without names.*'well', 'ill', 'sick': give labels="):
        metrics.mean_cost(Y, A, C, sample_cost=in_order)
    mean = metrics.mean_cost(Y, A, C, sample_cost=in_order, labels=["ill", "sick", "well"])
    assert mean == pytest.approx(np.mean(OWN))


def test_calibration_takes_expected_costs_of_answers():
    expected = pd.DataFrame(RNG.random((5, 3)), columns=["human", "treat", "well"])
    chosen = [expected.at[i, answer] for i, answer in enumerate(A)]
    table = metrics.cost_calibration(Y, A, expected, C, n_bins=1)
    assert table[["expected", "realised"]].to_numpy().tolist() == [pytest.approx([np.mean(chosen), 9 / 5])]
    own = metrics.cost_calibration(Y, A, expected, sample_cost=ROWS, n_bins=1)
    assert own["realised"].tolist() == pytest.approx([np.mean(OWN)])
    in_order = expected[["well", "treat", "human"]].to_numpy()  # as a model fitted on C has them
    same = metrics.cost_calibration(Y, A, in_order, C, labels=["ill", "sick", "well"], n_bins=1)
    pd.testing.assert_frame_equal(same, table)


# Scorers.


def problem(n=120):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 2))
    y = np.array(["ill", "sick", "well"])[(X[:, 0] + rng.normal(size=n) > 0).astype(int) + (X[:, 1] > 1)]
    rows = pd.DataFrame(rng.uniform(0, 5, (n, 3)), columns=["well", "sick", "ill"])
    return X, y, rows


def test_the_scorer_takes_costs_of_rows_through_cross_validation():
    X, y, rows = problem()
    cv = list(KFold(3, shuffle=True, random_state=0).split(X))
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.make_cost_scorer(None).set_score_request(sample_cost=True)
        scores = cross_validate(GaussianNB(), X, y, scoring=scorer, cv=cv, params={"sample_cost": rows})["test_score"]
    for (train, test), score in zip(cv, scores, strict=True):
        answers = GaussianNB().fit(X[train], y[train]).predict(X[test])
        paid = [rows.at[i, answer] for i, answer in zip(test, answers, strict=True)]
        assert score == pytest.approx(-np.mean(paid))


@pytest.mark.parametrize("both", [False, True])
def test_costs_of_rows_are_routed_to_fit_alone_or_to_the_score_too(both):
    X, y, rows = problem()
    table = pd.DataFrame(1.0 - np.eye(3), index=sorted(set(y)), columns=sorted(set(y)))
    cv = list(KFold(3).split(X))
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.make_cost_scorer(table)
        scorer = scorer.set_score_request(sample_cost=True) if both else scorer
        model = CostTree(cost_matrix=table).set_fit_request(sample_cost=True)
        found = cross_validate(model, X, y, scoring=scorer, cv=cv, params={"sample_cost": rows})["test_score"]
    for (train, test), score in zip(cv, found, strict=True):
        fitted = CostTree(cost_matrix=table).fit(X[train], y[train], sample_cost=rows.iloc[train])
        own = {"sample_cost": rows.iloc[test].reset_index(drop=True)} if both else {}
        assert score == -metrics.mean_cost(y[test], fitted.predict(X[test]), table, **own)


def test_a_search_chooses_by_costs_of_rows():
    X, y, rows = problem()
    rows = rows.assign(well=0.0, sick=1.0, ill=2.0)  # whatever is true, to answer "well" is the cheapest
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.make_cost_scorer("equal").set_score_request(sample_cost=True)
        grid = {"constant": ["ill", "sick", "well"]}
        search = GridSearchCV(DummyClassifier(strategy="constant"), grid, scoring=scorer, cv=3)
        search.fit(X, y, sample_cost=rows)
    assert search.best_params_ == {"constant": "well"}
    assert search.best_score_ == 0
    assert search.cv_results_["mean_test_score"].tolist() == [-2, -1, 0]


class Cautious(LogisticRegression):
    """It asks a human where it is not sure."""

    def predict(self, X):
        return np.where(self.predict_proba(X).max(axis=1) < 0.6, "human", super().predict(X))


def test_the_scorer_takes_a_model_that_gives_other_answers():
    X, y, rows = problem()
    table = pd.DataFrame(1.0 - np.eye(3), index=sorted(set(y)), columns=sorted(set(y))).assign(human=0.3)
    model = Cautious().fit(X, y)
    answers = model.predict(X)
    assert "human" in answers
    scorer = metrics.make_cost_scorer(table)
    assert scorer(model, X, y) == pytest.approx(-metrics.mean_cost(y, answers, table))
    result = cross_validate(Cautious(), X, y, scoring=scorer, cv=3, error_score="raise")
    assert (result["test_score"] < 0).all()
    by_row = rows.assign(human=7.0)
    paid = [by_row.at[i, answer] for i, answer in enumerate(answers)]
    assert scorer(model, X, y, sample_cost=by_row) == pytest.approx(-np.mean(paid))
    with pytest.raises(ValueError, match="sample_cost has another index than X"):
        scorer(model, pd.DataFrame(X, index=range(5, 125)), y, sample_cost=by_row)


def test_a_fitted_model_says_which_answers_columns_without_names_are():
    X, y, _ = problem()
    table = pd.DataFrame({"go": [3.0, 0.0, 1.0], "ask": 1.2, "stay": [0.0, 4.0, 2.0]}, index=["well", "sick", "ill"])
    model = costs.BayesDecisionClassifier(GaussianNB(), table).fit(X, y)
    assert list(model.answers_) == ["go", "ask", "stay"]
    answers = model.predict(X)
    scorer = metrics.make_cost_scorer(table)
    assert scorer(model, X, y) == -metrics.mean_cost(y, answers, table)
    rows = np.random.default_rng(0).uniform(-1, 5, (len(y), 3))
    paid = rows[np.arange(len(y)), pd.Index(model.answers_).get_indexer(answers)]
    own = metrics.make_cost_scorer(None)
    assert own(model, X, y, sample_cost=rows) == pytest.approx(-paid.mean())
    expected = model.predict_expected_cost(X)
    found = metrics.cost_calibration(y, answers, expected, table, labels=model.classes_, n_bins=1)
    assert found["expected"].tolist() == pytest.approx([expected.min(axis=1).mean()])


NAN = ROWS.to_numpy(copy=True)
NAN[1, 2] = np.nan


@pytest.mark.parametrize(
    ("answers", "table", "options", "message"),
    [
        (["home", *A[1:]], C, {}, "y_pred holds 'home', which are no answers of the costs: 'well', 'treat', 'human'"),
        (["ill", *A[1:]], C, {}, "y_pred holds 'ill', which are no answers of the costs"),
        ([None, *A[1:]], C, {}, "Input y_pred contains NaN: the label of row 0 is missing"),
        (A[:4], C, {}, "of one length and not empty, got {'y_true': 5, 'y_pred': 4}"),
        (A, C, {"sample_cost": ROWS[["well", "human"]]}, "sample_cost has no column for the .*'treat'"),
        (A, None, {"sample_cost": ROWS[["well", "human"]]}, "y_pred holds 'treat', which are no answers of the costs"),
        (A, C, {"sample_cost": ROWS[:4]}, r"sample_cost has shape \(4, 3\), expected \(5, 3\)"),
        (
            A, C, {"sample_cost": ROWS.to_numpy()[:, :2], "labels": ["ill", "sick", "well"]},
            r"sample_cost has shape \(5, 2\), expected \(5, 3\): .* column for each of the answers 'well', 'treat', 'h",
        ),
        (A, None, {"sample_cost": ROWS.assign(well=np.inf)}, r"sample_cost\[0, 0\] is inf: costs must be finite"),
        (A, None, {"sample_cost": pd.DataFrame(NAN, columns=ROWS.columns)}, r"sample_cost\[1, 0\] is nan"),
        (A, None, {"sample_cost": ROWS.iloc[::-1]}, "sample_cost has the index 0, 1, 2, ... in another order"),
        (A, None, {"sample_cost": ROWS.astype(str)}, "sample_cost must be a rectangular table of numbers"),
    ],
)  # fmt: skip
def test_bad_answers_and_bad_costs_of_rows(answers, table, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.mean_cost(Y, answers, table, **options)
