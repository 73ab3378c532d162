"""The pages are all in the contents, the reference has every public name, and the citation names this version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from public import PACKAGES, described

import csboost

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FIGURE = re.compile(r"\d+\.\d+ \(\d\.\d{4}\)")


def text(name):
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_page_is_in_the_contents_once():
    blocks = re.findall(r"^```\{toctree\}\n(.*?)^```", text("index.md"), re.MULTILINE | re.DOTALL)
    listed = [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    pages = {path.stem for path in [*DOCS.glob("*.md"), *DOCS.glob("*.rst")]} - {"index"}
    assert sorted(listed) == sorted(pages)


def test_the_contents_lead_to_every_page_in_words():
    linked = set(re.findall(r"\]\((\w+)\.(?:md|rst)\)", text("index.md")))
    assert {path.stem for path in DOCS.glob("*.md")} - {"index", "speed"} <= linked


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_has_every_public_name(package):
    lines = [line.strip() for line in text("reference.rst").splitlines()]
    listed = {f"csboost.{line}" for line in lines} | {line.removeprefix(".. py:data:: ") for line in lines}
    module = __import__(package, fromlist=["__all__"])
    names = {f"{package}.{name}" for name in module.__all__} - {f"csboost.{name}" for name in csboost._MODULES}
    things = {thing.name for thing in described(package) if thing.kind in ("class", "function")}
    assert names | things <= listed


def test_the_reference_has_no_name_that_does_not_exist():
    blocks = re.findall(r":nosignatures:\n\n((?:   \S+\n)+)", text("reference.rst"))
    names = [name for block in blocks for name in block.split()]
    assert len(names) == len(set(names)) > 60
    known = {thing.name for package in PACKAGES for thing in described(package)}
    assert {f"csboost.{name}" for name in names} <= known


def test_figures_of_the_choice_of_models_are_those_of_the_readme():
    shown = set(FIGURE.findall(text("choosing.md")))
    measured = (ROOT / "README.md").read_text(encoding="utf-8").replace("**", "")
    assert len(shown) > 60
    assert shown <= set(FIGURE.findall(measured))


def test_the_citation_is_complete_and_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert (citation["type"], citation["license"], str(citation["version"])) == (
        "software",
        "MIT",
        csboost.__version__,
    )
    assert citation["message"]
    assert citation["title"].startswith("csboost")
    assert all("name" in author or "family-names" in author for author in citation["authors"])
    paper = citation["preferred-citation"]
    assert paper["title"] == "Angle-Based Cost-Sensitive Multicategory Classification"
    assert [author["family-names"] for author in paper["authors"]] == ["Yang", "Guo", "Chang"]
    assert (paper["type"], paper["year"], paper["doi"]) == ("article", 2021, "10.1016/j.csda.2020.107107")
    assert paper["doi"] in csboost.AngleAdaBoostClassifier.__doc__
