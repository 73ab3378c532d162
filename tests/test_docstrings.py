"""Public docstrings say what goes in and comes out, what is raised and where it comes from, and have an example."""

from __future__ import annotations

import doctest
import inspect
import re

import matplotlib as mpl
import pytest
from numpydoc.docscrape import ClassDoc, FunctionDoc
from numpydoc.validate import validate
from public import PACKAGES, described

# By numpydoc's codes: form (GL, SS), parameters complete and described (PR), what is returned (RT, YD).
CHECKS = {
    "GL03", "GL05", "GL06", "GL07", "GL08", "SS01", "SS03", "SS04",
    "PR01", "PR02", "PR04", "PR05", "PR06", "PR07", "PR10", "RT01", "RT03", "RT05", "YD01",
}  # fmt: skip

# bind() is for boosters and described by the protocol csboost.weak.interface.WeakLearner.
PROTOCOL = {"bind"}

# What only hands on, formats or draws: it has no way to fail of its own.
RAISES_NOTHING = {
    "classes_for", "describe_kept", "grade_codes", "make_cost_scorer", "make_credit_preprocessor",
    "make_loan_preprocessor", "plot", "to_frame", "frame",
    "CostCurveDisplay.from_estimator", "CostCurveDisplay.from_estimators",
}  # fmt: skip

THINGS = [thing for package in PACKAGES for thing in described(package)]


def last(thing):
    return thing.name.rpartition(".")[2]


def by_package(kinds):
    """The things of some kinds, without those of the protocol, once each, by package."""
    chosen = {}
    for thing in THINGS:
        if thing.kind in kinds and last(thing) not in PROTOCOL:
            chosen.setdefault((thing.value, thing.value.__doc__), thing)
    return list(chosen.values())


def parsed(thing):
    return ClassDoc(thing.value) if thing.kind == "class" else FunctionDoc(thing.value)


def is_exception(value):
    return inspect.isclass(value) and issubclass(value, Exception)


def is_record(value):
    """A named tuple: its fields are attributes, and users do not make one."""
    return inspect.isclass(value) and issubclass(value, tuple)


@pytest.mark.parametrize("package", PACKAGES)
def test_numpydoc_finds_nothing_wrong(package):
    found = []
    for thing in described(package):
        if thing.kind == "property" or last(thing) in PROTOCOL:
            continue
        ignored = {"PR01"} if is_record(thing.value) else set()
        for code, message in validate(thing.name)["errors"]:
            if code in CHECKS - ignored:
                found.append(f"{thing.name}: {code} {message}")
    assert found == []


@pytest.mark.parametrize("thing", by_package(["class", "function", "method"]), ids=lambda thing: thing.name)
def test_a_docstring_has_every_section_that_it_needs(thing):
    document = parsed(thing)
    if is_exception(thing.value):
        assert document["Examples"]
        return
    signature = inspect.signature(thing.value)
    names = [name for name in signature.parameters if name not in ("self", "cls")]
    needed = {"Examples"}
    if names and not is_record(thing.value):
        needed.add("Parameters")
    if thing.kind == "class":
        needed |= {"Attributes", "References"}
    else:
        may_return = {inspect.Signature.empty, None, "None"}.isdisjoint([signature.return_annotation])
        yields = inspect.isgeneratorfunction(inspect.unwrap(thing.value))
        needed |= {"Yields" if yields else "Returns"} if may_return else set()
        own = thing.name.split(".", 2)[2] if thing.kind == "method" else last(thing)
        needed |= set() if {last(thing), own} & RAISES_NOTHING else {"Raises"}
        needed |= {"References"} if thing.kind == "function" else set()
    missing = {section for section in needed if not document[section]}
    assert not missing, f"{thing.name} lacks {', '.join(sorted(missing))}"


@pytest.mark.parametrize("thing", by_package(["class"]), ids=lambda thing: thing.name)
def test_every_property_is_among_the_attributes_of_its_class(thing):
    written = {name for entry in parsed(thing)["Attributes"] for name in re.split(r",\s*", entry.name)}
    properties = [other for other in THINGS if other.kind == "property" and other.name.startswith(f"{thing.name}.")]
    for other in properties:
        assert last(other) in written, other.name
        assert other.value.__doc__, other.name


@pytest.mark.parametrize("thing", by_package(["class", "function"]), ids=lambda thing: thing.name)
def test_a_source_has_authors_a_year_and_a_place_where_it_can_be_found(thing):
    if is_exception(thing.value):
        return
    source = " ".join(parsed(thing)["References"])
    assert re.search(r"[A-Z][\w-]+, [A-Z]\.", source), thing.name
    assert re.search(r"\((19|20)\d\d\)|https?://", source), thing.name
    assert re.search(r"doi:10\.\d{4}|https?://|\d+-\d+|Wadsworth", source), thing.name


@pytest.mark.parametrize("thing", by_package(["class", "function", "method", "property"]), ids=lambda thing: thing.name)
def test_no_placeholder_is_left(thing):
    assert not re.search(r"^\s*\{\w+\}\s*$", thing.value.__doc__, re.MULTILINE)


@pytest.mark.parametrize("thing", by_package(["class", "function", "method", "property"]), ids=lambda thing: thing.name)
def test_a_heading_has_a_line_of_its_own(thing):
    assert not re.search(r"\S[ \t]+-{3,}|-{3,}[ \t]+\S", thing.value.__doc__)


@pytest.mark.parametrize("thing", by_package(["class", "function", "method"]), ids=lambda thing: thing.name)
def test_the_example_runs(thing):
    mpl.use("Agg")
    examples = doctest.DocTestParser().get_doctest(thing.value.__doc__, {}, thing.name, None, 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    try:
        failed, tried = runner.run(examples, out=said.append)
    finally:
        from matplotlib import pyplot as plt

        plt.close("all")
    assert tried > 0, f"{thing.name} has no example"
    assert failed == 0, "".join(said)
