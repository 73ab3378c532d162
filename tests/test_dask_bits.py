"""A fit on a cluster is that of one machine, bit by bit, whatever the partitions and workers."""

from __future__ import annotations

import numpy as np
import pytest
from cases import MANY_ROWS, compiled, examples, rows

pytest.importorskip("distributed")

from dask_cases import BOOSTERS, assert_same_bits, cluster, in_parts, local, spread, table, uneven

pytestmark = [compiled("clusters of several processes"), pytest.mark.timeout(300)]
COSTS = np.array([[0, 2, 1], [5, 0, 1], [2, 1, 0.0]])


WORKERS = (1, 2, 3, 5)
#: Each booster on one of the clusters; on all of them, of processes, where more examples are asked for.
CASES = [
    (n_workers, name)
    for i, name in enumerate(BOOSTERS)
    for j, n_workers in enumerate(WORKERS)
    if examples(1) > 1 or (i + j) % 4 == 0
]
in_cases = pytest.mark.parametrize(("n_workers", "name"), sorted(CASES))


@pytest.fixture(scope="module")
def client_of():
    """The client of a cluster of so many workers; one cluster at a time."""
    opened = {}

    def close():
        for client, found in opened.values():
            client.close()
            found.close()
        opened.clear()

    def client(n_workers):
        if n_workers not in opened:
            close()
            found, of_it = cluster(n_workers, processes=examples(1) > 1)
            opened[n_workers] = of_it, found
        return opened[n_workers][0]

    yield client
    close()


@in_cases
def test_same_bits_with_few_rows(client_of, n_workers, name):
    X, y = table(n=9_000, dtype=np.float64)
    sizes = uneven(len(y), 1 if n_workers == 1 else 9, seed=n_workers)
    fitted = spread(name, COSTS, client=client_of(n_workers)).fit(in_parts(X, sizes), in_parts(y, sizes))
    assert_same_bits(local(name, COSTS).fit(X, y), fitted.to_local(), X)


@in_cases
def test_same_bits_with_many_rows_weights_and_costs_per_row(client_of, n_workers, name):
    X, y = table(n=MANY_ROWS + rows(9_000), seed=1)
    rng = np.random.default_rng(2)
    weights, costs = rng.gamma(2.0, size=len(y)), rng.gamma(1.0, size=(len(y), 3))
    weights[rng.random(len(y)) < 0.1] = 0.0
    costs[np.arange(len(y)), np.unique(y, return_inverse=True)[1]] = 0.0
    sizes = uneven(len(y), 50, seed=3)
    parts = {"sample_weight": in_parts(weights, sizes), "sample_cost": in_parts(costs, sizes)}
    fitted = spread(name, client=client_of(n_workers)).fit(in_parts(X, sizes), in_parts(y, sizes), **parts)
    assert_same_bits(local(name).fit(X, y, sample_weight=weights, sample_cost=costs), fitted.to_local(), X)
