"""Colours, markers and axes that all displays share."""

from __future__ import annotations

from typing import Any

from csboost._inputs.pipelines import last_step

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


def costs_of(estimator: Any, cost_matrix: Any, y: Any = None) -> tuple[Any, Any]:
    """``cost_matrix``, or the one that the estimator was fitted with, and the classes in the order to show them.

    That is the order of its cost table or, without one, the order that ``y`` declares; None with ``cost_matrix``.
    """
    fitted = None if cost_matrix is not None else _with_costs(estimator)
    if fitted is None:
        return cost_matrix, None
    import pandas as pd

    from csboost._inputs.labels import declared
    from csboost.costs.cost_table import labels_of

    classes, categories, own = list(fitted.classes_), declared(y), labels_of(fitted.cost_matrix)
    order = own or (categories[0] if categories is not None and categories[1] else [])
    order = [label for label in order if label in set(classes)]
    order = order if len(order) == len(classes) else classes
    if own is not None:  # as it was given: what was cut from it in fit may be what its other entries make sense with
        return fitted.cost_matrix, order
    return pd.DataFrame(fitted.cost_matrix_, index=classes, columns=classes), order


def answers_of(estimator: Any) -> Any:
    """The labels of what the estimator predicts: its classes, unless its costs name other answers."""
    fitted = _with_costs(estimator)
    return estimator.classes_ if fitted is None else getattr(fitted, "answers_", fitted.classes_)


def diverging(costs: str, gains: str) -> Any:
    """A colour map of the names of two, white between: ``gains`` below 0, ``costs`` above."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    steps = np.linspace(0, 1, 128)
    return ListedColormap(np.vstack([colormaps[gains](steps[::-1]), colormaps[costs](steps)]))


def _with_costs(estimator: Any) -> Any:
    """The fitted estimator with costs, if need be inside a pipeline or a search."""
    estimator = last_step(estimator)
    return estimator if hasattr(estimator, "cost_matrix_") else None
