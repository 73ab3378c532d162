"""Options that several commands have, and types of their values."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable
from pathlib import Path

from bench.exits import EXIT_CODES
from bench.studies.scenarios import SIMULATIONS


def bare_parser(name: str, description: str | None, epilog: str = EXIT_CODES) -> argparse.ArgumentParser:
    """Return the parser of ``python -m bench.<name>``, without options; texts are printed as they are."""
    return argparse.ArgumentParser(
        prog=f"python -m bench.{name}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def choice(kind: str, accepted: Iterable[str], listed_by: str = "") -> Callable[[str], str]:
    """Return an argparse type that accepts the given names in any case and suggests the nearest to a misspelt one.

    Many names are not listed when one is misspelt: ``listed_by`` says what lists them.
    """
    names = {name.lower(): name for name in accepted}

    def parse(text: str) -> str:
        if text.lower() in names:
            return names[text.lower()]
        near = difflib.get_close_matches(text.lower(), names, n=1, cutoff=0.4)
        suggestion = f" Did you mean {names[near[0]]!r}?" if near else ""
        known = f"{listed_by} lists them" if listed_by else f"Accepted: {', '.join(map(repr, names.values()))}"
        raise argparse.ArgumentTypeError(f"unknown {kind} {text!r}.{suggestion} {known}")

    return parse


def whole_number(lowest: int) -> Callable[[str], int]:
    """Return an argparse type that accepts whole numbers from ``lowest`` up."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = lowest - 1
        if value < lowest:
            raise argparse.ArgumentTypeError(f"must be a whole number of at least {lowest}, not {text!r}")
        return value

    return parse


def add_scenarios(options: argparse._ActionsContainer) -> None:
    """Add the option that chooses among the paper's simulations."""
    options.add_argument(
        "--scenarios", nargs="+", type=choice("scenario", SIMULATIONS), metavar="NAME", help="default 1 1c 2 2c"
    )


def add_folder(options: argparse._ArgumentGroup, study: str) -> None:
    """Add the options that say where results are kept and what becomes of those that are there."""
    options.add_argument("--out", type=Path, metavar="DIR", help=f"default results/{study}; a run there resumes")
    options.add_argument("--fresh", action="store_true", help="delete the results in --out first instead of resuming")
    options.add_argument("--render-only", action="store_true", help="redraw what is shown of them; compute nothing")
