"""Boosters that give answers which are not just the classes: rows of costs, folds, copies; who refuses; to reject."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from answer_tables import (
    BOOSTERS,
    CELL_X,
    CELL_Y,
    CELLS,
    CODES,
    HUMAN,
    MODELS,
    NAMES,
    SOME,
    X,
    Y,
    by_the_bayes_rule,
    gradient,
    models,
    tables,
)
from cases import compiled, easy, make
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost import costs, data
from csboost.costs import CostTable
from csboost.data.probabilities import four_gaussians_probabilities

# Rows of costs, weights, early stopping, other weak learners, copies.


@pytest.mark.parametrize("name", [*BOOSTERS, "gradient, logistic", "tree"])
def test_costs_per_row_have_an_entry_for_every_answer(name):
    model = clone(MODELS[name]).set_params(cost_matrix=HUMAN)
    rows = HUMAN.loc[Y].reset_index(drop=True)
    expected = clone(model).fit(X, Y)
    for form in (rows[["fair", "good", "poor", "human"]].to_numpy(), rows, rows[rows.columns[::-1]]):
        found = clone(model).fit(X, Y, sample_cost=form)
        np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    for wrong in (rows[["fair", "good", "poor"]].to_numpy(), rows.to_numpy()[:, :2]):
        with pytest.raises(ValueError, match=r"sample_cost has shape \(90, \d\), expected \(90, 4\).*per other answer"):
            clone(model).fit(X, Y, sample_cost=wrong)
    with pytest.raises(ValueError, match="sample_cost has no column for the classes 'human'"):
        clone(model).fit(X, Y, sample_cost=rows.drop(columns="human"))
    doubled = np.where(np.arange(90) % 2, 2.0, 1.0)
    if hasattr(model, "staged_cost"):
        cheap = rows.assign(human=0.0)
        spent = expected.staged_cost(X, Y, sample_weight=doubled, sample_cost=cheap)[-1]
        by_hand = [cheap.loc[i, answer] for i, answer in enumerate(expected.predict(X))]
        assert spent == pytest.approx(np.average(by_hand, weights=doubled), rel=1e-12)


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm"])
def test_early_stopping_and_scaled_margins(name):
    X, codes = easy(300, seed=2)
    model = make(name, cost_matrix=HUMAN, n_estimators=60, n_iter_no_change=5, random_state=0).fit(X, NAMES[codes])
    assert model.n_iter_ < 60
    np.testing.assert_array_equal(model.answers_[model.predict_expected_cost(X).argmin(axis=1)], model.predict(X))
    if name != "pnorm":
        assert 0.25 <= model.margin_scale_ <= 4.0


@pytest.mark.filterwarnings("ignore:DecisionTreeClassifier, the weak learner, answers one class")  # near the end
@tables
def test_a_scikit_learn_weak_learner_gives_the_answer_of_least_expected_cost(table):
    expected, best = by_the_bayes_rule(table)
    tree = DecisionTreeClassifier(max_leaf_nodes=6)
    model = make("angle-ada", cost_matrix=table, n_estimators=400, learning_rate=0.3, weak_learner=tree, random_state=0)
    model.fit(CELLS[:, None], CELL_Y)
    assert model.predict(CELL_X).tolist() == best.tolist()
    if table.shape[1] >= 3:  # with fewer answers, proportions alone are known
        np.testing.assert_allclose(model.predict_expected_cost(CELL_X), expected[model.answers_], atol=0.1)


def test_gradient_boosting_records_costs_of_answers_and_goes_on():
    model = gradient(cost_matrix=HUMAN, n_estimators=6, warm_start=True).fit(X, Y, eval_set=(X, Y))
    np.testing.assert_allclose(model.evals_result_["valid_0"]["cost"], model.staged_cost(X, Y))
    model.set_params(n_estimators=9).fit(X, Y)
    expected = gradient(cost_matrix=HUMAN, n_estimators=9).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X))
    with pytest.raises(
        ValueError, match=r"goes on with the answers \['fair', 'good', 'poor', 'human'\], but cost_matrix"
    ):
        model.set_params(cost_matrix=SOME).fit(X, Y)
    folds = csboost.AngleGradientBoostingClassifier(HUMAN, n_estimators=30, n_bags=2, random_state=0).fit(X, Y)
    assert folds.oof_probabilities_.shape == (90, 3)
    assert 0.0 < folds.validation_curve_["cost"].min() < HUMAN.to_numpy().mean()


def test_a_fold_that_lacks_a_class_is_fitted():
    model = make("angle-ada", cost_matrix=HUMAN)
    fold = CODES < 2
    assert clone(model).fit(X[fold], Y[fold]).answers_.tolist() == ["fair", "good", "human"]
    assert clone(model).fit(X, Y, sample_weight=1.0 * fold).answers_.tolist() == ["fair", "good", "human"]
    found = cross_validate(make_pipeline(StandardScaler(), model), X, Y, cv=3, return_estimator=True)
    assert [list(part[-1].answers_) for part in found["estimator"]] == [["fair", "good", "poor", "human"]] * 3
    assert ((found["test_score"] >= 0.0) & (found["test_score"] <= 1.0)).all()
    one = HUMAN[["poor", "human"]]
    with pytest.raises(ValueError, match="cost_matrix has one answer only, 'human': there is nothing to decide"):
        clone(model).set_params(cost_matrix=one).fit(X[fold], Y[fold])


def test_a_cost_table_fits_encoded_labels():
    model = make("angle-ada", cost_matrix=CostTable(HUMAN))
    bag = BaggingClassifier(model, n_estimators=2, random_state=0).fit(X, Y)
    assert [part.answers_.tolist() for part in bag.estimators_] == [[0, 1, 2, "human"]] * 2
    P = cross_val_predict(model, X, Y, cv=3, method="predict_proba")
    expected = cross_val_predict(model.set_params(cost_matrix=HUMAN), X, Y, cv=3)
    labels = costs.resolve_answers(HUMAN, sorted(NAMES)).labels
    assert labels[costs.bayes_decision(P, CostTable(HUMAN))].tolist() == expected.tolist()


# Refusals.

REFUSING = {
    "samme": (make("samme"), "SAMME raises the weight of rows whose class is not answered"),
    "mh": (make("mh"), "AdaBoost.MH asks of every class whether it is the truth"),
    "m2": (make("m2"), "AdaBoost.M2 compares the truth with each wrong class"),
    "m2-label": (make("m2-label"), "AdaBoost.M2 compares the truth with each wrong class"),
    "pnorm-set": (make("pnorm-set"), 'p-norm boosting with hypothesis="set" compares every answer with the right one'),
    "guess-averse": (
        gradient(loss="guess-averse"),
        'guess-averse loss compares.* take another loss, such as "multinom',
    ),
}


@tables
@pytest.mark.parametrize("case", REFUSING)
def test_boosters_that_need_the_truth_among_the_answers_say_so_and_name_others(case, table):
    model, reason = REFUSING[case]
    message = (
        rf"same labels on its rows .truth. and columns .*{reason}.*Answers that are not just the classes "
        "are learnt by CostSensitiveClassifier, AngleGradientBoostingClassifier, AngleAdaBoostClassifier"
    )
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(cost_matrix=table).fit(X, Y)


@models
def test_an_array_must_be_square(model):
    message = (
        r"cost_matrix has shape \(3, 4\), but there are 3 classes.*give a pandas.DataFrame labelled with the classes"
    )
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(cost_matrix=HUMAN.to_numpy()).fit(X, Y)


def test_scores_of_other_rows_must_fit():
    model = make("angle-ada", cost_matrix=HUMAN).fit(X, Y)
    with pytest.raises(ValueError, match=r"y has shape \(89,\), but X has 90 rows"):
        model.score(X, Y[1:])


# The reject option (Chow 1970).


@compiled("2,000 rows, 60 rounds")
def test_a_cheaper_human_is_asked_more_often_and_as_chows_rule_says():
    X, y = data.make_waveform(4000, random_state=0)
    shares = []
    for h in (0.05, 0.2, 0.5):
        table = pd.DataFrame(costs.zero_one(3), index=range(3), columns=range(3)).assign(human=h)
        model = csboost.AngleLogitBoostClassifier(table, n_estimators=60, learning_rate=0.3).fit(X[:2000], y[:2000])
        asked = model.predict(X[2000:]) == "human"
        shares.append(asked.mean())
        P = model.predict_proba(X[2000:])
        sure = np.abs(P.max(axis=1) - (1.0 - h)) > 1e-6
        np.testing.assert_array_equal(asked[sure], (P.max(axis=1) < 1.0 - h)[sure])
    assert shares[0] > shares[1] > shares[2]


@compiled("20,000 rows")
def test_the_reject_option_costs_little_more_than_chows_rule_on_the_exact_probabilities():
    X, y = data.make_four_gaussians(20_000, random_state=1)
    test_X, test_y = data.make_four_gaussians(20_000, random_state=2)
    exact = four_gaussians_probabilities(test_X)
    plain = pd.DataFrame(costs.zero_one(4), index=range(4), columns=range(4))
    model = gradient(n_estimators=150).set_params(cost_matrix=plain.assign(human=0.1)).fit(X, y)
    P, shares = model.predict_proba(test_X), []
    without = plain.to_numpy()[test_y, P.argmax(axis=1)]
    for h in (0.05, 0.1, 0.2, 0.3, 0.5):
        table = plain.assign(human=h).to_numpy()
        answers = costs.bayes_decision(P, table)
        spent, chow = (table[test_y, found] for found in (answers, costs.bayes_decision(exact, table)))
        assert spent.mean() < 1.1 * chow.mean()
        assert (spent - without).mean() < 2.0 * (spent - without).std() / np.sqrt(len(spent))
        shares.append((answers == 4).mean())
        if h == 0.1:
            np.testing.assert_array_equal(model.predict(test_X) == "human", answers == 4)
    assert (np.diff(shares) < 0).all()
