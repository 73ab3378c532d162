"""``python -m bench.compare --suite``: what decisions cost on real tables, for every competitor and cost structure."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.algorithms import PAPER, REGISTRY, unavailable
from bench.command import cli
from bench.command.options import add_folder, choice, whole_number
from bench.exits import EXIT_CODES, UsageError, leave
from bench.machine import available_cores
from bench.suite.names import ARMS, KINDS, PARTS

SPLITS = 3
COMPETITORS = (*PAPER, *(name for name, algorithm in REGISTRY.items() if algorithm.form))
"""The six boosters, and all that takes tables of mixed types."""

USUAL = [name for name in COMPETITORS if not REGISTRY[name].is_slow]
SLOW = [name for name in COMPETITORS if REGISTRY[name].is_slow]


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = argparse.ArgumentParser(
        prog="python -m bench.compare",
        description="Compare classifiers by what their decisions cost, on real tables that arrive with packages\n"
        "(extra 'suite'), under several cost structures each; `python -m bench.suite.sets` lists the tables. What a\n"
        "folder was asked for before stays in its report: slow competitors and arms can be run apart.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    what = options.add_argument_group("what is compared")
    what.add_argument("--suite", action="store_true", help="on the suite's tables (the one choice there is)")
    what.add_argument("--sets", nargs="+", metavar="NAME", help=f"tables by name, or {' or '.join(PARTS)}; default all")
    what.add_argument(
        "--kinds", nargs="+", type=choice("cost structure", KINDS), metavar="NAME", help=f"default {' '.join(KINDS)}"
    )
    what.add_argument("--tasks", nargs="+", metavar="SET/KIND", help="tables with a cost structure, as in car/random")
    what.add_argument(
        "--algorithms",
        nargs="+",
        type=choice("algorithm", REGISTRY),
        metavar="NAME",
        help=f"default: those that are installed of {', '.join(USUAL)}; slow, and run only by name: {', '.join(SLOW)}. "
        f"Known: {', '.join(REGISTRY)}",
    )
    what.add_argument(
        "--arms",
        nargs="+",
        type=choice("arm", ARMS),
        metavar="NAME",
        help=f"{' '.join(ARMS)}; default: defaults",
    )
    what.add_argument("--replications", type=whole_number(1), metavar="N", help=f"splits of a table, default {SPLITS}")
    what.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="of the fits; default 0")
    what.add_argument("--quick", action="store_true", help="a first look: one split; a full run continues from it")
    how = options.add_argument_group("how it is run")
    how.add_argument("--jobs", type=whole_number(1), metavar="N", help=f"processes, default {available_cores()}")
    how.add_argument("--cluster", metavar="ADDRESS", help="a running Dask scheduler, such as tcp://host:8786")
    add_folder(how, "suite")
    options.set_defaults(default_replications=SPLITS, usual_algorithms=COMPETITORS)
    return options


def action(options: argparse.Namespace, command: str) -> int:
    """Run the comparison; return the exit code."""
    if not options.suite:
        raise UsageError("say what to compare on: --suite, the tables that arrive with packages.")
    if options.algorithms and not options.render_only:
        cli.check_peers(options.algorithms)
        if absent := unavailable(options.algorithms):
            raise UsageError("; ".join(f"{name} is not available: {why}" for name, why in absent.items()))
    from bench.command.suite import conduct

    return conduct(options, command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.answer(parser(), action, argv)


if __name__ == "__main__":
    leave(main())
