"""Model files where Numba is not there, and with classes that were not there when the reader was written."""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
import types

import numpy as np
import predictions
from cases import easy, make
from model_files import TABLE, assert_kept, mixed
from test_without_numba import NO_NUMBA, in_a_fresh_process

import csboost
from csboost import AngleGradientBoostingClassifier, SAMMEClassifier, save_model
from csboost.mixture import classifier
from csboost.models import kinds


def test_a_model_is_loaded_and_predicts_the_same_bits_without_numba(tmp_path, monkeypatch):
    monkeypatch.setitem(classifier.EFFORTS["fast"].boosters["gradient boosting"], "n_estimators", 4)
    X, y = mixed(120)
    numbers = X[["x", "z"]].to_numpy(np.float32)
    gradient = AngleGradientBoostingClassifier(n_estimators=4, n_bags=2, n_iter_no_change=None, random_state=0)
    models = {
        "gradient": (gradient.fit(X, y), X),
        "lum": (make("angle-lum", cost_matrix=TABLE).fit(numbers, y), numbers),
        "mh": (make("mh-real-apart").fit(numbers, y), numbers),
        "mixture": (csboost.CostSensitiveClassifier(effort="fast", random_state=0).fit(X, y), X),
    }
    wanted = {}
    for name, (model, rows) in models.items():
        save_model(model, tmp_path / f"{name}.csboost")
        wanted[name] = digests(model, rows)
    (tmp_path / "rows.pickle").write_bytes(pickle.dumps({name: rows for name, (_, rows) in models.items()}))
    code = (
        "import json, pickle, pathlib\nfrom test_models_elsewhere import digests\nfrom csboost import load_model\n"
        "folder = pathlib.Path(sys.argv[1])\nrows = pickle.loads((folder / 'rows.pickle').read_bytes())\n"
        "found = {name: digests(load_model(folder / f'{name}.csboost'), part) for name, part in rows.items()}\n"
        "print(json.dumps(found))"
    )
    assert json.loads(in_a_fresh_process(NO_NUMBA + code, tmp_path)) == wanted


def digests(model, X):
    """A digest of all that a model says of some rows, by name."""
    found = predictions.of(model, X)
    return {name: hashlib.sha256(plain_bytes(part)).hexdigest() for name, part in found.items()}


def plain_bytes(part):
    part = np.asarray(part)
    return repr(part.tolist()).encode() if part.dtype.hasobject else np.ascontiguousarray(part).tobytes()


def test_a_new_booster_is_known_by_its_public_name(tmp_path, monkeypatch):
    class Toy(SAMMEClassifier):
        def fit(self, X, y):
            self.extra_ = {"of": [1.5, np.arange(3)]}
            return super().fit(X, y)

    home = types.ModuleType("csboost.toy")
    home.Toy = Toy
    monkeypatch.setitem(csboost._HOMES, "Toy", "toy")
    monkeypatch.setitem(sys.modules, "csboost.toy", home)
    kinds.class_of.cache_clear()
    X, y = easy()
    loaded = assert_kept(Toy(n_estimators=2).fit(X, y), tmp_path / "toy.csboost", X, y)
    assert loaded.extra_["of"][1].tolist() == [0, 1, 2]
    kinds.class_of.cache_clear()
