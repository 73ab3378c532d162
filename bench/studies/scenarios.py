"""The scenarios of the studies by name. Light: the command line reads this before it imports anything heavy."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """A scenario's name on the command line, its names in ``table.csv`` and ``published.csv``, and its heading."""

    key: str
    scenario: str
    costs: str
    label: str


def _by_key(*scenarios: Named) -> dict[str, Named]:
    return {scenario.key: scenario for scenario in scenarios}


SIMULATIONS = _by_key(
    Named("1", "simulation1", "equal", "Simulation 1"),
    Named("1c", "simulation1", "wang", "Simulation 1c"),
    Named("2", "simulation2", "equal", "Simulation 2"),
    Named("2c", "simulation2", "wang", "Simulation 2c"),
)
"""The paper's two simulations, with equal and with Wang's unequal costs."""

CREDIT = _by_key(
    Named("equal", "credit", "equal", "Equal costs"),
    Named("linear", "credit", "linear", "Linear costs"),
    Named("partitioned-linear", "credit", "partitioned-linear", "Partitioned-linear costs"),
)
"""The cost structures of the paper's Table 2."""


def key_of(scenarios: dict[str, Named], scenario: str, costs: str) -> str:
    """Return the key of the scenario that has these names in tables."""
    return next(named.key for named in scenarios.values() if (named.scenario, named.costs) == (scenario, costs))
