"""More rounds after a fit are those of one long fit, to the last bit."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import CLASSES, MANY_ROWS, VARIANTS, easy, make, random_problem, unequal_costs
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import csboost
from csboost.weak import CostTree


def bits(model, X):
    """All that a fit leaves behind, as bytes."""
    parts = [model.decision_function(X), model.estimator_weights_, model.estimator_errors_, model.feature_importances_]
    parts += [model.predict_proba(X)] if hasattr(model, "predict_proba") else []
    parts += list(model.staged_decision_function(X))
    return [np.ascontiguousarray(part).tobytes() for part in parts]


def in_stages(model, rounds, *rows, **options):
    """``model`` fitted to each number of rounds in turn."""
    model = clone(model).set_params(warm_start=True)
    for n_rounds in rounds:
        model.set_params(n_estimators=n_rounds).fit(*rows, **options)
    return model


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2, 12])
def test_every_booster_goes_on_as_if_it_had_never_stopped(name, seed):
    P = random_problem(seed, 4)
    model = make(name, cost_matrix=P.C, learning_rate=0.3)
    long = clone(model).set_params(n_estimators=14).fit(P.X, P.y, sample_weight=P.s)
    warm = in_stages(model, [3, 4, 14], P.X, P.y, sample_weight=P.s)
    assert bits(warm, P.X) == bits(long, P.X)


@pytest.mark.parametrize("name", CLASSES)
def test_a_fit_without_warm_start_may_be_gone_on_with_too(name):
    X, y = easy()
    first = pickle.loads(pickle.dumps(make(name, n_estimators=4).fit(X, y)))
    warm = first.set_params(n_estimators=9, warm_start=True).fit(X, y)
    assert bits(warm, X) == bits(make(name, n_estimators=9).fit(X, y), X)
    before = bits(warm, X)
    assert bits(warm.fit(X, y), X) == before  # as many rounds as there are: nothing to do
    cold = warm.set_params(n_estimators=4, warm_start=False).fit(X, y)
    assert cold.n_iter_ == min(4, len(before))


@pytest.mark.parametrize("name", [name for name in VARIANTS if "apart" not in name])
@pytest.mark.parametrize("random_state", [7, None])
def test_early_stopping_goes_on_with_the_rows_that_it_held_out(name, random_state):
    X, y = easy(200, seed=3)
    rng = 7 if random_state is not None else np.random.RandomState(7)
    stopping = {"n_iter_no_change": 6, "validation_fraction": 0.3, "cost_matrix": unequal_costs(3)}
    long = make(name, n_estimators=40, random_state=7, **stopping).fit(X, y)
    warm = in_stages(make(name, random_state=rng, **stopping), [2, 5, 40], X, y)
    assert bits(warm, X) == bits(long, X)
    assert warm.n_iter_ == warm.best_iteration_ == long.n_iter_
    for key, curve in long.validation_curve_.items():
        np.testing.assert_array_equal(warm.validation_curve_[key], curve)


def test_rows_held_out_by_chance_must_be_known():
    X, y = easy(200)
    model = make("samme", n_iter_no_change=3).fit(X, y)
    with pytest.raises(ValueError, match="cannot tell which rows the first fit held out: set warm_start"):
        model.set_params(warm_start=True, n_estimators=10).fit(X, y)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=2), ExtraTreeClassifier(max_depth=3)])
def test_weak_learners_that_draw_go_on_drawing(learner):
    X, y = easy(150)
    model = make("angle-logit", weak_learner=learner, random_state=5)
    long = clone(model).set_params(n_estimators=8).fit(X, y)
    warm = in_stages(model, [3, 8], X, y)
    assert bits(warm, X) == bits(long, X)


@pytest.mark.parametrize("name", ["angle-ada", "mh-apart", "m2"])
def test_tables_of_categories_costs_per_row_and_other_answers(name):
    X, y = easy(150)
    table = pd.DataFrame(X).add_prefix("c").assign(kind=np.array(list("abc"))[(y + (X[:, 3] > 0)) % 3])
    table.loc[::9, "kind"] = None
    rows = np.random.default_rng(0).uniform(1.0, 3.0, (150, 3))
    long = make(name, n_estimators=9).fit(table, y, sample_cost=rows)
    assert bits(in_stages(make(name), [4, 9], table, y, sample_cost=rows), table) == bits(long, table)
    if name == "angle-ada":
        costs = pd.DataFrame([[-1, 2, 2, 1], [2, 0, 2, 1], [3, 3, 0, 1]], columns=[0, 1, 2, "human"], index=[0, 1, 2])
        model = make(name, cost_matrix=costs)
        long = clone(model).set_params(n_estimators=9).fit(table, y)
        assert bits(in_stages(model, [4, 9], table, y), table) == bits(long, table)


@pytest.mark.parametrize("name", ["angle-ada", "samme", "mh", "mh-apart", "m2-label", "angle-logit"])
def test_a_fit_that_had_nothing_left_to_learn_stays_as_it_is(name):
    X, y = np.arange(40.0)[:, None], np.arange(40) // 20
    first = make(name, n_estimators=1, warm_start=True).fit(X, y)
    assert first.score(X, y) == 1.0
    warm = first.set_params(n_estimators=5).fit(X, y)
    assert bits(warm, X) == bits(make(name, n_estimators=5).fit(X, y), X)


def test_many_rows_with_threads():
    X, y = easy(MANY_ROWS + 100)
    model = make("samme", n_jobs=2)
    warm = in_stages(model, [2, 4], X, y)
    assert bits(warm, X[:500]) == bits(clone(model).set_params(n_estimators=4).fit(X, y), X[:500])


@pytest.mark.parametrize("name", CLASSES)
def test_what_does_not_fit_is_refused_and_leaves_the_model_as_it_was(name):
    X, y = easy()
    model = make(name, n_estimators=4, warm_start=True).fit(X, y)
    before = bits(model, X)
    named = np.array(["a", "b", "c"])[y]
    for given, parameters, message in (
        ((X, y), {"n_estimators": 3}, "n_estimators=3 is less than the 4 rounds that are there; raise it to go on"),
        (
            (X, named),
            {"n_estimators": 6},
            r"goes on with the classes \[0, 1, 2\], but y has \['a', 'b', 'c'\]",
        ),
        ((X[:, :3], y), {"n_estimators": 6}, "X has 3 features, but .* is expecting 4 features"),
    ):
        with pytest.raises(ValueError, match=message):
            model.set_params(**parameters).fit(*given)
        assert bits(model, X) == before
    assert model.set_params(n_estimators=6).fit(X, y).n_iter_ == 6


def test_answers_and_rules_of_another_kind_are_refused():
    X, y = easy()
    answers = pd.DataFrame(1 - np.eye(3), columns=[0, 1, 2]).assign(human=0.4)
    model = make("angle-ada", warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match=r"goes on with the answers \[0, 1, 2\], but cost_matrix has .*'human'"):
        model.set_params(cost_matrix=answers).fit(X, y)
    message = "warm_start goes on with rules of the kind that is there, but weak_learner or another parameter asks for"
    with pytest.raises(ValueError, match=message):
        model.set_params(cost_matrix=None, weak_learner=LogisticRegression(), n_estimators=9).fit(X, y)
    for name, change in (("mh", {"joint": False}), ("m2", {"hypothesis": "label"})):
        with pytest.raises(ValueError, match=message):
            make(name, warm_start=True).fit(X, y).set_params(n_estimators=9, **change).fit(X, y)


def test_larger_trees_may_follow_smaller_ones():
    X, y = easy()
    model = csboost.SAMMEClassifier(n_estimators=3, warm_start=True).fit(X, y)
    model.set_params(n_estimators=6, weak_learner=CostTree(max_leaf_nodes=9)).fit(X, y)
    leaves = [int(rule.n_leaves[0]) for rule in model.estimators_]
    assert max(leaves[:3]) <= 4 < max(leaves[3:])
    assert list(model.staged_decision_function(X))[-1].tobytes() == model.decision_function(X).tobytes()
