"""What answers save against others, how sure that is, and at which costs the verdict flips."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from csboost import metrics

C = pd.DataFrame([[0, 5, 1], [1, 0, 1]], index=["sick", "well"], columns=["sick", "well", "human"])
TRUTH = np.array(["sick", "well", "well", "well"] * 50)
TODAY = np.array(["well"] * 200)
MODEL = np.array(["sick", "sick", "well", "human"] * 50)  # costs 0, 1, 0, 1 and today 5, 0, 0, 0
BOTH = {"today": TODAY, "model": MODEL}


def drawn(rng, n, K=3, noise=0.35):
    """Truths and two sets of answers, each wrong now and then."""
    truth = rng.integers(0, K, n)
    sets = [np.where(rng.random(n) < noise, rng.integers(0, K, n), truth) for _ in range(2)]
    return truth, *sets


def test_savings_by_hand():
    table = metrics.savings(TRUTH, BOTH, C)
    assert table.index.tolist() == ["today", "model", "best constant"]
    assert table["mean_cost"].tolist() == pytest.approx([1.25, 0.5, 0.75])
    assert table["saving"].tolist() == pytest.approx([0, 0.75, 0.5])
    assert table["saved_share"].tolist() == pytest.approx([0, 0.6, 0.4])
    assert table.attrs["baseline"] == "today"
    assert table.attrs["best_constant"] == "sick"
    differences = np.array([5, -1, 0, -1] * 50)
    error = scipy.stats.sem(differences)
    assert table.at["model", "standard_error"] == pytest.approx(error)
    ends = scipy.stats.norm.interval(0.95, differences.mean(), error)
    assert table.loc["model", ["lower", "upper"]].tolist() == pytest.approx(ends)
    assert table.at["model", "p_value"] == pytest.approx(2 * scipy.stats.norm.sf(0.75 / error))
    assert np.isnan(table.at["today", "p_value"])
    wider = metrics.savings(TRUTH, BOTH, C, confidence=0.99).loc["model"]
    assert wider["lower"] < table.at["model", "lower"]


def test_the_baseline_is_todays_answers_or_the_best_constant_or_what_is_asked_for():
    assert metrics.savings(TRUTH, {"model": MODEL}, C).attrs["baseline"] == "best constant"
    assert metrics.savings(TRUTH, {"a": TODAY, "b": MODEL}, C).loc["b", "saving"] == pytest.approx(0.25)
    by_name = metrics.savings(TRUTH, BOTH, C, baseline="model")
    assert by_name["saving"].tolist() == pytest.approx([-0.75, 0, -0.25])
    constant = metrics.savings(TRUTH, BOTH, C, baseline="best constant")
    assert constant["saving"].tolist() == pytest.approx([-0.5, 0.25, 0])
    assert metrics.savings(TRUTH, {"today": TODAY}, C)["saving"].tolist() == pytest.approx([-0.5, 0])
    frame = pd.DataFrame(BOTH)
    pd.testing.assert_frame_equal(metrics.savings(TRUTH, frame, C), metrics.savings(TRUTH, BOTH, C))


def test_bootstrap_intervals_are_those_of_scipy():
    rng = np.random.default_rng(0)
    truth, today, model = drawn(rng, 120)
    costs = rng.uniform(0, 5, (120, 3))
    paid = costs[np.arange(120), today], costs[np.arange(120), model]
    found = scipy.stats.bootstrap(
        paid, lambda a, b, axis: (a - b).mean(axis), paired=True, method="percentile", n_resamples=20_000,
        random_state=np.random.default_rng(1), vectorized=True,
    )  # fmt: skip
    own = {"sample_cost": costs, "method": "bootstrap", "n_resamples": 20_000, "random_state": 2}
    row = metrics.savings(truth, {"today": today, "model": model}, **own).loc["model"]
    width = row["upper"] - row["lower"]
    assert abs(row["lower"] - found.confidence_interval.low) < 0.02 * width
    assert abs(row["upper"] - found.confidence_interval.high) < 0.02 * width
    assert row["standard_error"] == pytest.approx(found.standard_error, rel=0.02)
    table = metrics.savings(truth, {"today": today, "model": model}, **own)
    assert table.loc["model"].equals(row)  # the same seed, the same resamples


def test_bootstrap_and_normal_theory_agree_on_many_rows_of_a_table_and_weights():
    rng = np.random.default_rng(0)
    truth, today, model = drawn(rng, 5000)
    options = {"cost_matrix": [[0, 1, 2], [4, 0, 1], [9, 3, 0]], "sample_weight": rng.uniform(0, 3, 5000)}
    normal = metrics.savings(truth, {"today": today, "model": model}, **options)
    bootstrap = metrics.savings(truth, {"today": today, "model": model}, **options, method="bootstrap", random_state=0)
    same = ["mean_cost", "saving", "saved_share"]
    pd.testing.assert_frame_equal(normal[same], bootstrap[same])
    np.testing.assert_allclose(bootstrap["standard_error"], normal["standard_error"], rtol=0.05)
    np.testing.assert_allclose(bootstrap["lower"], normal["lower"], atol=0.2 * normal["standard_error"].max())


SHARES = np.array([0.6, 0.3, 0.1])
ANSWERS = [[[0.8, 0.15, 0.05], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]], [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]]
COSTS = np.array([[0.0, 1.0, 2.0], [4.0, 0.0, 1.0], [9.0, 5.0, 0.0]])


def draw_cases(rng, n, shares):
    """Truths by ``shares``, and the answers of two sets given them, drawn independently."""
    truth = rng.choice(3, n, p=shares)
    sets = [(rng.random(n)[:, None] > np.cumsum(rows, axis=1)[truth]).sum(axis=1) for rows in np.array(ANSWERS)]
    return truth, dict(zip(("today", "model"), sets, strict=True))


TRUE_SAVING = float((SHARES[:, None] * COSTS * (np.array(ANSWERS[0]) - ANSWERS[1])).sum())


@pytest.mark.parametrize(("method", "weighted"), [("normal", False), ("bootstrap", False), ("normal", True)])
def test_intervals_hold_the_true_saving_as_often_as_they_say(method, weighted):
    """Weighted: the third class is sampled four times as often as it occurs, and weights put that right."""
    rng, covered, draws = np.random.default_rng(7), 0, 1000
    sampled = np.array([0.45, 0.15, 0.4]) if weighted else SHARES
    for seed in range(draws):
        truth, sets = draw_cases(rng, 250, sampled)
        options = {"sample_weight": (SHARES / sampled)[truth]} if weighted else {}
        row = metrics.savings(
            truth, sets, COSTS, labels=[0, 1, 2], method=method, n_resamples=400, random_state=seed, **options
        ).loc["model"]
        covered += row["lower"] <= TRUE_SAVING <= row["upper"]
    assert 0.93 <= covered / draws <= 0.97


def test_weights_count_in_proportion_and_rows_of_no_weight_not_at_all():
    rng = np.random.default_rng(0)
    truth, today, model = drawn(rng, 200)
    weights = rng.integers(0, 3, 200).astype(float)
    C3 = [[0, 1, 2], [4, 0, 1], [9, 3, 0]]
    for method in ("normal", "bootstrap"):
        options = {"method": method, "random_state": 0}
        one = metrics.savings(truth, {"today": today, "model": model}, C3, sample_weight=weights, **options)
        ten = metrics.savings(truth, {"today": today, "model": model}, C3, sample_weight=10 * weights, **options)
        pd.testing.assert_frame_equal(one, ten)
        kept = weights > 0
        part = {"today": today[kept], "model": model[kept]}
        some = metrics.savings(truth[kept], part, C3, sample_weight=weights[kept], **options)
        pd.testing.assert_frame_equal(one, some)


def test_the_verdict_says_it_in_a_sentence():
    assert metrics.savings(TRUTH, BOTH, C).attrs["verdict"] == (
        "model costs 0.75 per case less than today (95 % interval 0.40 to 1.10), 60 % of the cost; "
        "that flips where a true sick answered well costs less than 2 instead of 5"
    )
    swapped = metrics.savings(TRUTH, BOTH, C, baseline="model", confidence=0.9).attrs["verdict"]
    assert swapped.startswith("today costs 0.75 per case more than model (90 % interval 0.46 to 1.04), 150 % of the")
    same = metrics.savings(TRUTH, {"today": TODAY, "model": TODAY}, C)
    assert same.attrs["verdict"] == "model costs the same as today"
    assert same.loc["model", ["lower", "upper", "p_value"]].tolist() == [0, 0, 1]
    unsure = metrics.savings(TRUTH[:8], {"today": TODAY[:8], "model": MODEL[:8]}, C).attrs["verdict"]
    pattern = r"model costs 0\.75 per case less than today \(95 % interval -\d.* to .*\): that is not sure"
    assert re.fullmatch(pattern, unsure)
    one = metrics.savings(TRUTH[:1], {"today": TODAY[:1], "model": MODEL[:1]}, C).attrs["verdict"]
    assert one == "model costs 5.00 per case less than today; a single row does not tell how sure that is"
    best = metrics.savings(TRUTH, {"model": MODEL}, C).attrs["verdict"]
    assert best.startswith("model costs 0.25 per case less than always answering sick (")


def test_a_share_of_what_is_no_cost_is_not_given():
    gains = pd.DataFrame([[0, 2, 1], [1, -2, 1]], index=C.index, columns=C.columns)
    table = metrics.savings(TRUTH, BOTH, gains)
    assert table["mean_cost"].tolist() == pytest.approx([-1, 0, -1])
    assert table["saving"].tolist() == pytest.approx([0, -1, 0])
    assert table["saved_share"].isna().all()
    verdict = table.attrs["verdict"]
    assert re.match(r"model costs 1\.00 per case more than today \(95 % interval 0\.71 to 1\.29\); that flips", verdict)


@pytest.mark.parametrize(
    ("answers", "options", "message"),
    [
        (MODEL, {}, "answers must be a mapping, such as .*got a ndarray"),
        ({}, {}, "got an empty one"),
        ({"best constant": MODEL}, {}, "named 'best constant', which is computed here"),
        ({"model": MODEL[:9]}, {}, r"one length and not empty, got {'y_true': 200, \"answers\['model'\]\": 9}"),
        ({"model": np.full(200, "x")}, {}, r"answers\['model'\] holds 'x', which are no answers of the costs: 'sick'"),
        (BOTH, {"baseline": "argmax"}, "'argmax' is none of the answers 'today', 'model', nor 'best constant'"),
        ({"today": TODAY}, {"baseline": "today"}, "answers hold only the baseline 'today': give another set"),
        (BOTH, {"method": "exact"}, "method must be 'normal' or 'bootstrap', got 'exact'"),
        (BOTH, {"confidence": 95}, "confidence must be between 0 and 1, such as 0.95, got 95"),
        (BOTH, {"n_resamples": 0}, "n_resamples must be a whole number of at least 2, got 0"),
        (BOTH, {"sample_weight": np.zeros(200)}, "sample_weight is zero everywhere"),
        (BOTH, {"sample_cost": np.ones((200, 2))}, r"sample_cost has shape \(200, 2\), expected \(200, 3\)"),
    ],
)
def test_bad_arguments_of_savings(answers, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.savings(TRUTH, answers, C, **options)
