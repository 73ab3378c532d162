"""Sets of codes as 256 bits: code c is bit ``c % 32`` of number ``c // 32``."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import MISSING

UNSEEN = 254  # what stands for numbers that no column was trained on: in no set


@kernel(inner=True)
def in_set(chosen, code):
    """Whether a code is in the set ``chosen`` (8,)."""
    return (chosen[np.uintp(code) >> np.uintp(5)] >> np.uint32(code & 31)) & np.uint32(1) != 0


@kernel(inner=True)
def add_to_set(chosen, code):
    """Add a code to the set ``chosen`` (8,)."""
    chosen[code >> 5] |= np.uint32(1) << np.uint32(code & 31)


@kernel(inner=True)
def code_of(x):
    """The code of a raw category number."""
    if np.isnan(x):
        return MISSING
    return np.intp(x) if 0.0 <= x < UNSEEN else UNSEEN


@kernel(inner=True)
def copy(target, source):
    """``target[:] = source``; as an assignment of rows it would allocate."""
    for i in range(target.shape[0]):
        target[i] = source[i]
