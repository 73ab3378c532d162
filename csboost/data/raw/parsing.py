"""Turn a block of records into the loans of the window: select by the key fields, then parse with Arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from csboost.data.credit_table import GRADES
from csboost.data.errors import DataError
from csboost.data.raw import columns, spellings
from csboost.data.raw.blocks import KEY, Block, gather_records, key_fields

_TEXT = pa.dictionary(pa.int32(), pa.string())
_FEW_FIELDS = 2  # a record with at most so many fields is a title or a total, not a damaged loan


@dataclass
class Plan:
    """What to read from one file and how.

    Attributes
    ----------
    name : str
        Of the file.
    width : int
        Fields per record.
    places : dict
        Column name -> place of its field: features, month of issue, grade (or sub-grade) and id, where there are such.
    window : (int, int) or None
        First and last month of issue; None keeps every loan, dated or not.
    spelled : set of str
        Numbers found to be spelled with signs (``92.7%``), which are read as text.
    """

    name: str
    width: int
    places: dict[str, int]
    window: tuple[int, int] | None
    spelled: set[str] = field(default_factory=set)

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
    """The loans of one block and the counts of what was left out."""

    table: pa.Table
    counts: Counter[str]
    unreadable: Counter[str]
    months: tuple[int, int] | None


def parse_block(block: Block, plan: Plan) -> Parsed:
    """Keep the loans of the window and convert their columns.

    Returns
    -------
    Parsed
        ``table`` has float64 numbers, int32 months (``spellings.NO_MONTH`` if absent), int8 grades and text with a
        dictionary.
    """
    keep, counts, months = _select(block, plan)
    text = gather_records(block.text, block.ends, keep)
    try:
        raw = _tokenise(text, plan, plan.spelled)
    except pa.ArrowInvalid:  # a number with a sign: read every number of this block as text and note which need it
        raw = _tokenise(text, plan, columns.NUMBERS)
    unreadable: Counter[str] = Counter()
    arrays: dict[str, Any] = {}
    for name in raw.column_names:
        column = raw[name].combine_chunks()
        if name == plan.label:
            arrays["grade"] = pa.array(_lookup(column, _grade_codes(_levels(column), plan.label), -1))
        else:
            arrays[name] = _convert(column, name, plan, unreadable)
    return Parsed(pa.table(arrays), counts, unreadable, months)


def _select(block: Block, plan: Plan) -> tuple[np.ndarray, Counter[str], tuple[int, int] | None]:
    """Which records to parse, the counts of the others, and the first and last month of all loans."""
    sound = block.widths == plan.width
    keys = key_fields(block, plan.keys)
    grades = _key_values(keys[:, 0], lambda texts: _grade_codes(texts, plan.label))
    keep = sound & (grades >= 0)
    long, short = block.widths > plan.width, (block.widths < plan.width) & (block.widths > _FEW_FIELDS)
    counts = Counter(
        records=int((block.widths > 0).sum()),
        too_long=int(long.sum()),
        too_short=int(short.sum()),
        loans=int(keep.sum()),
    )
    counts["non_loans"] = counts["records"] - counts["loans"] - counts["too_long"] - counts["too_short"]
    if keys.shape[1] == 1:
        return keep, counts, None
    issued = _key_values(keys[:, 1], spellings.months)
    dated = issued[keep & (issued != spellings.NO_MONTH)]
    counts["undated"] = counts["loans"] - len(dated)
    if plan.window is not None:
        keep &= (issued >= plan.window[0]) & (issued <= plan.window[1])
        counts["outside"] = len(dated) - int(keep.sum())
    return keep, counts, (int(dated.min()), int(dated.max())) if len(dated) else None


def _key_values(keys: np.ndarray, read: Any) -> np.ndarray:
    """Read one key field of all records, each spelling once."""
    texts = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(KEY), len(keys), [None, pa.py_buffer(np.ascontiguousarray(keys))]
    ).dictionary_encode()
    levels = [level.rstrip(b"\0").decode("latin-1") for level in texts.dictionary.to_pylist()]
    return read(levels)[texts.indices.to_numpy()]


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


def _grade_codes(texts: Sequence[str | None], label: str) -> np.ndarray:
    """Codes 0..6 of grades such as "B" or sub-grades such as "B3", int8, -1 for anything else."""
    known = [(text or "").strip().upper() for text in texts]
    length = 1 if label == "grade" else 2
    return np.array([GRADES.index(t[0]) if len(t) == length and t[0] in GRADES else -1 for t in known], dtype=np.int8)


def _levels(column: pa.DictionaryArray) -> list[str | None]:
    return column.dictionary.to_pylist()


def _lookup(column: pa.DictionaryArray, values: np.ndarray, absent: Any) -> np.ndarray:
    """Replace each code of a dictionary-encoded column by its value, ``absent`` where it is null."""
    codes = pc.fill_null(column.indices, len(values)).to_numpy(zero_copy_only=False)
    return np.append(values, np.array(absent, dtype=values.dtype))[codes]


def _convert(column: pa.Array, name: str, plan: Plan, unreadable: Counter[str]) -> pa.Array:
    if name in columns.CATEGORIES or name == "id":
        return column
    if column.type == pa.float64():
        return pc.fill_null(column, np.nan)
    levels = _levels(column)
    if name in columns.DATES or name == columns.ISSUED:
        return pa.array(_lookup(column, spellings.months(levels), spellings.NO_MONTH))
    if name in (columns.TERM, columns.EMPLOYMENT):
        read = spellings.terms if name == columns.TERM else spellings.employment_years
        return pa.array(_lookup(column, read(levels), np.nan))
    values = _lookup(column, np.array([spellings.number(text) for text in levels], dtype=float), np.nan)
    failed = int((np.isnan(values) & column.is_valid().to_numpy(zero_copy_only=False)).sum())
    if failed:
        unreadable[name] += failed
    if any("%" in (text or "") for text in levels):
        plan.spelled.add(name)
    return pa.array(values)
