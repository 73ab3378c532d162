"""Write a file of invented loans in one of the layouts of Lending Club's files."""

from __future__ import annotations

from collections import Counter
from os import PathLike
from pathlib import Path

from csboost._files import whole_file
from csboost.data.lending_club.raw.dates import NO_MONTH, month_number, month_text

LAYOUT_NAMES = ("clean", "kaggle", "kaggle145", "lendingclub", "crlf", "r-export", "mar-19", "slash-dates", "grade.1")
MOST_DUPLICATES = 50_000  # loans made at a time: what is written again is kept in memory


def write_synthetic_file(
    out: str | PathLike[str],
    rows: int,
    layout: str = "kaggle",
    *,
    first: str = "2007-06",
    last: str = "2018-12",
    footers: int = 33,
    duplicates: int = 0,
    seed: int = 0,
) -> dict[str, int]:
    """Write invented loans to ``out`` (gzip if the name ends in ``.gz``).

    The file has another name until it is whole: an interrupted or failed run leaves none behind that looks whole.

    Parameters
    ----------
    out : path
    rows : int
        Number of distinct loans.
    layout : str
        One of ``LAYOUT_NAMES``. The same seed gives the same loans in each; "clean" spells them plainly.
    first, last : str
        Months of issue, as "2007-06".
    footers : int
        Lines that are no loans: spread over the file where the layout has them inside, else at its end.
    duplicates : int
        How many of the first loans are written again at the end; at most 50,000 and ``rows``.
    seed : int

    Returns
    -------
    dict
        ``records`` (data lines, header aside), ``loans``, ``footers``, ``duplicates`` and the loans of each month.

    Raises
    ------
    ValueError
        For numbers, months or a layout that cannot be; it names the parameter.
    OSError
        If the file cannot be written; it names the file.
    """
    first, last = _check(rows, layout, first, last, footers, duplicates)
    from csboost.data.lending_club.synthetic.layouts import LAYOUTS, body, footer, header
    from csboost.data.lending_club.synthetic.loans import BLOCK, make_loans

    spec = LAYOUTS[layout]
    blocks = max(1, -(-rows // BLOCK))
    months: Counter[str] = Counter()
    written_footers, repeated = 0, ""
    path = Path(out)
    with whole_file(path, gzip_level=4 if path.suffix == ".gz" else None) as file:
        file.write(header(spec).encode())
        for number, loans in enumerate(make_loans(rows, first, last, seed)):
            lines = body(loans, spec).to_pylist()
            months.update(loans.values["issue_d"].astype(str).tolist())
            if number == 0 and duplicates:
                repeated = spec.newline.join(lines[:duplicates]) + spec.newline
            # In the middle of a block, so that a footer never has the last word there.
            due = footers * (number + 1) // blocks - written_footers if spec.footers_inside else 0
            middle = len(lines) // 2
            for part, tail in ((lines[:middle], due), (lines[middle:], 0)):
                file.write("".join(line + spec.newline for line in part).encode())
                file.write("".join(footer(spec, 1 + i % 2) for i in range(tail)).encode())
            written_footers += due
        file.write(repeated.encode())
        file.write("".join(footer(spec, 1 + i % 2) for i in range(footers - written_footers)).encode())
    return {
        "records": rows + footers + duplicates,
        "loans": rows,
        "footers": footers,
        "duplicates": duplicates,
        **months,
    }


def _check(rows: int, layout: str, first: str, last: str, footers: int, duplicates: int) -> tuple[str, str]:
    """Refuse what cannot be written; return the months as "2007-06"."""
    if layout not in LAYOUT_NAMES:
        raise ValueError(f"Unknown layout {layout!r}; known are {', '.join(LAYOUT_NAMES)}.")
    for name, value in (("rows", rows), ("footers", footers), ("duplicates", duplicates)):
        if value < 0:
            raise ValueError(f"{name} must not be negative, got {value}.")
    if duplicates > min(rows, MOST_DUPLICATES):
        raise ValueError(
            f"duplicates={duplicates:,} is too many: at most the number of loans, and at most {MOST_DUPLICATES:,}."
        )
    months = [month_number(first), month_number(last)]
    for text, month in zip((first, last), months, strict=True):
        if month == NO_MONTH:
            raise ValueError(f"{text!r} is no month: write it as 2017-01.")
    if months[0] > months[1]:
        raise ValueError(f"the first month, {first}, comes after the last, {last}.")
    return month_text(months[0]), month_text(months[1])
