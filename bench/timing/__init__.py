"""``python -m bench.timing``: how fast the boosters are, beside other libraries doing the same work."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.algorithms import PAPER
from bench.command import cli
from bench.command.options import bare_parser, choice, whole_number
from bench.exits import EXIT_CODES
from bench.machine import available_cores
from bench.timing.sizes import CLUSTER, PEERS, SIZES, THREADS, WORKS


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = bare_parser(
        "timing",
        "Time the six boosters beside LightGBM, XGBoost and scikit-learn, matched in leaves (4),\n"
        "bins (255), rounds and threads; a round of gradient boosting with vector leaves (8) beside theirs;\n"
        "CostSensitiveClassifier beside LightGBM and CatBoost at their defaults. Print the ratios with the floors\n"
        "that they should reach.\n"
        "What is compared runs in turns, and again in several processes. Run it on an idle machine.",
        EXIT_CODES.replace("some jobs", "some measurements").replace("failed jobs", "they"),
    )
    what = options.add_argument_group("what is measured")
    minutes = ", ".join(f"{name} (about {time} min)" for name, time in SIZES.items())
    what.add_argument(
        "--sizes",
        nargs="+",
        type=choice("size", SIZES),
        metavar="NAME",
        help=f"{minutes}; default: the first three",
    )
    known = [name for names in WORKS.values() for name in names]
    what.add_argument(
        "--works", nargs="+", type=choice("work", known), metavar="NAME", help=f"only these: {', '.join(known)}"
    )
    what.add_argument(
        "--peers",
        nargs="*",
        type=choice("peer", PEERS),
        metavar="NAME",
        help=f"of {', '.join(PEERS)}; default: all. One that is not installed is named and skipped",
    )
    what.add_argument(
        "--algorithms",
        nargs="+",
        type=choice("algorithm", PAPER),
        metavar="NAME",
        help="of the six boosters, default all; Angle AdaBoost, which the ratios refer to, is always among them",
    )
    what.add_argument("--rounds", type=whole_number(2), default=200, metavar="N", help="of whole fits, default 200")
    what.add_argument(
        "--processes",
        type=whole_number(1),
        default=5,
        metavar="N",
        help="in which the figures to reach are repeated, default 5; the spread is over them",
    )
    what.add_argument(
        "--replications", type=whole_number(1), metavar="N", help="repeats in each process; default 1 to 5 by work"
    )
    what.add_argument(
        "--against",
        type=Path,
        metavar="DIR",
        help="another checkout of the package, such as an older commit: its code runs in turns with this one's "
        "(own-predict, credit-round; about 4 min more)",
    )
    what.add_argument(
        "--cluster",
        action="store_true",
        help="instead of all that: fits on a Dask cluster of 1, 2 and 4 processes of this machine, beside local fits "
        f"and LightGBM's Dask layer, and bytes and exchanges per round (about {CLUSTER} min; with --quick one)",
    )
    what.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="of the data, default 0")
    what.add_argument("--quick", action="store_true", help="far fewer rows, 2 processes: shows that everything runs")
    how = options.add_argument_group("how it is run")
    how.add_argument(
        "--jobs",
        type=whole_number(1),
        metavar="N",
        help=f"threads of the large works, default {min(THREADS, available_cores())}; more than one run at a time "
        "would spoil the figures, so runs follow one another",
    )
    how.add_argument(
        "--out", type=Path, metavar="DIR", help="default results/timing (or timing-cluster); a run there resumes"
    )
    how.add_argument("--fresh", action="store_true", help="delete the results in --out first instead of resuming")
    how.add_argument("--render-only", action="store_true", help="redraw tables, figures and report; measure nothing")
    options.set_defaults(study="timing")
    return options


def _conduct(options: argparse.Namespace, command: str) -> int:
    if options.cluster:
        from bench.timing import cluster

        cluster.refuse_others(options, parser())
        return cluster.conduct(options, command)
    from bench.timing.session import conduct

    return conduct(options, command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.answer(parser(), _conduct, argv)
