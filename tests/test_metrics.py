"""What predictions cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from csboost import costs, metrics

C3 = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
Y = np.array(["a", "a", "b", "c", "c", "c"])
P = np.array(["a", "c", "a", "a", "b", "c"])  # costs 0, 2, 3, 5, 6, 0
FRAME = pd.DataFrame(C3, index=list("abc"), columns=list("abc"))


def test_mean_cost_by_hand():
    assert metrics.mean_cost(Y, P, C3) == pytest.approx(16 / 6)
    assert metrics.mean_cost(Y, P, C3, sample_weight=[1, 0, 2, 0, 0, 1]) == pytest.approx(6 / 4)
    assert metrics.mean_cost(Y, P, None) == pytest.approx(4 / 6)
    assert metrics.mean_cost(Y, P, "linear") == pytest.approx((2 + 1 + 2 + 1) / 6)
    assert metrics.mean_cost(pd.Series(Y), P.tolist(), FRAME.loc[["c", "a", "b"]]) == pytest.approx(16 / 6)
    assert metrics.mean_cost(Y[:, None], P, C3) == pytest.approx(16 / 6)


def test_costs_of_correct_decisions_count():
    assert metrics.mean_cost([0, 1], [0, 1], [[1, 5], [5, 2]]) == pytest.approx(1.5)


def test_labels_decide_the_order_and_the_distance():
    assert metrics.mean_cost(["a"], ["c"], "linear", labels=["a", "b", "c"]) == 2
    assert metrics.mean_cost(["a"], ["c"], "linear", labels=["c", "a", "b"]) == 1
    assert metrics.mean_cost(["a"], ["c"], C3, labels=["a", "b", "c"]) == 2
    assert metrics.mean_cost(["a"], ["c"], FRAME) == 2  # the matrix's labels tell of the absent class
    assert metrics.mean_cost(["a", "a"], ["a", "a"], None) == 0  # one class only


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["a"], ["c"], C3), {}, r"for 3 classes, but the data hold 2 \('a', 'c'\): give labels="),
        ((["a"], ["a", "c"], None), {}, "one length and not empty, got {'y_true': 1, 'y_pred': 2}"),
        (([], [], None), {}, "not empty"),
        ((["a"], ["d"], FRAME), {}, "y_pred holds 'd', which the labels do not: 'a', 'b', 'c'"),
        ((["d"], ["a"], C3), {"labels": list("abc")}, "y_true holds 'd'"),
        ((["a"], ["b"], C3), {"labels": list("aab")}, "labels are repeated: 'a'"),
        ((["a"], ["b"], FRAME), {"labels": list("abx")}, "no row for the classes 'x'"),
        ((["a"], ["b"], -C3), {"labels": list("abc")}, r"cost_matrix\[0, 1\]"),
        (([["a", "b"]], ["b"], C3), {}, r"y_true must have shape \(n,\), got \(1, 2\)"),
        ((["a"], ["b"], None), {"sample_weight": [-1]}, r"sample_weight\[0\] is -1"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.mean_cost(*arguments, **options)


def test_constant_costs():
    result = metrics.constant_costs(Y, C3)
    assert result.tolist() == pytest.approx([(3 + 15) / 6, (2 + 18) / 6, (4 + 4) / 6])
    assert result.idxmin() == "c"
    for answer in "abc":
        assert result[answer] == pytest.approx(metrics.mean_cost(Y, np.full(6, answer), C3, labels=list("abc")))
    weighted = metrics.constant_costs(Y, FRAME, sample_weight=[1, 1, 0, 0, 0, 0])
    assert weighted.tolist() == [0, 1, 2]


def test_cost_confusion_matrix_is_counts_times_costs():
    table = metrics.cost_confusion_matrix(Y, P, C3)
    assert np.array_equal(table, confusion_matrix(Y, P) * C3)
    assert table.index.tolist() == table.columns.tolist() == ["a", "b", "c"]
    assert table.loc["c", "b"] == 6
    assert table.to_numpy().sum() == 16
    weights = np.array([1, 2, 3, 4, 5, 6.0])
    weighted = metrics.cost_confusion_matrix(Y, P, C3, sample_weight=weights)
    assert np.allclose(weighted, confusion_matrix(Y, P, sample_weight=weights) * C3)


def test_normalised_cost_confusion():
    mean = metrics.mean_cost(Y, P, C3)
    assert metrics.cost_confusion_matrix(Y, P, C3, normalize="all").to_numpy().sum() == pytest.approx(mean)
    assert metrics.cost_confusion_matrix(Y, P, C3, normalize="cost").to_numpy().sum() == pytest.approx(1)
    by_truth = metrics.cost_confusion_matrix(Y, P, C3, normalize="true").sum(axis=1)
    assert by_truth.tolist() == pytest.approx([1.0, 3.0, 11 / 3])
    by_answer = metrics.cost_confusion_matrix(Y, P, C3, normalize="pred").sum(axis=0)
    assert by_answer.tolist() == pytest.approx([8 / 3, 6.0, 1.0])
    absent = metrics.cost_confusion_matrix(["a"], ["a"], FRAME, normalize="true")
    assert absent.to_numpy().tolist() == np.zeros((3, 3)).tolist()
    with pytest.raises(ValueError, match="normalize must be"):
        metrics.cost_confusion_matrix(Y, P, C3, normalize="rows")


def test_calibration_of_true_expected_costs():
    rng = np.random.default_rng(0)
    n = 40_000
    proba = rng.dirichlet([1, 1, 1], n)
    truth = (rng.random(n)[:, None] > proba.cumsum(axis=1)).sum(axis=1)
    expected = proba @ C3
    answer = expected.argmin(axis=1)
    table = metrics.cost_calibration(truth, answer, expected, C3, n_bins=8)
    assert len(table) == 8
    assert table["rows"].tolist() == pytest.approx([n / 8] * 8, abs=1)
    assert table["expected"].is_monotonic_increasing
    assert (abs(table["realised"] - table["expected"]) < 4 * table["standard_error"]).all()
    same = metrics.cost_calibration(truth, answer, expected.min(axis=1), C3, n_bins=8)
    assert same.equals(table)
    twice = metrics.cost_calibration(truth, answer, 2 * expected, C3, n_bins=8)
    assert np.allclose(twice["expected"], 2 * twice["realised"], rtol=0.1)


def test_calibration_by_hand():
    table = metrics.cost_calibration([0, 1, 0, 1], [0, 0, 1, 1], [0.1, 0.2, 0.9, 0.9], [[0, 1], [2, 0]], n_bins=2)
    assert table["expected"].tolist() == pytest.approx([0.15, 0.9])
    assert table["realised"].tolist() == [1.0, 0.5]
    assert table["standard_error"].tolist() == pytest.approx([1.0, 0.5])  # s / sqrt(2)
    assert table[["lowest", "highest"]].to_numpy().tolist() == [[0.1, 0.2], [0.9, 0.9]]
    one = metrics.cost_calibration([0, 1], [1, 1], [0.5, 0.5], None, n_bins=10, sample_weight=[3, 1])
    assert one["realised"].tolist() == [0.75]
    with pytest.raises(ValueError, match=r"shape \(2,\) or \(2, 2\), got \(3,\)"):
        metrics.cost_calibration([0, 1], [1, 1], [0.5, 0.5, 1], None)
    with pytest.raises(ValueError, match="n_bins"):
        metrics.cost_calibration([0, 1], [1, 1], [0.5, 0.5], None, n_bins=0)


def test_calibration_counts_rows_of_no_weight_in_no_bin():
    rng = np.random.default_rng(0)
    weights = np.tile([0.0, 0.0, 1.0, 2.0], 5)
    truth, answers, expected = rng.integers(0, 3, 20), rng.integers(0, 3, 20), rng.random(20)
    expected[weights == 0] /= 3  # where they would move the edges
    kept = weights > 0
    options = {"n_bins": 4, "labels": [0, 1, 2]}
    table = metrics.cost_calibration(truth, answers, expected, C3, sample_weight=weights, **options)
    some = metrics.cost_calibration(
        truth[kept], answers[kept], expected[kept], C3, sample_weight=weights[kept], **options
    )
    pd.testing.assert_frame_equal(table, some)
    assert table.attrs == some.attrs
    assert table["rows"].tolist() == [3, 2, 2, 3]


def test_calibration_errors_are_those_of_savings():
    rng = np.random.default_rng(1)
    truth, answers, weights = rng.integers(0, 3, 50), rng.integers(0, 3, 50), rng.uniform(0.5, 3, 50)
    free = pd.DataFrame(C3, index=range(3), columns=range(3)).assign(nothing=0.0)
    sets = {"model": answers.astype(object), "free": np.full(50, "nothing", dtype=object)}
    error = metrics.savings(truth, sets, free, baseline="free", sample_weight=weights).loc["model", "standard_error"]
    table = metrics.cost_calibration(truth, answers, np.ones(50), C3, sample_weight=weights)
    assert table["standard_error"].tolist() == pytest.approx([error])
    alone = metrics.cost_calibration([0, 1, 1], [1, 1, 0], [0.1, 0.1, 0.5], C3[:2, :2], n_bins=2)
    assert alone["rows"].tolist() == [2, 1]
    assert np.isnan(alone["standard_error"]).tolist() == [False, True]


def test_scorer_is_minus_the_mean_cost_and_selects_models():
    X, y = make_classification(300, 6, n_informative=4, n_classes=3, random_state=1)
    scorer = metrics.make_cost_scorer(C3)
    model = GaussianNB().fit(X, y)
    assert scorer(model, X, y) == -metrics.mean_cost(y, model.predict(X), C3)
    search = GridSearchCV(LogisticRegression(max_iter=300), {"C": [1e-6, 1.0]}, scoring=scorer, cv=3).fit(X, y)
    assert search.best_params_ == {"C": 1.0}
    bayes = costs.BayesDecisionClassifier(LogisticRegression(max_iter=300))
    search = GridSearchCV(bayes, {"cost_matrix": [None, C3]}, scoring=scorer, cv=3).fit(X, y)
    assert search.best_index_ == 1
    result = cross_validate(model, X, y, scoring={"cost": scorer, "accuracy": "accuracy"}, cv=3)
    assert (result["test_cost"] < 0).all()


def test_scorer_in_folds_that_lack_a_class():
    X = np.zeros((6, 1))
    y = np.array(["a", "a", "b", "b", "c", "c"])
    # Unshuffled folds: the test class is never in training, so "a" or "b" is predicted for what is "c".
    folds = KFold(3)
    for scorer in (metrics.make_cost_scorer(FRAME), metrics.make_cost_scorer(C3, labels=list("abc"))):
        result = cross_validate(DummyClassifier(), X, y, scoring=scorer, cv=folds, error_score="raise")
        assert result["test_score"].tolist() == [-1, -3, -5]  # answers b, a, a
    # Fitted on a, b, c and tested on a alone: the classes are known from the estimator.
    model = DummyClassifier(strategy="constant", constant="c").fit(X, y)
    assert metrics.make_cost_scorer("linear")(model, X[:1], ["a"]) == -2


def test_scorer_takes_routed_weights():
    X, y = make_classification(90, 6, n_informative=4, n_classes=3, random_state=1)
    weights = np.random.default_rng(0).random(90)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.make_cost_scorer(C3).set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=False)
        cv = list(KFold(2).split(X))
        result = cross_validate(model, X, y, scoring=scorer, cv=cv, params={"sample_weight": weights})
    for (train, test), score in zip(cv, result["test_score"], strict=True):
        answer = GaussianNB().fit(X[train], y[train]).predict(X[test])
        assert score == pytest.approx(-metrics.mean_cost(y[test], answer, C3, sample_weight=weights[test]))


@pytest.mark.parametrize("form", ["array", "frame", "table"])
def test_the_scorer_tunes_a_threshold(form):
    X, codes = make_classification(300, 6, n_informative=4, class_sep=0.5, random_state=1)
    y = np.array(["bad", "good"])[codes]
    frame = pd.DataFrame([[0, 1.0], [8.0, 0]], index=["good", "bad"], columns=["good", "bad"])  # bad for good is dear
    C = {"array": frame.iloc[::-1, ::-1].to_numpy(), "frame": frame, "table": costs.CostTable(frame)}[form]
    thresholds = np.linspace(0.05, 0.95, 19)
    model = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=metrics.make_cost_scorer(C), cv=3, thresholds=thresholds, store_cv_results=True
    ).fit(X, y)
    folds = []
    for train, test in StratifiedKFold(3).split(X, y):
        good = LogisticRegression().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        answers = [np.where(good >= threshold, "good", "bad") for threshold in thresholds]
        folds.append([-metrics.mean_cost(y[test], answer, frame) for answer in answers])
    np.testing.assert_allclose(model.cv_results_["scores"], np.mean(folds, axis=0), rtol=1e-12)
    assert model.best_threshold_ == thresholds[np.argmax(np.mean(folds, axis=0))] > 0.6
    assert model.best_score_ == pytest.approx(np.mean(folds, axis=0).max())


def test_the_scorer_tunes_a_threshold_with_routed_weights():
    X, y = make_classification(200, 6, n_informative=4, class_sep=0.5, random_state=1)
    weights = np.random.default_rng(0).integers(0, 3, 200).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.make_cost_scorer([[0, 8], [1, 0]]).set_score_request(sample_weight=True)
        estimator = LogisticRegression().set_fit_request(sample_weight=False)
        model = TunedThresholdClassifierCV(estimator, scoring=scorer, cv=3, thresholds=[0.5, 0.7])
        model.fit(X, y, sample_weight=weights)
    expected = []
    for train, test in StratifiedKFold(3).split(X, y):
        positive = LogisticRegression().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        answers = [(positive >= threshold).astype(int) for threshold in (0.5, 0.7)]
        cost = [metrics.mean_cost(y[test], a, [[0, 8], [1, 0]], sample_weight=weights[test]) for a in answers]
        expected.append(cost)
    assert model.best_score_ == pytest.approx(-np.mean(expected, axis=0).min())
