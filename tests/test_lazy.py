"""Names that packages import on first use."""

from __future__ import annotations

import importlib
import py_compile
import sys

import pytest
from public import PACKAGES

import csboost

LAZY = [package for package in PACKAGES if hasattr(importlib.import_module(package), "lazily")]

INIT = """
from typing import TYPE_CHECKING

from csboost._lazy import lazily

if TYPE_CHECKING:
    from {name} import shelf as shelf
    from {name}.shelf import book as book
else:
    __all__, __getattr__, __dir__ = lazily(__name__)
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A package with one module, which has one name."""
    package = tmp_path / "a_library"
    package.mkdir()
    (package / "__init__.py").write_text(INIT.format(name="a_library"))
    (package / "shelf.py").write_text("book = 'a book'\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "a_library"]:
        del sys.modules[name]


def test_a_name_is_imported_when_it_is_first_used(library):
    module = importlib.import_module("a_library")
    assert "a_library.shelf" not in sys.modules
    assert module.__all__ == ["shelf", "book"]
    assert dir(module) == ["book", "shelf"]
    assert module.book == "a book"
    assert module.shelf is sys.modules["a_library.shelf"]
    assert "book" in vars(module)  # it is asked for once


def test_a_package_without_its_source_says_so(library):
    py_compile.compile(str(library / "__init__.py"), cfile=str(library / "__init__.pyc"))
    (library / "__init__.py").unlink()
    with pytest.raises(ImportError, match="the source of a_library is missing"):
        importlib.import_module("a_library")


@pytest.mark.parametrize("package", LAZY)
def test_every_name_is_there(package):
    module = importlib.import_module(package)
    assert dir(module) == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", LAZY)
def test_a_name_that_is_not_there_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        importlib.import_module(package).nothing  # noqa: B018


def test_the_classes_know_their_names():
    assert csboost.SAMMEClassifier.__name__ == "SAMMEClassifier"
    assert csboost.__all__[-1] == "__version__"
