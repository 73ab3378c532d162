"""What a file says of its model beside the model: data that JSON holds as they are, of which nothing is made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

__all__ = ["checked_info"]

_MOST_LEVELS = 20


def checked_info(info: Any) -> dict[str, Any]:
    """A copy of ``info`` in which lists and dicts are plain ones.

    Raises
    ------
    ValueError
        For what JSON cannot hold; the message says where it stands.
    """
    if not isinstance(info, Mapping):
        raise ValueError(f"info must be a dict, got {type(info).__name__}")
    found: dict[str, Any] = _plain(info, "info", 0)
    return found


def _plain(value: Any, where: str, level: int) -> Any:
    if value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
        return value
    if level == _MOST_LEVELS:
        raise ValueError(f"{where} is nested too deeply")
    if isinstance(value, Mapping):
        for key in value:
            if type(key) is not str:
                raise ValueError(f"{where} has the key {key!r}: keys must be text")
        return {key: _plain(part, f"{where}[{key!r}]", level + 1) for key, part in value.items()}
    if type(value) in (list, tuple):
        return [_plain(part, f"{where}[{place}]", level + 1) for place, part in enumerate(value)]
    what = repr(value) if isinstance(value, float) else f"of the class {type(value).__name__}"
    raise ValueError(f"{where} is {what}: give text, finite numbers, True, False, None, lists and dicts")
