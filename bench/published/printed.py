"""The numbers that the paper prints."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

PRINTED = Path(__file__).parents[1] / "published.csv"


@cache
def printed_costs() -> dict[tuple[str, str, str], tuple[float, float]]:
    """Return the printed means and standard errors: (scenario, costs, algorithm) -> (mean, standard error)."""
    with PRINTED.open(newline="") as file:
        return {
            (line["scenario"], line["costs"], line["algorithm"]): (float(line["mean"]), float(line["standard_error"]))
            for line in csv.DictReader(file)
        }
