"""Displays: what is drawn has the right numbers."""

from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from csboost import costs, metrics, plots
from csboost.angle.simplex import vertices

mpl.use("Agg")
from matplotlib import pyplot as plt

C3 = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
Y, P = list("aabccc"), list("acaabc")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def bayes():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    return costs.BayesDecisionClassifier(GaussianNB(), C3).fit(X, names), X, names


@pytest.mark.parametrize("normalize", [None, "all", "true", "pred", "cost"])
def test_cost_confusion_shows_the_table(normalize):
    display = plots.CostConfusionDisplay.from_predictions(Y, P, C3, normalize=normalize)
    table = metrics.cost_confusion_matrix(Y, P, C3, normalize=normalize)
    assert np.array_equal(display.im_.get_array(), table)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["a", "b", "c"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("predicted class", "true class")
    assert display.text_[0, 0].get_text() == "0"
    display.figure_.canvas.draw()


def test_cost_confusion_numbers_and_formats():
    assert plots.CostConfusionDisplay.from_predictions(Y, P, C3).text_[2, 1].get_text() == "6.00"
    shares = plots.CostConfusionDisplay.from_predictions(Y, P, C3, normalize="cost")
    assert shares.text_[2, 1].get_text() == "37.5%"
    assert plots.CostConfusionDisplay.from_predictions(Y, P, C3, include_values=False).text_ is None
    _, ax = plt.subplots()
    display = plots.CostConfusionDisplay.from_predictions(Y, P, C3, ax=ax, values_format=".0f")
    assert display.ax_ is ax
    assert display.text_[2, 1].get_text() == "6"


def test_from_estimator_uses_the_fitted_costs(bayes):
    model, X, y = bayes
    display = plots.CostConfusionDisplay.from_estimator(model, X, y)
    assert np.array_equal(display.table, metrics.cost_confusion_matrix(y, model.predict(X), C3))
    equal = plots.CostConfusionDisplay.from_estimator(model, X, y, cost_matrix="equal")
    assert equal.table.to_numpy().sum() == (model.predict(X) != y).sum()
    calibration = plots.CostCalibrationDisplay.from_estimator(model, X, y, n_bins=4)
    expected = metrics.cost_calibration(y, model.predict(X), model.predict_expected_cost(X), C3, n_bins=4)
    assert calibration.table.equals(expected)


def test_cost_curves():
    rng = np.random.default_rng(0)
    curves = {"one": rng.random(20), "many": rng.random((5, 20))}
    display = plots.CostCurveDisplay(curves).plot(reference={"Bayes cost": 0.1})
    assert np.array_equal(display.lines_[0].get_ydata(), curves["one"])
    assert np.allclose(display.lines_[1].get_ydata(), curves["many"].mean(axis=0))
    assert display.lines_[0].get_xdata().tolist() == list(range(1, 21))
    band = display.bands_[0].get_datalim(display.ax_.transData).intervaly
    mean, error = curves["many"].mean(axis=0), 2 * curves["many"].std(axis=0, ddof=1) / 5**0.5
    assert band.tolist() == pytest.approx([(mean - error).min(), (mean + error).max()])
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["one", "many", "Bayes cost"]
    styles = {(line.get_color(), line.get_linestyle()) for line in display.lines_}
    assert len(styles) == 2
    with pytest.raises(ValueError, match="curve 'bad'"):
        plots.CostCurveDisplay({"bad": np.zeros((2, 2, 2))})


def test_cost_curves_from_estimators():
    class Booster:
        def staged_cost(self, X, y):
            return np.linspace(1, 0.5, len(X))

    display = plots.CostCurveDisplay.from_estimator(Booster(), np.zeros((7, 1)), np.zeros(7), log_rounds=True)
    assert display.lines_[0].get_ydata()[-1] == 0.5
    assert list(display.curves) == ["Booster"]
    assert display.ax_.get_legend() is None
    assert display.ax_.get_xscale() == "log"


def test_calibration_displays_share_axes():
    rng = np.random.default_rng(0)
    truth, answer = rng.integers(0, 2, 300), rng.integers(0, 2, 300)
    first = plots.CostCalibrationDisplay.from_predictions(truth, answer, rng.random(300), None, n_bins=3, name="A")
    assert np.allclose(first.points_[0].get_ydata(), first.table["realised"])
    assert np.allclose(first.points_[0].get_xdata(), first.table["expected"])
    limit = first.ax_.get_xlim()[1]
    second = plots.CostCalibrationDisplay.from_predictions(
        truth, answer, rng.random(300) / 9, None, n_bins=3, name="B", ax=first.ax_
    )
    assert second.ax_.get_xlim()[1] >= limit
    assert sum(line.get_gid() == "diagonal" for line in first.ax_.lines) == 1
    assert [text.get_text() for text in first.ax_.get_legend().get_texts()] == ["A", "B"]


def test_calibration_shows_a_bin_of_one_row_without_a_bar():
    draw = plots.CostCalibrationDisplay.from_predictions
    display = draw([0, 1, 1], [1, 1, 0], [0.1, 0.1, 0.5], C3[:2, :2], n_bins=2)
    assert [len(bar) for bar in display.points_[2][0].get_segments()] == [2, 0]
    assert display.ax_.get_ylim()[1] > display.table["realised"].max()


def test_simplex_points_are_the_function_values():
    rng = np.random.default_rng(0)
    f = rng.normal(size=(30, 2))
    M = f @ vertices(3).T
    display = plots.SimplexDisplay(M, M.argmax(axis=1), classes=["a", "b", "c"])
    assert np.allclose(np.linalg.norm(display.points, axis=1), np.linalg.norm(f, axis=1))
    corners = plots.SimplexDisplay(vertices(3) @ vertices(3).T).points
    assert np.allclose(corners, [[0, 1], [3**0.5 / 2, -0.5], [-(3**0.5) / 2, -0.5]])
    # A row lies nearest to the vertex of its predicted class.
    assert np.array_equal((display.points @ corners.T).argmax(axis=1), M.argmax(axis=1))
    with pytest.raises(ValueError, match=r"three classes.*got \(5, 4\)"):
        plots.SimplexDisplay(np.zeros((5, 4)))


def test_simplex_from_estimator_draws():
    class Booster:
        classes_ = np.array(["a", "b", "c"])

        def decision_function(self, X):
            return X

    M = np.random.default_rng(0).normal(size=(9, 2)) @ vertices(3).T
    display = plots.SimplexDisplay.from_estimator(Booster(), M, np.array(list("abc") * 3))
    assert sum(len(points.get_offsets()) for points in display.ax_.collections) == 9
    assert [text.get_text() for text in display.ax_.texts] == ["a", "b", "c"]
    assert len(plots.SimplexDisplay.from_estimator(Booster(), M).ax_.collections) == 1


def test_importing_plots_does_not_load_matplotlib():
    code = "import sys, csboost.plots; print('matplotlib' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
