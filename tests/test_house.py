"""The shape of the code: files can be read at one sitting, and every name that prose mentions exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("csboost", "bench", "tests")
PROSE = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *(path for name in PACKAGES[:2] for path in ROOT.glob(f"{name}/**/*.py")),
]
DOTTED = re.compile(r"(?<![\w./-])(?:csboost|bench)(?:\.[A-Za-z_]\w*)+")
PATH = re.compile(r"(?<![\w./-])(?:csboost|bench|tests|docs|scripts)/[\w./-]+\b")
PLACEHOLDER = "NAME"  # of a file to be written


def lengths(package):
    """File -> its number of lines."""
    return {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / package).rglob("*.py")
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_no_file_is_longer_than_300_lines(package):
    found = lengths(package)
    assert len(found) > 50
    assert {str(path): lines for path, lines in found.items() if lines > 300} == {}


@pytest.mark.parametrize("package", ["csboost", "bench"])
def test_half_of_the_files_have_at_most_150_lines(package):
    assert median(lengths(package).values()) <= 150


def exists(name):
    """Whether a dotted name is a module, or leads to something inside of one."""
    parts = name.split(".")
    n = next(n for n in range(len(parts), 0, -1) if is_module(ROOT.joinpath(*parts[:n])))
    if n == len(parts):
        return True
    found = importlib.import_module(".".join(parts[:n]))
    for part in parts[n:]:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def is_module(path):
    return (path / "__init__.py").is_file() or path.with_name(f"{path.name}.py").is_file()


def mentioned(pattern):
    """What the pattern finds -> the files that it stands in."""
    found = {}
    for path in PROSE:
        for name in pattern.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    return found


def test_every_dotted_name_in_documents_and_code_exists():
    names = mentioned(DOTTED)
    assert len(names) > 100
    assert {name: places for name, places in names.items() if PLACEHOLDER not in name and not exists(name)} == {}


def test_every_path_in_documents_and_code_exists():
    paths = mentioned(PATH)
    assert len(paths) > 20
    assert {
        path: places for path, places in paths.items() if PLACEHOLDER not in path and not (ROOT / path).exists()
    } == {}


@pytest.mark.parametrize("name", ["csboost.no_such", "csboost.weak.layout.no_such", "bench.no_such.part"])
def test_a_name_that_leads_nowhere_is_found_out(name):
    assert not exists(name)


@pytest.mark.parametrize("name", ["csboost.weak.layout.BLOCK", "bench.rows", "csboost.costs.CostTable.matrix"])
def test_a_name_that_leads_somewhere_is_let_pass(name):
    assert exists(name)
