"""Choose the records of a block that are loans of the window, by their two key fields alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from csboost.data.lending_club.raw import columns, spellings
from csboost.data.lending_club.raw.blocks import KEY, Block, key_fields
from csboost.data.lending_club.raw.findings import Findings
from csboost.data.lending_club.table import GRADES

if TYPE_CHECKING:
    from csboost.data.lending_club.raw.parsing import Plan

_FEW_FIELDS = 2  # a record with at most so many fields is a title or a total, not a damaged loan
_SHOWN = 3  # spellings per block that are remembered for messages


class Selected(NamedTuple):
    """Which records to parse (n_records,), and the first and last month of all loans of the block."""

    keep: np.ndarray
    months: tuple[int, int] | None


def select(block: Block, plan: Plan, found: Findings) -> Selected:
    """Choose the loans of the window and count the other records in ``found``."""
    sound = block.widths == plan.width
    keys = key_fields(block, plan.keys)
    texts, codes = _levels(keys[:, 0])
    grades = grade_codes(texts, plan.label)[codes]
    keep = sound & (grades >= 0)
    _count_records(block, plan, grades, keep, found)
    found.spellings[plan.label] = _frequent(texts, codes[sound & (grades < 0)])
    if keys.shape[1] == 1:
        return Selected(keep, None)
    texts, codes = _levels(keys[:, 1])
    issued = spellings.months(texts)[codes]
    dated = issued[keep & (issued != spellings.NO_MONTH)]
    found.counts["undated"] = found.counts["loans"] - len(dated)
    found.spellings[columns.ISSUED] = _frequent(texts, codes[keep & (issued == spellings.NO_MONTH)])
    note_day_orders(columns.ISSUED, [texts[code] for code in np.unique(codes[keep])], found)
    if plan.window is not None:
        keep &= (issued >= plan.window[0]) & (issued <= plan.window[1])
        found.counts["outside"] = len(dated) - int(keep.sum())
    return Selected(keep, (int(dated.min()), int(dated.max())) if len(dated) else None)


def _count_records(block: Block, plan: Plan, grades: np.ndarray, keep: np.ndarray, found: Findings) -> None:
    widths = block.widths
    long, short = widths > plan.width, (widths < plan.width) & (widths > _FEW_FIELDS)
    found.counts.update(
        records=int((widths > 0).sum()),
        too_long=int(long.sum()),
        too_short=int(short.sum()),
        loans=int(keep.sum()),
        non_loans=int((widths > 0).sum() - long.sum() - short.sum() - keep.sum()),
    )
    found.in_place = int((long & (grades >= 0)).sum())
    values, counts = np.unique(widths[(widths > 0) & (widths != plan.width)], return_counts=True)
    found.widths.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))


def _levels(keys: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return the distinct spellings of one key field and, for each record, the number of its own."""
    texts = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(KEY), len(keys), [None, pa.py_buffer(np.ascontiguousarray(keys))]
    ).dictionary_encode()
    levels = [level.rstrip(b"\0").decode("latin-1") for level in texts.dictionary.to_pylist()]
    return levels, texts.indices.to_numpy()


def _frequent(texts: list[str], codes: np.ndarray) -> Counter[str]:
    """Count the most frequent of some records' spellings, missing values aside."""
    counts = Counter(dict(enumerate(np.bincount(codes, minlength=len(texts)).tolist())))
    stated = {texts[code]: n for code, n in counts.items() if n and texts[code].strip() not in spellings.MISSING}
    return Counter(dict(Counter(stated).most_common(_SHOWN)))


def note_day_orders(column: str, texts: Sequence[str | None], found: Findings) -> None:
    """Note in ``found.uses`` which of month and day the dates of a column have first."""
    for text in texts:
        if order := spellings.day_order(text):
            found.uses.setdefault((column, order), str(text))


def grade_codes(texts: Sequence[str | None], label: str) -> np.ndarray:
    """Codes 0..6 of grades such as "B" or sub-grades such as "B3", int8, -1 for anything else."""
    known = [(text or "").strip().upper() for text in texts]
    length = 1 if label == "grade" else 2
    return np.array([GRADES.index(t[0]) if len(t) == length and t[0] in GRADES else -1 for t in known], dtype=np.int8)
