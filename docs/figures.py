"""Draw the pictures of the pages: ``python docs/figures.py [FOLDER]`` writes them into ``docs/figures``, or there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.model_selection import train_test_split

from csboost import (
    AngleAdaBoostClassifier,
    AngleGradientBoostingClassifier,
    CostSensitiveClassifier,
    data,
    explain,
    plots,
)
from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss
from csboost.angle.simplex import vertices

GRADES = ["good", "fair", "poor"]
COSTS = pd.DataFrame([[0, 1, 2], [4, 0, 1], [9, 5, 0]], index=GRADES, columns=GRADES)
ANSWERS = COSTS.assign(human=1.0)
COLUMNS = [f"signal {j}" for j in range(21)]
COLOURS = {"good": "#0072B2", "fair": "#009E73", "poor": "#D55E00"}
TINTS = ["#D5E8F4", "#D3EEE5", "#F9DFD0"]
MARKERS = {"good": "o", "fair": "s", "poor": "^"}
TURN = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)  # the first corner stands at the top
CORNERS = vertices(3) @ TURN.T


class Problem:
    """The guide's rows, and its models."""

    def __init__(self) -> None:
        X, codes = data.make_waveform(2000, random_state=0)
        rows = train_test_split(pd.DataFrame(X, columns=COLUMNS), np.array(GRADES)[codes], random_state=0)
        self.X, self.X_test, self.y, self.y_test = rows
        self.full = self._angle(1.0)
        self.tenth = self._angle(0.1)
        self.stopped = self._angle(1.0, n_iter_no_change=20)
        self.mixed = CostSensitiveClassifier(ANSWERS, effort="fast", random_state=0).fit(self.X, self.y)

    def _angle(self, learning_rate: float, **parameters: Any) -> AngleAdaBoostClassifier:
        model = AngleAdaBoostClassifier(COSTS, learning_rate=learning_rate, random_state=0, **parameters)
        return model.fit(self.X, self.y)


def rounds(problem: Problem) -> Any:
    """The first trees of a booster."""
    return explain.plot_rounds(problem.tenth, n_rounds=2)


def curves(problem: Problem) -> Any:
    """Cost against rounds, with the place where one fit was stopped."""
    models = {"full steps": problem.full, "stopped early": problem.stopped, "a tenth": problem.tenth}
    display = plots.CostCurveDisplay.from_estimators(models, problem.X_test, problem.y_test)
    return display.figure_


def confusion(problem: Problem) -> Any:
    """Where the cost comes from."""
    shown = plots.CostConfusionDisplay.from_estimator(problem.mixed, problem.X_test, problem.y_test, normalize="cost")
    return shown.figure_


def calibration(problem: Problem) -> Any:
    """Expected against realised cost."""
    return plots.CostCalibrationDisplay.from_estimator(problem.mixed, problem.X_test, problem.y_test).figure_


def savings(problem: Problem) -> Any:
    """What models save against the best constant answer."""
    models = {"full steps": problem.full, "a tenth": problem.tenth, "mixture": problem.mixed}
    return plots.SavingsDisplay.from_estimators(models, problem.X_test, problem.y_test, ANSWERS).figure_


def regions(problem: Problem) -> Any:
    """What is answered where among the vertices of the simplex."""
    return plots.SimplexDisplay.from_estimator(problem.mixed, problem.X_test, problem.y_test).figure_


def projection(_: Problem) -> Any:
    """Four classes in the plane."""
    X, y = data.make_four_gaussians(800, random_state=0)
    model = AngleGradientBoostingClassifier(n_estimators=60, n_bags=2, n_iter_no_change=None, random_state=0)
    return plots.SimplexProjectionDisplay.from_estimator(model.fit(X, y), X, y).figure_


def contributions(problem: Problem) -> Any:
    """Why one row was answered as it was."""
    return plots.ContributionDisplay.from_estimator(problem.mixed, problem.X_test, problem.X, row=0).figure_


def _triangle(ax: Any, limit: float = 1.35) -> None:
    """The corners of the three answers, and the regions of those that are nearest."""
    x, y = np.meshgrid(np.linspace(-limit, limit, 500), np.linspace(-limit, limit, 500))
    nearest = np.argmax(np.stack([x, y], axis=-1) @ CORNERS.T, axis=-1)
    ax.contourf(x, y, nearest, levels=[-0.5, 0.5, 1.5, 2.5], colors=TINTS)
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color="0.45", linewidth=1)
    for grade, corner in zip(GRADES, CORNERS, strict=True):
        ax.text(*(1.2 * corner), grade, ha="center", va="center", color="black", fontweight="bold")
    ax.set(xlim=(-limit, limit), ylim=(-0.75 * limit, limit), aspect="equal")
    ax.axis("off")


def _points(margins: np.ndarray) -> np.ndarray:
    """Margins (n, 3), by grade, as points of the plane, turned as the corners are."""
    return 2 / 3 * margins @ CORNERS


def _by_grade(model: Any, margins: np.ndarray) -> np.ndarray:
    """Columns in the order of GRADES."""
    return margins[:, [list(model.classes_).index(grade) for grade in GRADES]]


