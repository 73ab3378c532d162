"""Benchmarks of the compiled kernels (pytest-benchmark): ``pytest bench/kernels``.

Each checks its result against NumPy, so with ``--benchmark-disable`` the suites are tests. What depends on the kernels'
arguments is in :mod:`bench.kernels.workloads`.
"""
