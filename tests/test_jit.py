"""What the declaration of kernels promises."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_inner_kernels_work_at_any_depth_and_refuse_python():
    values = np.array([1.0, 3.0])
    eightfold(values)
    np.testing.assert_array_equal(values, [8.0, 24.0])
    with pytest.raises(TypeError, match="bad argument type"):
        double(values)
