"""The estimator contract: scikit-learn's checks, staged results, copies of a model, early stopping, attributes."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import CLASSES, VARIANTS, best_round, drawn_cost, easy, make, random_problem, unequal_costs
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import parametrize_with_checks

import csboost
from csboost.costs import BayesDecisionClassifier
from csboost.problem import check_problem, held_out
from csboost.weak import CostTree, SklearnWeakLearner

ROOT = Path(__file__).parents[1]
CHECKED = [make(name) for name in VARIANTS if name != "angle-custom"]
CHECKED += [csboost.SAMMEClassifier(n_estimators=5, weak_learner=GaussianNB()), CostTree()]
CHECKED += [
    csboost.AngleGradientBoostingClassifier(n_estimators=20, n_bags=2),
    csboost.AngleGradientBoostingClassifier(n_estimators=5, n_bags=1, n_iter_no_change=None, min_samples_leaf=1),
    csboost.CostSensitiveClassifier(effort="fast"),
]


def expected_failures(estimator):
    """No failure is expected, but that a row of weight 2 lies in one fold, where two equal rows may lie in two."""
    folds = getattr(estimator, "n_iter_no_change", None) is not None and hasattr(estimator, "n_bags")
    folds = folds or isinstance(estimator, csboost.CostSensitiveClassifier)
    return {"check_sample_weight_equivalence_on_dense_data": "folds are made of rows"} if folds else {}


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_predict_is_the_argmax_and_stages_end_there(name, K):
    X, y, C, s, _ = random_problem(13, K)
    labels = np.array(["ash", "birch", "cedar", "date"])[y]
    model = make(name, cost_matrix=C).fit(X, labels, sample_weight=s)
    scores = model.decision_function(X)
    best = (scores > 0).astype(int) if K == 2 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[best])
    stages, labels_by_stage = list(model.staged_decision_function(X)), list(model.staged_predict(X))
    assert len(stages) == len(labels_by_stage) == model.n_iter_ == len(model.staged_cost(X, labels))
    assert stages[-1].tobytes() == scores.tobytes()
    np.testing.assert_array_equal(labels_by_stage[-1], model.predict(X))
    for m, (stage, answers, cost) in enumerate(zip(stages, labels_by_stage, model.staged_cost(X, labels), strict=True)):
        best = (stage > 0).astype(int) if K == 2 else stage.argmax(axis=1)
        np.testing.assert_array_equal(answers, model.classes_[best], err_msg=f"round {m}")
        assert cost == pytest.approx(C[y, best].mean(), rel=1e-12), m


@pytest.mark.parametrize("name", VARIANTS)
def test_staged_cost_takes_weights_and_costs_per_row(name):
    X, y, C, s, K = random_problem(13, 4)
    model = make(name, cost_matrix=C).fit(X, y)
    rows = np.random.default_rng(0).random((len(y), K))
    best = model.decision_function(X).argmax(axis=1)
    assert model.staged_cost(X, y, sample_weight=s)[-1] == pytest.approx(np.average(C[y, best], weights=s), rel=1e-12)
    by_rows = model.staged_cost(X, y, sample_cost=rows)[-1]
    assert by_rows == pytest.approx(rows[np.arange(len(y)), best].mean(), rel=1e-12)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_shorter_fit_is_the_beginning_of_a_longer_one(name):
    X, y = easy()
    long, short = make(name, n_estimators=6).fit(X, y), make(name, n_estimators=3).fit(X, y)
    staged = list(long.staged_decision_function(X))[2]
    rtol = 1e-12 if name == "pnorm-fixed" else 0.0  # its coefficients are scaled by the number of rounds
    np.testing.assert_allclose(short.decision_function(X), staged, rtol=rtol)


def digest(model, X):
    parts = [model.decision_function(X), model.predict(X), model.estimator_weights_, model.feature_importances_]
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_pickled_model_predicts_the_same_bits(name):
    X, y = easy()
    model = make(name, cost_matrix=unequal_costs(3)).fit(X, y)
    assert digest(pickle.loads(pickle.dumps(model)), X) == digest(model, X)


def test_pickled_models_predict_the_same_bits_in_a_fresh_process(tmp_path):
    X, y = easy()
    models = [make(name).fit(X, y) for name in VARIANTS]
    models.append(make("samme", weak_learner=DecisionTreeClassifier(max_depth=2)).fit(X, y))
    (tmp_path / "models.pickle").write_bytes(pickle.dumps((models, X)))
    code = (
        "import pickle, sys; from test_estimators import digest\n"
        "models, X = pickle.load(open(sys.argv[1], 'rb'))\nprint(*(digest(model, X) for model in models))"
    )
    paths = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n"
    command = [sys.executable, "-c", paths + code, str(tmp_path / "models.pickle")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.split() == [digest(model, X) for model in models]


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_fits_in_parallel(backend):
    X, y = easy(5000)
    models = [make(name, n_jobs=2) for name in ("angle-ada", "angle-logit", "samme", "mh", "m2", "pnorm")]
    fitted = Parallel(n_jobs=2, backend=backend)(delayed(model.fit)(X, y) for model in models)
    for model, parallel in zip(models, fitted, strict=True):
        assert digest(parallel, X) == digest(clone(model).fit(X, y), X)


@pytest.mark.parametrize("name", [name for name in VARIANTS if "apart" not in name])
def test_early_stopping_keeps_the_best_round(name):
    X, y = easy(200, seed=3)
    stopping = {"n_iter_no_change": 4, "validation_fraction": 0.3, "random_state": 7}
    model = make(name, n_estimators=40, cost_matrix=unequal_costs(3), **stopping).fit(X, y)
    train, validation = held_out(check_problem(clone(model), X, y, None, None), 0.3, check_random_state(7))
    whole = clone(model).set_params(n_iter_no_change=None).fit(train.X, train.y)
    paid = whole.staged_cost(validation.X, validation.y)
    scores = whole.staged_decision_function(validation.X)
    best = best_round(paid, [drawn_cost(found, whole.cost_matrix_[validation.y]) for found in scores], patience=4)
    assert model.n_iter_ == best + 1
    assert len(model.estimator_weights_) == len(model.estimator_errors_) == len(model.estimators_) == best + 1
    staged = list(whole.staged_decision_function(X))[best]
    np.testing.assert_allclose(model.decision_function(X), staged, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "pnorm"])
@pytest.mark.parametrize("seed", [3, 4, 6, 7, 9])
def test_early_stopping_keeps_a_last_round_that_makes_no_mistake(name, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (int(rng.integers(20, 80)), 2)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)  # no round but the last tells the classes apart
    model = make(name, n_estimators=20, n_iter_no_change=5, validation_fraction=0.3, random_state=seed).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.staged_cost(X, y)[-1] == 0.0


def test_early_stopping_keeps_every_class_in_training():
    X, y = easy(60)
    y = np.where(np.arange(60) == 5, 3, y)  # a class of one row
    model = csboost.SAMMEClassifier(n_iter_no_change=2, validation_fraction=0.9, random_state=0).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", VARIANTS)
def test_feature_importances(name):
    X, y = easy(300)
    X = np.column_stack([X, np.ones(len(X))])
    importances = make(name, n_estimators=10).fit(X, y).feature_importances_
    assert importances.shape == (5,)
    assert importances.sum() == pytest.approx(1.0)
    assert importances.argmax() == 0
    assert importances[4] == 0.0
    assert (importances >= 0.0).all()


def test_estimators_are_the_weak_rules_in_order():
    X, y = easy()
    model = make("angle-ada").fit(X, y)
    M = np.zeros((len(y), 3))
    rounds = zip(model.estimators_, model.estimator_weights_, model.staged_decision_function(X), strict=True)
    for m, (rule, step, scores) in enumerate(rounds):
        answers = model._ensemble.outputs[m, rule.apply(X, 0)]
        M += step * np.where(answers[:, None] == np.arange(3), 1.0, -0.5)
        np.testing.assert_allclose(scores, M, rtol=1e-12, atol=1e-12)
    around = make("samme", weak_learner=DecisionTreeClassifier(max_depth=1)).fit(X, y)
    assert [rule.classifier.get_depth() for rule in around.estimators_] == [1] * 5
    np.testing.assert_array_equal(around.feature_importances_, np.zeros(4))  # unknown for foreign rules


def test_feature_names():
    X, y = easy()
    frame = pd.DataFrame(X, columns=["age", "income", "debt", "term"])
    model = make("angle-ada").fit(frame, y)
    assert model.feature_names_in_.tolist() == ["age", "income", "debt", "term"]
    assert model.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["income", "age", "debt", "term"]])


@pytest.mark.parametrize("name", CLASSES)
def test_parameters_and_clones(name):
    C = unequal_costs(3)
    given = {"cost_matrix": C, "learning_rate": 0.3, "weak_learner": CostTree(max_leaf_nodes=3), "random_state": 5}
    model = CLASSES[name](**given)
    assert all(model.get_params(deep=False)[key] is value for key, value in given.items())
    copy = clone(model).set_params(n_estimators=4, weak_learner__max_leaf_nodes=2)
    X, y = easy()
    copy.fit(X, y)
    assert all(rule.n_leaves[0] <= 2 for rule in copy.estimators_)
    assert model.n_estimators == 200
    assert model.weak_learner.max_leaf_nodes == 3
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        clone(copy).predict(X)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        _ = clone(copy).estimator_weights_
    for look_back in ("staged_predict", "staged_decision_function"):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            next(getattr(clone(copy), look_back)(X))


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["angle-ada", "samme", "m2"])
def test_an_interrupted_fit_leaves_an_earlier_one_as_it_was(name, monkeypatch):
    X, y = easy()
    model = make(name).fit(X, y)
    before = digest(model, X)
    monkeypatch.setattr("csboost.boosting.Loop.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, np.array(["p", "q", "r"])[y])
    assert digest(model, X) == before
    assert model.classes_.tolist() == [0, 1, 2]


def test_a_tree_whose_fit_fails_keeps_what_it_had(monkeypatch):
    X, y = easy()
    tree = CostTree().fit(X, y)
    before = tree.predict(X)
    monkeypatch.setattr("csboost.weak.grower.Grower.grow", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tree.fit(X, np.array(["p", "q", "r"])[y])
    np.testing.assert_array_equal(tree.predict(X), before)


def test_costs_that_do_not_fit_leave_the_bayes_rule_as_it_was():
    X, y = easy()
    model = BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="cost_matrix has shape"):
        model.set_params(cost_matrix=np.ones((5, 5))).fit(X, np.array(["p", "q", "r"])[y])
    np.testing.assert_array_equal(model.predict(X), before)


def test_true_is_one_round():
    X, y = easy()
    assert digest(make("samme", n_estimators=True).fit(X, y), X) == digest(make("samme", n_estimators=1).fit(X, y), X)


@pytest.mark.parametrize("name", CLASSES)
def test_only_the_costs_may_be_given_by_position(name):
    assert CLASSES[name]("linear").cost_matrix == "linear"
    first, *others = inspect.signature(CLASSES[name]).parameters.values()
    assert (first.name, first.default) == ("cost_matrix", None)
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}
    defaults = {other.name: other.default for other in [first, *others]}
    assert defaults == CLASSES[name]().get_params()
    assert defaults.keys() == CLASSES[name]._parameter_constraints.keys()
    own = CLASSES[name].__name__  # and not that of a base class
    with pytest.raises(TypeError, match=rf"{own}.__init__\(\) takes .* positional argument"):
        CLASSES[name](None, 5)
    with pytest.raises(TypeError, match=rf"{own}.__init__\(\) got an unexpected keyword argument 'n_estimatorz'"):
        CLASSES[name](n_estimatorz=5)


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "angle-lum", "samme", "m2-label", "pnorm"])
def test_scikit_learn_weak_learners(name):
    X, y = easy(200)
    for learner in (DecisionTreeClassifier(max_depth=2, random_state=0), SklearnWeakLearner(GaussianNB())):
        model = make(name, weak_learner=learner, n_estimators=8, cost_matrix="linear").fit(X, y)
        assert model.staged_cost(X, y)[-1] < 0.55  # the best constant answer costs 2/3
        assert model.decision_function(X).tobytes() == list(model.staged_decision_function(X))[-1].tobytes()


def test_cost_tree_on_its_own():
    X = np.repeat([[1.0], [2.0], [np.nan]], 10, axis=0)
    y = np.array(list("aaaaaaaabbbbbbbbbbbbcccccccaaa"))
    frame = pd.DataFrame([[0, 1, 1], [1, 0, 1], [9, 9, 0]], index=list("abc"), columns=list("abc"), dtype=float)
    tree = CostTree(cost_matrix=frame).fit(X, y)
    # Costs of a, b, c: 2, 8, 10 | 10, 0, 10 | 63, 66, 3.
    np.testing.assert_array_equal(tree.predict([[1.0], [2.0], [np.nan]]), ["a", "b", "c"])
    expected = np.array([[2, 8, 10], [10, 0, 10], [63, 66, 3]]) / 10
    np.testing.assert_allclose(tree.predict_expected_cost([[1.0], [2.0], [np.nan]]), expected, rtol=1e-12)
    assert tree.n_leaves_ == 3
    assert np.unique(tree.apply(X)).tolist() == [0, 1, 2]
