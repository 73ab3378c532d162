"""Displays of fitted models, in pipelines too: trees, contributions, stops, counts, savings, regions, projections."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import csboost
from csboost import data, explain, metrics, plots
from csboost.plots import _style
from csboost.weak import CostTree

mpl.use("Agg")
from matplotlib import pyplot as plt

C = pd.DataFrame([[0, 3, 9.0], [1, 0, 4], [6, 3, 0]], index=[0, 1, 2], columns=[0, 1, 2]).assign(human=1.0)
X, Y = data.make_waveform(200, random_state=0)
LONG = [f"borrower who is hardly ever late {k}" for k in range(9)]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def stopped():
    """A booster in a pipeline whose fit was stopped."""
    model = csboost.AngleAdaBoostClassifier(C, n_estimators=60, n_iter_no_change=3, random_state=0)
    return make_pipeline(StandardScaler(), model).fit(X, Y)


@pytest.fixture(scope="module")
def likely():
    """A booster that answers by expected costs, one of whose answers is no class."""
    model = csboost.AngleGradientBoostingClassifier(C, n_estimators=5, n_bags=1, n_iter_no_change=None, random_state=0)
    return model.fit(X, Y)


def is_inside(figure):
    """Whether all that is drawn is within the figure."""
    figure.canvas.draw()
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    return min(drawn.x0, drawn.y0) > -0.01 and drawn.x1 < width + 0.01 and drawn.y1 < height + 0.01


def test_no_two_of_nine_classes_look_alike():
    assert len({(_style.color_of(k), _style.marker_of(k)) for k in range(49)}) == 49
    assert len({(_style.color_of(k), _style.line_of(k)) for k in range(49)}) == 49
    assert len({tuple(sorted(_style.fill_of(k).items())) for k in range(9)}) == 9


def test_curves_of_pipelines_are_marked_where_they_stopped(stopped):
    booster = stopped[-1]
    assert booster.n_iter_ < 60
    free = csboost.SAMMEClassifier(n_estimators=4).fit(X, Y)
    display = plots.CostCurveDisplay.from_estimators({"stopped": stopped, "free": free}, X, Y)
    inside = stopped[:-1].transform(X)
    np.testing.assert_array_equal(display.curves["stopped"][0], booster.staged_cost(inside, Y))
    assert display.stops == {"stopped": booster.n_iter_}
    assert [mark.get_xdata().tolist() for mark in display.marks_] == [[booster.n_iter_]]
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["stopped", "free", "early stop"]
    frame = display.frame()
    assert frame.loc[frame["is_stop"], ["name", "round"]].to_numpy().tolist() == [["stopped", booster.n_iter_]]
    assert frame.groupby("name", sort=False).size().tolist() == [booster.n_iter_, 4]
    named = plots.CostCurveDisplay.from_estimator(stopped, X, Y, sample_cost=np.tile([1.0, 2.0, 3.0, 4.0], (len(Y), 1)))
    assert list(named.curves) == ["AngleAdaBoostClassifier"]
    assert (named.curves["AngleAdaBoostClassifier"] >= 1).all()
    with pytest.raises(ValueError, match=r"stops\['a'\] = 3 is no round"):
        plots.CostCurveDisplay({"a": [1.0, 2.0]}, stops={"a": 3})


def test_replications_are_in_the_frame_with_their_error_and_the_legend_says_what_bands_are():
    curves = np.random.default_rng(0).random((5, 7))
    display = plots.CostCurveDisplay({"a": curves, "b": curves[0]}).plot()
    frame = display.frame()
    np.testing.assert_allclose(frame["standard_error"][:7], curves.std(axis=0, ddof=1) / 5**0.5)
    assert frame["standard_error"][7:].isna().all()
    assert "2 standard errors" in display.ax_.get_legend().get_title().get_text()


def test_gradient_boosting_is_marked_at_its_best_round():
    model = csboost.AngleGradientBoostingClassifier(n_estimators=30, n_bags=2, n_iter_no_change=3, random_state=0)
    display = plots.CostCurveDisplay.from_estimator(model.fit(X, Y), X, Y)
    assert list(display.stops.values()) == [min(model.best_iteration_, model.n_iter_)]


def test_counts_stand_in_the_cells_of_the_confusion(stopped):
    weights = np.arange(len(Y)) % 3
    display = plots.CostConfusionDisplay.from_estimator(stopped, X, Y, sample_weight=weights)
    answers = stopped.predict(X)
    by_hand = pd.crosstab(Y, answers.astype(str), weights, aggfunc="sum").fillna(0)
    for truth, answer in np.ndindex(3, 4):
        name = str(display.table.columns[answer])
        found = by_hand[name][truth] if name in by_hand else 0
        assert display.count_text_[truth, answer].get_text() == f"n={found:g}"
    frame = display.frame()
    assert frame["rows"].sum() == weights.sum()
    assert np.isclose(frame["value"].sum(), display.table.to_numpy().sum())
    assert display.plot(include_counts=False).count_text_ is None
    rows = np.tile([1.0, 2.0, 3.0, 0.5], (len(Y), 1))
    by_row = plots.CostConfusionDisplay.from_estimator(stopped, X, Y, sample_cost=rows)
    assert by_row.counts.to_numpy().sum() == len(Y)
    assert is_inside(by_row.figure_)


def test_the_calibration_display_takes_pipelines_and_says_what_its_bars_are(stopped):
    display = plots.CostCalibrationDisplay.from_estimator(stopped, X, Y, n_bins=4)
    inside = stopped[:-1].transform(X)
    expected = pd.DataFrame(stopped[-1].predict_expected_cost(inside), columns=stopped[-1].answers_)
    pd.testing.assert_frame_equal(display.table, metrics.cost_calibration(Y, stopped.predict(X), expected, C, n_bins=4))
    assert [text.get_text() for text in display.ax_.texts] == ["bars: realised mean ± 2 standard errors"]
    frame = display.frame()
    np.testing.assert_allclose(frame["upper"] - frame["realised"], 2 * frame["standard_error"])


def test_savings_of_models_are_those_of_the_metric(stopped, likely):
    today = np.roll(Y, 1)
    models = {"margins": stopped, "likelihood": likely}
    display = plots.SavingsDisplay.from_estimators(models, X, Y, today=today)
    answers = {"today": today, "margins": stopped.predict(X), "likelihood": likely.predict(X)}
    table = metrics.savings(Y, answers, C)
    pd.testing.assert_frame_equal(display.frame(), table)
    assert display.ax_.get_title(loc="left").replace("\n", " ") == table.attrs["verdict"]
    np.testing.assert_array_equal(display.points_[0].get_xdata(), table["saving"])
    segments = display.points_[2][0].get_segments()
    np.testing.assert_allclose([s[:, 0] for s in segments], table[["lower", "upper"]])
    assert is_inside(display.figure_)
    rows = np.tile([1.0, 2.0, 3.0, 0.5], (len(Y), 1))
    by_row = plots.SavingsDisplay.from_estimator(likely, X, Y, sample_cost=rows, confidence=0.9)
    assert "90 % intervals" in by_row.ax_.get_xlabel()
    assert by_row.frame().attrs["best_constant"] == "human"
    with pytest.raises(ValueError, match="estimators is empty"):
        plots.SavingsDisplay.from_estimators({}, X, Y)


def test_regions_of_the_simplex_are_those_of_the_answers(likely):
    display = plots.SimplexDisplay.from_estimator(likely, X, Y)
    assert display.frame()["answer"].tolist() == likely.predict(X).tolist()
    assert display.frame()["truth"].tolist() == Y.tolist()
    image = display.ax_.images[0]
    left, right, bottom, top = image.get_extent()
    cells = image.get_array()
    order = [0, 1, 2, "human"]
    for point, answer in zip(display.points, likely.predict(X), strict=True):
        column = round((point[0] - left) / (right - left) * (cells.shape[1] - 1))
        row = round((point[1] - bottom) / (top - bottom) * (cells.shape[0] - 1))
        near = cells[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2, :3].reshape(-1, 3)
        color = mpl.colors.to_rgb(_style.color_of(order.index(answer)))
        assert (np.abs(near - color).max(axis=1) < 1e-6).any()


def test_the_simplex_takes_pipelines_and_three_answers_that_are_no_classes():
    table = C[[0, 2, "human"]]
    model = make_pipeline(StandardScaler(), csboost.AngleAdaBoostClassifier(table, n_estimators=5)).fit(X, Y)
    display = plots.SimplexDisplay.from_estimator(model, X, Y)
    assert display.frame()["answer"].tolist() == model.predict(X).tolist()
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["true class 0", "true class 2", "true class 1"]
    with pytest.raises(ValueError, match="three classes"):
        plots.SimplexDisplay.from_estimator(csboost.SAMMEClassifier(n_estimators=2).fit(X, Y > 0), X)


def test_a_projection_of_three_classes_shows_all_there_is(likely):
    display = plots.SimplexProjectionDisplay.from_estimator(likely, X, Y)
    assert display.shown_ == pytest.approx(1.0)
    assert display.agreement_ == 1.0
    flat = plots.SimplexDisplay.from_estimator(likely, X, Y)
    distances = [np.linalg.norm(d.points[:, None] - d.points, axis=2) for d in (display, flat)]
    np.testing.assert_allclose(*distances, atol=1e-9)


@pytest.mark.parametrize("K", [4, 9])
def test_a_projection_of_more_classes_says_how_much_it_shows(K):
    rng = np.random.default_rng(K)
    M = rng.normal(size=(60, K))
    M -= M.mean(axis=1, keepdims=True)
    names = np.array(LONG[:K])
    display = plots.SimplexProjectionDisplay(M, names[rng.integers(0, K, 60)], classes=names).plot()
    f = M @ np.linalg.svd(M, full_matrices=False)[2].T  # distances among margins are those of function values, scaled
    values = np.linalg.svd(f - f.mean(axis=0), compute_uv=False) ** 2
    assert display.shown_ == pytest.approx(values[:2].sum() / values.sum())
    assert 0 < display.agreement_ < 1
    assert display.ax_.get_title().startswith(
        f"{display.shown_:.0%} of the spread; {display.agreement_:.0%} of the rows"
    )
    assert display.frame()["answer"].tolist() == names[M.argmax(axis=1)].tolist()
    assert is_inside(display.figure_)
    with pytest.raises(ValueError, match=r"three or more classes.*\(60, 2\)"):
        plots.SimplexProjectionDisplay(M[:, :2])


def test_trees_are_drawn_with_their_conditions_and_answers(stopped):
    tree = CostTree(cost_matrix=C).fit(X, Y)
    ax = explain.plot_tree(tree, class_names=LONG[:4])
    written = [text.get_text().replace("\n", " ") for text in ax.texts]
    lines = explain.export_text(tree, class_names=LONG[:4])
    answers = [line.split("answer: ")[1].split(" (")[0] for line in lines.splitlines() if "answer" in line]
    assert [text for text in written if text in LONG] == answers
    assert all(f"{text}\n" in lines for text in written if text.startswith(("<=", ">")))
    assert len([text for text in written if text.startswith("<=")]) == len(answers) - 1
    assert is_inside(ax.figure)
    _, mine = plt.subplots()
    assert explain.plot_tree(stopped, round_number=2, ax=mine) is mine
    assert mine.get_title(loc="left").startswith("round 2, coefficient ")
    with pytest.raises(ValueError, match="round_number must be a whole number from 1"):
        explain.plot_tree(stopped, round_number=0)
    with pytest.raises(ValueError, match="tree_number must be a whole number from 1 to 1, got 2"):
        explain.plot_tree(stopped, tree_number=2)


def test_vector_leaves_are_bars_on_one_scale(likely):
    figure = explain.plot_rounds(likely, n_rounds=2)
    assert len(figure.axes) == 2
    assert is_inside(figure)
    ax, ensemble = figure.axes[1], likely._ensemble
    bars = [patch for patch in ax.patches if isinstance(patch, mpl.patches.Rectangle)]
    n_leaves = ensemble.rules.n_leaves[1]
    widths = np.array([bar.get_width() for bar in bars]).reshape(n_leaves, 3)
    values = ensemble.outputs[1, :n_leaves] * ensemble.weights[1]
    order = [int(ensemble.rules.feature[1, node]) for node in leaves_from_left(ensemble.rules, 1)]
    np.testing.assert_allclose(widths, 0.4 * values[order] / np.abs(values).max(), atol=1e-12)


def leaves_from_left(forest, tree, node=0):
    """The nodes that are leaves, in the order in which they are drawn."""
    left, right = forest.left[tree, node], forest.right[tree, node]
    return [node] if left == node else leaves_from_left(forest, tree, left) + leaves_from_left(forest, tree, right)


def test_contributions_are_drawn_largest_first_and_the_rest_is_added_up(stopped):
    display = plots.ContributionDisplay.from_estimator(stopped, X[:3], X, row=1, n_features=4)
    found = explain.contributions(stopped, X[:3], X)
    largest = found.frame(1)["contribution"].to_numpy()
    widths = [bar.get_width() for bar in display.bars_]
    np.testing.assert_allclose(widths, [*largest[:4], largest[4:].sum()])
    assert display.ax_.get_yticklabels()[-1].get_text() == "17 others"
    assert display.ax_.get_title(loc="left").replace("\n", " ").startswith(found.describe(1).splitlines()[0])
    pd.testing.assert_frame_equal(display.frame(), found.frame(1))
    assert is_inside(display.figure_)
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 2, got 3"):
        plots.ContributionDisplay(found, row=3)


def test_searches_are_taken_apart_like_pipelines():
    model = make_pipeline(StandardScaler(), csboost.SAMMEClassifier(C[[0, 1, 2]], n_estimators=2))
    search = GridSearchCV(model, {"sammeclassifier__n_estimators": [3]}, cv=2).fit(X, Y)
    assert plots.CostCurveDisplay.from_estimator(search, X, Y).lines_[0].get_xdata().tolist() == [1, 2, 3]
    assert plots.CostConfusionDisplay.from_estimator(search, X, Y).table.shape == (3, 3)
    assert explain.export_text(search).startswith("SAMMEClassifier, rounds 1 to 3 of 3")
