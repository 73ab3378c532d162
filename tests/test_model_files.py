"""Model files that are damaged, edited, foreign, of a later version or hostile are refused, and run nothing."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import re
import struct
import zipfile

import numpy as np
import pytest
from cases import easy, make

from csboost import load_model, save_model

ARRAY = "arrays/0.npy"
DAMAGED = r"model\.csboost is damaged, or was edited.*(Copy it again|save the model again)"
FOREIGN = r"model\.csboost is no model file of csboost.*csboost\.save_model"
EDITED = r"model\.csboost was edited: it holds what is no model.*Save the model again"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a model's file."""
    path = tmp_path_factory.mktemp("models") / "whole.csboost"
    save_model(make("angle-logit").fit(*easy()), path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.csboost"


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


def test_the_file_as_it_was_is_read(whole, path):
    for data in (whole, resigned(whole, lambda described: None)):
        path.write_bytes(data)
        assert load_model(path).n_iter_ == 5


def test_a_truncated_file_is_refused_wherever_it_ends(whole, path):
    for end in [4, 30, 100, *range(200, len(whole), len(whole) // 40), len(whole) - 1]:
        refused(path, whole[:end], DAMAGED)
    refused(path, b"", "is no model file of csboost: it is empty")
    refused(path, whole[:3], FOREIGN)


def test_one_other_byte_is_found_wherever_it_is(whole, path):
    for place in range(0, len(whole), len(whole) // 150):
        data = bytearray(whole)
        data[place] ^= 0x10
        path.write_bytes(data)
        try:
            save_model(load_model(path), path)
        except ValueError as error:
            message = str(error)
            assert message.startswith(str(path))
        else:  # of what the zip format says twice, or of times: the parts are as they were
            assert path.read_bytes() == whole


def test_numbers_that_were_edited_do_not_match_their_digest(whole, path):
    parts = parts_of(whole)
    for name in parts:
        changed = parts | {name: parts[name].replace(b"5", b"6") if name == "model.json" else parts[name][:-1] + b"\1"}
        refused(path, zipped(changed), f"{DAMAGED}|{FOREIGN}")


def test_other_files_are_told_from_model_files(path):
    refused(path, pickle.dumps({"a": 1}), "is no model file of csboost: it looks like a pickle")
    refused(path, b"tree\nversion=v4\n", FOREIGN)
    refused(path, zipped({"word/document.xml": b"<w/>"}), FOREIGN)
    refused(path, zipped({"model.json": b'{"format": "other"}'}), FOREIGN)
    refused(path, zipped({"model.json": b"[1, 2]"}), FOREIGN)
    refused(path, zipped({"model.json": b"{"}), DAMAGED)
    refused(path, zipped({"model.json": b"[" * 100_000}), DAMAGED)
    refused(path, zipped({"model.json": b"9" * 10_000}), DAMAGED)
    with pytest.raises(FileNotFoundError):
        load_model(path.with_name("nowhere.csboost"))


def test_a_later_version_is_named_with_the_remedy(whole, path):
    def later(described):
        described.update(version=2, written_by={"csboost": "9.1.0"}, new_entry={})

    message = r"model\.csboost was written by a later csboost \(9\.1\.0\), in version 2.*pip install --upgrade csboost"
    refused(path, resigned(whole, later), message)


def test_a_file_of_another_csboost_that_has_other_classes_says_so(whole, path):
    def other(described):
        described["written_by"]["csboost"] = "0.9.0"
        described["model"]["object"][0] = "NewBooster"

    refused(path, resigned(whole, other), r"was written by another csboost \(0\.9\.0\).*'NewBooster'.*this version")


# What someone who means harm would try.


class Bomb:
    """Unpickling it would raise."""

    def __reduce__(self):
        return eval, ("1/0",)


NO_CLASSES = [
    "os.system", "subprocess.Popen", "builtins.eval", "csboost.warm_up", "warm_up", "save_model", "load_model",
    "csboost.baselines.samme.SAMMEClassifier", "sklearn.linear_model.LogisticRegression", "PRESETS", "read_costs",
    "DecisionTreeClassifier", "object", "type", "__class__", "", None, 3, ["SAMMEClassifier"], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("name", NO_CLASSES, ids=repr)
def test_only_classes_of_the_list_are_made(name, whole, path):
    def edit(described):
        described["model"]["object"][0] = name

    refused(path, resigned(whole, edit), f"{EDITED}|unhashable")
    refused(
        path,
        resigned(whole, lambda described: described["model"]["object"][1].update(n_jobs={"object": [name, {}]})),
        EDITED,
    )


@pytest.mark.parametrize(
    "tree",
    [
        {"type": "os.system"}, {"type": "eval"}, {"dtype": "O"}, {"dtype": "no such"}, {"scalar": ["|O", "x"]},
        {"pickle": "gASVAA=="}, {"function": "eval"}, {"array": 10_000}, {"array": -1}, {"array": True},
        {"array": "../../etc/passwd"}, {"tuple": 1}, {"dict": [[["unhashable"], 1]]}, {"object": ["Forest"]}, {},
        {"tuple": [], "dict": []}, {"random state": [[1], 5, 0, 0.0]},
        {"timestamp": ["2024-01-01", "dateutil//etc/passwd"]},
        {"objects": [[2, 2], [1]]}, {"objects": [[-1], "a"]}, {"datetime": ["yesterday", None]}, {"frame": [[], [], 3]},
    ],
    ids=repr,
)  # fmt: skip
def test_values_that_no_model_has_are_refused(tree, whole, path):
    refused(path, resigned(whole, lambda described: described["model"]["object"][1].update(verbose=tree)), EDITED)


@pytest.mark.parametrize("name", ["predict", "_check_X", "n_iter_", "__class__", "__dict__", "__reduce__", "decide"])
def test_data_does_not_take_the_place_of_code(name, whole, path):
    def edit(described):
        described["model"]["object"][1][name] = 1

    refused(path, resigned(whole, edit), f"{EDITED}|no data")


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def declared(shape, dtype="<f8"):
    """An array file of a header alone."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape!r}, }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


@pytest.mark.parametrize(
    "part",
    [
        npy(np.array([Bomb()], object), allow_pickle=True),
        declared((10**15,)), declared((2**62, 2**62)), declared((-1,)), declared((10**12,), "<U0"),
        declared((1,), "|O"), declared((0,), "|V8"), b"", b"\x93NUMPY", b"\x93NUMPY\x02\x00" + declared((0,))[8:],
        npy(np.zeros(3)) + b"more",
        npy(np.zeros(3, [("a", "f8")])), b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535,
    ],
    ids=range(13),
)  # fmt: skip
def test_arrays_of_objects_or_of_other_sizes_than_they_say_are_refused(part, whole, path):
    parts = parts_of(whole) | {ARRAY: part}
    refused(path, signed(parts, json.loads(parts["model.json"])), DAMAGED)


@pytest.mark.parametrize(
    "name", ["../evil.npy", "/etc/passwd", "arrays/../../evil.npy", "C:\\evil", "extra.py", "arrays/"]
)
def test_names_that_are_not_written_are_refused_and_nothing_is_unpacked(name, whole, path):
    parts = parts_of(whole)
    refused(path, zipped({**parts, name: b"x"}), DAMAGED)
    refused(path, signed({**parts, name: b"x"}, json.loads(parts["model.json"])), DAMAGED)
    assert list(path.parent.rglob("*")) == [path]


def test_compressed_files_are_refused_so_that_none_can_swell(path, whole):
    parts = parts_of(whole)
    refused(path, zipped({**parts, ARRAY: bytes(50_000_000)}, zipfile.ZIP_DEFLATED), DAMAGED)


def test_a_part_that_is_there_twice_is_refused(path, whole):
    parts = parts_of(whole)
    buffer = io.BytesIO(whole)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(buffer, "a") as file:
        file.writestr(ARRAY, parts[ARRAY])
    refused(path, buffer.getvalue(), DAMAGED)


# Trees that compiled code would follow out of their arrays.


def find(tree, name):
    """The state of the first object of a class."""
    if isinstance(tree, dict):
        if tree.get("object", [None])[0] == name:
            return tree["object"][1]
        tree = list(tree.values())
    if isinstance(tree, list):
        return next((found for found in (find(part, name) for part in tree) if found is not None), None)
    return None


def with_array(whole, owner, name, change):
    """The file with one array of an object changed."""
    parts = parts_of(whole)
    described = json.loads(parts["model.json"])
    place = find(described["model"], owner)[name]["array"]
    array = np.load(io.BytesIO(parts[f"arrays/{place}.npy"]))
    return signed(parts | {f"arrays/{place}.npy": npy(change(array))}, described)


def put(value, *place):
    def change(array):
        array[place] = value
        return array

    return change


CHANGES = [
    ("Forest", "left", put(10**6, 0, 0)), ("Forest", "left", put(-1, 0, 0)), ("Forest", "right", put(0, 0, 0)),
    ("Forest", "left", put(2, 0, 0)), ("Forest", "feature", put(-3, 0, 0)), ("Forest", "feature", lambda a: a + 100),
    ("Forest", "depth", put(1, 0)), ("Forest", "depth", put(10**9, 0)), ("Forest", "n_leaves", put(10**9, 0)),
    ("Forest", "n_leaves", put(0, 0)), ("Forest", "threshold", lambda a: a[:, :1]),
    ("Forest", "left", lambda a: a + 0.5),
    ("Forest", "missing_left", lambda a: a.astype(int)), ("Forest", "gains", lambda a: a[0]),
    ("Ensemble", "outputs", put(50, 0, 0)), ("Ensemble", "outputs", put(-1, 0, 0)),
    ("Ensemble", "outputs", lambda a: a[:, :1]),
    ("Ensemble", "weights", lambda a: a[:1]), ("Ensemble", "weights", lambda a: a.astype(complex)),
    ("Ensemble", "scales", lambda a: a[:0]), ("Ensemble", "start", lambda a: a[:1]),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}.{change[1]}")
def test_trees_that_are_none_are_refused(change, whole, path):
    refused(path, with_array(whole, *change), EDITED)


@pytest.mark.parametrize("state", [{"n_scores": 9}, {"trees_per_round": 0}, {"rules": []}, {"n_scores": True}])
def test_ensembles_that_are_none_are_refused(state, whole, path):
    def edit(described):
        find(described["model"], "Ensemble").update(state)

    refused(path, resigned(whole, edit), EDITED)


def test_columns_and_costs_that_are_not_there_are_refused_before_compiled_code_reads_them(whole, path):
    X, y = easy()
    path.write_bytes(with_array(whole, "MarginLink", "cost_matrix", lambda a: a[:, :2]))
    with pytest.raises(ValueError, match="do not fit to 3 scores"):
        load_model(path).predict_proba(X)
    path.write_bytes(with_array(whole, "AngleLogitBoostClassifier", "cost_matrix_", lambda a: a[:, :2]))
    with pytest.raises(ValueError, match="do not fit"):
        load_model(path).staged_cost(X, y)

    def narrower(described):
        described["model"]["object"][1]["n_features_in_"] = 1

    path.write_bytes(resigned(whole, narrower))
    with pytest.raises(ValueError, match="the trees split on column"):
        load_model(path).predict(X[:, :1])


def test_messages_name_the_file_and_no_other_path(whole, path):
    path.write_bytes(whole[:200])
    with pytest.raises(ValueError, match=re.escape(str(path))):
        load_model(path)
