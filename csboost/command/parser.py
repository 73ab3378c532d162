"""What may be asked of ``csboost`` on the command line, read before anything heavy is imported."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from csboost import __version__
from csboost.command.limits import parse_limit
from csboost.command.mishaps import EXIT_CODES
from csboost.command.models import DEFAULT, EFFORTS, MODELS

_STYLE: dict[str, Any] = {
    "epilog": EXIT_CODES,
    "formatter_class": argparse.RawDescriptionHelpFormatter,
    "allow_abbrev": False,
}

_ABOUT = """Models that give the answer of least expected cost.

  csboost fit loans.csv --target grade --costs costs.csv --out loans.csboost
  csboost show loans.csboost
  csboost decide loans.csboost new.csv --out answers.csv

costs.csv says what every mistake costs: a line per true class, a column per answer. Answers need not be classes:

  truth,good,poor,human
  good,0,1,2
  poor,9,0,2

csboost COMMAND --help says more of each."""

_FIT = """Fit a model to a file whose column --target holds the classes, and write it to --out.

The costs are said in words before anything runs, with what in them is likely not meant. What the model costs per case
on rows that it was not fitted on stands beside the best that one answer for all cases could do; then the model is
fitted on all rows. Columns that tell which case it is are left out and named; categories and missing values stay as
they are."""

_DECIDE = """Answer the cases of a file with a model that `csboost fit` or csboost.save_model wrote.

The answers come in the order of the cases, with columns answer, expected_cost (of that answer) and cost[A] (the
expected cost of every answer A). Columns are found by their names. The file is read in blocks, so it may be larger than
memory; with --limit all expected costs are kept in memory, about 50 bytes per case and answer."""

_SHOW = """Show what a model file holds: classes, answers and costs in words, members and rounds, the cost on held-out
rows, promised against realised costs, the features that count most, what was left out, versions and date."""


def make_parser() -> argparse.ArgumentParser:
    """The parser; ``options.command`` is the name of the command."""
    parser = argparse.ArgumentParser(prog="csboost", description=_ABOUT, **_STYLE)
    parser.add_argument("--version", action="version", version=f"csboost {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_fit(_command(commands, "fit", "fit a model to a file and write it", _FIT))
    _add_decide(_command(commands, "decide", "answer the cases of a file", _DECIDE))
    _add_show(_command(commands, "show", "show what a model file holds", _SHOW))
    return parser


def _command(commands: Any, name: str, line: str, text: str) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = commands.add_parser(name, help=line, description=text, **_STYLE)
    return found


def _add_fit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, TSV (compressed or not), parquet or Excel")
    parser.add_argument("--target", required=True, metavar="COLUMN", help="the column of classes")
    parser.add_argument(
        "--costs",
        required=True,
        metavar="COSTS",
        help="a file (a table or a list truth, answer, cost), or equal (every mistake costs 1), linear (steps between "
        "the classes), partitioned-linear (a step up costs 10 times one down)",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="MODEL", help="the model file to write")
    parser.add_argument("--order", nargs="+", metavar="CLASS", help="all classes from low to high, for costs by steps")
    parser.add_argument("--drop", nargs="+", metavar="COLUMN", default=(), help="columns to leave out")
    parser.add_argument("--keep", nargs="+", metavar="COLUMN", default=(), help="use columns that look like an id")
    parser.add_argument("--categories", nargs="+", metavar="COLUMN", default=(), help="numbers in these are names")
    parser.add_argument("--sheet", metavar="NAME", help="of an Excel file, default the first")
    parser.add_argument(
        "--model", type=_choice("model", MODELS), default=DEFAULT, metavar="NAME", help=f"one of {', '.join(MODELS)}"
    )
    parser.add_argument("--effort", choices=EFFORTS, help=f"how long {DEFAULT} takes")
    held = parser.add_mutually_exclusive_group()
    held.add_argument(
        "--held-out",
        type=_percent,
        metavar="P%",
        help="share of the rows to try the model on, default 25%%; 0%% for none",
    )
    held.add_argument(
        "--folds", type=_whole(2), metavar="N", help="try it on every row in N folds: the default (5) below 1,000 rows"
    )
    parser.add_argument("--seed", type=_whole(0), default=0, metavar="N", help="default 0")


def _add_decide(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="the model file")
    parser.add_argument("file", type=Path, metavar="FILE", help="the cases: CSV, TSV, parquet or Excel")
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="answers to write: .csv, .tsv, either with .gz, .parquet; - is stdout",
    )
    parser.add_argument("--costs", type=Path, metavar="FILE", help="a table of other costs than those of the fit")
    parser.add_argument(
        "--limit",
        action="append",
        type=parse_limit,
        default=[],
        metavar="ANSWER=N",
        help="how often an answer may be given: human=5%%, urgent=20, urgent=10.. (at least) or urgent=10..20; once "
        "for each limited answer",
    )
    parser.add_argument(
        "--keep",
        nargs="+",
        metavar="COLUMN",
        default=(),
        help="columns of FILE to copy before the answers, such as an id",
    )
    parser.add_argument("--sheet", metavar="NAME", help="of an Excel file, default the first")
    parser.add_argument(
        "--block-rows", type=_whole(1), default=50_000, metavar="N", help="rows of a block, default 50000"
    )


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="the model file")


def _choice(kind: str, accepted: Iterable[str]) -> Callable[[str], str]:
    names = list(accepted)

    def parse(text: str) -> str:
        if text.lower() in names:
            return text.lower()
        near = difflib.get_close_matches(text.lower(), names, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise argparse.ArgumentTypeError(f"unknown {kind} {text!r}.{hint} Known: {', '.join(names)}")

    return parse


def _whole(lowest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < lowest:
            raise argparse.ArgumentTypeError(f"must be a whole number of at least {lowest}, not {text!r}")
        return int(text)

    return parse


def _percent(text: str) -> float:
    """A share, written ``25%`` or ``0.25``."""
    number, sign = text.strip().removesuffix("%").strip(), text.strip().endswith("%")
    try:
        share = float(number) / (100 if sign else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 0.5:
        raise argparse.ArgumentTypeError(f"must be a share of the rows from 0% to 50%, such as 25%, not {text!r}")
    return share
