"""The command that writes a file of invented loans in one of the layouts of Lending Club's files.

For tests and for trying scale:

python -m csboost.data.synthetic_lending_club --rows 551448 --layout kaggle --out loans.csv.gz
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from csboost.command.mishaps import ended_like_ctrl_c
from csboost.data.lending_club.raw.dates import NO_MONTH, month_number, month_text
from csboost.data.lending_club.synthetic.writer import LAYOUT_NAMES, MOST_DUPLICATES, write_synthetic_file

__all__ = ["LAYOUT_NAMES", "main", "write_synthetic_file"]

DONE, USAGE, UNUSABLE, INTERRUPTED = 0, 2, 3, 130


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
        with ended_like_ctrl_c():
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
