"""Kernels take few arguments and know arrays by name: facts of the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import csboost
from csboost.weak import layout

PACKAGE = Path(csboost.__file__).parent
WEAK = sorted((PACKAGE / "weak").glob("*.py"))
MOST_PARAMETERS = 10
TABLES = {"slots", "groups", "spans", "blocks", "nodes", "splits", "state", "look"}  # their columns have names
TUPLES = {name.lower() for name in dir(layout) if hasattr(getattr(layout, name), "_fields")} | {"forest", "tree"}


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def is_kernel(function):
    """Whether a decorator is ``kernel`` or ``kernel(...)``."""
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
    return any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in marks)


def kernels(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and is_kernel(node)]


def name_of(node):
    """``slots`` of ``slots``, ``layout.slots`` and ``work_``."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.rstrip("_")


def is_number(node):
    if isinstance(node, ast.Slice):
        return any(is_number(end) for end in (node.lower, node.upper) if end is not None)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def numbered(tree):
    """Columns of tables, and arrays of tuples, that are taken by a number in the source."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and name_of(node.value) in TABLES | TUPLES:
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if name_of(node.value) in TUPLES or len(indices) > 1 or name_of(node.value) in {"state", "look"}:
                found += [ast.unparse(node)] if is_number(indices[-1]) else []
        if isinstance(node, ast.Assign) and name_of(node.value) in TUPLES and isinstance(node.targets[0], ast.Tuple):
            found.append(ast.unparse(node))
    return found


def test_the_checks_see_what_they_are_for():
    lines = "slots[slot, 2]", "state[0]", "work[3]", "layout.groups[g, 1]", "closer[2:4]", "a, _ = work", "b, c = tree_"
    for line in lines:
        assert numbered(ast.parse(line)) == [line]
    by_name = "slots[0, SLOT] + nodes[m] + sums[node, 0] + spans[0, block, START] + state[PHASE]"
    assert numbered(ast.parse(by_name)) == []
    assert [kernel.name for kernel in kernels(ast.parse("@kernel(inner=True)\ndef f(a): ...\ndef g(): ..."))] == ["f"]


WITH_KERNELS = [path for path in sorted(PACKAGE.rglob("*.py")) if kernels(parsed(path))]


@pytest.mark.parametrize("path", WITH_KERNELS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_kernels_take_few_parameters(path):
    counts = {kernel.name: len(kernel.args.args) for kernel in kernels(parsed(path))}
    assert {name: count for name, count in counts.items() if count > MOST_PARAMETERS} == {}


def test_kernels_are_found():
    assert len(WITH_KERNELS) > 10


@pytest.mark.parametrize("path", WEAK, ids=lambda path: path.name)
def test_no_array_and_no_column_is_taken_by_number(path):
    assert numbered(parsed(path)) == []


@pytest.mark.parametrize("path", WEAK, ids=lambda path: path.name)
def test_names_of_the_layout_are_defined_there_alone(path):
    names = {name for name in vars(layout) if name.isupper()}
    assert {"BLOCK", "BINS", "MISSING", "PHASE", "LOOK", "HOME", "SLOT"} <= names
    for node in parsed(path).body if path.name != "layout.py" else ():
        targets = node.targets if isinstance(node, ast.Assign) else []
        defined = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        assert not defined & names


def test_every_column_of_a_table_has_a_name():
    columns = {
        "slots": (layout.SLOT, layout.FEATURE_OF, layout.SUMMED, layout.APART, layout.SYMBOLS, layout.VALUES),
        "groups": (layout.MOST_BINS, layout.HAS_MISSING),
        "spans": (layout.START, layout.STOP),
        "blocks": (layout.HEIGHT, layout.LEFT_ROWS, layout.MISSING_ROWS, layout.LEFT_MASS, layout.NUMBER),
        "nodes": (
            layout.FEATURE,
            layout.CUT,
            layout.MISSING_LEFT,
            layout.LEFT,
            layout.RIGHT,
            layout.ROWS,
        ),
        "splits": (layout.SPLIT_SLOT, layout.SPLIT_CUT, layout.SPLIT_LEFT, layout.HOME),
        "state": (layout.PHASE, layout.NODE, layout.SIBLING, layout.N_NODES, layout.N_LEAVES),
        "look": (layout.LOOK_NODE, layout.LOOK_SLOTS, layout.LOOK_DONE),
    }
    assert set(columns) == TABLES
    for name, numbers in columns.items():
        assert numbers == tuple(range(len(numbers))), name
