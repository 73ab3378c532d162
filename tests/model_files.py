"""What tests of model files share: rows of many kinds, models that come back, files taken apart and put together."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import numpy as np
import pandas as pd
import predictions
import pytest
from cases import easy, make

from csboost import load_model, save_model

DAMAGED = r"model\.csboost is damaged, or was edited.*(Copy it again|save the model again)"
EDITED = r"model\.csboost was edited: it holds what is no model.*Save the model again"


def written(path):
    """The bytes of a model's file, written to ``path``."""
    save_model(make("angle-logit").fit(*easy()), path)
    return path.read_bytes()


def parts_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(parts, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, part in parts.items():
            file.writestr(name, part)
    return buffer.getvalue()


def signed(parts, described):
    """The file with another description and digests that fit, as someone who means harm would write it."""
    described = {key: value for key, value in described.items() if key != "digest"}
    described["arrays"] = {
        name: hashlib.sha256(part).hexdigest() for name, part in parts.items() if name != "model.json"
    }
    text = json.dumps(described, separators=(",", ":"))
    described["digest"] = hashlib.sha256(text.encode()).hexdigest()
    return zipped({**parts, "model.json": json.dumps(described).encode()})


def resigned(data, edit):
    """The file after ``edit(description)``, with digests that fit."""
    parts = parts_of(data)
    described = json.loads(parts["model.json"])
    return signed(parts, edit(described) or described)


def refused(path, data, message):
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        load_model(path)


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


TABLE = pd.DataFrame(
    [[0.0, 2.0, 5.0, 1.0], [3.0, 0.0, -1.0, 1.0], [9.0, 4.0, 0.0, 1.0]],
    index=["a", "b", "c"],
    columns=["a", "b", "c", "human"],
)


def mixed(n=240, seed=0):
    """Columns of numbers, text and categories of several types with gaps, and labels."""
    rng = np.random.default_rng(seed)
    X, y = easy(n, 3, seed=seed)
    frame = pd.DataFrame(X[:, :2], columns=["x", "z"])
    frame["text"] = rng.choice(["red", "green", "blü", None], n)
    frame["band"] = pd.cut(rng.normal(size=n) + y, 5)
    frame["code"] = pd.Categorical(rng.choice([1, 2, 30], n))
    frame["flag"] = pd.Categorical(rng.choice([True, False], n))
    frame["day"] = pd.Categorical(pd.Timestamp("2024-01-01") + pd.to_timedelta(y, "D"))
    frame["zoned"] = pd.Categorical(pd.Timestamp("2024-01-01", tz="Europe/Rome") + pd.to_timedelta(y % 2, "D"))
    frame["month"] = pd.Categorical(pd.PeriodIndex(np.array(["2024-01", "2024-02", "2024-03"])[y], freq="M"))
    frame.loc[::7, "x"] = np.nan
    return frame, np.array(["a", "b", "c"])[y]


def again(model, path):
    """The model from its file."""
    save_model(model, path)
    return load_model(path)


def assert_kept(model, path, X, y=None, **options):
    """The model from its file, once it is known to say and to hold the same."""
    wanted = predictions.of(model, X, y)
    save_model(model, path)
    loaded = load_model(path, **options)
    assert type(loaded) is type(model)
    predictions.assert_same(predictions.of(loaded, X, y), wanted)
    assert vars(loaded).keys() == vars(model).keys()
    return loaded
