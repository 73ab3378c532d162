"""Trees as text: what is written is what the model does."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from test_categories import booster, mixed

import csboost
from csboost import costs, data, explain
from csboost.weak import CostTree

WITH_GAPS, LABELS = data.make_waveform(200, random_state=0)
WITH_GAPS[np.random.default_rng(0).random(WITH_GAPS.shape) < 0.2] = np.nan


def holds(condition, value, known):
    """Whether a written condition holds of a value; ``known`` are the categories that are written out."""
    missing = value is None or value != value
    if condition in ("is missing", "is not missing"):
        return missing == (condition == "is missing")
    if "in {" in condition:
        names = re.search(r"\{(.*)\}", condition).group(1).split(", ")
        name = "missing" if missing else str(value) if str(value) in known else "any other"
        return (name in names) != condition.startswith("not")
    if missing:
        return condition.endswith("or missing")
    sign, limit = condition.split()[:2]
    return float(value) <= float(limit) if sign == "<=" else float(value) > float(limit)


def follow(lines, row, names, known):
    """The leaf that a reader comes to who takes the first branch whose condition holds, or else the second."""
    depth, at = 0, 0
    while True:
        text = lines[at].replace("|   ", "").removeprefix("|--- ")
        if lines[at].count("|   ") < depth:
            raise AssertionError(f"no branch for {row}")
        name = next((name for name in names if text.startswith(f"{name} ")), None)
        if name is None:
            return text
        second = next(i for i in range(at + 1, len(lines)) if lines[i].count("|   ") == depth)
        at = at + 1 if holds(text.removeprefix(f"{name} "), row[name], known) else second + 1
        depth += 1


def trees_in(text):
    """The lines of every tree."""
    return [[line for line in part.splitlines() if line.startswith("|")] for part in text.split("\n\n")[1:]]


def test_a_reader_of_the_text_comes_to_the_answer_of_every_row():
    tree = CostTree(max_leaf_nodes=12, cost_matrix="linear").fit(WITH_GAPS, LABELS)
    lines = explain.export_text(tree, decimals=15).splitlines()
    names = [f"feature_{j}" for j in range(WITH_GAPS.shape[1])]
    read = [follow(lines, dict(zip(names, row, strict=True)), names, set()) for row in WITH_GAPS]
    assert [int(re.match(r"answer: (\d)", leaf).group(1)) for leaf in read] == tree.predict(WITH_GAPS).tolist()
    costs_read = [[float(cost) for cost in re.findall(r"\d (\d[^,)]*)", leaf)] for leaf in read]
    np.testing.assert_allclose(costs_read, tree.predict_expected_cost(WITH_GAPS), atol=1e-14)


def test_what_the_trees_with_categories_and_gaps_say_adds_up_to_the_scores():
    X, y = mixed()
    X.loc[::5, "size"] = np.nan
    names = np.array(["good", "fair", "poor"])[y]
    model = booster(n_estimators=4, n_bags=2).fit(X, names)
    later = pd.concat([X, X.head(3).assign(colour="purple", shape=None)])
    later["shape"] = later["shape"].astype(object)
    text = explain.export_text(model, n_rounds=100, decimals=15)
    assert "in {" in text
    known = {str(value) for table in model._categories.tables.values() for value in table}
    sums = np.tile(model._ensemble.start, (len(later), 1))
    trees = trees_in(text)
    assert len(trees) == 4 * 2
    for lines in trees:
        for i, row in enumerate(later.to_dict("records")):
            leaf = follow(lines, row, list(X.columns), known)
            sums[i] += [float(value) for value in re.findall(r"(?:fair|good|poor) (\S+?)(?:,|$)", leaf)]
    np.testing.assert_allclose(sums, model.decision_function(later), atol=1e-12)


def test_the_first_rounds_of_a_booster_are_headed_by_round_and_coefficient():
    model = csboost.AngleAdaBoostClassifier("linear", n_estimators=5).fit(WITH_GAPS, LABELS)
    text = explain.export_text(model, n_rounds=2, first_round=3, class_names=["low", "mid", "high"], show_gains=True)
    assert text.startswith("AngleAdaBoostClassifier, rounds 3 to 4 of 5\n\nround 3, coefficient ")
    assert f"round 4, coefficient {model.estimator_weights_[3]:.4g}\n" in text
    assert set(re.findall(r"answer: (\w+)", text)) <= {"low", "mid", "high"}
    gains = model._ensemble.rules.gains
    assert f"(gain {gains[2, 0]:.6g})" in text
    assert explain.export_text(model, n_rounds=9).count("\nround ") == 5


def test_a_tree_of_every_class_has_its_number():
    model = csboost.AdaBoostMHClassifier(joint=False, n_estimators=2).fit(WITH_GAPS, LABELS)
    text = explain.export_text(model, n_rounds=1)
    assert re.findall(r"^round .*$", text, re.MULTILINE) == [f"round 1, tree {k} of 3" for k in (1, 2, 3)]


def test_answers_that_are_no_classes_stand_in_the_leaves():
    C = pd.DataFrame([[0, 3, 9, 0.1], [1, 0, 4, 0.1], [6, 3, 0, 0.1]], index=[0, 1, 2], columns=[0, 1, 2, "human"])
    model = csboost.AngleAdaBoostClassifier(C, n_estimators=2).fit(WITH_GAPS, LABELS)
    assert "answer: human" in explain.export_text(model)


def test_a_pipeline_shows_the_columns_that_its_last_step_sees():
    X = pd.DataFrame(np.nan_to_num(WITH_GAPS[:, :3]), columns=["income", "age", "debt"])
    model = make_pipeline(StandardScaler(), csboost.SAMMEClassifier(n_estimators=2)).fit(X, LABELS)
    assert re.search(r"\|--- (income|age|debt) <= ", explain.export_text(model))
    assert "|--- b <= " in explain.export_text(model, n_rounds=1, feature_names=["b", "b", "b"])


def test_deep_branches_are_summarised():
    tree = CostTree(max_leaf_nodes=30).fit(WITH_GAPS, LABELS)
    text = explain.export_text(tree, max_depth=1)
    assert len(text.splitlines()) == 4
    depths = [int(depth) for depth in re.findall(r"truncated branch of depth (\d+)", text)]
    assert max(depths) == tree._forest.depth[0] - 1
    assert explain.export_text(tree, max_depth=50, spacing=1).startswith("|- feature_")


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (lambda: csboost.SAMMEClassifier(), Exception, "not fitted"),
        (lambda: DecisionTreeClassifier().fit(WITH_GAPS, LABELS), TypeError, "no trees of this package"),
        (
            lambda: csboost.SAMMEClassifier(n_estimators=1, weak_learner=LogisticRegression()).fit(
                np.nan_to_num(WITH_GAPS), LABELS
            ),
            TypeError,
            r"but LogisticRegression: look at them one by one, as model.estimators_\[0\]",
        ),
        (
            lambda: costs.BayesDecisionClassifier(DecisionTreeClassifier(), None).fit(WITH_GAPS, LABELS),
            TypeError,
            "BayesDecisionClassifier has no trees",
        ),
    ],
    ids=["unfitted", "another tree", "another weak learner", "the Bayes rule"],
)
def test_models_without_trees_say_so(model, error, message):
    with pytest.raises(error, match=message):
        explain.export_text(model())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_rounds": 0}, "n_rounds must be a whole number from 1"),
        ({"first_round": 4}, "first_round must be a whole number from 1 to 3, got 4"),
        ({"feature_names": ["a"]}, "feature_names has 1 names, but the model was fitted with 21 columns"),
        ({"class_names": ["a", "b"]}, "class_names has 2 names, but the model was fitted with 3 answers"),
        ({"class_names": "abc"}, "class_names must be a list of names, got 'abc'"),
        ({"decimals": -1}, "decimals must be a whole number from 0 to 15, got -1"),
        ({"spacing": 0}, "spacing"),
        ({"max_depth": 0}, "max_depth"),
    ],
)
def test_what_cannot_be_written_is_refused_by_name(parameters, message):
    model = csboost.SAMMEClassifier(n_estimators=3).fit(WITH_GAPS, LABELS)
    with pytest.raises(ValueError, match=message):
        explain.export_text(model, **parameters)
