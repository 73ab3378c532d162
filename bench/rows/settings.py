"""``settings.json`` of a results folder: what its rows were made with, read so that damage is told in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bench.exits import UnusableError
from bench.rows.kinds import BAYES, COUNT, ENVIRONMENT, NAMES, OBJECT, REASONS, TEXT, TEXTS, WHOLE, Kind

SETTINGS = "settings.json"

Keys = tuple[str, ...]

DECLARED: dict[Keys, Kind] = {
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
    ("about",): OBJECT,
}
"""What the file may hold, and as what."""


def read_settings(folder: Path) -> dict[str, Any]:
    """Return the settings of a folder, empty when it has none.

    Raises
    ------
    UnusableError
        When the file is there but cannot be read, or holds what it should not.
    """
    path = folder / SETTINGS
    if not path.exists():
        return {}
    try:
        settings: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise UnusableError(f"{path} cannot be read ({error.strerror}); choose another --out.") from None
    except (ValueError, RecursionError) as error:
        line, what = getattr(error, "lineno", 1), getattr(error, "msg", "it is no JSON")
        raise _unusable(folder, line, f"not whole ({what})") from None
    fault = fault_of_settings(settings)
    if fault is not None:
        raise damaged(folder, *fault)
    return settings


def fault_of_settings(settings: Any) -> tuple[Keys, str] | None:
    """Return where the settings are wrong, as a path of keys, and how; None for sound ones."""
    if not isinstance(settings, dict):
        return (), "it is no object in braces"
    for keys, kind in DECLARED.items():
        parent = settings.get(keys[0], {}) if len(keys) > 1 else settings
        fault = kind.fault(parent[keys[-1]]) if keys[-1] in parent else None
        if fault is not None:
            return keys, f"{'.'.join(keys)} {fault}"
    return None


def line_of(text: str, keys: Keys) -> int:
    """Return the line of a JSON text, written one key a line, that holds a path of keys; 1 if none does."""
    found = 1
    lines = text.splitlines()
    for key in keys:
        found = next((n for n in range(found, len(lines) + 1) if lines[n - 1].lstrip().startswith(f'"{key}"')), found)
    return found


def damaged(folder: Path, keys: Keys, what: str) -> UnusableError:
    """Return the error of settings that are wrong at a path of keys."""
    return _unusable(folder, line_of(_text(folder), keys), what)


def _unusable(folder: Path, line: int, what: str) -> UnusableError:
    return UnusableError(
        f"{folder / SETTINGS}, line {line}: {what}. Mend that line; or give --fresh to delete the results, or another "
        "--out to leave them."
    )


def _text(folder: Path) -> str:
    try:
        return (folder / SETTINGS).read_text(errors="replace")
    except OSError:
        return ""


def require(folder: Path, settings: dict[str, Any], *needed: Keys) -> None:
    """Refuse settings that lack one of the paths of keys (UnusableError)."""
    for keys in needed:
        found: Any = settings
        for depth, key in enumerate(keys):
            if key not in found:
                what = f"{'.'.join(keys)} is missing; the same command without --render-only writes it"
                raise damaged(folder, keys[:depth], what)
            found = found[key]


def belongs_to(folder: Path, study: str) -> bool:
    """Return whether the settings name this study, be they damaged otherwise."""
    try:
        return read_settings(folder).get("study") == study
    except UnusableError:
        return re.search(rf'"study"\s*:\s*{re.escape(json.dumps(study))}', _text(folder)) is not None


def differences(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return in words which settings differ; empty when none does."""
    changed = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
    return "; ".join(f"{name} was {_said(before, name)}, is now {_said(now, name)}" for name in changed)


def _said(settings: dict[str, Any], name: str) -> str:
    value = settings.get(name)
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
