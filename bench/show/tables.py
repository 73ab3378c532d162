"""The numbers of a table: a block per scenario with a cell per algorithm, from the test costs of its replications.

Such blocks are the paper's layout; ``table.csv`` is the same cells, one per line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench.published.printed import printed_costs
from bench.studies.study import Scenario

BEYOND = 2.0
"""A difference from print of more than this many combined standard errors is marked."""

DIGITS = 3
"""Decimals of a printed mean; its standard error has one more, as in the paper."""


@dataclass(frozen=True)
class Cell:
    """An algorithm's result in a scenario.

    Attributes
    ----------
    mean : float
        Over the replications that are done; NaN without any.
    standard_error : float
        Standard deviation over replications (n - 1) divided by sqrt(n); NaN for fewer than two.
    replications, asked : int
        How many are done, and how many were asked for.
    published_mean, published_standard_error : float
        NaN where nothing was printed.
    """

    mean: float
    standard_error: float
    replications: int
    asked: int
    published_mean: float = math.nan
    published_standard_error: float = math.nan

    @property
    def difference(self) -> float:
        """Mean minus published mean, in units of sqrt(se^2 + published se^2); NaN when nothing was printed."""
        combined = math.hypot(self.standard_error, self.published_standard_error)
        return (self.mean - self.published_mean) / combined if combined > 0 else math.nan

    @property
    def is_far(self) -> bool:
        """Whether the mean differs from print beyond the mark."""
        return abs(self.difference) > BEYOND

    @property
    def mean_text(self) -> str:
        """The mean as printed."""
        return number(self.mean, DIGITS)

    @property
    def error_text(self) -> str:
        """The standard error as printed, in parentheses."""
        return f"({number(self.standard_error, DIGITS + 1)})"

    @property
    def reps_text(self) -> str:
        """``reps 17/20`` when jobs are missing, else empty."""
        return f"reps {self.replications}/{self.asked}" if self.replications != self.asked else ""

    @property
    def published_text(self) -> str:
        """The published mean, empty without one."""
        return "" if math.isnan(self.published_mean) else number(self.published_mean, DIGITS)

    @property
    def published_error_text(self) -> str:
        """The published standard error in parentheses, empty without one."""
        return "" if math.isnan(self.published_mean) else f"({number(self.published_standard_error, DIGITS + 1)})"

    @property
    def difference_text(self) -> str:
        """The difference from print, marked when far, empty when nothing was printed."""
        return "" if math.isnan(self.difference) else f"{self.difference:+.1f}{' !' if self.is_far else ''}"


class Block(NamedTuple):
    """A scenario's cells under one protocol, in the order of the table."""

    scenario: Scenario
    cells: dict[str, Cell]

    def lowest(self) -> set[str]:
        """Return the algorithms of the lowest mean; what prints alike is tied."""
        printed = {name: round(cell.mean, DIGITS) for name, cell in self.cells.items() if not math.isnan(cell.mean)}
        return {name for name, mean in printed.items() if mean == min(printed.values())}


def summarise(costs: dict[str, np.ndarray], scenario: Scenario, printed: bool = True) -> Block:
    """Return a scenario's block of cells from its test costs (:func:`bench.show.results.test_costs`).

    With ``printed``, the paper's figures stand beside them.
    """
    cells = {}
    for name, values in costs.items():
        known = values[~np.isnan(values)]
        cells[name] = Cell(
            float(known.mean()) if len(known) else math.nan,
            float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else math.nan,
            len(known),
            len(values),
            *(printed_costs().get((scenario.scenario, scenario.costs, name), ()) if printed else ()),
        )
    return Block(scenario, cells)


def tidy(blocks: dict[str, list[Block]], study: str) -> pd.DataFrame:
    """Return the tidy table, a line per cell, from protocol -> blocks."""
    return pd.DataFrame(
        [
            {
                "study": study,
                "scenario": scenario.scenario,
                "costs": scenario.costs,
                "algorithm": name,
                "protocol": protocol,
                "mean": cell.mean,
                "standard_error": cell.standard_error,
                "replications": cell.replications,
                "published_mean": cell.published_mean,
                "published_standard_error": cell.published_standard_error,
            }
            for protocol, of_protocol in blocks.items()
            for scenario, cells in of_protocol
            for name, cell in cells.items()
        ]
    )


def number(value: float, digits: int) -> str:
    """Format a number; NaN is a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"
