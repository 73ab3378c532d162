"""Where Numba cannot be imported, fitted models predict the same bits, and fitting says what is missing."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import VARIANTS, compiled, easy, make, unequal_costs
from sklearn.tree import DecisionTreeClassifier

from csboost import costs
from csboost.weak import CostTree

ROOT = Path(__file__).parents[1]
PREDICTIONS = ("decision_function", "predict", "predict_proba", "predict_expected_cost")
#: What an interpreter is told before anything else.
NO_NUMBA = "import sys\nsys.modules['numba'] = None\n"


def in_a_fresh_process(code, *arguments):
    """What ``code`` prints, in an interpreter that has imported nothing yet."""
    paths = f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n"
    command = [sys.executable, "-c", paths + code, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def digests(model, X, y):
    """A digest of every kind of prediction, by name."""
    found = {name: getattr(model, name)(X) for name in PREDICTIONS if hasattr(model, name)}
    found["last stage"] = list(model.staged_decision_function(X))[-1]
    found["staged_cost"] = model.staged_cost(X, y)
    found["leaves"] = np.array([rule.apply(X, 0) for rule in model.estimators_])
    found["importances"] = model.feature_importances_
    return {name: hashlib.sha256(np.ascontiguousarray(part).tobytes()).hexdigest() for name, part in found.items()}


def problem(number, dtype):
    """Rows with gaps, 2 to 7 classes, costs of several kinds: X, y, a cost matrix."""
    K = 2 + number % 6
    rng = np.random.default_rng(number)
    X, y = easy(300, K, seed=number)
    X[rng.random(X.shape) < 0.1] = np.nan
    kinds = (unequal_costs(K, number), costs.linear(K), rng.random((K, K)), np.eye(K)[::-1] + costs.zero_one(K))
    return X.astype(dtype), y, kinds[number % 4]


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A file of models of every kind with rows to predict, and what they predict here."""
    models = []
    for number, name in enumerate(VARIANTS):
        for dtype in (np.float64, np.float32):
            X, y, C = problem(number, dtype)
            learner = CostTree(max_leaf_nodes=(4, 20)[number % 2])  # beyond 16 leaves kernels walk in another way
            model = make(name, cost_matrix=C, weak_learner=learner).fit(X, y)
            models.append((name, model, X, y))
    X, y, C = problem(0, np.float64)
    stopped = make("angle-logit", n_estimators=30, n_iter_no_change=5, random_state=0).fit(X, y)
    models.append(("stopped early", stopped, X, y))
    path = tmp_path_factory.mktemp("models") / "models.pickle"
    path.write_bytes(pickle.dumps(models))
    return path, {f"{i} {name}": digests(model, X, y) for i, (name, model, X, y) in enumerate(models)}


def test_fitted_models_predict_the_same_bits(fitted):
    path, wanted = fitted
    code = (
        "import json, pickle\nfrom test_without_numba import digests\nmodels = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(json.dumps({f'{i} {name}': digests(model, X, y) for i, (name, model, X, y) in enumerate(models)}))"
    )
    found = json.loads(in_a_fresh_process(NO_NUMBA + code, path))
    assert found.keys() == wanted.keys()
    for model in wanted:
        assert found[model] == wanted[model], model


def test_trees_and_foreign_weak_learners_predict_the_same_bits(tmp_path):
    X, y, C = problem(3, np.float64)
    tree = CostTree(cost_matrix=C).fit(X, y)
    around = make("samme", weak_learner=DecisionTreeClassifier(max_depth=2)).fit(X, y)
    parts = tree.apply(X), tree.predict_expected_cost(X), around.predict_proba(X)
    (tmp_path / "models.pickle").write_bytes(pickle.dumps((tree, around, X)))
    code = (
        "import pickle\ntree, around, X = pickle.load(open(sys.argv[1], 'rb'))\n"
        "parts = tree.apply(X), tree.predict_expected_cost(X), around.predict_proba(X)\n"
        "print(*(part.tobytes().hex() for part in parts))"
    )
    found = in_a_fresh_process(NO_NUMBA + code, tmp_path / "models.pickle").split()
    assert found == [part.tobytes().hex() for part in parts]


def test_fitting_says_what_is_missing():
    code = (
        "import csboost\nfrom csboost.weak import CostTree\n"
        "for model in (csboost.AngleAdaBoostClassifier(), CostTree()):\n"
        "    try:\n        model.fit([[0.0], [1.0]], [0, 1])\n    except ImportError as error:\n        print(error)"
    )
    said = in_a_fresh_process(NO_NUMBA + code).splitlines()
    assert len(said) == 2
    for line in said:
        assert line.startswith("fitting needs Numba, which cannot be imported here")
        assert "pip install numba" in line


@compiled("the module of the user's loss imports Numba otherwise")
def test_a_fitted_model_is_loaded_without_importing_numba(fitted):
    code = (
        "import pickle, csboost\nmodels = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(len(models), sorted(name for name in sys.modules if name.split('.')[0] in ('numba', 'llvmlite')))"
    )
    assert in_a_fresh_process(code, fitted[0]).strip() == f"{len(fitted[1])} []"
