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

from bench.command import list_cli
from bench.exits import leave

SIZES = (
    list_cli.Counted("rows", 1000, 100, "training rows"),
    list_cli.Counted("test_rows", 20_000, 100, "test rows"),
    list_cli.Counted("tables", 10, 1, "random tables"),
)


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    return list_cli.simulations_parser("decisions", str(__doc__), SIZES, quick="few rounds, rows and tables")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), list_cli.made_by("bench.studies.decided"), argv)


if __name__ == "__main__":
    leave(main())
