"""Kinds of values that files of a results folder hold, and how a message tells what is wrong with one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """A kind of value: how it is told, and its name in a message."""

    accepts: Callable[[Any], bool]
    name: str

    def fault(self, value: Any) -> str | None:
        """Return what is wrong with a value, or None."""
        return None if self.accepts(value) else f"is {shown(value)}, not {self.name}"


def shown(value: Any) -> str:
    """Return a value for a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_list(value: Any, accepts: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(accepts, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any) -> bool:
    return _is_list(
        value, lambda line: isinstance(line, dict) and all(_is_text(v) or _is_number(v) for v in line.values())
    )


def _is_environment(value: Any) -> bool:
    if value == {}:
        return True
    known = isinstance(value, dict) and all(_is_text(value.get(name)) for name in ("date", "processor"))
    return known and "cores" in value and VERSIONS.accepts(value.get("versions"))


def _is_bayes(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_list(pair, _is_number) and len(pair) == 2 for pair in value.values())


TEXT = Kind(_is_text, "a text")
TEXTS = Kind(lambda value: _is_list(value, _is_text), "a list of texts")
NAMES = Kind(lambda value: _is_list(value, _is_text) and bool(value), "a list of names")
WHOLE = Kind(_is_whole, "a whole number of at least 0")
COUNT = Kind(lambda value: _is_whole(value) and value > 0, "a whole number of at least 1")
NUMBER = Kind(_is_number, "a number")
NUMBER_IF_KNOWN = Kind(lambda value: value is None or _is_number(value), "a number")
POSITIVE = Kind(lambda value: _is_number(value) and value > 0, "a number above 0")
NUMBERS = Kind(lambda value: _is_list(value, _is_number), "a list of numbers")
OBJECT = Kind(lambda value: isinstance(value, dict), "an object in braces")
VERSIONS = Kind(lambda value: isinstance(value, dict) and all(map(_is_text, value.values())), "packages and versions")
REASONS = Kind(VERSIONS.accepts, "an object of texts")
ENVIRONMENT = Kind(_is_environment, "an object with date, processor, cores and versions")
BAYES = Kind(_is_bayes, "a pair of numbers per scenario")
TABLE = Kind(_is_table, "a list of objects of texts and numbers")
STATUS = Kind(lambda value: value in ("done", "failed"), "'done' or 'failed'")
