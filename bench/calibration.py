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

from bench.command import list_cli
from bench.exits import leave

ROWS = 20_000
SIZES = (
    list_cli.Counted("rows", ROWS, 100, "training rows"),
    list_cli.Counted("test_rows", ROWS, 100, "test rows"),
)


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    return list_cli.simulations_parser("calibration", str(__doc__), SIZES, quick="few rounds and 2,000 rows")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), list_cli.made_by("bench.studies.calibrated"), argv)


if __name__ == "__main__":
    leave(main())
