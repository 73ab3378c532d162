"""The public names of the package, with their methods and properties, for tests of types and docstrings."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

PACKAGES = (
    "csboost",
    "csboost.costs",
    "csboost.data",
    "csboost.decisions",
    "csboost.explain",
    "csboost.metrics",
    "csboost.plots",
    "csboost.tables",
    "csboost.weak",
    *(["csboost.dask"] if importlib.util.find_spec("distributed") else []),
)


class Thing(NamedTuple):
    """A public class, function, method or property."""

    name: str
    kind: str
    value: Any  # a property's getter, a class method's function


def described(package: str) -> Iterator[Thing]:
    """What of a package's public names has a docstring of its own to be judged."""
    module = importlib.import_module(package)
    names = {*module.__all__, *({"BayesDecisionClassifier"} if package == "csboost.costs" else ())}
    for name in sorted(names):
        value = getattr(module, name)
        if inspect.isclass(value):
            yield Thing(f"{package}.{name}", "class", value)
            yield from _members(f"{package}.{name}", value)
        elif inspect.isroutine(value):
            yield Thing(f"{package}.{name}", "function", value)


def _members(prefix: str, owner: type) -> Iterator[Thing]:
    """Methods and properties, those of the package's own base classes too."""
    own = {}
    for home in reversed(owner.__mro__):
        if home.__module__.partition(".")[0] == "csboost":
            own |= vars(home)
    for name, value in sorted(own.items()):
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            yield Thing(f"{prefix}.{name}", "property", value.fget)
        elif isinstance(value, classmethod):
            yield Thing(f"{prefix}.{name}", "method", value.__func__)
        elif inspect.isfunction(value):
            yield Thing(f"{prefix}.{name}", "method", value)
        elif hasattr(value, "fn"):  # a method that is there on a condition only
            yield Thing(f"{prefix}.{name}", "method", value.fn)
