"""A fit on a cluster is that of one machine, bit by bit, whatever the partitions and workers."""

from __future__ import annotations

import numpy as np
import pytest
from cases import MANY_ROWS, compiled, rows

pytest.importorskip("distributed")

from dask_cases import BOOSTERS, assert_same_bits, cluster, in_parts, local, spread, table, uneven

pytestmark = compiled("clusters of several processes")
COSTS = np.array([[0, 2, 1], [5, 0, 1], [2, 1, 0.0]])


@pytest.fixture(scope="module", params=[1, 2, 3, 5])
def client(request):
    found, client = cluster(request.param)
    yield client
    client.close()
    found.close()


@pytest.mark.parametrize("name", BOOSTERS)
@pytest.mark.parametrize("n_parts", [1, 9])
def test_same_bits_with_few_rows(client, name, n_parts):
    X, y = table(n=9_000, dtype=np.float64)
    sizes = uneven(len(y), n_parts, seed=n_parts)
    fitted = spread(name, COSTS).fit(in_parts(X, sizes), in_parts(y, sizes))
    assert_same_bits(local(name, COSTS).fit(X, y), fitted.to_local(), X)


@pytest.mark.parametrize("name", BOOSTERS)
def test_same_bits_with_many_rows_weights_and_costs_per_row(client, name):
    X, y = table(n=MANY_ROWS + rows(9_000), seed=1)
    rng = np.random.default_rng(2)
    weights, costs = rng.gamma(2.0, size=len(y)), rng.gamma(1.0, size=(len(y), 3))
    weights[rng.random(len(y)) < 0.1] = 0.0
    costs[np.arange(len(y)), np.unique(y, return_inverse=True)[1]] = 0.0
    sizes = uneven(len(y), 50, seed=3)
    parts = {"sample_weight": in_parts(weights, sizes), "sample_cost": in_parts(costs, sizes)}
    fitted = spread(name).fit(in_parts(X, sizes), in_parts(y, sizes), **parts)
    assert_same_bits(local(name).fit(X, y, sample_weight=weights, sample_cost=costs), fitted.to_local(), X)
