"""Twenty models answer alike wherever they run: by compiled kernels, from a file by NumPy alone, and in onnxruntime."""

from __future__ import annotations

import json
import pickle
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from cases import compiled, easy, make, unequal_costs
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from test_models_elsewhere import digests
from test_onnx import assert_equal, fed, needs_onnx
from test_without_numba import NO_NUMBA, in_a_fresh_process

from csboost import AngleGradientBoostingClassifier, CostSensitiveClassifier, save_model
from csboost.costs import BayesDecisionClassifier
from csboost.mixture import classifier
from csboost.weak import CostTree


class Kind(NamedTuple):
    """A model that is not fitted, and the rows that it learns from."""

    model: Any
    n_classes: int
    categories: bool = False
    dtype: type = np.float64
    has_costs: bool = False  # whether ONNX gives expected costs; else scores alone, by which it answers


def with_human(K):
    """Costs with an answer that is no class."""
    labels = [f"c{k}" for k in range(K)]
    return pd.DataFrame(unequal_costs(K), index=labels, columns=labels).assign(human=2.0)


def booster(name, K, costs=with_human, leaves=4):
    return make(name, cost_matrix=costs(K), weak_learner=CostTree(max_leaf_nodes=leaves))


def gradient(K, costs=with_human, **options):
    few = {"n_estimators": 6, "n_bags": 2, "n_iter_no_change": None, "random_state": 0}
    return AngleGradientBoostingClassifier(costs(K), **few, **options)


def mixture(K, effort):
    return CostSensitiveClassifier(with_human(K), effort=effort, random_state=0)


def bayes(member, K):
    return BayesDecisionClassifier(member, with_human(K))


MODELS = {
    "Angle AdaBoost, 2 classes": Kind(booster("angle-ada", 2), 2),
    "Angle LogitBoost, 3 classes": Kind(booster("angle-logit", 3, leaves=20), 3, dtype=np.float32),
    "Angle boosting, exponential loss, 4 classes": Kind(booster("angle-exponential", 4), 4),
    "Angle boosting, large-margin unified loss, 9 classes": Kind(booster("angle-lum", 9), 9),
    "SAMME, 5 classes": Kind(booster("samme", 5, unequal_costs), 5, has_costs=True),
    "SAMME without costs, 8 classes": Kind(booster("samme-plain", 8, unequal_costs), 8, has_costs=True),
    "AdaBoost.MH, 6 classes": Kind(booster("mh", 6, unequal_costs, leaves=20), 6),
    "AdaBoost.MH, a tree per class, 7 classes": Kind(booster("mh-real-apart", 7, unequal_costs), 7, dtype=np.float32),
    "AdaBoost.M2, 2 classes": Kind(booster("m2", 2, unequal_costs), 2),
    "AdaBoost.M2, label hypotheses, 7 classes": Kind(booster("m2-label", 7, unequal_costs), 7),
    "p-norm, 3 classes": Kind(booster("pnorm", 3), 3),
    "p-norm, set hypotheses, 9 classes": Kind(booster("pnorm-set", 9, unequal_costs, leaves=20), 9),
    "Angle Gradient, 9 classes": Kind(gradient(9), 9, dtype=np.float32, has_costs=True),
    "Angle Gradient, categories, 4 classes": Kind(gradient(4), 4, categories=True, has_costs=True),
    "Angle Gradient, guess-averse loss, categories, 5 classes": Kind(
        gradient(5, unequal_costs, loss="guess-averse"), 5, categories=True
    ),
    "Angle Gradient, logistic loss, 6 classes": Kind(gradient(6, unequal_costs, loss="logistic"), 6),
    "mixture, fast, 2 classes": Kind(mixture(2, "fast"), 2, has_costs=True),
    "mixture with its two regressions, categories, 3 classes": Kind(
        mixture(3, "default"), 3, categories=True, has_costs=True
    ),
    "mixture, high, categories, 5 classes": Kind(mixture(5, "high"), 5, categories=True, has_costs=True),
    "Bayes rule on a regression, 8 classes": Kind(
        bayes(make_pipeline(SimpleImputer(), LogisticRegression(max_iter=1000)), 8), 8, has_costs=True
    ),
}


