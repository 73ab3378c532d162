"""Fitted models come back from their files as they were: the same bits, whatever was fitted to what."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import predictions
import pytest
from cases import VARIANTS, Hyperbola, easy, make, unequal_costs
from model_files import TABLE, again, assert_kept, mixed
from sklearn.exceptions import NotFittedError

import csboost
from csboost import (
    AngleBoostClassifier,
    AngleGradientBoostingClassifier,
    SAMMEClassifier,
    costs,
    load_model,
    save_model,
)
from csboost.mixture import classifier
from csboost.weak import CostTree


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.csboost"


def gaps(n=200, K=3, seed=0):
    """Rows with missing values."""
    X, y = easy(n, K, seed=seed)
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    return X, y


@pytest.mark.parametrize("name", VARIANTS)
def test_every_booster_predicts_the_same_bits(name, path):
    K = 2 + list(VARIANTS).index(name) % 6
    X, y = gaps(K=K)
    learner = CostTree(max_leaf_nodes=20 if K % 2 else 4)  # beyond 16 leaves kernels walk in another way
    model = make(name, cost_matrix=unequal_costs(K), weak_learner=learner, random_state=3).fit(X, y)
    options = {"loss": Hyperbola()} if name == "angle-custom" else {}
    loaded = assert_kept(model, path, X, y, **options)
    if not options:
        assert predictions.parameters_of(loaded) == predictions.parameters_of(model)


def test_the_same_model_makes_the_same_bytes(path, tmp_path):
    X, y = easy()
    model = make("samme").fit(X, y)
    save_model(model, path)
    save_model(load_model(path), tmp_path / "other.csboost")
    assert path.read_bytes() == (tmp_path / "other.csboost").read_bytes()


LABELS = {
    "text": np.array(["high", "low", "mid"]),
    "whole numbers": np.array([-5, 0, 2**40]),
    "whole numbers of 8 bits": np.array([1, 2, 3], np.uint8),
    "booleans": np.array([False, True]),
    "whole floats": np.array([-1.0, 1.0, 2.0]),
    "days of NumPy": np.array(["2024-01-01", "2024-02-29", "2025-01-01"], "M8[D]"),
    "nanoseconds": np.array(["2024-01-01", "2024-02-29", "2025-01-01"], "M8[ns]"),
    "text as objects": np.array(["ä", "", "z\0y"], object),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_kind_come_back(kind, path):
    labels = LABELS[kind]
    X, y = easy(120, len(labels))
    model = SAMMEClassifier(n_estimators=3).fit(X, labels[y])
    loaded = assert_kept(model, path, X, labels[y])
    assert set(map(type, loaded.predict(X).tolist())) == set(map(type, labels.tolist()))


def test_classes_that_pandas_orders_come_back(path):
    X, y = easy(120, 3)
    y = pd.Series(pd.Categorical(np.array(["low", "mid", "high"])[y], ["low", "mid", "high"], ordered=True))
    model = SAMMEClassifier("linear", n_estimators=3).fit(X, y)
    loaded = assert_kept(model, path, X, y)
    predictions.assert_same(vars(loaded.decide(X, "linear")), vars(model.decide(X, "linear")))


@pytest.mark.parametrize("given", [TABLE, costs.CostTable(TABLE)], ids=["DataFrame", "CostTable"])
@pytest.mark.parametrize("name", ["angle-logit", "pnorm"])
def test_answers_that_are_no_classes_and_gains_come_back(given, name, path):
    X, y = easy(200, 3)
    labels = np.array(["a", "b", "c"])[y]
    model = make(name, cost_matrix=given).fit(X, labels)
    loaded = assert_kept(model, path, X, labels)
    assert predictions.parameters_of(loaded) == predictions.parameters_of(model)
    assert "human" in loaded.answers_
    assert (loaded.fit(X, labels).predict(X) == model.predict(X)).all()


def test_feature_names_and_the_state_of_a_generator_come_back(path):
    X, y = easy(120, 3)
    frame = pd.DataFrame(X, columns=["income", "age", "öl", "d"])
    model = SAMMEClassifier(n_estimators=3, random_state=np.random.RandomState(7)).fit(frame, y)
    loaded = assert_kept(model, path, frame, y)
    assert loaded.feature_names_in_.tolist() == ["income", "age", "öl", "d"]
    assert loaded.random_state.randint(10**9) == model.random_state.randint(10**9)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame.rename(columns={"age": "aged"}))


@pytest.mark.parametrize("loss", ["multinomial", "guess-averse", "lum"])
def test_gradient_boosting_on_categories_comes_back(loss, path):
    X, y = mixed()
    model = AngleGradientBoostingClassifier(
        unequal_costs(3), loss=loss, n_estimators=8, n_bags=2, n_iter_no_change=3, random_state=0
    ).fit(X, y, eval_set=(X, y))
    loaded = assert_kept(model, path, X, y)
    assert predictions.parameters_of(loaded) == predictions.parameters_of(model)
    predictions.assert_same(loaded.validation_curve_, model.validation_curve_)
    predictions.assert_same(loaded.evals_result_["valid_0"], model.evals_result_["valid_0"])


def test_a_loaded_booster_goes_on_where_it_ended(path):
    X, y = easy(200, 3)
    model = AngleGradientBoostingClassifier(n_estimators=4, n_bags=2, n_iter_no_change=None, random_state=0).fit(X, y)
    loaded = again(model, path)
    for booster in (model, loaded):
        booster.set_params(warm_start=True, n_estimators=6).fit(X, y)
    predictions.assert_same(predictions.of(loaded, X, y), predictions.of(model, X, y))


@pytest.mark.parametrize("effort", ["fast", "high"])
def test_the_mixture_comes_back(effort, path, monkeypatch):
    for parameters in classifier.EFFORTS[effort].boosters.values():
        monkeypatch.setitem(parameters, "n_estimators", 8)
    X, y = mixed()
    model = csboost.CostSensitiveClassifier(TABLE, effort=effort, random_state=0).fit(X, y)
    loaded = assert_kept(model, path, X)
    for name, member in list(model.members_.items())[: 1 if effort == "fast" else 2]:
        predictions.assert_same(predictions.of(loaded.members_[name], X), predictions.of(member, X))
    decisions = [
        each.decide(X, sample_cost={"human": np.linspace(0, 9, len(X))}, priors=[0.2, 0.3, 0.5], limits={"human": 5})
        for each in (loaded, model)
    ]
    predictions.assert_same(vars(decisions[0]), vars(decisions[1]))


def test_a_tree_comes_back(path):
    X, y = gaps()
    assert_kept(CostTree(cost_matrix=unequal_costs(3)).fit(X, y), path, X)


def test_pickle_and_joblib_work_as_well(tmp_path):
    X, y = gaps()
    model = make("angle-logit").fit(X, y)
    wanted = predictions.of(model, X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    for other in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
        predictions.assert_same(predictions.of(other, X, y), wanted)


# Losses of the user's own.


@pytest.mark.parametrize("kind", [AngleBoostClassifier, AngleGradientBoostingClassifier])
def test_without_its_own_loss_a_model_answers_but_has_no_probabilities(kind, path):
    X, y = easy(150, 3)
    options = {} if kind is AngleBoostClassifier else {"n_bags": 1, "n_iter_no_change": None}
    model = kind(loss=Hyperbola(), n_estimators=4, random_state=0, **options).fit(X, y)
    loaded = again(model, path)
    for name in ("predict", "decision_function"):
        assert (getattr(loaded, name)(X) == getattr(model, name)(X)).all()
    for name in ("predict_proba", "predict_expected_cost", "decide"):
        with pytest.raises(ValueError, match=r"class Hyperbola, is code.*load_model\(path, loss=Hyperbola\(\.\.\.\)\)"):
            getattr(loaded, name)(X)
    with pytest.raises(ValueError, match="class Hyperbola, is code"):
        loaded.fit(X, y)
    given = load_model(path, loss=Hyperbola())
    predictions.assert_same(predictions.of(given, X, y), predictions.of(model, X, y))
    assert (given.fit(X, y).predict(X) == model.predict(X)).all()


def test_a_loss_that_is_in_the_file_is_not_to_be_given(path):
    X, y = easy()
    save_model(AngleBoostClassifier(loss="lum", n_estimators=3).fit(X, y), path)
    with pytest.raises(ValueError, match="whose loss is in the file"):
        load_model(path, loss=Hyperbola())


# What cannot be written.


def test_a_model_before_fit_is_refused(path):
    with pytest.raises(NotFittedError):
        save_model(SAMMEClassifier(), path)
    for other in (SAMMEClassifier, "model", None):
        with pytest.raises(ValueError, match="save_model takes a fitted model"):
            save_model(other, path)
    assert not path.exists()


class Mine(SAMMEClassifier):
    """A booster with code of the user's own."""


def test_classes_of_the_users_own_are_refused_with_another_way(path):
    X, y = easy()
    with pytest.raises(ValueError, match=r"class Mine, a subclass of SAMMEClassifier.*pickle or joblib"):
        save_model(Mine(n_estimators=2).fit(X, y), path)
    assert not path.exists()


def test_a_file_is_replaced_only_by_a_whole_one(path, monkeypatch):
    X, y = easy()
    model = make("samme").fit(X, y)
    save_model(model, path)
    before = path.read_bytes()

    def fails(*arguments, **options):
        raise OSError("no space left on device")

    monkeypatch.setattr("zipfile.ZipFile.writestr", fails)
    with pytest.raises(OSError, match="no space left"):
        save_model(make("mh").fit(X, y), path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    X, y = easy()
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        save_model(make("samme").fit(X, y), tmp_path / "nowhere" / "model.csboost")
