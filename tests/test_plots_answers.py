"""Displays of answers that are not the classes, of gains, and of costs that every row has for itself."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from csboost import costs, metrics, plots

mpl.use("Agg")
from matplotlib import pyplot as plt

C = pd.DataFrame(
    {"well": [0.0, 2.0, 9.0], "treat": [3.0, 1.0, -4.0], "human": [1.0, 1.0, 1.0]}, index=["well", "ill", "sick"]
).assign(home=[0.5, 4.0, 12.0])
Y = ["well", "ill", "sick", "sick", "well"]
A = ["well", "human", "treat", "well", "treat"]
ROWS = pd.DataFrame(np.arange(20.0).reshape(5, 4), columns=list(C.columns))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_the_confusion_display_shows_truths_by_answers():
    display = plots.CostConfusionDisplay.from_predictions(Y, A, C, normalize="pred")
    pd.testing.assert_frame_equal(display.table, metrics.cost_confusion_matrix(Y, A, C, normalize="pred"))
    assert display.im_.get_array().shape == display.text_.shape == (3, 4)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["well", "treat", "human", "home"]
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["well", "ill", "sick"]
    assert display.ax_.get_xlabel() == "answer"
    assert display.quantity == "cost per row of the answer"
    display.figure_.canvas.draw()


def test_gains_have_a_colour_of_their_own_and_as_strong_a_one():
    display = plots.CostConfusionDisplay.from_predictions(Y, A, C)
    low, high = display.im_.get_clim()
    assert (low, high) == (-9, 9)
    assert display.text_[2, 1].get_text() == "-4.00"
    gain, nothing, cost = (mpl.colors.to_rgb(display.im_.to_rgba(value)) for value in (-9.0, 0.0, 9.0))
    assert gain[0] > gain[2]  # orange
    assert cost[2] > cost[0]  # blue
    assert min(nothing) > 0.9
    assert plots.CostConfusionDisplay.from_predictions(Y, A, C.clip(lower=0)).im_.get_clim() == (0, 9)


def test_displays_take_costs_of_rows():
    confusion = plots.CostConfusionDisplay.from_predictions(Y, A, sample_cost=ROWS)
    assert confusion.table.to_numpy().sum() == sum(ROWS.at[i, answer] for i, answer in enumerate(A))
    expected = np.linspace(0, 1, 5)
    calibration = plots.CostCalibrationDisplay.from_predictions(Y, A, expected, sample_cost=ROWS, n_bins=2)
    by_hand = metrics.cost_calibration(Y, A, expected, sample_cost=ROWS, n_bins=2)
    pd.testing.assert_frame_equal(calibration.table, by_hand)


class Model:
    """It was fitted with costs of answers."""

    classes_, answers_ = np.array(["ill", "sick", "well"]), np.array(["well", "treat", "human", "home"])
    cost_matrix, cost_matrix_ = C, C.loc[["ill", "sick", "well"]].to_numpy()

    def predict(self, X):
        return np.array(A)

    def predict_expected_cost(self, X):
        return ROWS.to_numpy()

    def staged_cost(self, X, y, sample_weight=None, sample_cost=None):
        return np.full(3, np.average(sample_cost["well"], weights=sample_weight))


def test_displays_of_an_estimator_use_its_answers_in_the_order_of_its_table():
    confusion = plots.CostConfusionDisplay.from_estimator(Model(), None, Y)
    pd.testing.assert_frame_equal(confusion.table, metrics.cost_confusion_matrix(Y, A, C))
    calibration = plots.CostCalibrationDisplay.from_estimator(Model(), None, Y, n_bins=2)
    by_hand = metrics.cost_calibration(Y, A, ROWS, C, n_bins=2)
    pd.testing.assert_frame_equal(calibration.table, by_hand)


def test_displays_find_the_answers_of_a_fitted_model_also_inside_a_pipeline():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.choice(C.index, 60)
    model = make_pipeline(StandardScaler(), costs.BayesDecisionClassifier(GaussianNB(), C)).fit(X, y)
    shown = plots.CostConfusionDisplay.from_estimator(model, X, y)
    pd.testing.assert_frame_equal(shown.table, metrics.cost_confusion_matrix(y, model.predict(X), C))
    bayes = costs.BayesDecisionClassifier(GaussianNB(), C).fit(X, y)
    calibration = plots.CostCalibrationDisplay.from_estimator(bayes, X, y, n_bins=2)
    frame = pd.DataFrame(bayes.predict_expected_cost(X), columns=bayes.answers_)
    by_hand = metrics.cost_calibration(y, bayes.predict(X), frame, C, n_bins=2)
    pd.testing.assert_frame_equal(calibration.table, by_hand)


def test_curves_take_costs_and_weights_of_rows():
    display = plots.CostCurveDisplay.from_estimator(Model(), None, Y, sample_cost=ROWS, sample_weight=[1, 1, 0, 0, 0])
    assert display.curves["Model"].tolist() == [[2.0, 2.0, 2.0]]


def test_the_calibration_display_says_what_was_promised_and_realised():
    expected = np.linspace(0, 1, 5)
    display = plots.CostCalibrationDisplay.from_predictions(Y, A, expected, C, n_bins=2, name="A")
    said = display.ax_.get_title().replace("\n", " ")
    assert said == f"A: {display.table.attrs['verdict']}"
    assert said.startswith("A: promised 0.50, realised 1.80 per case")
    other = plots.CostCalibrationDisplay.from_predictions(Y, A, 2 * expected, C, n_bins=2, name="B", ax=display.ax_)
    assert other.ax_.get_title().replace("\n", " ") == f"{said} B: {other.table.attrs['verdict']}"
    table = display.table.copy()
    table.attrs.clear()
    assert plots.CostCalibrationDisplay(table).plot().ax_.get_title() == ""


def test_the_calibration_display_shows_gains():
    truth, answers = ["sick"] * 40 + ["well"] * 40, ["treat"] * 80
    expected = np.repeat([-3.0, 2.0], 40)
    display = plots.CostCalibrationDisplay.from_predictions(truth, answers, expected, C, n_bins=2)
    low, high = display.ax_.get_xlim()
    assert low < -4
    assert high > 3
    assert display.ax_.get_ylim() == (low, high)
