"""``python -m bench.decisions``: what does it cost to decide by another table than that of the fit, without a refit?

On the paper's simulations the exact class probabilities are known. Each model is fitted once, to its scenario's costs,
and decides fresh rows by random tables; and it is fitted anew to each of these. Costs are exact expected ones, summed
over the tables:

- ``decide``: of the one fit's decisions, divided by those of the Bayes rule;
- ``refit``: of the fits made for each table, divided likewise;
- ``ratio``: the first divided by the second, with the least and the largest of a single table.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bench.command import list_cli
from bench.command.options import choice, whole_number
from bench.exits import leave
from bench.studies.scenarios import SIMULATIONS

if TYPE_CHECKING:
    from bench.studies.listing import Listing

ROWS, TEST_ROWS, TABLES = 1000, 20_000, 10


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options, what = list_cli.list_parser("decisions", str(__doc__))
    what.add_argument(
        "--scenarios", nargs="+", type=choice("scenario", SIMULATIONS), metavar="NAME", help="default 1 1c 2 2c"
    )
    for name, default, lowest, words in (
        ("rows", ROWS, 100, "training rows"),
        ("test-rows", TEST_ROWS, 100, "test rows"),
        ("tables", TABLES, 1, "random tables"),
    ):
        what.add_argument(f"--{name}", type=whole_number(lowest), metavar="N", help=f"{words}, default {default}")
    what.add_argument("--quick", action="store_true", help="few rounds, rows and tables: to see that it runs")
    options.set_defaults(default_rows=ROWS, default_test_rows=TEST_ROWS, default_tables=TABLES)
    return options


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted and shown."""
    from bench.studies import decided

    return decided.make_listing(options, stored)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), make_listing, argv)


if __name__ == "__main__":
    leave(main())
