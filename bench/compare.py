"""``python -m bench.compare``: what decisions cost with whom, on a file of your own or on real tables of packages."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.algorithms import PAPER, REGISTRY, unavailable
from bench.command import cli
from bench.command.options import add_folder, choice, whole_number
from bench.exits import EXIT_CODES, UsageError, leave
from bench.machine import available_cores
from bench.suite.names import ARMS, KINDS, PARTS, USUAL_PARTS
from csboost.costs.named import COST_NAMES

SPLITS, OWN_SPLITS = 3, 5
MOST_ROWS = 20_000
COMPETITORS = (*PAPER, *(name for name, algorithm in REGISTRY.items() if algorithm.form))
"""The six boosters, and all that takes tables of mixed types."""

USUAL = [name for name in COMPETITORS if not REGISTRY[name].is_slow]
SLOW = [name for name in COMPETITORS if REGISTRY[name].is_slow]

OWN = (
    "target",
    "cost_file",
    "costs",
    "order",
    "test",
    "time",
    "today",
    "drop",
    "keep",
    "categories",
    "sheet",
    "rounds",
)
"""Options that need a FILE."""

STUDIED = ("LightGBM mixture",)
"""What was made for a study, and nobody would take."""

OF_SUITE = ("sets", "kinds", "tasks", "arms")


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = argparse.ArgumentParser(
        prog="python -m bench.compare",
        usage="python -m bench.compare FILE --target COLUMN [--cost-file costs.csv | --costs NAME] [options]\n"
        "       python -m bench.compare --suite [options]",
        description="Compare classifiers by what their decisions cost: on a file of your own, with your costs; or on\n"
        "real tables that arrive with packages (extra 'suite'), under several cost structures each, which\n"
        "`python -m bench.suite.sets` lists.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_own_file(options)
    what = options.add_argument_group(
        "real tables", "What a folder was asked for before stays in its report: slow parts can be run apart."
    )
    what.add_argument("--suite", action="store_true", help="compare on the suite's tables")
    what.add_argument(
        "--sets",
        nargs="+",
        metavar="NAME",
        help=f"tables by name, or {', '.join(PARTS)}; default: {' '.join(USUAL_PARTS)}",
    )
    what.add_argument(
        "--kinds", nargs="+", type=choice("cost structure", KINDS), metavar="NAME", help=f"default {' '.join(KINDS)}"
    )
    what.add_argument("--tasks", nargs="+", metavar="SET/KIND", help="tables with a cost structure, as in car/random")
    what.add_argument(
        "--arms",
        nargs="+",
        type=choice("arm", ARMS),
        metavar="NAME",
        help=f"{' '.join(ARMS)}; default: defaults",
    )
    who = options.add_argument_group("what is compared")
    who.add_argument(
        "--algorithms",
        nargs="+",
        type=choice("algorithm", REGISTRY),
        metavar="NAME",
        help=f"default: those that are installed of {', '.join(USUAL)}; slow, and run only by name: {', '.join(SLOW)}. "
        f"Known: {', '.join(REGISTRY)}",
    )
    who.add_argument(
        "--replications",
        type=whole_number(1),
        metavar="N",
        help=f"splits of a table, default {SPLITS}; of a file, {OWN_SPLITS}",
    )
    who.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="of fits and a file's splits; 0")
    who.add_argument("--quick", action="store_true", help="a first look: few splits; a full run continues from it")
    how = options.add_argument_group("how it is run")
    how.add_argument("--jobs", type=whole_number(1), metavar="N", help=f"processes, default {available_cores()}")
    how.add_argument("--cluster", metavar="ADDRESS", help="a running Dask scheduler, such as tcp://host:8786")
    add_folder(how, "suite, of a file results/compare")
    options.set_defaults(default_replications=SPLITS, usual_algorithms=COMPETITORS, studied=STUDIED)
    return options


def _add_own_file(options: argparse.ArgumentParser) -> None:
    own = options.add_argument_group(
        "a file of your own", "CSV, TSV, parquet or Excel; delimiter, encoding, decimal commas and types are found."
    )
    own.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the cases, a line each")
    own.add_argument("--target", metavar="COLUMN", help="the column of the true classes")
    costs = own.add_mutually_exclusive_group()
    costs.add_argument(
        "--cost-file",
        type=Path,
        metavar="CSV",
        help="what mistakes cost: a row per truth, a column per answer; or three columns: truth, answer, cost",
    )
    costs.add_argument(
        "--costs", type=choice("costs", COST_NAMES), metavar="NAME", help=f"{', '.join(COST_NAMES)}; default: equal"
    )
    own.add_argument("--order", nargs="+", metavar="CLASS", help="classes from low to high, for named costs")
    division = own.add_mutually_exclusive_group()
    division.add_argument("--test", type=Path, metavar="FILE", help="test on this file instead of on splits")
    division.add_argument("--time", metavar="COLUMN", help="train on the past and test on the future by this column")
    own.add_argument("--today", metavar="COLUMN", help="the answers that are given today, to compare with")
    own.add_argument("--drop", nargs="+", metavar="COLUMN", help="columns to leave out")
    own.add_argument("--keep", nargs="+", metavar="COLUMN", help="columns to use though they look like names or ids")
    own.add_argument("--categories", nargs="+", metavar="COLUMN", help="columns of numbers that are names")
    own.add_argument("--sheet", metavar="NAME", help="of an Excel file; default: the first")
    own.add_argument("--rounds", type=whole_number(1), metavar="N", help="of the six boosters, default 200")
    own.add_argument(
        "--most-rows",
        type=whole_number(0),
        default=MOST_ROWS,
        metavar="N",
        help=f"rows that train, and that test, at most, the same for every seed; default {MOST_ROWS}, 0 for all",
    )


def action(options: argparse.Namespace, command: str) -> int:
    """Run the comparison; return the exit code."""
    _check(options)
    if options.algorithms and not options.render_only:
        cli.check_peers(options.algorithms)
        if absent := unavailable(options.algorithms):
            raise UsageError("; ".join(f"{name} is not available: {why}" for name, why in absent.items()))
    if options.suite:
        from bench.command.suite import conduct
    else:
        from bench.command.own_file import conduct
    return conduct(options, command)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together (UsageError)."""
    if options.suite:
        own = [name for name in ("file", *OWN) if getattr(options, name) is not None]
        if own:
            raise UsageError(f"--suite has tables of its own: leave out {', '.join(map(_said, own))}.")
        return
    of_suite = [name for name in OF_SUITE if getattr(options, name)]
    if of_suite:
        raise UsageError(f"{', '.join(map(_said, of_suite))}: only with --suite.")
    if options.render_only:
        return
    if options.file is None:
        raise UsageError(
            "say what to compare on: --suite, the tables that arrive with packages; or a FILE of your own with "
            "--target COLUMN."
        )
    if options.target is None:
        raise UsageError(f"say which column of {options.file} holds the true classes: --target COLUMN.")
    if options.order and options.cost_file:
        raise UsageError("--order is for named costs (--costs): a table of costs has the order of its rows.")


def _said(name: str) -> str:
    return "FILE" if name == "file" else f"--{name.replace('_', '-')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.answer(parser(), action, argv)


if __name__ == "__main__":
    leave(main())
