"""What users of scikit-learn expect: logarithms of probabilities, nested parameters, pipelines, searches, sparse X."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import CLASSES, VARIANTS, easy, everywhere, make, unequal_costs
from matplotlib import pyplot as plt
from scipy.sparse import csr_array, csr_matrix
from scipy.stats import randint
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, HalvingRandomSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost import metrics, plots, split_pipeline
from csboost.costs import BayesDecisionClassifier
from csboost.weak import CostTree

mpl.use("Agg")
X, Y = easy(120)
C = unequal_costs(3)
GRADIENT = csboost.AngleGradientBoostingClassifier(n_estimators=4, n_bags=1, n_iter_no_change=None)
MIXTURE = csboost.CostSensitiveClassifier(effort="fast", random_state=0)
BAYES = BayesDecisionClassifier(LogisticRegression())


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    yield
    plt.close("all")


# Logarithms of probabilities.


@pytest.mark.parametrize("model", [*map(make, VARIANTS), GRADIENT, MIXTURE, BAYES])
def test_log_probabilities_are_there_where_probabilities_are(model):
    fitted = clone(model).fit(X, Y)
    assert hasattr(fitted, "predict_log_proba") == hasattr(fitted, "predict_proba")
    if hasattr(fitted, "predict_proba"):
        np.testing.assert_array_equal(np.exp(fitted.predict_log_proba(X)) > 0, fitted.predict_proba(X) > 0)
        np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), fitted.predict_proba(X), rtol=1e-12)


def test_a_probability_of_zero_has_no_finite_logarithm_and_no_warning(recwarn):
    sure = BayesDecisionClassifier(DecisionTreeClassifier()).fit(X, Y)
    assert np.isneginf(sure.predict_log_proba(X)).sum() == 2 * len(Y)
    assert not list(recwarn)
    with pytest.raises(AttributeError, match="has no attribute 'predict_log_proba'"):
        _ = make("m2").fit(X, Y).predict_log_proba


# Parameters of the default weak learner.


@pytest.mark.parametrize("name", CLASSES)
def test_a_search_varies_the_trees_of_the_default_weak_learner(name):
    model = make(name, n_estimators=3)
    search = GridSearchCV(model, {"weak_learner__max_leaf_nodes": [2, 3, 7]}, cv=2).fit(X, Y)
    assert model.weak_learner is None
    leaves = search.best_params_["weak_learner__max_leaf_nodes"]
    same = clone(model).set_params(weak_learner=CostTree(leaves)).fit(X, Y)
    assert search.best_estimator_.decision_function(X).tobytes() == same.decision_function(X).tobytes()
    four = clone(model).set_params(weak_learner__max_leaf_nodes=4).fit(X, Y)
    assert four.decision_function(X).tobytes() == model.fit(X, Y).decision_function(X).tobytes()


def test_nested_parameters_keep_the_contract():
    model = make("samme")
    assert not [name for name in model.get_params() if "__" in name]
    assert clone(model.set_params(weak_learner__max_leaf_nodes=6)).get_params()["weak_learner__max_leaf_nodes"] == 6
    assert model.set_params(weak_learner=None, weak_learner__max_leaf_nodes=5).weak_learner.max_leaf_nodes == 5
    own = CostTree(7)
    assert model.set_params(weak_learner=own, weak_learner__max_leaf_nodes=9).weak_learner is own
    assert own.max_leaf_nodes == 9
    assert model.set_params(weak_learner=None).weak_learner is None
    with pytest.raises(ValueError, match="Invalid parameter 'max_depth' for estimator CostTree"):
        make("samme").set_params(weak_learner__max_depth=2)
    with pytest.raises(ValueError, match="Invalid parameter 'leaves' for estimator SAMMEClassifier"):
        make("samme").set_params(leaves=2)
    inner = make_pipeline(StandardScaler(), make("samme")).set_params(sammeclassifier__weak_learner__max_leaf_nodes=3)
    assert inner[-1].weak_learner.max_leaf_nodes == 3


# Sparse rows.

USES = ("predict", "decision_function", "predict_proba", "predict_expected_cost", "decide", "score", "apply")
USES += ("staged_predict", "staged_decision_function", "staged_cost", "predict_log_proba")


def refuses_sparse(model):
    message = r"dense data is required. Use '.toarray\(\)' to convert to a dense numpy array"
    fitted, tried = clone(model).fit(X, Y), 0
    for sparse in (csr_array(X), csr_matrix(X)):
        with pytest.raises(TypeError, match=message):
            clone(model).fit(sparse, Y)
        for use in USES:
            if hasattr(fitted, use):
                needs_labels = use in ("score", "staged_cost")
                with pytest.raises(TypeError, match=message):
                    list(getattr(fitted, use)(sparse, *([Y] if needs_labels else [])))
                tried += 1
    return tried


@everywhere
def test_sparse_rows_are_refused_with_the_remedy_wherever_rows_go_in(estimator):
    assert refuses_sparse(estimator) >= 6


@pytest.mark.parametrize("model", [GRADIENT, MIXTURE], ids=["gradient", "mixture"])
def test_sparse_rows_are_refused_by_the_others_too(model):
    assert refuses_sparse(model) >= 10


def test_sparse_rows_are_refused_where_tables_were_learnt():
    table = pd.DataFrame(X).add_prefix("c").assign(kind=np.array(list("abc"))[Y])
    for model in (make("angle-ada"), clone(GRADIENT), clone(MIXTURE), CostTree()):
        fitted = model.fit(table, Y)
        with pytest.raises(TypeError, match=r"dense data is required. Use '.toarray\(\)'"):
            fitted.predict(csr_array(np.column_stack([X, Y])))


# Pipelines.


@pytest.mark.parametrize("name", CLASSES)
def test_a_pipeline_is_split_into_its_booster_and_the_rows_that_it_sees(name):
    scaled = StandardScaler().fit_transform(X)
    alone = make(name, cost_matrix=C).fit(scaled, Y)
    pipeline = make_pipeline(StandardScaler(), make(name, cost_matrix=C)).fit(X, Y)
    nested = make_pipeline("passthrough", clone(pipeline)).fit(X, Y)
    search = GridSearchCV(clone(pipeline), {"standardscaler__with_mean": [True]}, cv=2).fit(X, Y)
    for model in (alone, make_pipeline(alone)):
        assert split_pipeline(model, scaled)[0] is alone
        assert split_pipeline(model, scaled)[1] is scaled
    for model in (pipeline, nested, search):
        booster, seen = split_pipeline(model, X)
        np.testing.assert_array_equal(seen, scaled)
        assert [*map(bytes, booster.staged_predict(seen))] == [*map(bytes, alone.staged_predict(scaled))]
        curve = plots.CostCurveDisplay.from_estimator(model, X, Y).curves
        np.testing.assert_array_equal(curve[type(alone).__name__], alone.staged_cost(scaled, Y)[None])


def test_displays_take_pipelines():
    model = make("angle-ada", cost_matrix=C)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, Y)
    alone = clone(model).fit(pipeline[:-1].transform(X), Y)
    for display in (plots.CostCalibrationDisplay, plots.CostConfusionDisplay):
        found = display.from_estimator(pipeline, X, Y).table
        pd.testing.assert_frame_equal(found, display.from_estimator(alone, pipeline[:-1].transform(X), Y).table)
    assert plots.SimplexDisplay.from_estimator(pipeline, X, Y).points.shape == (120, 2)


def test_a_pipeline_may_make_categories_of_a_table_or_hand_them_on():
    table = pd.DataFrame(X).add_prefix("c").assign(kind=np.array(list("abc"))[(Y + (X[:, 3] > 1)) % 3])
    handed_on = make_pipeline("passthrough", make("angle-ada")).fit(table, Y)
    assert handed_on.predict(table).tolist() == make("angle-ada").fit(table, Y).predict(table).tolist()
    encoded = make_pipeline(OneHotEncoder(sparse_output=False, handle_unknown="ignore"), make("angle-ada"))
    assert len(list(split_pipeline(encoded.fit(table[["kind"]], Y), table[["kind"]])[0].estimators_)) == 5
    as_sparse = make_pipeline(OneHotEncoder(), make("angle-ada"))
    with pytest.raises(TypeError, match=r"dense data is required. Use '.toarray\(\)'"):
        as_sparse.fit(table[["kind"]], Y)


# Searches.

KINDS = {
    "grid": GridSearchCV,
    "random": RandomizedSearchCV,
    "halving-grid": HalvingGridSearchCV,
    "halving-random": HalvingRandomSearchCV,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_selects_by_the_costs_of_its_estimator(kind):
    options = {
        "cv": 3,
        **({} if kind == "grid" else {"random_state": 0}),
        **({"n_iter": 3} if kind == "random" else {}),
    }
    drawn = "random" in kind
    grid = {"n_estimators": randint(1, 30) if drawn else [1, 5, 25]}
    found = metrics.cost_search(make("angle-ada", cost_matrix=C), grid, search=kind, **options)
    by_hand = KINDS[kind](make("angle-ada", cost_matrix=C), grid, scoring=metrics.make_cost_scorer(C), **options)
    assert isinstance(found, KINDS[kind])
    np.testing.assert_array_equal(
        found.fit(X, Y).cv_results_["mean_test_score"], by_hand.fit(X, Y).cv_results_["mean_test_score"]
    )
    assert found.best_params_ == by_hand.best_params_
    assert found.score(X, Y) == pytest.approx(-metrics.mean_cost(Y, found.predict(X), C))


def test_cost_and_accuracy_do_not_choose_the_same():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(400, 1)), rng.integers(0, 2, 400)
    rows[:, 0] += labels
    costs = np.array([[0.0, 1.0], [20.0, 0.0]])
    grid = {"cost_matrix": [None, costs], "n_estimators": [10]}
    model = make("angle-ada", cost_matrix=costs)
    by_accuracy = GridSearchCV(model, grid, cv=3).fit(rows, labels)
    by_cost = metrics.cost_search(model, grid, cost_matrix=costs, cv=3).fit(rows, labels)
    assert by_accuracy.best_params_["cost_matrix"] is None
    assert by_cost.best_params_["cost_matrix"] is costs


def test_costs_and_weights_of_rows_reach_fit_and_score_of_every_fold():
    rng = np.random.default_rng(1)
    rows, weights = rng.uniform(0.5, 3.0, (120, 3)), rng.uniform(0.5, 2.0, 120)
    pipeline = make_pipeline("passthrough", make("angle-ada"))
    search = metrics.cost_search(pipeline, {"angleadaboostclassifier__n_estimators": [2, 6]}, cv=3)
    search.fit(X, Y, sample_cost=rows, sample_weight=weights)
    folds = sklearn.model_selection.StratifiedKFold(3)
    for place, n_rounds in enumerate([2, 6]):
        for fold, (train, test) in enumerate(folds.split(X, Y)):
            model = make("angle-ada", n_estimators=n_rounds)
            model.fit(X[train], Y[train], sample_cost=rows[train], sample_weight=weights[train])
            given = {"sample_cost": rows[test], "sample_weight": weights[test]}
            expected = -metrics.mean_cost(Y[test], model.predict(X[test]), **given)
            assert search.cv_results_[f"split{fold}_test_score"][place] == pytest.approx(expected)
    assert not sklearn.get_config()["enable_metadata_routing"]
    assert pipeline[-1].get_metadata_routing().fit.requests["sample_cost"] is None  # a clone was asked


def test_the_costs_are_those_of_the_outermost_model():
    inner = make("angle-ada", cost_matrix="linear")
    assert metrics.cost_search(make_pipeline(StandardScaler(), inner), {}).scoring.cost_matrix == "linear"
    assert metrics.cost_search(BaggingClassifier(inner), {}).scoring.cost_matrix == "linear"
    assert metrics.cost_search(BayesDecisionClassifier(inner, "equal"), {}).scoring.cost_matrix == "equal"
    assert metrics.cost_search(LogisticRegression(), {}, cost_matrix="linear").scoring.cost_matrix == "linear"
    assert metrics.cost_search(inner, {}, scoring="accuracy").scoring == "accuracy"
    assert type(metrics.cost_search(inner, {}, search=GridSearchCV)) is GridSearchCV


def test_a_search_that_does_not_know_by_which_costs_says_so():
    boosters = [("a", make("angle-ada", cost_matrix="linear")), ("b", make("samme"))]
    for model, grid, message in (
        (LogisticRegression(), {}, "LogisticRegression has no cost_matrix of its own: give cost_matrix="),
        (VotingClassifier(boosters), {}, "has several cost matrices, 'a__cost_matrix', 'b__cost_matrix': give"),
        (make("samme"), [{"cost_matrix": ["equal"]}], "the parameters vary cost_matrix, so the estimator has no costs"),
    ):
        with pytest.raises(ValueError, match=message):
            metrics.cost_search(model, grid)
    with pytest.raises(ValueError, match="unknown search 'best'. Known: 'grid', 'random', 'halving-grid'"):
        metrics.cost_search(make("samme"), {}, search="best")
