"""The command line of listings (:mod:`bench.studies.listing`); as light as :mod:`bench.command.cli`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.command import cli
from bench.command.options import add_folder, add_scenarios, bare_parser, whole_number

if TYPE_CHECKING:
    from bench.studies.listing import Listing, Make


class Counted(NamedTuple):
    """An option that is a number: its name, what it is by default and at least, and what it counts."""

    name: str
    default: int
    least: int
    words: str


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


def simulations_parser(name: str, description: str, sizes: Sequence[Counted], quick: str) -> argparse.ArgumentParser:
    """Return the parser of a command that fits to the simulations (:mod:`bench.studies.exact`).

    ``quick`` says what ``--quick`` makes less of; the other parameters are those of :func:`list_parser`.
    """
    parser, what = list_parser(name, description)
    add_scenarios(what)
    for size in sizes:
        words = f"{size.words}, default {size.default}"
        what.add_argument(f"--{size.name.replace('_', '-')}", type=whole_number(size.least), metavar="N", help=words)
    what.add_argument("--quick", action="store_true", help=f"{quick}: to see that it runs")
    parser.set_defaults(sizes={size.name: (size.default, size.words) for size in sizes})
    return parser


def made_by(module: str) -> Make:
    """Return the ``make_listing`` of a module, which is imported once something is to be listed."""

    def make(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
        listing: Listing = import_module(module).make_listing(options, stored)
        return listing

    return make


def run_list(parser: argparse.ArgumentParser, make: Make, argv: Sequence[str] | None = None) -> int:
    """Parse, run what ``make`` lists (see :func:`bench.command.listing.conduct`) and return the exit code."""

    def action(options: argparse.Namespace, command: str) -> int:
        from bench.command.listing import conduct

        return conduct(make, options, command)

    return cli.answer(parser, action, argv)
