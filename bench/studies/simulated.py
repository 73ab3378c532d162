"""The paper's two simulations: rows, exact probabilities and costs, for all that is studied on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.studies.scenarios import Named
from csboost import costs, data


class Simulation(NamedTuple):
    """A simulation: ``make(n, seed)`` -> rows and labels, ``exact(X)`` -> class probabilities, Wang's unequal costs."""

    make: Callable[..., Any]
    exact: Callable[..., Any]
    unequal: np.ndarray


def simulation(scenario: str) -> Simulation:
    """Return a simulation by its name in tables."""
    if scenario == "simulation1":
        return Simulation(data.make_waveform, data.waveform_probabilities, data.WAVEFORM_COSTS)
    return Simulation(data.make_four_gaussians, data.four_gaussians_probabilities, data.FOUR_GAUSSIANS_COSTS)


def cost_matrix(named: Named) -> np.ndarray:
    """Return the costs of a scenario, shape (K, K)."""
    unequal = simulation(named.scenario).unequal
    return costs.zero_one(len(unequal)) if named.costs == "equal" else unequal
