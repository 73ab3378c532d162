"""Colours, markers and axes that all displays share."""

from __future__ import annotations

from typing import Any

#: Okabe & Ito's colours, told apart with every common form of colour blindness; yellow left out (too pale for lines).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
#: With them, so that a print in grey can be read too.
LINE_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def axes(ax: Any = None, figsize: tuple[float, float] = (6.4, 4.8)) -> Any:
    """``ax``, or the axes of a new figure."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=figsize, layout="constrained")[1]


def matrix_of(estimator: Any, cost_matrix: Any) -> Any:
    """``cost_matrix``, or the one that the estimator was fitted with, labelled with its classes."""
    if cost_matrix is not None or not hasattr(estimator, "cost_matrix_"):
        return cost_matrix
    import pandas as pd

    return pd.DataFrame(estimator.cost_matrix_, index=estimator.classes_, columns=estimator.classes_)
