"""Draw the pictures of the guide: ``python docs/figures.py [FOLDER]`` writes them into ``docs/figures``, or there."""

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

GRADES = ["good", "fair", "poor"]
COSTS = pd.DataFrame([[0, 1, 2], [4, 0, 1], [9, 5, 0]], index=GRADES, columns=GRADES)
ANSWERS = COSTS.assign(human=1.0)
COLUMNS = [f"signal {j}" for j in range(21)]


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


FIGURES: dict[str, Callable[[Problem], Any]] = {
    figure.__name__: figure
    for figure in (rounds, curves, confusion, calibration, savings, regions, projection, contributions)
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
