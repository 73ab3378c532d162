"""What was read: counts of records, and what became of each column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from csboost.data.lending_club.raw import columns

if TYPE_CHECKING:
    from csboost.data.lending_club.raw.findings import Findings


@dataclass
class ReadReport:
    """Counts of one reading; ``print`` it to show them.

    Attributes
    ----------
    files : list of str
        What was read.
    records : int
        Records below the headers: ``loans + non_loans + too_long + too_short``.
    loans : int
        Records with a grade from A to G.
    non_loans : int
        Totals, repeated headers and other records without a grade.
    too_long, too_short : int
        Records with more or fewer fields than the header, skipped.
    outside : int
        Loans issued outside the window.
    undated : int
        Loans whose month of issue cannot be read, skipped if there is a window.
    duplicates : int
        Loans of the window that occur again: with the same id and values or, without an id, the same values.
    shared_ids : int
        Loans of the window that are kept although another has their id, because its values are others.
    rounded_ids : int
        Loans of the window with an id such as ``1.07E+08``, which a spreadsheet rounded: it counts as none.
    kept : int
        ``loans - outside - undated - duplicates`` (with no window, undated loans are kept).
    unreadable : dict
        Cells that should be numbers, years or months and cannot be read, per column; they count as missing.
    examples : dict
        One such cell per column.
    undated_spellings : dict
        What stands in the place of the months that cannot be read, the most frequent.
    decimal_commas : dict
        One cell for each column with decimal commas.
    left_out : list of str
        Files of archives that hold no loans.
    windowed : bool
        Whether a window was asked for; without one, undated loans are kept.
    first, last : str or None
        First and last month of issue of all loans, as "2007-06".
    per_grade : dict
        Kept loans of each grade.
    features : list of str
        Columns that may be features: they are known when a loan is graded. Which of them the models get depends on the
        training rows (see :class:`~csboost.data.lending_club.preprocessing.ColumnScreen`).
    dropped : dict
        Reason for each column that is none.
    seconds : float
        Time that reading took.
    """

    files: list[str] = field(default_factory=list)
    records: int = 0
    loans: int = 0
    non_loans: int = 0
    too_long: int = 0
    too_short: int = 0
    outside: int = 0
    undated: int = 0
    duplicates: int = 0
    shared_ids: int = 0
    rounded_ids: int = 0
    kept: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    undated_spellings: Counter[str] = field(default_factory=Counter)
    decimal_commas: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    windowed: bool = True
    first: str | None = None
    last: str | None = None
    per_grade: dict[str, int] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)
    dropped: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, found: Findings) -> None:
        """Add what was found in one block."""
        from csboost.data.lending_club.raw.spellings import DECIMAL

        for name, count in found.counts.items():
            setattr(self, name, getattr(self, name) + count)
        self.unreadable.update(found.unreadable)
        self.examples = {**found.examples, **self.examples}
        self.undated_spellings.update(found.spellings.get(columns.ISSUED, {}))
        commas = {column: example for (column, use), example in found.uses.items() if use == DECIMAL}
        self.decimal_commas = {**commas, **self.decimal_commas}

    def note_columns(self, features: Iterable[str], dropped: Mapping[str, str]) -> None:
        """Take the columns of one file into the lists."""
        self.features = list(dict.fromkeys([*self.features, *features]))
        self.dropped.update(dropped)

    def __str__(self) -> str:
        kept = f"Kept {len(self.features)} columns that are known when a loan is graded: {', '.join(self.features)}."
        return "\n".join([*self.about_loans(), kept, *self.about_dropped()])

    def about_loans(self) -> list[str]:
        """Say what became of the records, in sentences."""
        return [
            f"Read {', '.join(self.files)} in {self.seconds:.1f} s: {self._counted()}.",
            f"Skipped: {self._skipped(always='duplicates')}.",
            f"Kept {self.kept:,} loans: {self._grades()}.",
            *self._remarks(),
        ]

    def about_dropped(self) -> list[str]:
        """Say which columns of the files are no features, reason by reason."""
        return [f"Dropped ({reason}): {', '.join(names)}." for reason, names in self.dropped_by_reason().items()]

    def summary(self) -> str:
        """Say what was read in one line, to stand behind an error that it explains."""
        parts = [f"Read: {self._counted()}"]
        if skipped := self._skipped():
            parts.append(f"skipped: {skipped}")
        if self.kept:
            parts.append(f"kept: {self.kept:,} loans ({self._grades()})")
        return " ".join(["; ".join(parts) + ".", *self._remarks()])

    def _counted(self) -> str:
        issued = f" issued {self.first} to {self.last}" if self.first else ""
        return f"{self.records:,} records, {self.loans:,} loans{issued}"

    def _grades(self) -> str:
        return ", ".join(f"{grade} {n:,}" for grade, n in self.per_grade.items())

    def _skipped(self, always: str = "") -> str:
        spelled = self._undated()
        counts = {
            "records that are no loans": self.non_loans,
            "records with too many fields": self.too_long,
            "records with too few fields": self.too_short,
            "loans outside the window": self.outside,
            f"loans without a readable month of issue{spelled}": self.undated * self.windowed,
            "duplicates": self.duplicates,
        }
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count or what == always)

    def _undated(self) -> str:
        spelled = ", ".join(repr(text) for text, _ in self.undated_spellings.most_common(3))
        return f" (such as {spelled})" if spelled else ""

    def _remarks(self) -> Iterable[str]:
        """Sentences about what a reader of the counts would not expect."""
        if self.undated and not self.windowed:
            yield f"Without a readable month of issue{self._undated()}: {self.undated:,} loans, kept without a window."
        if self.unreadable:
            cells = ", ".join(
                f"{name} {count:,}" + (f" (such as {self.examples[name]!r})" if name in self.examples else "")
                for name, count in self.unreadable.most_common()
            )
            yield f"Cells that cannot be read, taken as missing: {cells}."
        if self.decimal_commas:
            cells = ", ".join(f"{name} (such as {cell!r})" for name, cell in self.decimal_commas.items())
            yield f"Decimal commas: {cells}."
        if self.rounded_ids:
            yield (
                f"Ids rounded by a spreadsheet (such as 1.07E+08) tell no loans apart: {self.rounded_ids:,} loans were"
                " compared by their values."
            )
        if self.shared_ids:
            yield (
                f"Ids are not unique: {self.shared_ids:,} loans have the id of another loan but other values, and are"
                " kept."
            )
        if self.left_out:
            yield f"Left out, as they hold no loans: {', '.join(self.left_out)}."

    def dropped_by_reason(self) -> dict[str, list[str]]:
        """Group the dropped columns by the reason."""
        groups: dict[str, list[str]] = {}
        for name, reason in self.dropped.items():
            groups.setdefault(reason, []).append(name)
        return groups
