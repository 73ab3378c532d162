"""The file of a model, taken apart and put together again as someone who means harm would."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import numpy as np
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
