"""No module imports itself, however long the way round: a module can be read, moved and tested without its callers."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def modules_of(package, root=ROOT):
    """Module name -> its file."""
    found = {}
    for path in (root / package).rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_for_types(node):
    """Whether a block is read by type checkers alone."""
    names = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node.test)}
    return "TYPE_CHECKING" in names


def imports_in(tree):
    """Every import of a module, those within functions too, but for those of type checkers."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and is_for_types(node):
            pending += node.orelse
        else:
            pending += ast.iter_child_nodes(node)


def names_in(node, module, is_package):
    """What an import may name: each is a module, or something in the module before its last dot."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
    home = ".".join([*above, *([node.module] if node.module else [])])
    return [f"{home}.{alias.name}" for alias in node.names]


def graph_of(package, root=ROOT):
    """Module -> the modules of its package that it imports."""
    modules = modules_of(package, root)
    graph = {}
    for module, path in modules.items():
        named = [
            name
            for node in imports_in(ast.parse(path.read_text(encoding="utf-8")))
            for name in names_in(node, module, path.name == "__init__.py")
        ]
        homes = {name if name in modules else name.rpartition(".")[0] for name in named}
        graph[module] = sorted(homes & modules.keys())
    return graph


def circles_in(graph):
    """The sets of modules that reach one another, by Tarjan's algorithm."""
    number, lowest, stack, circles = {}, {}, [], []

    def visit(module):
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in graph[module]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            members = stack[stack.index(module) :]
            del stack[-len(members) :]
            if len(members) > 1 or module in graph[module]:
                circles.append(sorted(members))

    for module in graph:
        if module not in number:
            visit(module)
    return circles


@pytest.mark.parametrize("package", ["csboost", "bench"])
def test_no_import_leads_back_to_where_it_started(package):
    graph = graph_of(package)
    assert sum(map(len, graph.values())) > len(graph)
    assert circles_in(graph) == []


def test_circles_are_found_in_functions_and_relative_imports_but_not_in_types(tmp_path):
    files = {
        "a/__init__.py": "",
        "a/one.py": "def late():\n    from a import two\n",
        "a/two.py": "from .three import name\n",
        "a/three.py": "try:\n    import a.one\nexcept ImportError:\n    pass\nname = 1\n",
        "a/four.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import five\n",
        "a/five.py": "from a.four import name\nfrom a.three import name\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert circles_in(graph_of("a", tmp_path)) == [["a.one", "a.three", "a.two"]]


@pytest.mark.parametrize("package", ["csboost.bayes", "csboost.costs", "csboost.dask", "csboost.decisions"])
def test_files_use_only_those_that_their_package_names_before_them(package):
    graph = graph_of("csboost")
    files = {path.stem for path in (ROOT / package.replace(".", "/")).glob("*.py")} - {"__init__"}
    named = re.findall("``([a-z_]+)``", importlib.import_module(package).__doc__)
    order = [name for name in dict.fromkeys(named) if name in files]
    assert files - set(order) == set()
    later = [
        (name, other)
        for place, name in enumerate(order)
        for other in graph[f"{package}.{name}"]
        if other.rpartition(".")[0] == package and other.rpartition(".")[2] not in order[:place]
    ]
    assert later == []


def test_costs_and_decisions_know_nothing_that_is_built_on_them():
    known = {"costs": {"_inputs", "_lazy"}, "decisions": {"_inputs", "_lazy", "costs"}}
    upwards = [
        (module, other)
        for module, others in graph_of("csboost").items()
        for other in others
        for room in [module.split(".")[1] if "." in module else ""]
        if room in known and other.split(".")[1] not in {room, *known[room]}
    ]
    assert upwards == []


ROOMS = [
    {"exits", "extras", "machine", "printing", "algorithms", "protocols"},
    {"rows"},
    {"suite", "competitors"},
    {"studies", "published"},
    {"run"},
    {"show"},
    {"command"},
]
"""The rooms of the benchmark from the ground up: a room knows those below it and never those above. What is not
listed is a command, on the top floor."""

MAINS = {"bench.protocols.readings"}  # it stands by the protocols, and is a main all the same


def test_the_rooms_of_the_benchmark_know_only_those_below_them():
    floor = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}

    def level_of(module):
        return floor.get(module.split(".")[1], len(ROOMS)) if "." in module else 0

    upwards = [
        (module, other)
        for module, others in graph_of("bench").items()
        for other in others
        if module not in MAINS and level_of(other) > level_of(module)
    ]
    assert upwards == []
