"""What a plane of function values is answered, and the rows on it: for the pictures of the simplex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import softmax

from csboost._inputs.pipelines import split_pipeline
from csboost.bayes.rule import AnswersByBayesRule
from csboost.explain.members import score_names
from csboost.explain.pairing import decides_by_cost
from csboost.plots._style import by_rows, color_of, marker_of
from csboost.staging import StagedBooster

__all__ = [
    "Margins",
    "answers_on",
    "draw_regions",
    "draw_rows",
    "labels_in",
    "largest",
    "margins_of",
    "order_of",
    "rows_of",
]

Decide = Callable[[NDArray[Any]], NDArray[Any]]
_CELLS = 240  # of the grid on which regions are found, along each axis


class Margins(NamedTuple):
    """Margins of rows, what they are of, and how answers follow from them."""

    values: NDArray[np.float64]  # (n, S)
    names: list[Any]  # (S,) classes or answers
    decide: Decide  # from margins (n, S) to numbers among the answers
    answers: list[Any]


def margins_of(estimator: Any, X: Any) -> Margins:
    """The margins of a fitted model: a booster's scores, and of models of probabilities the logarithms of these."""
    last, seen = split_pipeline(estimator, X)
    if isinstance(last, AnswersByBayesRule):
        log_P = np.log(np.maximum(last.predict_proba(seen), 1e-12))
        margins = log_P - log_P.mean(axis=1, keepdims=True)
        C, answers = last.cost_matrix_, last.answers_.tolist()
        return Margins(margins, last.classes_.tolist(), lambda M: (softmax(M, axis=1) @ C).argmin(axis=1), answers)
    if isinstance(last, StagedBooster):
        scores = last._ensemble.scores(last._check_X(seen))
        decide = last._choose if decides_by_cost(last) else largest
        return Margins(scores, score_names(last).tolist(), decide, last.answers_.tolist())
    names = np.asarray(last.classes_).tolist()
    return Margins(np.asarray(last.decision_function(seen)), names, largest, names)


def largest(margins: NDArray[Any]) -> NDArray[Any]:
    """The numbers (n,) of the largest margins."""
    return margins.argmax(axis=1)


def labels_in(labels: Any) -> list[Any]:
    """Labels as Python has them; a list of several kinds as it is, which NumPy would make all text."""
    return list(labels) if isinstance(labels, list | tuple) else np.asarray(labels).tolist()


def order_of(names: Sequence[Any], others: Any) -> list[Any]:
    """``names``, and then those of ``others`` that are none of them: colours and markers go in this order."""
    order = dict.fromkeys(names)
    return list(order | dict.fromkeys([] if others is None else labels_in(others)))


def answers_on(points: NDArray[Any], to_margins: Decide, decide: Decide) -> NDArray[Any]:
    """The numbers of the answers at points (n, 2) of a plane."""
    return np.asarray(decide(to_margins(points)))


def draw_regions(ax: Any, limits: Sequence[float], to_margins: Decide, margins: Margins, order: list[Any]) -> None:
    """Tint what each answer has of the plane within ``limits`` (left, right, bottom, top), and name it there."""
    from matplotlib.colors import to_rgba

    left, right, bottom, top = limits
    x, y = np.linspace(left, right, _CELLS), np.linspace(bottom, top, _CELLS)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    found = answers_on(points, to_margins, margins.decide)
    image = np.zeros((len(points), 4))
    for number in np.unique(found):
        label, mine = margins.answers[number], found == number
        color = color_of(order.index(label))
        image[mine] = to_rgba(color, 0.14)
        inside = points[mine]
        spot = inside[np.linalg.norm(inside - inside.mean(axis=0), axis=1).argmin()]
        if mine.mean() > 0.004:
            box = {"boxstyle": "round,pad=0.15", "facecolor": (1, 1, 1, 0.75), "edgecolor": "none"}
            place = (spot[0] - left) / (right - left)
            side = "left" if place < 0.15 else "right" if place > 0.85 else "center"  # long names stay inside
            look = {"color": color, "fontweight": "bold", "ha": side, "va": "center", "zorder": 5, "bbox": box}
            ax.text(*spot, fill(str(label), 16), **look)
    grid = found.reshape(_CELLS, _CELLS)
    ax.imshow(image.reshape(_CELLS, _CELLS, 4), extent=limits, origin="lower", zorder=0, aspect="auto")
    for number in np.unique(found)[1:]:
        ax.contour(x, y, grid >= number, levels=[0.5], colors="0.6", linewidths=0.8, zorder=1)


def draw_rows(ax: Any, points: NDArray[Any], y: Any, order: list[Any], size: float, alpha: float) -> None:
    """Draw rows (n, 2) by colour and marker of their true classes, with a legend below the axes."""
    look = {"s": size, "alpha": alpha, "linewidths": 0, "zorder": 3}
    if y is None:
        ax.scatter(*points.T, color="0.25", marker="o", **look)
        return
    labels = np.asarray(y)
    shown = [label for label in order if (labels == label).any()]
    for label in shown:
        k = order.index(label)
        style = {"color": color_of(k), "marker": marker_of(k), "label": f"true class {label}"}
        ax.scatter(*points[labels == label].T, **style, **look)
    longest = max(len(str(label)) for label in shown)
    columns = max(1, min(3, int(48 / (longest + 14))))
    handles = by_rows(ax.get_legend_handles_labels()[0], columns)
    ax.legend(
        handles=handles, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.05), ncols=columns, markerscale=1.5
    )


def rows_of(points: NDArray[Any], margins: Margins, y: Any, names: tuple[str, str]) -> pd.DataFrame:
    """Points (n, 2) with answers and truths."""
    columns = dict(zip(names, points.T, strict=True))
    columns["answer"] = [margins.answers[number] for number in margins.decide(margins.values)]
    if y is not None:
        columns["truth"] = np.asarray(y)
    return pd.DataFrame(columns)
