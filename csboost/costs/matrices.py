"""Forms of ``cost_matrix`` that say which class is which by themselves or by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import numeric
from csboost.costs.checks import check_matrix
from csboost.costs.gains import check_gains
from csboost.costs.presets import named_matrix, zero_one
from csboost.costs.tables import aligned, is_labelled


def as_matrix(cost_matrix: Any, labels: Sequence[Any], order: Sequence[Any]) -> NDArray[np.float64]:
    """Costs (K, K) in the order of ``labels``; a name counts its steps in ``order``.

    ``cost_matrix`` is None, a name, an array in the order of ``labels`` or a labelled table, of which those rows and
    columns are taken.
    """
    if cost_matrix is None:
        return zero_one(len(labels))
    if isinstance(cost_matrix, str):
        return named_matrix(cost_matrix, list(labels), list(order))
    if is_labelled(cost_matrix):
        return check_matrix(aligned(cost_matrix, labels), labels)
    costs = check_matrix(numeric(cost_matrix, "cost_matrix"), labels)
    check_gains(costs, labels, labels)
    return costs
