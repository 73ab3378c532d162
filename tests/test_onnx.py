"""Models in ONNX answer in onnxruntime as they do here."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
import pytest
from cases import Hyperbola, easy, make, unequal_costs
from model_files import TABLE
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from csboost import AngleGradientBoostingClassifier, CostSensitiveClassifier, data, to_onnx
from csboost.costs import BayesDecisionClassifier
from csboost.mixture import classifier
from csboost.weak import CostTree

try:
    import onnxruntime
except ImportError:
    onnxruntime = None
needs_onnx = pytest.mark.skipif(onnxruntime is None, reason="the extra onnx, and onnxruntime, are not installed")


def outputs(model, rows, **options):
    """What onnxruntime makes of the model: its outputs by name. Several threads would sum in another order."""
    one = onnxruntime.SessionOptions()
    one.intra_op_num_threads = 1
    written = to_onnx(model, **options).SerializeToString()
    session = onnxruntime.InferenceSession(written, one, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, rows if isinstance(rows, dict) else {"X": rows}), strict=True))


def assert_equal(model, X, rows=None, has_costs=True, **options):
    """The same answers as here, the same bits of scores that are sums, the same costs up to rounding."""
    found = outputs(model, X if rows is None else rows, **options)
    assert found.keys() == {"answer", "scores", "expected_cost"} - (set() if has_costs else {"expected_cost"})
    answers = model.predict(X)
    assert len(set(answers.tolist())) > 1
    assert found["answer"].tolist() == answers.tolist()
    is_sum = hasattr(model, "decision_function") and not getattr(last(model), "_by_bayes_rule", False)
    wanted = model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)
    assert (found["scores"].shape, found["scores"].dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(found["scores"], wanted, rtol=0 if is_sum else 1e-11, atol=0 if is_sum else 1e-13)
    if has_costs:
        Z = model[:-1].transform(X) if isinstance(model, Pipeline) else X
        np.testing.assert_allclose(found["expected_cost"], last(model).predict_expected_cost(Z), rtol=1e-9, atol=1e-12)
    return found


def last(model):
    return model[-1] if isinstance(model, Pipeline) else model


def gaps(K, dtype=np.float64, seed=0):
    """Rows on a coarse grid, so that many lie on thresholds, with missing values; others to answer."""
    X, y = easy(400, K, seed=seed)
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    X = np.round(X, 1).astype(dtype)
    return X[:200], y[:200], X[200:]


LABELS = {2: ["no", "yes"], 3: ["a", "b", "c"], 4: [10, 20, 30, 40], 5: [1.0, 2.0, 3.0, 4.0, 5.0]}
BOOSTERS = {
    "angle-ada": 2, "angle-logit": 3, "angle-lum": 4, "samme": 2, "samme-plain": 9, "mh": 3, "mh-real": 5,
    "mh-apart": 4, "m2": 6, "m2-label": 3, "pnorm": 7, "pnorm-set": 8, "pnorm-fixed": 2,
}  # fmt: skip


@needs_onnx
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", BOOSTERS)
def test_boosters_answer_the_same(name, dtype):
    K = BOOSTERS[name]
    X, y, others = gaps(K, dtype)
    labels = np.array(LABELS.get(K, range(K)))
    learner = CostTree(max_leaf_nodes=20 if K % 2 else 4)
    model = make(name, cost_matrix=unequal_costs(K), weak_learner=learner, n_estimators=12).fit(X, labels[y])
    found = assert_equal(
        model, others, has_costs="samme" in name, input_type="float" if dtype == np.float32 else "double"
    )
    assert found["answer"].dtype == (object if K in (2, 3) else labels.dtype)


def gradient(costs=None, **options):
    defaults = {"n_estimators": 12, "n_bags": 2, "n_iter_no_change": None, "random_state": 0}
    return AngleGradientBoostingClassifier(costs, **{**defaults, **options})


@needs_onnx
@pytest.mark.parametrize("K", [2, 3, 9])
@pytest.mark.parametrize("loss", ["multinomial", "guess-averse", "logistic"])
def test_gradient_boosting_answers_the_same(K, loss):
    X, y, others = gaps(K)
    model = gradient(unequal_costs(K), loss=loss).fit(X, y)
    assert_equal(model, others, has_costs=loss == "multinomial")


@needs_onnx
def test_answers_that_are_no_classes_and_gains_come_out():
    X, y, others = gaps(3)
    labels = np.array(["a", "b", "c"])[y]
    for model in (gradient(TABLE), make("angle-logit", cost_matrix=TABLE), make("pnorm", cost_matrix=TABLE)):
        assert_equal(model.fit(X, labels), others, has_costs=model.__class__.__name__.startswith("AngleGradient"))
    facts = {entry.key: json.loads(entry.value) for entry in to_onnx(model).metadata_props}
    assert facts == {"classes": ["a", "b", "c"], "answers": ["a", "b", "c", "human"]}


def categories(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X, y = easy(n, 3, seed=seed)
    frame = pd.DataFrame(np.round(X[:, :2], 1), columns=["x", "z"])
    frame["text"] = np.where(
        rng.random(n) < 0.1, None, np.array(["red", "green", "blü"])[(y + rng.integers(0, 2, n)) % 3]
    )
    frame["code"] = pd.Categorical(rng.choice([1, 2, 30], n))
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "code"] = np.nan
    return frame, np.array(["a", "b", "c"])[y]


def fed(frame):
    """A table as onnxruntime takes it: a column each, missing text empty."""
    found = {}
    for name in frame.columns:
        column = frame[name]
        text = any(isinstance(value, str) for value in column)
        values = [("" if pd.isna(v) else v) for v in column] if text else column.astype(float)
        found[name] = np.array(values, object if text else np.float64)[:, None]
    return found


@needs_onnx
def test_categories_are_told_apart_the_same():
    X, y = categories()
    others, _ = categories(seed=1)
    others.loc[::5, "text"] = "never seen"
    others["code"] = others["code"].astype(float).replace(2.0, 77.0)
    for model in (gradient(TABLE), gradient(unequal_costs(3), loss="guess-averse")):
        model.fit(X, y)
        assert model._ensemble.rules.is_set.any()
        assert_equal(model, others, fed(others), has_costs=model.loss == "multinomial")


@needs_onnx
@pytest.mark.parametrize("effort", ["fast", "high"])
def test_the_mixture_answers_the_same(effort, monkeypatch):
    for parameters in classifier.EFFORTS[effort].boosters.values():
        monkeypatch.setitem(parameters, "n_estimators", 6)
    X, y = categories()
    others, _ = categories(seed=1)
    model = CostSensitiveClassifier(TABLE, effort=effort, random_state=0).fit(X, y)
    assert_equal(model, others, fed(others))
    model = CostSensitiveClassifier(effort=effort, random_state=0).fit(X[["x", "z"]].to_numpy(), y == "a")
    assert_equal(model, others[["x", "z"]].to_numpy())


@needs_onnx
@pytest.mark.parametrize("clip", [False, True])
def test_numbers_are_brought_to_a_range(clip):
    X, y = data.make_waveform(120, random_state=0)
    steps = MinMaxScaler((-1, 2), clip=clip), make("angle-logit")
    assert_equal(make_pipeline(*steps).fit(X, y), 3 * X, has_costs=False)


@needs_onnx
def test_a_class_that_the_regression_never_met_has_the_same_probability():
    """As where there are more rows than it learns from: its member knows two classes of three."""
    X, y = data.make_waveform(120, random_state=0)
    model = CostSensitiveClassifier("linear", effort="fast", random_state=0).fit(X, y)
    fewer = model.members_["logistic regression"]
    fewer.steps[-1] = ("regression", LogisticRegression().fit(fewer[:-1].transform(X[y != 1]), y[y != 1]))
    assert_equal(model, X)


NUMBERS = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
WAYS = {
    "one-hot": [("text", OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["text", "code"])],
    "one dropped": [("text", OneHotEncoder(drop="first", sparse_output=False), ["code"])],
    "rare ones together": [
        ("text", OneHotEncoder(max_categories=2, handle_unknown="infrequent_if_exist", sparse_output=False), ["text"])
    ],
    "ordinal": [("text", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["text"])],
    "as it is": [("code", "passthrough", ["code"])],
}


@needs_onnx
@pytest.mark.parametrize("way", WAYS)
def test_pipelines_answer_the_same(way):
    X, y = categories()
    X["code"] = X["code"].astype(float)
    others, _ = categories(seed=1)
    others["code"] = others["code"].astype(float)
    if "handle_unknown" in repr(WAYS[way]):
        others.loc[::5, "text"] = "never seen"
    columns = ColumnTransformer([("numbers", NUMBERS, ["z", "x"]), *WAYS[way]])
    model = Pipeline([("columns", columns), ("booster", make("samme", n_estimators=12))]).fit(X, y)
    used = {"z", "x", *WAYS[way][0][2]}
    assert_equal(model, others, fed(others[[name for name in others if name in used]]))


@needs_onnx
def test_the_bayes_rule_around_a_regression_or_a_booster_answers_the_same():
    for K in (2, 3):
        X, y, others = gaps(K)
        regression = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
        for member in (regression, gradient(), make("samme")):
            assert_equal(BayesDecisionClassifier(member, unequal_costs(K)).fit(X, y), others)


@needs_onnx
def test_a_tree_that_asks_nothing_has_its_say():
    X, y, others = gaps(3)
    X[:, 1:] = 0.0
    model = gradient(n_estimators=3, min_samples_leaf=90, max_features=1.0).fit(X, y)
    found = outputs(model, others)
    np.testing.assert_allclose(found["scores"], model.decision_function(others), rtol=1e-12)


@needs_onnx
@pytest.mark.parametrize("name", ["samme", "mh-apart", "m2"])
def test_no_root_leads_to_a_leaf_and_a_node_of_one_number(name):
    """Versions of onnxruntime that take such a root for a leaf would answer wrongly without a word."""
    X, y, _ = gaps(5)
    written = to_onnx(make(name, n_estimators=40, weak_learner=CostTree(max_leaf_nodes=3)).fit(X, y))
    (node,) = (node for node in written.graph.node if node.op_type == "TreeEnsemble")
    found = {entry.name: np.array(entry.ints) for entry in node.attribute}
    roots = found["tree_roots"]
    left, right = found["nodes_truenodeids"][roots], found["nodes_falsenodeids"][roots]
    assert (found["nodes_trueleafs"][roots] != found["nodes_falseleafs"][roots]).any()
    assert (left != right).all()


REFUSED = {
    "trees of scikit-learn": (
        make("samme", weak_learner=DecisionTreeClassifier(max_depth=1)),
        "DecisionTreeClassifier",
    ),
    "a function": (make_pipeline(FunctionTransformer(np.cbrt), make("samme")), "FunctionTransformer with a function"),
    "a forest": (BayesDecisionClassifier(RandomForestClassifier(2)), "RandomForestClassifier cannot be written"),
    "probabilities by iteration": (BayesDecisionClassifier(make("angle-logit")), "are no formula in ONNX"),
    "no costs": (GaussianNB(), "takes this package's classifiers"),
}


@needs_onnx
@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_written_is_named(kind):
    model, message = REFUSED[kind]
    with pytest.raises(ValueError, match=message):
        to_onnx(model.fit(*easy()))


@needs_onnx
def test_a_loss_of_the_users_own_is_not_needed():
    X, y, others = gaps(3)
    assert_equal(make("angle-custom").fit(X, y), others, has_costs=False)
    assert isinstance(make("angle-custom").loss, Hyperbola)


@needs_onnx
def test_dates_as_categories_are_refused_with_a_remedy():
    X, y = categories()
    X["day"] = pd.Categorical(pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(len(X)) % 3, "D"))
    with pytest.raises(ValueError, match="column 'day' holds categories of the type Timestamp.*make text of them"):
        to_onnx(gradient().fit(X, y))


def test_without_the_extra_the_remedy_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install onnx onnxruntime"):
        to_onnx(make("samme").fit(*easy()))


@needs_onnx
def test_columns_may_be_called_as_a_tensor_inside_would_be_but_not_as_an_output():
    X, y = easy(3, 60)
    names = ["Cast_3", "constant_1", "X", "Gather_2"][: X.shape[1]]
    frame = pd.DataFrame(X, columns=names).assign(kind=pd.Categorical(np.where(X[:, 0] > 0, "u", "v")))
    model = CostSensitiveClassifier(effort="fast", random_state=0).fit(frame, y)
    rows = {name: frame[[name]].to_numpy() for name in names}
    assert_equal(model, frame, rows | {"kind": frame[["kind"]].to_numpy(dtype=object)})
    for name in ("answer", "scores", "expected_cost"):
        model = make_pipeline(StandardScaler(), BayesDecisionClassifier(LogisticRegression()))
        table = pd.DataFrame(X, columns=[name, *names[1:]])
        with pytest.raises(ValueError, match=f"column '{name}' has the name of an output .* rename it before the fit"):
            to_onnx(model.fit(table, y))
