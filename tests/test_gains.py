"""Gains (negative costs): the same answers as of the table shifted row by row, and costs that differ by the shift."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import VARIANTS, easy, make
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import csboost
from csboost.costs import BayesDecisionClassifier
from csboost.weak import CostTree

X, CODES = easy(120)
NAMES = np.array(["lapse", "loyal", "new"])
Y = NAMES[CODES]
WEIGHTS = 1.0 + np.arange(120) % 3
#: Rewards for a catch and for keeping a customer; the last row has none.
GAINS = pd.DataFrame([[-40.0, 10.0, -5.0], [6.0, -2.5, 0.0], [3.0, 7.0, 1.0]], index=NAMES, columns=NAMES)
ANSWERS = GAINS[["lapse", "new"]].assign(call=[-20.0, 2.0, 0.5], nothing=[0.0, 0.0, 2.0])


def shift_of(table):
    return table.min(axis=1).clip(upper=0.0)


def twin_of(table):
    return table.sub(shift_of(table), axis=0)


def gradient(**options):
    return csboost.AngleGradientBoostingClassifier(
        **{"n_bags": 2, "n_estimators": 12, "random_state": 0, "n_iter_no_change": 4, **options}
    )


MODELS = {
    **{name: make(name, n_estimators=20) for name in VARIANTS},
    **{f"gradient, {loss}": gradient(loss=loss) for loss in ("multinomial", "guess-averse", "logistic")},
    "mixture": csboost.CostSensitiveClassifier(effort="fast", random_state=0),
    "bayes": BayesDecisionClassifier(LogisticRegression()),
    "tree": CostTree(),
}
NEEDS_CLASSES = ("samme", "mh", "m2", "pnorm-set", "gradient, guess-averse")
PAIRS = [
    pytest.param(model, table, id=f"{name}-{kind}")
    for name, model in MODELS.items()
    for kind, table in (("square", GAINS), ("answers", ANSWERS))
    if kind == "square" or not name.startswith(NEEDS_CLASSES)
]


@pytest.mark.parametrize(("model", "table"), PAIRS)
def test_a_gain_table_and_its_shifted_twin_give_the_same_answers(model, table):
    found = clone(model).set_params(cost_matrix=table).fit(X, Y, sample_weight=WEIGHTS)
    twin = clone(model).set_params(cost_matrix=twin_of(table)).fit(X, Y, sample_weight=WEIGHTS)
    assert found.predict(X).tolist() == twin.predict(X).tolist()
    np.testing.assert_array_equal(found.cost_matrix_, table.loc[found.classes_, found.answers_])
    shift = shift_of(table).loc[found.classes_].to_numpy()
    if hasattr(found, "decision_function"):
        scores = found.decision_function(X)
        if type(found).__name__.startswith("AngleGrad") and found.loss == "multinomial" and table is ANSWERS:
            np.testing.assert_allclose(scores, twin.decision_function(X) - (found.predict_proba(X) @ shift)[:, None])
        else:
            assert scores.tobytes() == twin.decision_function(X).tobytes()
    if hasattr(found, "predict_proba"):
        P = found.predict_proba(X)
        assert P.tobytes() == twin.predict_proba(X).tobytes()
        moved = found.predict_expected_cost(X) - twin.predict_expected_cost(X)
        np.testing.assert_allclose(moved, np.repeat((P @ shift)[:, None], table.shape[1], axis=1), atol=1e-9)
        same = found.predict_expected_cost(X).argmin(axis=1), twin.predict_expected_cost(X).argmin(axis=1)
        np.testing.assert_array_equal(*same)
    elif hasattr(found, "predict_expected_cost"):  # the tree: means over its leaves
        shifts = pd.Series(shift_of(table)).loc[Y].to_numpy()
        moved = found.predict_expected_cost(X) - twin.predict_expected_cost(X)
        for leaf in np.unique(found.apply(X)):
            here = found.apply(X) == leaf
            np.testing.assert_allclose(moved[here], np.average(shifts[here], weights=WEIGHTS[here]))
    if hasattr(found, "staged_cost"):
        moved = found.staged_cost(X, Y, sample_weight=WEIGHTS) - twin.staged_cost(X, Y, sample_weight=WEIGHTS)
        np.testing.assert_allclose(moved, np.average(shift_of(table).loc[Y], weights=WEIGHTS), rtol=1e-9)


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm", "samme", "m2"])
def test_early_stopping_and_the_scale_of_margins_know_no_shift(name):
    options = {"n_estimators": 60, "n_iter_no_change": 5, "random_state": 0}
    found = make(name, cost_matrix=GAINS, **options).fit(X, Y)
    twin = make(name, cost_matrix=twin_of(GAINS), **options).fit(X, Y)
    assert found.n_iter_ == twin.n_iter_
    assert found.decision_function(X).tobytes() == twin.decision_function(X).tobytes()
    assert getattr(found, "margin_scale_", 1.0) == getattr(twin, "margin_scale_", 1.0)


def by_row(table):
    """Costs per row around those of the table, gains included."""
    noise = np.random.default_rng(0).integers(-4, 5, (120, table.shape[1])) / 4.0
    return table.loc[Y].to_numpy() + noise


@pytest.mark.parametrize(
    "name", ["angle-ada", "angle-logit", "angle-custom", "pnorm", "m2", "gradient, logistic", "tree"]
)
def test_gains_per_row_are_shifted_row_by_row(name):
    table = GAINS.loc[sorted(NAMES), sorted(NAMES)]
    rows = by_row(table)
    assert (rows < 0).any()
    shifted = rows - np.minimum(rows.min(axis=1, keepdims=True), 0.0)
    model = clone(MODELS[name]).set_params(cost_matrix=table)
    found = clone(model).fit(X, Y, sample_weight=WEIGHTS, sample_cost=rows)
    twin = clone(model).fit(X, Y, sample_weight=WEIGHTS, sample_cost=shifted)
    assert found.predict(X).tolist() == twin.predict(X).tolist()
    if hasattr(found, "decision_function"):
        assert found.decision_function(X).tobytes() == twin.decision_function(X).tobytes()
        best = pd.Index(found.answers_).get_indexer(pd.Index(found.predict(X)))
        spent = found.staged_cost(X, Y, sample_weight=WEIGHTS, sample_cost=rows)[-1]
        assert spent == pytest.approx(np.average(rows[np.arange(120), best], weights=WEIGHTS), rel=1e-12)


def test_gradient_boosting_records_costs_in_the_users_unit():
    for table in (GAINS, ANSWERS):
        found, twin = (
            gradient(cost_matrix=given).fit(X, Y, sample_weight=WEIGHTS, eval_set=(X[:30], Y[:30]))
            for given in (table, twin_of(table))
        )
        shifts = shift_of(table).loc[Y].to_numpy()
        held = ~np.isnan(found.oof_probabilities_[:, 0])
        moved = found.validation_curve_["cost"] - twin.validation_curve_["cost"]
        np.testing.assert_allclose(moved, np.average(shifts[held], weights=WEIGHTS[held]), rtol=1e-9)
        np.testing.assert_array_equal(found.validation_curve_["loss"], twin.validation_curve_["loss"])
        recorded, expected = found.evals_result_["valid_0"], twin.evals_result_["valid_0"]
        np.testing.assert_allclose(recorded["cost"] - expected["cost"], shifts[:30].mean(), rtol=1e-9)
        np.testing.assert_array_equal(recorded["loss"], expected["loss"])


def test_gains_of_a_very_large_or_small_unit():
    expected = make("angle-logit", cost_matrix=GAINS).fit(X, Y)
    for unit in (2.0**-900, 2.0**900):
        found = make("angle-logit", cost_matrix=GAINS * unit).fit(X, Y)
        assert found.decision_function(X).tobytes() == expected.decision_function(X).tobytes()
        np.testing.assert_allclose(found.predict_expected_cost(X), expected.predict_expected_cost(X) * unit)
        np.testing.assert_allclose(found.staged_cost(X, Y), expected.staged_cost(X, Y) * unit)
        tree = CostTree(cost_matrix=GAINS * unit).fit(X, Y)
        np.testing.assert_allclose(
            tree.predict_expected_cost(X), CostTree(cost_matrix=GAINS).fit(X, Y).predict_expected_cost(X) * unit
        )


def test_rewards_for_nothing_but_a_catch():
    rewards = pd.DataFrame({"catch": [-5.0, 0.0], "let go": [0.0, -1.0]}, index=["fraud", "fine"])
    X, codes = easy(200, K=2)
    y = np.array(["fraud", "fine"])[codes]
    model = make("angle-ada", cost_matrix=rewards, n_estimators=30).fit(X, y)
    assert model.answers_.tolist() == ["catch", "let go"]
    assert model.decision_function(X).shape == (200, 2)
    mean = model.staged_cost(X, y)[-1]
    assert mean == pytest.approx(np.mean([rewards.loc[t, a] for t, a in zip(y, model.predict(X), strict=True)]))
    assert mean < rewards.loc[y].mean().min()  # better than either answer throughout
    assert (model.predict_expected_cost(X) < 0).any()


def test_rows_that_gain_the_same_whatever_is_answered():
    rows = np.where(np.arange(120) % 2, -1.0, 0.0)[:, None] * np.ones(3)
    with pytest.raises(ValueError, match="all answers to a row gain the same, in every row: there is nothing to learn"):
        make("angle-ada").fit(X, CODES, sample_cost=rows)
