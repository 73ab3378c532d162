"""``python -m bench.calibration``: how good are estimated probabilities and expected costs where the truth is known?

On the paper's simulations the exact class probabilities are known. Each line of the table is one fit and one way from
its scores to probabilities, judged on fresh rows:

- ``log loss``: divided by that of the exact probabilities;
- ``expected``: the estimated expected cost of the answers, divided by their exact expected cost;
- ``cost``: the exact expected cost of the answers, divided by that of the Bayes rule.
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

ROWS = 20_000  # that train, and that test


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options, what = list_cli.list_parser("calibration", str(__doc__))
    what.add_argument(
        "--scenarios", nargs="+", type=choice("scenario", SIMULATIONS), metavar="NAME", help="default 1 1c 2 2c"
    )
    for name, rows in (("--rows", "training"), ("--test-rows", "test")):
        what.add_argument(name, type=whole_number(100), metavar="N", help=f"{rows} rows, default {ROWS}")
    what.add_argument("--quick", action="store_true", help="few rounds and 2,000 rows: to see that it runs")
    options.set_defaults(default_rows=ROWS)
    return options


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted and shown."""
    from bench.studies import calibrated

    return calibrated.make_listing(options, stored)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), make_listing, argv)


if __name__ == "__main__":
    leave(main())
