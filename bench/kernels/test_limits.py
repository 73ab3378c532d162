"""Deciding many rows by their probabilities: as they are, and under limits on several answers."""

from __future__ import annotations

import numpy as np
import pytest

from bench.kernels.sizes import LIMITED
from bench.kernels.workloads import clock
from csboost import decisions

#: Three classes and five answers, two of which are no classes.
COSTS = np.array([[0, 3, 8, 1.0, 2.0], [2, 0, 4, 1.0, 1.5], [9, 4, 0, 1.0, 0.5]])
LIMITS = {"none": {}, "one": {3: 0.05}, "two": {3: 0.05, 4: 0.02}}


@pytest.mark.parametrize("limited", LIMITS)
@pytest.mark.parametrize("size", [LIMITED], ids=str)
def test_decide(benchmark, size, limited):
    P, limits = np.random.default_rng(0).dirichlet(np.ones(size.K), size.n), LIMITS[limited]
    found = clock(benchmark, f"decide, limits: {limited}", size, lambda: decisions.decide(P, COSTS, limits=limits))
    most = np.array([int(limits.get(answer, 1.0) * size.n) for answer in range(5)])
    counts = np.bincount(found.answers, minlength=5)
    assert (counts <= most).all()
    assert [answer for answer in limits if counts[answer] == most[answer]] == list(limits)
    prices = np.array([found.shadow_prices.get(answer, 0.0) for answer in range(5)])
    least = (P @ COSTS + prices).min(axis=1).sum() - most @ prices  # of all answers under the limits, by duality
    assert found.expected_cost.sum() == pytest.approx(least, rel=1e-9)
