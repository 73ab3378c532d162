"""The command line of listings (:mod:`bench.studies.listing`); as light as :mod:`bench.command.cli`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.command import cli
from bench.command.options import add_folder, bare_parser, whole_number

if TYPE_CHECKING:
    from bench.studies.listing import Make


def list_parser(name: str, description: str) -> tuple[argparse.ArgumentParser, argparse._ArgumentGroup]:
    """Return the parser of a command that lists what it measures, and its group of options for what that is.

    Parameters are those of :func:`bench.command.cli.base_parser`.
    """
    parser = bare_parser(name, description)
    what = parser.add_argument_group("what is measured")
    what.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="default 0")
    study = name.rpartition(".")[2]
    add_folder(parser.add_argument_group("how it is run"), study)
    parser.set_defaults(study=study)
    return parser, what


def run_list(parser: argparse.ArgumentParser, make: Make, argv: Sequence[str] | None = None) -> int:
    """Parse, run what ``make`` lists (see :func:`bench.command.listing.conduct`) and return the exit code."""

    def action(options: argparse.Namespace, command: str) -> int:
        from bench.command.listing import conduct

        return conduct(make, options, command)

    return cli.answer(parser, action, argv)
