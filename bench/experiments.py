"""``python -m bench.experiments``: what do variants of the model to fit first cost, beside those that it began with?

On the suite's tuning sets, each with its cost structures: the booster with one parameter changed, alone and mixed with
the regressions by a mean of probabilities; other mixtures, the pool that the model now is among them; boosters that see
costs, and means of such a one and the default one; label-valued leaves; and the paper's six boosters with other steps
and leaves, each beside itself with full steps. No held-out set takes part, so that defaults may be chosen by what comes
out (docs/experiments.md). Costs are compared as the mean, over the sets, of the logarithm of their ratio to those of
the defaults:

- ``alone``: decisions of the booster by itself, and the standard error over the sets;
- ``mixed``: of its mixture with the regressions, likewise;
- ``time``: the processor time of a fit, divided by that of the defaults (geometric mean).

A set on which nearly nothing is missed weighs as much in these means as one of many mistakes: ``table.csv`` has the
medians over the sets beside them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.command import list_cli
from bench.command.options import whole_number
from bench.exits import leave


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options, what = list_cli.list_parser("experiments", str(__doc__))
    what.add_argument("--sets", nargs="+", metavar="NAME", help="tuning sets of the suite; default all")
    what.add_argument("--variants", nargs="+", metavar="NAME", help="by name, in quotation marks; default all")
    what.add_argument("--splits", type=whole_number(1), metavar="N", help="of a set, default 2")
    what.add_argument("--quick", action="store_true", help="two small sets, few variants: to see that it runs")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return list_cli.run_list(parser(), list_cli.made_by("bench.studies.variants"), argv)


if __name__ == "__main__":
    leave(main())
