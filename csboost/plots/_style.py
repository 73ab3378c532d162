"""Colours, markers and axes that all displays share."""

from __future__ import annotations

from typing import Any

from csboost._inputs.pipelines import last_step

#: Okabe & Ito's colours, told apart with every common form of colour blindness; yellow left out (too pale for lines).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
#: With them, so that a print in grey can be read too.
LINE_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def color_of(number: int) -> str:
    """The colour of a class or curve; from the eighth on they come again, with the next marker or line style."""
    return COLORS[number % len(COLORS)]


def marker_of(number: int) -> str:
    """The marker that goes with :func:`color_of`: no two of the first 49 agree in both."""
    return MARKERS[(number + number // len(COLORS)) % len(MARKERS)]


def line_of(number: int) -> Any:
    """The line style that goes with :func:`color_of`: no two of the first 49 agree in both."""
    return LINE_STYLES[(number + number // len(COLORS)) % len(LINE_STYLES)]


def fill_of(number: int) -> dict[str, Any]:
    """How the bars of a class are filled: hatched where the colours come again."""
    again = {"hatch": "////", "edgecolor": "white", "linewidth": 0.0} if number >= len(COLORS) else {}
    return {"facecolor": color_of(number), **again}


def tint(color: str) -> Any:
    """A pale colour that hides what is behind it."""
    from matplotlib.colors import to_rgb

    return tuple(0.85 + 0.15 * part for part in to_rgb(color))


def by_rows(handles: list[Any], columns: int) -> list[Any]:
    """Entries of a legend in the order in which they must be given to be read row by row."""
    return [handle for column in range(columns) for handle in handles[column::columns]]


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


def turn_long_names(ax: Any, names: Any) -> None:
    """Slant the names below the x axis where one of them is long, so that they end at their ticks."""
    if max(len(str(name)) for name in names) > 8:
        ax.tick_params("x", rotation=30)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")


def diverging(costs: str, gains: str) -> Any:
    """A colour map of the names of two, white between: ``gains`` below 0, ``costs`` above."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    steps = np.linspace(0, 1, 128)
    return ListedColormap(np.vstack([colormaps[gains](steps[::-1]), colormaps[costs](steps)]))


def _with_costs(estimator: Any) -> Any:
    """The fitted estimator with costs, if need be inside a pipeline or a search."""
    last = last_step(estimator)
    return last if hasattr(last, "cost_matrix_") else None
