"""The command line of commands that list what they measure (:mod:`bench.listing`); as light as :mod:`bench.cli`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench import cli

if TYPE_CHECKING:
    from bench.listing import Make


def list_parser(name: str, description: str) -> tuple[argparse.ArgumentParser, argparse._ArgumentGroup]:
    """Return the parser of a command that lists what it measures, and its group of options for what that is.

    Parameters are those of :func:`bench.cli.base_parser`.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.{name}",
        description=description,
        epilog=cli.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    what = parser.add_argument_group("what is measured")
    what.add_argument("--seed", type=cli.whole_number(0), default=0, metavar="N", help="default 0")
    study = name.rpartition(".")[2]
    cli.add_folder(parser.add_argument_group("how it is run"), study)
    parser.set_defaults(study=study)
    return parser, what


def run_list(parser: argparse.ArgumentParser, make: Make, argv: Sequence[str] | None = None) -> int:
    """Parse, run what ``make`` lists (see :func:`bench.listing.conduct`) and return the exit code."""

    def action(options: argparse.Namespace, command: str) -> int:
        from bench.listing import conduct

        return conduct(make, options, command)

    return cli.answer(parser, action, argv)
