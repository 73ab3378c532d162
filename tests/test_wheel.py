"""What is installed: ``csboost`` alone, typed, small, and quick to say what it can do."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HELP_IN = 0.3  # seconds


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as pip builds it, unpacked as pip unpacks it, away from the clone."""
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (path,) = out.iterdir()
    with zipfile.ZipFile(path) as archive:
        archive.extractall(out / "unpacked")
    return path


def test_the_wheel_holds_csboost_alone():
    """A user's own folder may be called bench."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["csboost"]}


def test_what_the_wheel_holds_is_below_a_megabyte_and_has_its_data_and_licences():
    files = [path for path in (ROOT / "csboost").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(ROOT))
    assert len(packed.getvalue()) < 1_000_000
    assert {"py.typed", "lending_club.csv.gz", "LICENSE-lending_club.txt"} <= {path.name for path in files}
    kinds = {path.suffix for path in files}
    assert kinds == {".py", ".typed", ".gz", ".txt"}


def test_the_built_wheel_is_below_a_megabyte_and_puts_nothing_beside_csboost(wheel):
    assert wheel.stat().st_size < 1_000_000
    (about,) = (wheel.parent / "unpacked").glob("*.dist-info")
    assert {path.name for path in (wheel.parent / "unpacked").iterdir()} == {"csboost", about.name}
    assert (about / "entry_points.txt").read_text().split() == [
        "[console_scripts]", "csboost", "=", "csboost.command.main:main",
    ]  # fmt: skip
    facts = Parser().parsestr((about / "METADATA").read_text(encoding="utf-8"))
    needed = [line for line in facts.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(needed) == sorted(PROJECT["dependencies"])


def test_the_built_wheel_fits_decides_and_shows_away_from_the_clone(wheel, tmp_path):
    (tmp_path / "cases.csv").write_text("x,y\n" + "".join(f"{i % 7},{'ab'[i % 7 > 3]}\n" for i in range(60)))
    (tmp_path / "costs.csv").write_text("truth,a,b\na,0,1\nb,5,0\n")
    command = [sys.executable, "-m", "csboost"]
    environment = os.environ | {
        "PYTHONPATH": str(wheel.parent / "unpacked"),
        "NUMBA_DISABLE_JIT": "1",
    }  # compiles nothing
    for words in (
        "fit cases.csv --target y --costs costs.csv --out m.csboost --model samme --folds 2",
        "show m.csboost",
        "decide m.csboost cases.csv --out answers.csv",
    ):
        done = subprocess.run([*command, *words.split()], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    given = [line.partition(",")[0] for line in (tmp_path / "answers.csv").read_text().splitlines()[1:]]
    assert given == ["ab"[i % 7 > 3] for i in range(60)]


def test_the_help_is_there_in_less_than_the_time_that_one_notices():
    """Processor time, the least of five starts: what else runs on the machine must not decide."""
    taken = []
    for _ in range(5):
        before = os.times()
        done = subprocess.run([sys.executable, "-m", "csboost", "--help"], cwd=ROOT, capture_output=True, text=True)
        after = os.times()
        assert done.returncode == 0
        assert "csboost fit loans.csv --target grade" in done.stdout
        taken.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(taken) < HELP_IN
