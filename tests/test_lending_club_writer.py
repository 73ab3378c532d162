"""The command that writes invented loans: a whole file or none, and every mishap in words with its exit code."""

from __future__ import annotations

import errno
import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from csboost.data.lending_club.synthetic import loans as synthetic_loans
from csboost.data.synthetic_lending_club import main, write_synthetic_file

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--rows", "-10"], "--rows: must be a whole number of at least 1, not '-10'"),
        (["--rows", "many"], "--rows: must be a whole number"),
        (["--footers", "-1"], "--footers: must be a whole number of at least 0"),
        (["--duplicates", "50001"], "--duplicates: must be a whole number of at least 0 and at most 50,000"),
        (["--rows", "5", "--duplicates", "6"], "duplicates=6 is too many"),
        (["--seed", "-1"], "--seed: must be a whole number"),
        (["--from", "2017-13"], "--from: '2017-13' is no month: write it as 2017-01"),
        (["--from", "2018-01", "--to", "2017-01"], "the first month, 2018-01, comes after the last, 2017-01"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_writes_nothing(tmp_path, capsys, words, says):
    assert main(["--out", str(tmp_path / "x.csv"), *words]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"rows": -10}, "rows must not be negative, got -10"),
        ({"rows": 5, "footers": -1}, "footers must not be negative"),
        ({"rows": 5, "duplicates": 6}, "duplicates=6 is too many"),
        ({"rows": 5, "first": "winter"}, "'winter' is no month"),
        ({"rows": 5, "layout": "odd"}, "Unknown layout 'odd'"),
    ],
)
def test_numbers_and_months_that_cannot_be_are_refused(tmp_path, options, match):
    with pytest.raises(ValueError, match=match):
        write_synthetic_file(tmp_path / "x.csv", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
@pytest.mark.parametrize(
    ("mishap", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "Interrupted. Nothing is kept of the file; the same command starts anew."),
        (OSError(errno.ENOSPC, "No space left on device"), 3, "x.csv"),
        (ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow"), 3, "pip install '.[bench]'"),
    ],
)
def test_a_mishap_half_way_leaves_the_file_as_it_was(tmp_path, capsys, monkeypatch, name, mishap, code, says):
    first = synthetic_loans._make_block

    def make_block(rng, start, size, issued):
        if start:
            raise mishap
        return first(rng, start, size, issued)

    monkeypatch.setattr(synthetic_loans, "BLOCK", 20)
    monkeypatch.setattr(synthetic_loans, "_make_block", make_block)
    out = tmp_path / name
    out.write_text("what was there")
    assert main(["--rows", "50", "--out", str(out)]) == code
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.out == ""
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert out.read_text() == "what was there"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device of a full disk")
def test_a_full_disk_names_the_file(tmp_path, capsys):
    assert main(["--rows", "500", "--out", "/dev/full"]) == 3
    assert "error: /dev/full: No space left on device" in capsys.readouterr().err


def test_what_is_no_file_is_refused_by_name(tmp_path, capsys):
    assert main(["--rows", "5", "--out", str(tmp_path)]) == 3
    assert f"error: {tmp_path}: is a directory" in capsys.readouterr().err
    assert main(["--rows", "5", "--out", str(tmp_path / "absent" / "x.csv")]) == 3
    assert f"error: {tmp_path / 'absent' / 'x.csv'}: No such file or directory" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl-C")
@pytest.mark.parametrize("interruption", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_ends_with_130_and_no_file(tmp_path, interruption):
    command = [sys.executable, "-m", "csboost.data.synthetic_lending_club", "--rows", "9000000", "--out"]
    running = subprocess.Popen(
        [*command, str(tmp_path / "x.csv")],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    for _ in range(600):
        if any(path.stat().st_size for path in tmp_path.iterdir()):
            break
        time.sleep(0.1)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    running.send_signal(interruption)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.strip() == "Interrupted. Nothing is kept of the file; the same command starts anew."
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_written_through_and_the_archive_names_the_file(tmp_path):
    (tmp_path / "link.csv.gz").symlink_to(tmp_path / "real.csv.gz")
    write_synthetic_file(tmp_path / "link.csv.gz", 5)
    assert (tmp_path / "link.csv.gz").is_symlink()
    packed = (tmp_path / "real.csv.gz").read_bytes()
    assert b"link.csv\0" in packed[:30]
    assert len(gzip.decompress(packed).splitlines()) >= 39
