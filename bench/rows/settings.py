"""``settings.json`` of a results folder: what its rows were made with, read so that damage is told in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bench.exits import UnusableError
from bench.records import Keys, fault_of_settings, line_of

SETTINGS = "settings.json"


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
