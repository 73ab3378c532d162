"""Write a file of invented loans in one of the layouts of Lending Club's files, for tests and for trying scale.

python -m csboost.data.synthetic_lending_club --rows 551448 --layout kaggle --out loans.csv.gz
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable
from os import PathLike
from pathlib import Path

from csboost.data.raw.dates import NO_MONTH, month_number, month_text
from csboost.data.whole_file import whole_file

LAYOUT_NAMES = ("clean", "kaggle", "kaggle145", "lendingclub", "crlf", "r-export", "mar-19", "slash-dates", "grade.1")
MOST_DUPLICATES = 50_000  # loans made at a time: what is written again is kept in memory
DONE, USAGE, UNUSABLE, INTERRUPTED = 0, 2, 3, 130


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
    from csboost.data.synthetic_layouts import LAYOUTS, body, footer, header
    from csboost.data.synthetic_loans import BLOCK, make_loans

    spec = LAYOUTS[layout]
    blocks = max(1, -(-rows // BLOCK))
    months: Counter[str] = Counter()
    written_footers, repeated = 0, ""
    with whole_file(Path(out)) as file:
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


def _whole_number(lowest: int, highest: float = float("inf")) -> Callable[[str], int]:
    """Return an argparse type for whole numbers of a range."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = lowest - 1
        if not lowest <= value <= highest:
            most = f" and at most {highest:,}" if highest < float("inf") else ""
            raise argparse.ArgumentTypeError(f"must be a whole number of at least {lowest}{most}, not {text!r}")
        return value

    return parse


def _month(text: str) -> str:
    number = month_number(text)
    if number == NO_MONTH:
        raise argparse.ArgumentTypeError(f"{text!r} is no month: write it as 2017-01")
    return month_text(number)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m csboost.data.synthetic_lending_club",
        description="Write a file of invented loans in a layout of Lending Club's files.",
        epilog="exit codes: 0 done; 2 wrong usage; 3 file cannot be written or package missing; 130 interrupted",
    )
    natural = _whole_number(0)
    parser.add_argument(
        "--rows", type=_whole_number(1), default=10_000, metavar="N", help="number of loans (default: %(default)s)"
    )
    parser.add_argument("--layout", choices=LAYOUT_NAMES, default="kaggle", help="spelling (default: %(default)s)")
    parser.add_argument("--out", required=True, metavar="FILE", help="file to write; gzip if it ends in .gz")
    for option, name, default, which in (("--from", "first", "2007-06", "first"), ("--to", "last", "2018-12", "last")):
        parser.add_argument(
            option, dest=name, type=_month, default=default, metavar="MONTH", help=f"{which} month (default: {default})"
        )
    parser.add_argument(
        "--footers", type=natural, default=33, metavar="N", help="lines that are no loans (default: %(default)s)"
    )
    parser.add_argument(
        "--duplicates",
        type=_whole_number(0, MOST_DUPLICATES),
        default=0,
        metavar="N",
        help="loans written twice (default: %(default)s)",
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="default: %(default)s")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Parse the command line, write the file and print the exact counts; return the exit code."""
    parser = _parser()
    try:
        arguments = vars(parser.parse_args(argv))
        counts = write_synthetic_file(**arguments)
    except SystemExit as stop:  # argparse has printed its message
        _tell("")
        return int(stop.code or 0)
    except ValueError as error:
        return _complain(parser, str(error), USAGE)
    except OSError as error:
        return _complain(parser, f"{error.filename}: {error.strerror}; nothing is kept of the file.", UNUSABLE)
    except ModuleNotFoundError as error:
        remedy = "pip install '.[bench]' in csboost's folder brings it"
        return _complain(parser, f"needs the package {error.name}, which is not installed: {remedy}.", UNUSABLE)
    except KeyboardInterrupt:
        print("\nInterrupted. Nothing is kept of the file; the same command starts anew.", file=sys.stderr)
        return INTERRUPTED
    window = sum(count for month, count in counts.items() if "2017-01" <= month <= "2018-03")
    _tell(
        f"{counts['records']:,} records: {counts['loans']:,} loans, {counts['duplicates']:,} of them twice,"
        f" {counts['footers']:,} lines that are no loans; {window:,} loans issued 2017-01 to 2018-03\n"
    )
    return DONE


def _tell(text: str) -> None:
    """Print; a reader that has gone, as in ``... | head``, is no mishap."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else it would fail once more at the end


def _complain(parser: argparse.ArgumentParser, text: str, code: int) -> int:
    print(f"{parser.prog}: error: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
