"""What the files of a results folder must hold, and in words what is wrong with one that a hand has damaged.

Rows and settings are plain JSON, so people do open and change them. What is read here is checked at the door: behind
it, tables, figures and reports may take every field for what it should be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Keys = tuple[str, ...]


class Kind(NamedTuple):
    """A kind of value: how it is told, and its name in a message."""

    accepts: Callable[[Any], bool]
    name: str


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
POSITIVE = Kind(lambda value: _is_number(value) and value > 0, "a number above 0")
NUMBERS = Kind(lambda value: _is_list(value, _is_number), "a list of numbers")
OBJECT = Kind(lambda value: isinstance(value, dict), "an object in braces")
VERSIONS = Kind(lambda value: isinstance(value, dict) and all(map(_is_text, value.values())), "packages and versions")
REASONS = Kind(VERSIONS.accepts, "an object of texts")
ENVIRONMENT = Kind(_is_environment, "an object with date, processor, cores and versions")
BAYES = Kind(_is_bayes, "a pair of numbers per scenario")
TABLE = Kind(_is_table, "a list of objects of texts and numbers")
STATUS = Kind(lambda value: value in ("done", "failed"), "'done' or 'failed'")

KEY = {"scenario": TEXT, "costs": TEXT, "algorithm": TEXT, "protocol": TEXT, "replication": WHOLE, "status": STATUS}
"""What every row has."""

_FIT = {"test_cost": NUMBER, "cost_curve": NUMBERS, "fit_seconds": NUMBER, "predict_seconds": NUMBER}
_WORK = {
    "measure": TEXT,
    "cache": TEXT,
    "variant": TEXT,
    "n": WHOLE,
    "d": WHOLE,
    "K": WHOLE,
    "rounds": WHOLE,
    "threads": COUNT,
}
DONE = {
    "credit": _FIT,
    "simulations": _FIT,
    "timing": {**_WORK, "unit": TEXT, "value": POSITIVE},
    "calibration": {"lines": TABLE, "fit_seconds": NUMBER},
    "readings": {"test_cost": NUMBER},
}
"""Study -> what its finished rows have besides."""

EVERY = {"timing": {"work": TEXT, "size": TEXT}}
"""Study -> what its rows have besides, finished or failed."""

OF_MEASURE = {
    "round": {"fit_rounds": COUNT, "fit_seconds": NUMBER},
    "memory": {"fit_bytes": NUMBER},
    "first fit": {"import_seconds": NUMBER},
}
"""What the timing study takes -> what such a row has besides."""

MAYBE = {
    "peak_memory_bytes": Kind(lambda value: value is None or _is_number(value), "a number"),
    "process": WHOLE,
    "against": TEXT,
    "setup_seconds": NUMBER,
    "second_seconds": NUMBER,
    "warm_seconds": NUMBER,
}
"""What a row need not have."""

SETTINGS: dict[Keys, Kind] = {
    ("study",): TEXT,
    ("fingerprint",): OBJECT,
    ("fingerprint", "seed"): WHOLE,
    ("fingerprint", "rounds"): COUNT,
    ("selection",): OBJECT,
    ("selection", "scenarios"): NAMES,
    ("selection", "algorithms"): NAMES,
    ("selection", "protocols"): NAMES,
    ("selection", "replications"): COUNT,
    ("command",): TEXT,
    ("title",): TEXT,
    ("notes",): TEXTS,
    ("absent",): REASONS,
    ("environment",): ENVIRONMENT,
    ("bayes_cost",): BAYES,
}
"""What ``settings.json`` may hold, and as what."""


def fault_of_row(row: Any, study: str | None = None) -> str | None:
    """Return what is wrong with a row of a study, or None."""
    if not isinstance(row, dict):
        return "it is no object in braces"
    wanted = dict(KEY)
    if study in DONE:
        wanted |= {"versions": VERSIONS, **EVERY.get(study, {})}
        if row.get("status") == "done":
            wanted |= DONE[study]
            wanted |= OF_MEASURE.get(str(row.get("measure")), {})
            wanted |= {name: kind for name, kind in MAYBE.items() if name in row}
    if row.get("status") == "failed":
        wanted["error"] = TEXT
    if study is not None and row.get("study", study) != study:
        return f"its study is {shown(row['study'])}, not {study!r}"
    return next((f"{name} {what}" for name, what in _faults(row, wanted)), None)


def _faults(row: Mapping[str, Any], wanted: Mapping[str, Kind]) -> Iterator[tuple[str, str]]:
    for name, kind in wanted.items():
        if name not in row:
            yield name, "is missing"
        elif not kind.accepts(row[name]):
            yield name, f"is {shown(row[name])}, not {kind.name}"


def fault_of_settings(settings: Any) -> tuple[Keys, str] | None:
    """Return where the settings are wrong, as a path of keys, and how; None for sound ones."""
    if not isinstance(settings, dict):
        return (), "it is no object in braces"
    for keys, kind in SETTINGS.items():
        parent = settings.get(keys[0], {}) if len(keys) > 1 else settings
        if keys[-1] in parent and not kind.accepts(parent[keys[-1]]):
            return keys, f"{'.'.join(keys)} is {shown(parent[keys[-1]])}, not {kind.name}"
    return None


def shown(value: Any) -> str:
    """Return a value for a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def line_of(text: str, keys: Keys) -> int:
    """Return the line of a JSON text, written one key a line, that holds a path of keys; 1 if none does."""
    found = 1
    lines = text.splitlines()
    for key in keys:
        found = next((n for n in range(found, len(lines) + 1) if lines[n - 1].lstrip().startswith(f'"{key}"')), found)
    return found
