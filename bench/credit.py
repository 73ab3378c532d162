"""``python -m bench.credit``: the paper's Table 2, credit grades under three cost structures, on real loans."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench import extras
from bench.algorithms import PAPER
from bench.command import cli
from bench.command.options import choice, whole_number
from bench.exits import UnusableError, UsageError, leave
from bench.studies.scenarios import CREDIT

if TYPE_CHECKING:
    from bench.studies.study import Study

WINDOW = ("2017-01", "2018-03")  # the paper's
COMPETITORS = (*PAPER, "CostSensitive", "RandomForest", "LogisticRegression")
"""Compared by default: the paper's six, the model to fit first, and what else a user would try, with the Bayes rule."""


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = cli.base_parser(
        "credit",
        "Compare boosters at grading loans A to G, on 9,857 Lending Club loans that come with the project\n"
        "(60 of each grade train, 20 replications), or on the files given by --data in the paper's way.",
        replications=20,
        algorithms=COMPETITORS,
    )
    options.add_argument(
        "--costs",
        dest="scenarios",
        nargs="+",
        type=choice("cost name", CREDIT),
        metavar="NAME",
        help=", ".join(CREDIT),
    )
    data = options.add_argument_group("the data")
    data.add_argument(
        "--data", nargs="+", type=Path, metavar="FILE", help="Lending Club files: CSV, plain, .gz or .zip"
    )
    data.add_argument(
        "--from",
        dest="start",
        type=_month,
        metavar="MONTH",
        help="with --data: first month of issue, such as 2017-01 (the default)",
    )
    data.add_argument(
        "--to", dest="stop", type=_month, metavar="MONTH", help="with --data: last month of issue, default 2018-03"
    )
    data.add_argument(
        "--per-grade",
        type=whole_number(1),
        metavar="N",
        help="loans of each grade: to train on (embedded table, default 60), or to sample (--data, default 1500)",
    )
    data.add_argument(
        "--train-fraction",
        type=_fraction,
        metavar="F",
        help="with --data: share of the sample that trains, default 0.04",
    )
    data.add_argument(
        "--full",
        action="store_true",
        help="train on all loans but a hold-out, and report cost, time and memory (default 1 replication of the "
        "paper's six)",
    )
    return options


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must lie between 0 and 1, not {text!r}")
    return value


def _month(text: str) -> str:
    from csboost.data.lending_club.raw import spellings

    number = spellings.month_number(text)
    if number == spellings.NO_MONTH:
        raise argparse.ArgumentTypeError(f"{text!r} is no month: write it as 2017-01")
    return spellings.month_text(number)


def window_of(options: argparse.Namespace) -> tuple[str, str]:
    """Return the first and the last month of issue."""
    return options.start or WINDOW[0], options.stop or WINDOW[1]


def check(options: argparse.Namespace) -> None:
    """Refuse what can be refused before anything heavy is imported or read (UsageError, UnusableError)."""
    only_files = {"--from": options.start, "--to": options.stop, "--train-fraction": options.train_fraction}
    given = [name for name, value in only_files.items() if value]
    if given and options.data is None:
        raise UsageError(f"{', '.join(given)}: only with --data FILE, not with the embedded table.")
    if options.full and (options.per_grade or options.train_fraction):
        raise UsageError("--full trains on all loans; --per-grade and --train-fraction do not go with it.")
    start, stop = window_of(options)
    if start > stop:
        raise UsageError(f"the window is empty: it starts in {start} and stops in {stop} (options --from and --to).")
    if options.data is not None and not options.render_only:
        _check_files(options.data)


def _check_files(paths: Sequence[Path]) -> None:
    from csboost.data.errors import DataError
    from csboost.data.lending_club.raw.files import check_path

    try:
        for path in paths:
            check_path(path).open("rb").close()  # a file that may not be read ends in an OSError with its name
    except DataError as error:
        raise UnusableError(str(error)) from None
    extras.require("pyarrow")


def make_study(options: argparse.Namespace) -> Study:
    """Return the study of the embedded table, or of the files that ``--data`` names."""
    check(options)
    from bench.studies import loans
    from bench.studies.study import QUICK_REPLICATIONS

    load = not options.render_only
    if options.full:
        options.default_algorithms = list(PAPER)  # full-depth forests on 450,000 loans dwarf all six
        return loans.full_study(options.data, window_of(options), load=load, seed=options.seed)
    if options.data is None:
        return loans.embedded_study(options.per_grade or 60, options.default_replications, load=load)
    return loans.paper_study(
        options.data,
        window_of(options),
        per_grade=options.per_grade or 1500,
        train_fraction=options.train_fraction or 0.04,
        replications=options.default_replications,
        load=load,
        seed=options.seed,
        described=options.replications or (QUICK_REPLICATIONS if options.quick else None),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.run(parser(), make_study, argv, check)


if __name__ == "__main__":
    leave(main())
