"""What the blocks of one file are found to hold: counts, cells that cannot be read, and conventions that may clash."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from csboost.data.errors import DataError
from csboost.data.lending_club.raw.dates import DAY_FIRST, MONTH_FIRST
from csboost.data.lending_club.raw.spellings import DECIMAL, UNSURE_COMMA, UNSURE_POINT


@dataclass
class Findings:
    """Of a block, or of the blocks of a file together.

    Attributes
    ----------
    counts : Counter
        The counts of :class:`~csboost.data.lending_club.raw.report.ReadReport` that can be told block by block.
    unreadable : Counter
        Cells per column that hold something, but nothing that can be read.
    examples : dict
        One such cell per column.
    spellings : dict
        For the grade and the month of issue, what stands there that is none, and how often (the most frequent).
    widths : Counter
        Number of fields of the records that have not as many as the header.
    in_place : int
        Records with too many fields whose grade stands where the header has it.
    uses : dict
        (column, convention) -> a cell that follows it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    spellings: dict[str, Counter[str]] = field(default_factory=dict)
    widths: Counter[int] = field(default_factory=Counter)
    in_place: int = 0
    uses: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, other: Findings) -> None:
        """Take in what another block was found to hold."""
        self.counts.update(other.counts)
        self.unreadable.update(other.unreadable)
        self.examples = {**other.examples, **self.examples}
        for column, spellings in other.spellings.items():
            self.spellings.setdefault(column, Counter()).update(spellings)
        self.widths.update(other.widths)
        self.in_place += other.in_place
        self.uses = {**other.uses, **self.uses}


def check_conventions(name: str, found: Findings) -> None:
    """Raise :class:`DataError` where a file's cells can only be read if it knew one convention, and it has two."""
    decimal = {column: example for (column, use), example in found.uses.items() if use == DECIMAL}
    for (column, use), example in found.uses.items():
        # Lending Club's amounts have at most two decimals, so 1,234 is doubtful only where the column shows otherwise.
        if (use == UNSURE_COMMA and column in decimal) or (use == UNSURE_POINT and decimal):
            other = column if column in decimal else next(iter(decimal))
            raise DataError(
                f"{name}: {decimal[other]!r} in column {other} has a decimal comma, so {example!r} in column {column}"
                " may be thousands or decimals: save the numbers with decimal points and no thousands separators."
            )
    cells = {use: (column, example) for (column, use), example in found.uses.items()}
    if MONTH_FIRST in cells and DAY_FIRST in cells:
        both = [f"{cells[use][1]!r} in {cells[use][0]} has {use}" for use in (MONTH_FIRST, DAY_FIRST)]
        raise DataError(f"{name}: {' but '.join(both)}: save the dates as 2017-12-01.")


def check_loans(name: str, header: list[str], label: str, found: Findings) -> None:
    """Raise :class:`DataError` if a file has records but no loan among them; the message says what is amiss.

    Parameters
    ----------
    name : str
        Of the file.
    header : list of str
    label : str
        The column that tells the grade.
    found : Findings
        Of the whole file.
    """
    records, astray = found.counts["records"], sum(found.widths.values())
    if found.counts["loans"] or not records:
        return
    if astray >= records / 2:
        raise DataError(f"{name}: {_misfit(header, found)}.")
    shown = ", ".join(repr(text) for text, _ in found.spellings[label].most_common(3))
    held = f"; the column {label} holds {shown}" if shown else ""
    raise DataError(f"{name}: none of the {records:,} records has a grade from A to G{held}.")


def _misfit(header: list[str], found: Findings) -> str:
    """Say how the records differ from the header and what mends it."""
    records = found.counts["records"]
    width, count = found.widths.most_common(1)[0]
    every = "every record has" if count == records else f"{count:,} of {records:,} records have"
    clash = f"{every} {width} field{'s'[: width != 1]}, but the header {len(header)}"
    if width > len(header) and found.in_place > found.counts["too_long"] / 2:
        return (
            f"{clash}. The grade stands where the header has it, so the records have commas too many at their end:"
            " remove those, or put as many at the end of the header"
        )
    if width > len(header):
        return f"{clash}. It lacks a name, perhaps that of row numbers in front: give every column a name"
    if not header[-1]:
        return f"{clash}, the last without a name: remove the comma at the end of the header"
    return f"{clash}: give every record as many fields as the header"
