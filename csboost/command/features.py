"""The columns that a model reads from a file, and how their cells become values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from csboost.command.categories import Names, merged, names_of, text_of
from csboost.command.printing import say
from csboost.data.errors import DataError
from csboost.tables.columns import CATEGORY, DATE, NUMBER, UNUSED, Column

_KINDS = {NUMBER, CATEGORY, DATE, UNUSED}
_SHOWN = 10


def columns_to_info(columns: Sequence[Column]) -> list[list[str]]:
    """Columns as the model file holds them."""
    return [[column.name, column.kind, column.decimal, column.dates, column.remark] for column in columns]


def columns_of(model: Any, path: Path) -> list[Column]:
    """The columns of the file that a model was fitted on, by what its file says, else by the names of its features.

    Raises
    ------
    DataError
        For a model that does not know the names of its features, or whose file says what cannot be.
    """
    said = getattr(model, "info_", {}).get("columns")
    names = getattr(model, "feature_names_in_", None)
    if said is None:
        if names is None:
            raise DataError(
                f"{path}: the model was fitted on an array, so it does not know the names of its columns. Fit it on a "
                "DataFrame, or with `csboost fit`."
            )
        try:
            names_of(model, list(names))
            kinds = [NUMBER if text is False else CATEGORY for text in text_of(model, list(names))]
        except ValueError as error:
            raise DataError(f"{path} cannot decide on files: {error}.") from None
        return [Column(str(name), kind) for name, kind in zip(names, kinds, strict=True)]
    try:
        found = [Column(*map(_text, parts)) for parts in said]
    except TypeError:
        found = []
    used = [column.name for column in found if column.kind != UNUSED]
    if any(column.kind not in _KINDS for column in found) or names is None or used != list(names):
        raise DataError(f"{path} was edited: its columns are not those of the model. Fit the model again.")
    return found


def levels_of(model: Any) -> dict[str, Names]:
    """The categories that a model tells apart, by the names of its columns; columns whose rare ones it merges lack."""
    names = list(getattr(model, "feature_names_in_", ()))
    rare = merged(model, names)
    return {name: levels for name, levels in names_of(model, names).items() if name not in rare}


def _text(part: Any) -> str:
    if not isinstance(part, str):
        raise TypeError
    return part


def check_columns(
    columns: Sequence[Column], there: Sequence[str], file: Path, model: Any, copied: Sequence[str] = ()
) -> None:
    """Refuse a file that lacks columns of the model, and say which of its columns the model does not know.

    Raises
    ------
    DataError
    """
    used = [column.name for column in columns if column.kind != UNUSED]
    missing = [name for name in used if name not in there]
    if missing:
        alike = {name.casefold().strip(): name for name in there}
        near = [f"{alike[name.casefold()]!r} is likely {name!r}" for name in missing if name.casefold() in alike]
        hint = f" {'; '.join(near[:_SHOWN])}: rename {'it' if len(near) == 1 else 'them'}." if near else ""
        raise DataError(
            f"{file} lacks {len(missing)} of the {len(used)} columns that the model reads: {_listed(missing)}.{hint} "
            f"It has: {_listed(there)}."
        )
    target = getattr(model, "info_", {}).get("target")
    known = {*(column.name for column in columns), *copied, *([target] if isinstance(target, str) else [])}
    extra = [name for name in there if name not in known]
    if extra:
        say(f"Columns that the model does not know are passed over: {_listed(extra)}.")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
