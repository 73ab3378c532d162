"""The profile of a large fit."""

from __future__ import annotations

import numpy as np
import pytest

from bench import exits
from bench.timing import profile
from bench.timing.data import make_floats


@pytest.mark.parametrize("n", ["20000", "40000"])
def test_the_profile_names_every_part_of_a_round(n, capsys):
    assert profile.main(["--rows", n, "--features", "4", "--classes", "3", "--rounds", "3"]) == exits.DONE
    out = capsys.readouterr().out
    for part in (*profile.PASSES, "scoring", "update the weights"):
        assert f"| {part} |" in out
    shares = [int(line.split("|")[3].strip(" %")) for line in out.splitlines()[4:]]
    assert sum(shares) == pytest.approx(100, abs=len(shares))


def test_more_classes_than_a_byte_holds_are_all_there(monkeypatch):
    """As 0 to 255 alone they would lose 44 of 300 classes."""
    from csboost.weak import grower

    class Stopped(Exception):
        pass

    class Grower(grower.Grower):
        def __init__(self, binned, rows, labels, *others):
            raise Stopped(labels)

    monkeypatch.setattr(grower, "Grower", Grower)
    with pytest.raises(Stopped) as stopped:
        profile.profile(20_000, 4, 300, 3, 2)
    _, expected = make_floats(20_000, 4, 300, seed=0)
    np.testing.assert_array_equal(stopped.value.args[0], expected)
    assert expected.max() == 299


def test_too_few_rows_are_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        profile.main(["--rows", "5000"])
    assert ended.value.code == exits.USAGE
    assert "below 16384 rows a fit has one thread" in capsys.readouterr().err


def test_ctrl_c_ends_in_words(monkeypatch, capsys):
    def interrupted(threads):
        raise KeyboardInterrupt

    monkeypatch.setattr(profile, "bandwidth", interrupted)
    assert profile.main(["--rows", "20000"]) == exits.INTERRUPTED
    captured = capsys.readouterr()
    assert "Interrupted." in captured.err
    assert "python -m bench.timing.profile --rows 20000" in captured.err
    assert "Traceback" not in captured.err
