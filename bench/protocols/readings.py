"""``python -m bench.protocols.readings``: how far other readings of the unstated settings end up from print.

Every line is one reading of one algorithm: the mean test cost at the last round in the four scenarios of the paper's
Table 1, its standard error, and in brackets the difference from print in combined standard errors (+ costs more than
print). The published protocol's settings and its grouped split were chosen from these readings because they fit, after
the fact.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.command import list_cli
from bench.command.options import whole_number
from bench.exits import leave

REPLICATIONS, QUICK_REPLICATIONS = 100, 3


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options, what = list_cli.list_parser("protocols.readings", str(__doc__))
    what.add_argument("--replications", type=whole_number(2), metavar="N", help=f"at least 2, default {REPLICATIONS}")
    what.add_argument(
        "--quick", action="store_true", help=f"{QUICK_REPLICATIONS} replications; a full run continues from it"
    )
    options.set_defaults(default_replications=REPLICATIONS, quick_replications=QUICK_REPLICATIONS)
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), list_cli.made_by("bench.published.readings"), argv)


if __name__ == "__main__":
    leave(main())
