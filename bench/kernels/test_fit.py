"""Whole fits of the six boosters: what the kernels and the Python between them add up to."""

from __future__ import annotations

import numpy as np
import pytest

from bench.algorithms import PAPER, booster_class
from bench.kernels.workloads import SMALL, clock
from csboost.data import make_waveform

ROUNDS = 200


@pytest.mark.parametrize("name", PAPER)
def test_fit(benchmark, name):
    X, y = make_waveform(SMALL.n, 0)
    booster = booster_class(name)(n_estimators=ROUNDS)
    model = clock(benchmark, f"fit, {ROUNDS} rounds", SMALL, lambda: booster.fit(X, y))
    assert model.n_iter_ == ROUNDS
    X_test, y_test = make_waveform(5000, 1)
    assert np.mean(model.predict(X_test) != y_test) < 0.21  # the Bayes error is 0.13
