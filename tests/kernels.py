"""A few kernels, apart from tests so that a process of their own starts fast."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel


@kernel(inner=True)
def double(values):
    for i in range(values.shape[0]):
        values[i] *= 2


@kernel(inner=True)
def quadruple(values):
    double(values)
    double(values)


@kernel
def eightfold(values):
    quadruple(values)
    double(values)


@kernel
def ratio(a, b):
    return a[0] / b[0]


@kernel(inner=True, allocates=True)
def ones(n):
    return np.ones(n)


@kernel(allocates=True)
def count(n):
    return ones(n).sum()
