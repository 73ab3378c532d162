"""What is installed: ``csboost`` alone, typed, and small."""

from __future__ import annotations

import io
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


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
