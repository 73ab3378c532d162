"""Model files that are damaged, edited, foreign, of a later version or hostile are refused, and run nothing."""

from __future__ import annotations

import io
import json
import pickle
import re
import struct
import zipfile

import numpy as np
import pytest
from cases import easy
from model_files import DAMAGED, EDITED, npy, parts_of, refused, resigned, signed, written, zipped

from csboost import CostSensitiveClassifier, load_model, save_model

ARRAY = "arrays/0.npy"
FOREIGN = r"model\.csboost is no model file of csboost.*csboost\.save_model"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return written(tmp_path_factory.mktemp("models") / "whole.csboost")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.csboost"


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

    message = r"model\.csboost was written by a later csboost \(9\.1\.0\), in version 2.*Update csboost"
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


@pytest.fixture(scope="module")
def mixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "mixture.csboost"
    save_model(CostSensitiveClassifier(effort="fast", random_state=0).fit(*easy()), path)
    return path.read_bytes()


@pytest.mark.parametrize("temperature", [0.0, -1.0, 1e-320, 1e300, True, None, "1"])
def test_members_that_no_number_pools_are_refused(temperature, mixture, path):
    def edit(described):
        described["model"]["object"][1]["temperature_"] = temperature

    message = "holds what is no model: the mixture's weights and temperature cannot be right. Save the model again"
    refused(path, resigned(mixture, edit), message)


def test_a_mixture_that_averaged_probabilities_has_to_be_fitted_again(mixture, path):
    def edit(described):
        del described["model"]["object"][1]["temperature_"]

    refused(path, resigned(mixture, edit), "holds a mixture of an earlier csboost, which averaged.*Fit the model again")


@pytest.mark.parametrize("name", ["predict", "_check_X", "n_iter_", "__class__", "__dict__", "__reduce__", "decide"])
def test_data_does_not_take_the_place_of_code(name, whole, path):
    def edit(described):
        described["model"]["object"][1][name] = 1

    refused(path, resigned(whole, edit), f"{EDITED}|no data")


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


def test_messages_name_the_file_and_no_other_path(whole, path):
    path.write_bytes(whole[:200])
    with pytest.raises(ValueError, match=re.escape(str(path))):
        load_model(path)
