"""Turn a block of records into the loans of the window: select by the key fields, then parse with Arrow."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from csboost.data.errors import DataError
from csboost.data.lending_club.raw import columns, spellings
from csboost.data.lending_club.raw.blocks import Block, gather_records
from csboost.data.lending_club.raw.conversion import convert
from csboost.data.lending_club.raw.findings import Findings
from csboost.data.lending_club.raw.selection import select

_TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass
class Plan:
    """What to read from one file and how.

    Attributes
    ----------
    name : str
        Of the file.
    header : list of str
        Its columns.
    places : dict
        Column name -> place of its field: features, month of issue, grade (or sub-grade) and id, where there are such.
    window : (int, int) or None
        First and last month of issue; None keeps every loan, dated or not.
    spelled : set of str
        Numbers found to be spelled with signs (``92.7%``), which are read as text.
    """

    name: str
    header: list[str]
    places: dict[str, int]
    window: tuple[int, int] | None
    spelled: set[str] = field(default_factory=set)

    @property
    def width(self) -> int:
        """Fields per record."""
        return len(self.header)

    @property
    def label(self) -> str:
        """The column that tells the grade."""
        return "grade" if "grade" in self.places else "sub_grade"

    @property
    def keys(self) -> np.ndarray:
        """Places of the grade and, if there is one, of the month of issue."""
        names = [self.label, *([columns.ISSUED] if columns.ISSUED in self.places else [])]
        return np.array([self.places[name] for name in names], dtype=np.int64)


@dataclass
class Parsed:
    """The loans of one block, what else was found in it, and the first and last month of all its loans."""

    table: pa.Table
    found: Findings
    months: tuple[int, int] | None


def parse_block(block: Block, plan: Plan) -> Parsed:
    """Keep the loans of the window and convert their columns.

    Returns
    -------
    Parsed
        ``table`` has float64 numbers, int32 months (``spellings.NO_MONTH`` if absent), int8 grades and text with a
        dictionary.
    """
    found = Findings()
    keep, months = select(block, plan, found)
    text = gather_records(block.text, block.ends, keep)
    try:
        raw = _tokenise(text, plan, plan.spelled)
    except pa.ArrowInvalid:  # a number with a sign: read every number of this block as text and note which need it
        raw = _tokenise(text, plan, columns.NUMBERS)
    arrays: dict[str, Any] = {}
    for name in raw.column_names:
        column = raw[name].combine_chunks()
        arrays["grade" if name == plan.label else name] = convert(column, name, plan, found)
    return Parsed(pa.table(arrays), found, months)


def _tokenise(text: np.ndarray, plan: Plan, spelled: Collection[str]) -> pa.Table:
    types = {str(place): _type(name, spelled) for name, place in plan.places.items()}
    if text.size == 0:
        return pa.table({name: pa.array([], _type(name, spelled)) for name in plan.places})
    try:
        table = csv.read_csv(
            pa.py_buffer(text),
            csv.ReadOptions(
                column_names=[str(place) for place in range(plan.width)], use_threads=False, block_size=text.size + 1
            ),
            csv.ParseOptions(newlines_in_values=True),
            csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=spellings.MISSING, strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid as error:
        if "conversion error to double" in str(error):
            raise
        raise _unparsable(plan, str(error)) from error
    return table.rename_columns(list(plan.places))


def _unparsable(plan: Plan, cause: str) -> DataError:
    if "invalid UTF8" in cause:
        place = int(cause.split("#")[1].split(":")[0])
        name = next(name for name, at in plan.places.items() if at == place)
        return DataError(f"{plan.name}: column {name} holds bytes that are not UTF-8: save the file as UTF-8.")
    return DataError(f"{plan.name} cannot be parsed as CSV: {cause}.")


def _type(name: str, spelled: Collection[str]) -> pa.DataType:
    if name in columns.NUMBERS and name not in spelled:
        return pa.float64()
    return pa.string() if name == "id" else _TEXT
