"""Lists of fits to the simulations, where the exact probabilities are known: what was asked for, and its jobs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from bench.rows.row import Job, Row
from bench.studies.estimates import draw
from bench.studies.listing import Listing, jobs_of, remembered
from bench.studies.scenarios import SIMULATIONS, key_of

drawn = lru_cache(maxsize=1)(draw)  # what is fitted in a scenario shares its rows


class Asked(NamedTuple):
    """What a command was asked for (its parser: :func:`bench.command.list_cli.simulations_parser`)."""

    keys: list[str]  # of scenarios
    sizes: dict[str, int]  # rows, test_rows and others
    shrink: int  # by what rounds are divided
    protocol: str  # the same in words


def asked_for(options: argparse.Namespace, stored: dict[str, Any], quick: dict[str, int], shrink: int) -> Asked:
    """Return what was asked for; ``quick`` sizes and a ``shrink`` with ``--quick``."""
    given = vars(options)
    if options.quick:
        given, stored = {**given, **quick}, {**stored, "shrink": shrink}
    sizes = {name: remembered(given[name], stored, name, default) for name, (default, _) in options.sizes.items()}
    scenarios = remembered(options.scenarios, stored, "scenarios", list(SIMULATIONS))
    shrink = stored.get("shrink", 1)
    protocol = ", ".join(f"{sizes[name]} {words}" for name, (_, words) in options.sizes.items())
    protocol += f", rounds / {shrink}" if shrink > 1 else ""
    return Asked([key for key in SIMULATIONS if key in scenarios], sizes, shrink, protocol)


def list_fits(
    asked: Asked,
    fits: Iterable[str],
    seed: int,
    measure: Callable[..., dict[str, Any]],
    **parts: Any,
) -> Listing:
    """Return the list of every fit in every scenario.

    ``measure(key, *sizes, shrink, seed, fit)`` returns the columns of a row; ``parts`` are the others of a Listing.
    """
    names, sizes = list(fits), asked.sizes
    return Listing(
        jobs=jobs_of([(*SIMULATIONS[key][1:3], name, asked.protocol) for key in asked.keys for name in names]),
        work=lambda job: measure(scenario_of(job), *sizes.values(), asked.shrink, seed, job.algorithm),
        shown=lambda table: table.map(_three_decimals),
        selection={"scenarios": asked.keys, **sizes, "shrink": asked.shrink},
        **parts,
    )


def scenario_of(of: Job | Row) -> str:
    """Return the key of the scenario of a job or a row."""
    return key_of(SIMULATIONS, of.scenario, of.costs)


def _three_decimals(cell: Any) -> str:
    return cell if isinstance(cell, str) else f"{cell:.3f}"
