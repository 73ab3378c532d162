"""Files are there whole or not at all, whoever writes them, and what went wrong is said of the name that was given."""

from __future__ import annotations

import functools
import gzip
import io
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from command_files import cases
from sklearn.linear_model import LogisticRegression

from csboost import costs, load_model, save_model
from csboost.command.main import main
from csboost.data.synthetic_lending_club import write_synthetic_file

FEATURES = ["amount", "rate"]
ANSWERS = ["csv", "txt", "tsv", "tab", "csv.gz", "tsv.gz", "parquet", "pq"]


@pytest.fixture(scope="module")
def model():
    frame = cases(240, 0).dropna()
    return costs.BayesDecisionClassifier(LogisticRegression(), "equal").fit(frame[FEATURES], frame["grade"])


@pytest.fixture
def writers(model, tmp_path):
    """What writes to a path, by the ending of its name; each returns the exit code, or raises OSError."""
    (tmp_path / "in").mkdir()
    save_model(model, tmp_path / "in" / "m.csboost")
    cases(2000, 1).dropna().to_csv(tmp_path / "in" / "new.csv", index=False)

    def decide(path):
        return main(
            ["decide", str(tmp_path / "in" / "m.csboost"), str(tmp_path / "in" / "new.csv"), "--out", str(path)]
        )

    return {
        **dict.fromkeys(ANSWERS, decide),
        "csboost": lambda path: save_model(model, path),
        "loans.csv": lambda path: write_synthetic_file(path, 3000),
    }


def read(path, ending):
    """The first column of what was written."""
    if ending in ("parquet", "pq"):
        return pd.read_parquet(path)["answer"].tolist()
    if ending == "csboost":
        return list(load_model(path).classes_)
    data = path.read_bytes()
    assert (data[:2] == b"\x1f\x8b") == ending.endswith(".gz")
    data = gzip.decompress(data) if ending.endswith(".gz") else data
    return pd.read_csv(io.BytesIO(data), sep="\t" if ending[:3] in ("tsv", "tab") else ",").iloc[:, 0].tolist()


@pytest.mark.parametrize("ending", [*ANSWERS, "csboost", "loans.csv"])
def test_the_file_that_a_link_leads_to_is_replaced_and_the_link_stays(writers, tmp_path, ending):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / f"link.{ending}"
    target.write_text("as it was")
    link.symlink_to(target)
    writers[ending](link)
    writers[ending](tmp_path / f"plain.{ending}")
    assert link.is_symlink()
    assert read(target, ending) == read(tmp_path / f"plain.{ending}", ending)
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["target"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device of a full disk")
@pytest.mark.parametrize("ending", [*ANSWERS, "csboost", "loans.csv"])
def test_a_full_disk_is_said_of_the_name_that_was_given(writers, tmp_path, capsys, ending):
    full = tmp_path / f"full.{ending}"
    full.symlink_to("/dev/full")
    if ending in ANSWERS:
        assert writers[ending](full) == 3
        assert capsys.readouterr().err.endswith(f"\ncsboost decide: error: {full}: No space left on device\n")
    else:
        with pytest.raises(OSError, match="No space left on device") as caught:
            writers[ending](full)
        assert caught.value.filename == str(full)
    assert full.is_symlink()


@pytest.mark.parametrize("ending", ["csboost", "loans.csv"])
def test_a_folder_is_no_name_of_a_file(writers, tmp_path, ending):
    with pytest.raises(IsADirectoryError, match="name a file in it") as caught:
        writers[ending](tmp_path)
    assert caught.value.filename == str(tmp_path)


def test_a_packed_file_names_itself_and_not_the_unfinished_one(writers, tmp_path):
    writers["csv.gz"](tmp_path / "answers.csv.gz")
    assert b"answers.csv\0" in (tmp_path / "answers.csv.gz").read_bytes()[:40]


@pytest.mark.parametrize("ending", ["parquet.gz", "PQ.GZ", "xlsx", "gz", "json.gz"])
def test_names_that_say_nothing_or_two_things_are_refused(writers, tmp_path, capsys, ending):
    assert writers["csv"](tmp_path / f"a.{ending}") == 2
    said = capsys.readouterr().err
    assert "leave out .gz" in said if ending.lower().startswith("p") else ".csv or .txt or .tsv or .tab" in said
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device of a full disk")
def test_a_full_standard_output_is_named(writers, tmp_path):
    with open("/dev/full", "w") as full:
        argv = [sys.executable, "-m", "csboost", "show", str(tmp_path / "in" / "m.csboost")]
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (3, "csboost show: error: stdout: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device of a full disk")
def test_a_temporary_file_without_room_is_not_taken_for_the_answers(writers, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", functools.partial(open, "/dev/full", "wb"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/where/it/is")
    argv = ["decide", str(tmp_path / "in" / "m.csboost"), str(tmp_path / "in" / "new.csv"), "--out"]
    assert main([*argv, str(tmp_path / "a.csv"), "--limit", "poor=5"]) == 3
    assert capsys.readouterr().err.endswith("error: /where/it/is: No space left on device\n")
    assert np.array_equal([path.name for path in tmp_path.iterdir()], ["in"])