def simplex(_: Problem) -> Any:
    """Corners, a function value and its margins."""
    figure, ax = plt.subplots(figsize=(6.2, 5.4), layout="constrained")
    _triangle(ax)
    point = np.array([0.62, -0.12])
    places = {"good": (-0.05, -0.3, "right"), "fair": (0.5, -0.42, "right"), "poor": (0.38, 0.32, "center")}
    for grade, corner in zip(GRADES, CORNERS, strict=True):
        margin = float(point @ corner)
        foot = margin * corner
        ax.plot(*np.array([-0.6 * corner, corner]).T, color=COLOURS[grade], linewidth=1)
        ax.plot(*np.array([[0, 0], foot]).T, color=COLOURS[grade], linewidth=5, alpha=0.55, solid_capstyle="butt")
        ax.plot(*np.array([point, foot]).T, color="0.3", linestyle=(0, (3, 3)), linewidth=1)
        x, y, side = places[grade]
        ax.text(x, y, f"{grade} {margin:+.2f}".replace("-", "\N{MINUS SIGN}"), ha=side, va="center", fontsize=10)
    ax.annotate("", point, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 1.8})
    ax.text(point[0] + 0.04, point[1], "f(x)", va="center", fontsize=11)
    return figure


def losses(_: Problem) -> Any:
    """What a margin costs."""
    M = np.linspace(-3, 3, 301)
    curves = {
        "exponential": (ExponentialLoss(), "#0072B2", "-"),
        "logistic": (LogisticLoss(), "#D55E00", (0, (6, 1.5))),
        "unified, a = 1, c = 0": (LargeMarginUnifiedLoss(a=1.0, c=0.0), "#009E73", (0, (1, 1.2))),
        "unified, a = 1, c = 5": (LargeMarginUnifiedLoss(a=1.0, c=5.0), "#CC79A7", (0, (6, 1.5, 1, 1.5))),
    }
    figure, ax = plt.subplots(figsize=(6.6, 4.2), layout="constrained")
    ax.plot([-3, 0, 0, 3], [0, 0, 1, 1], color="0.6", linewidth=2.5, label="what is paid")
    for name, (loss, colour, dashes) in curves.items():
        ax.plot(M, loss.value(-M), color=colour, linestyle=dashes, linewidth=1.8, label=name)
    ax.set(ylim=(-0.1, 4.5), xlim=(-3, 3), xlabel="margin of an answer", ylabel="loss per unit of its cost")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return figure


def loop(problem: Problem) -> Any:
    """Rows among the corners, after more and more rounds."""
    model = AngleAdaBoostClassifier(COSTS, n_estimators=100, learning_rate=0.15, random_state=0)
    model.fit(problem.X, problem.y)
    X, y = problem.X_test, problem.y_test
    stages = dict(enumerate(model.staged_decision_function(X), start=1))
    costs = model.staged_cost(X, y)
    figure, axes = plt.subplots(1, 4, figsize=(11, 2.7), layout="constrained")
    for ax, m in zip(axes, (0, 1, 10, 100), strict=True):
        _triangle(ax)
        points = _points(_by_grade(model, stages[m])) if m else np.zeros((len(X), 2))
        points = points / (1 + np.linalg.norm(points, axis=1, keepdims=True))  # directions stay, far points come nearer
        for grade in GRADES:
            mine = points[y == grade][:100]
            ax.scatter(*mine.T, s=14, color=COLOURS[grade], marker=MARKERS[grade], alpha=0.75, linewidth=0)
        rounds_ = f"{m} round" + ("" if m == 1 else "s")
        ax.set_title(f"{rounds_}: cost {costs[m - 1]:.2f}" if m else rounds_, fontsize=10)
    return figure


def leaves(problem: Problem) -> Any:
    """What the leaves of one tree add: a corner each, or a vector each."""
    by_label = AngleAdaBoostClassifier(COSTS, n_estimators=1, learning_rate=0.7).fit(problem.X, problem.y)
    by_vector = AngleGradientBoostingClassifier(
        COSTS, n_estimators=1, learning_rate=0.4, n_bags=1, n_iter_no_change=None, random_state=0
    ).fit(problem.X, problem.y)
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.9), layout="constrained")
    titles = "a corner per leaf (4 leaves)", "a vector per leaf (8 leaves)"
    for ax, model, title in zip(axes, (by_label, by_vector), titles, strict=True):
        _triangle(ax)
        for point in np.unique(_points(_by_grade(model, model.decision_function(problem.X))).round(9), axis=0):
            ax.annotate("", point, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 1.6})
        ax.set_title(title, fontsize=11)
    return figure


FIGURES: dict[str, Callable[[Problem], Any]] = {
    figure.__name__: figure
    for figure in (
        *(rounds, curves, confusion, calibration, savings, regions, projection, contributions),
        *(simplex, losses, loop, leaves),
    )
}


def main(folder: Path) -> None:
    """Draw all of them into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    problem = Problem()
    for name, draw in FIGURES.items():
        figure = draw(problem)
        figure.savefig(folder / f"{name}.png", dpi=90, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "figures")
