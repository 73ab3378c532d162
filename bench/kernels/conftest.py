"""With ``--benchmark-disable`` the suites are tests, at sizes that take little time."""

from __future__ import annotations

import pytest

from bench.kernels import sizes


def pytest_configure(config: pytest.Config) -> None:
    """Choose the sizes before the suites, which have them as parameters, are imported."""
    if config.getoption("benchmark_disable", False):
        sizes.use_small_ones()
