"""Convert the columns of a block: each spelling once, with a note of every cell that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from csboost.data.lending_club.raw import columns, spellings
from csboost.data.lending_club.raw.findings import Findings
from csboost.data.lending_club.raw.selection import grade_codes, note_day_orders

if TYPE_CHECKING:
    from csboost.data.lending_club.raw.parsing import Plan


def convert(column: pa.Array, name: str, plan: Plan, found: Findings) -> pa.Array:
    """Convert one column of the kept loans.

    Returns
    -------
    Array
        float64 numbers, NaN if missing; int32 months, ``spellings.NO_MONTH`` if missing; int8 grades; text as it is.
    """
    if name in columns.CATEGORIES or name == "id":
        return column
    if column.type == pa.float64():
        return _plausible(column, name, found)
    levels = column.dictionary.to_pylist()
    if name == plan.label:
        return pa.array(_lookup(column, grade_codes(levels, name), -1))
    if name == columns.ISSUED:  # what cannot be read was counted when the window was chosen
        return pa.array(_lookup(column, spellings.months(levels), spellings.NO_MONTH))
    if name in columns.DATES:
        note_day_orders(name, levels, found)
        return _read(column, name, levels, spellings.months(levels), spellings.NO_MONTH, found)
    if name == columns.TERM:
        return _read(column, name, levels, spellings.terms(levels), np.nan, found)
    if name == columns.EMPLOYMENT:
        return _read(column, name, levels, spellings.employment_years(levels), np.nan, found)
    for level in levels:
        if use := spellings.comma_use(level):
            found.uses.setdefault((name, use), level)
    if any("%" in level for level in levels):
        plan.spelled.add(name)
    values = np.array([spellings.number(level) for level in levels], dtype=np.float64)
    return _read(column, name, levels, values, np.nan, found)


def _plausible(column: pa.Array, name: str, found: Findings) -> pa.Array:
    """Numbers that Arrow could read; ``inf`` and what no loan can have count as unreadable."""
    values = pc.fill_null(column, np.nan).to_numpy()
    wild = np.abs(values) > spellings.LARGEST
    if not wild.any():
        return pa.array(values)
    found.unreadable[name] += int(wild.sum())
    found.examples.setdefault(name, str(values[wild][0]))
    return pa.array(np.where(wild, np.nan, values))


def _read(
    column: pa.DictionaryArray, name: str, levels: Sequence[str], values: np.ndarray, absent: Any, found: Findings
) -> pa.Array:
    """Replace the codes by ``values``, one per level, and count the cells whose level has none."""
    failed = np.isnan(values) if values.dtype == np.float64 else values == absent
    count = int(_lookup(column, failed, False).sum())
    if count:
        found.unreadable[name] += count
        found.examples.setdefault(name, levels[int(np.argmax(failed))])
    return pa.array(_lookup(column, values, absent))


def _lookup(column: pa.DictionaryArray, values: np.ndarray, absent: Any) -> np.ndarray:
    """Replace each code of a dictionary-encoded column by its value, ``absent`` where it is null."""
    codes = pc.fill_null(column.indices, len(values)).to_numpy(zero_copy_only=False)
    return np.append(values, np.array(absent, dtype=values.dtype))[codes]
