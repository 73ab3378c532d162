"""How each study draws the rows of a replication. Workers import these functions, so they live apart from the mains."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from bench.published.split import grouped_split
from bench.studies.simulated import simulation
from bench.studies.study import Split

TRAIN_ROWS, TEST_ROWS = 300, 4700


def draw_simulation(scenario: str, protocol: str, seed: int) -> Split:
    """Draw 5,000 rows of a simulation, of which 300 train (the paper, section "Numerical Experiments").

    The rows are independent, so the first 300 will do; ``published`` splits the same 5,000 rows in the way that was
    chosen, after the fact, because it fits the printed numbers.
    """
    X, y = simulation(scenario).make(TRAIN_ROWS + TEST_ROWS, seed)
    if protocol == "faithful":
        return Split(X[:TRAIN_ROWS], y[:TRAIN_ROWS], X[TRAIN_ROWS:], y[TRAIN_ROWS:])
    train, test = grouped_split(y, TRAIN_ROWS, np.random.default_rng([seed, 1]))  # apart from the rows' own numbers
    return Split(X[train], y[train], X[test], y[test])


@cache
def _credit_table() -> object:
    from csboost.data import load_lending_club

    return load_lending_club()


@lru_cache(maxsize=1)  # the cost structures of a replication share its rows
def draw_credit(per_grade: int, scenario: str, protocol: str, seed: int) -> Split:
    """Draw ``per_grade`` loans of each grade of the embedded table; every other loan tests, grades weighing alike."""
    from csboost.data import credit_draw

    return Split(*credit_draw(_credit_table(), seed, per_grade=per_grade))