def rows(kind, seed):
    """Rows on a coarse grid, so that many lie on thresholds, with missing values; n, their classes."""
    K, n = kind.n_classes, 240
    rng = np.random.default_rng(seed)
    X, y = easy(n, K, seed=seed)
    X[rng.random(X.shape) < 0.1] = np.nan
    X, labels = np.round(X, 1).astype(kind.dtype), np.array([f"c{k}" for k in range(K)])[y]
    if not kind.categories:
        return X, labels
    frame = pd.DataFrame(X[:, :2], columns=["x", "z"])
    towns = ["Ulm", "Bonn", "Köln", *(["never seen"] if seed else [])]
    frame["town"] = np.where(rng.random(n) < 0.1, None, np.array(towns)[(y + rng.integers(0, 2, n)) % len(towns)])
    frame["code"] = pd.Categorical(np.where(rng.random(n) < 0.1, np.nan, (y + rng.integers(0, 3, n)) % 4 + 1.0))
    return frame, labels


@pytest.fixture(scope="module")
def fitted():
    """The models with rows to answer that they have not seen."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for effort in classifier.EFFORTS.values():
            for parameters in effort.boosters.values():
                patch.setitem(parameters, "n_estimators", 4)
        for name, kind in MODELS.items():
            found[name] = kind.model.fit(*rows(kind, 0)), rows(kind, 1)[0]
    return found


@pytest.fixture(scope="module")
def elsewhere(fitted, tmp_path_factory):
    """What the models say of the rows where there is no Numba, read from their files: digests by name."""
    folder = tmp_path_factory.mktemp("models")
    for place, (model, _) in enumerate(fitted.values()):
        save_model(model, folder / f"{place}.csboost")
    (folder / "rows.pickle").write_bytes(pickle.dumps([others for _, others in fitted.values()]))
    code = (
        "import json, pathlib, pickle\nfrom test_models_elsewhere import digests\nfrom csboost import load_model\n"
        "folder = pathlib.Path(sys.argv[1])\nrows = pickle.loads((folder / 'rows.pickle').read_bytes())\n"
        "said = [digests(load_model(folder / f'{place}.csboost'), part) for place, part in enumerate(rows)]\n"
        "assert sys.modules['numba'] is None\nprint(json.dumps(said))"
    )
    return dict(zip(fitted, json.loads(in_a_fresh_process(NO_NUMBA + code, folder)), strict=True))


def test_there_are_twenty_of_two_to_nine_classes_with_every_public_booster():
    assert len(MODELS) == 20
    assert {kind.n_classes for kind in MODELS.values()} == set(range(2, 10))
    made = {type(kind.model).__name__ for kind in MODELS.values()}
    assert len(made) == 10  # the nine public classifiers, and the Bayes rule around another library's


@compiled("the kernels are NumPy's walk otherwise")
@pytest.mark.parametrize("name", MODELS)
def test_numpy_alone_says_the_same_bits(name, fitted, elsewhere):
    model, others = fitted[name]
    assert elsewhere[name] == digests(model, others)


@needs_onnx
@pytest.mark.parametrize("name", MODELS)
def test_onnx_says_the_same(name, fitted):
    kind, (model, others) = MODELS[name], fitted[name]
    assert np.isnan(others if isinstance(others, np.ndarray) else others["x"]).any()
    given = fed(others) if kind.categories else others
    options = {"input_type": "float"} if kind.dtype == np.float32 else {}
    assert_equal(model, others, given, has_costs=kind.has_costs, **options)


def test_the_mixtures_hold_the_regressions_that_their_effort_promises(fitted):
    regressions = {name: [part for part in model.members_ if "regression" in part]
                   for name, (model, _) in fitted.items() if name.startswith("mixture")}  # fmt: skip
    assert [len(found) for found in regressions.values()] == [1, 2, 2]
