"""The competitors as ``bench.compare`` fits them: categories, missing values, options, and the mixture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench import algorithms, compare
from bench.algorithms import REGISTRY
from bench.competitors.form import form_of
from bench.run.jobs import limit_threads

EQUAL = 1.0 - np.eye(3)


def mixed_frame(n=120):
    rng = np.random.default_rng(3)
    y = np.arange(n) % 3
    X = pd.DataFrame({"a [cm]": rng.normal(size=n) + y, "b": rng.normal(size=n)})
    X.loc[::7, "b"] = np.nan
    colour = np.array(["red", "green", "blue"], dtype=object)[(y + (rng.random(n) < 0.2)) % 3]
    colour[::11] = np.nan
    X["colour"] = pd.Categorical(colour, categories=["blue", "green", "red", "violet"])
    return X, y


SHORT = {
    "CatBoost": {"n_estimators": 20},
    "EBM": {"outer_bags": 2, "max_rounds": 50},
    "HistGradientBoosting": {"max_iter": 20},
}


@pytest.mark.parametrize("name", ["Angle LogitBoost", *(name for name in REGISTRY if REGISTRY[name].form)])
def test_every_competitor_takes_categories_missing_values_and_a_category_it_has_not_met(name):
    """The six boosters are made in one way, so that one of them is enough."""
    if name in algorithms.unavailable([name]):
        pytest.skip("not installed")
    limit_threads(1)
    form, (X, y) = form_of(name), mixed_frame()
    options = SHORT.get(name) or form.warm_up or {}
    model = form.make(*([EQUAL] if form.sees_costs else []), 0, **options).fit(X, y)
    unmet = X.copy()
    unmet["colour"] = pd.Categorical(["violet"] * len(X), categories=X["colour"].cat.categories)
    for rows in (X, unmet):
        P = model.predict_proba(rows)
        assert P.shape == (120, 3)
        np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-5)
    assert (model.predict_proba(X).argmax(axis=1) == y).mean() > 0.5
    assert len(form.grid) in (1, 6)


@pytest.mark.parametrize("name", [*compare.COMPETITORS])
def test_options_that_are_tuned_are_those_of_the_competitor(name):
    if name in algorithms.unavailable([name]):
        pytest.skip("not installed")
    form = form_of(name)
    for options in form.grid:
        form.make(*([EQUAL] if form.sees_costs else []), 0, **options)


def test_weights_of_a_linear_mixture_favour_the_member_that_explains_the_classes():
    y = np.array([0, 1] * 50)
    good, flat = np.where(np.eye(2)[y] == 1, 0.9, 0.1), np.full((100, 2), 0.5)
    from bench.studies.linear_mixture import linear_weights

    assert linear_weights([good, flat], y)[0] > 0.99
    np.testing.assert_allclose(linear_weights([flat, flat], y), 0.5)
    unknown = good.copy()
    unknown[:40] = np.nan
    assert linear_weights([unknown, 1 - good], y)[0] > 0.99


def test_lightgbm_in_the_procedure_of_the_mixture_stops_early_and_refits():
    pytest.importorskip("lightgbm")
    from bench.competitors.mixture import LightGBMMixture
    from csboost.mixture.linear import STRENGTHS

    X, y = mixed_frame()
    model = LightGBMMixture(random_state=1).fit(X, y)
    assert 1 <= model.n_rounds_ < 100
    assert {booster.n_estimators for booster in model.boosters_} == {max(1, round(1.1 * model.n_rounds_))}
    assert len(model.regressions_.models) == 2
    assert {regression[-1].C for regression in model.regressions_.models} <= set(STRENGTHS)
    assert model.pool_.weights.sum() == pytest.approx(1)
