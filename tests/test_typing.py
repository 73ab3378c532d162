"""What a user's editor and type checker see: names imported on first use, real types, misspelt parameters."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import jedi
import pytest
from public import PACKAGES, described

import csboost

ROOT = Path(csboost.__file__).resolve().parents[1]

SCRIPT = """
import numpy as np
from numpy.typing import NDArray

import csboost
from csboost import AngleAdaBoostClassifier, SAMMEClassifier, costs, data, metrics
from csboost.weak import CostTree

X, y = data.make_waveform(200, random_state=0)
model = AngleAdaBoostClassifier("linear", n_estimators=5, weak_learner=CostTree(max_leaf_nodes=3)).fit(X, y)
answers: NDArray[np.generic] = model.predict(X)
expected: NDArray[np.float64] = model.predict_expected_cost(X)
best = costs.bayes_decision(model.predict_proba(X), costs.partitioned_linear(3, ratio=2.0))
cost: float = metrics.mean_cost(y, best, data.WAVEFORM_COSTS)
curve = SAMMEClassifier(n_estimators=3).fit(X, y).staged_cost(X, y)
print(cost, curve[-1], metrics.cost_confusion_matrix(y, answers, "linear"), csboost.__version__)
"""

#: What one does with a model after the fit.
AFTERWARDS = """
import pathlib

import numpy as np
from numpy.typing import NDArray

from csboost import (
    AngleGradientBoostingClassifier,
    CostSensitiveClassifier,
    data,
    decisions,
    explain,
    load_model,
    metrics,
    plots,
    save_model,
    tables,
    to_onnx,
)

X, y = data.make_waveform(200, random_state=0)
model = CostSensitiveClassifier("linear", effort="fast", random_state=0).fit(X, y)
decision: decisions.Decision = model.decide(X, limits={0: 0.5})
costs_of_rows: NDArray[np.float64] = decision.expected_costs
prices = decision.shadow_prices
others = decisions.decide(model.predict_proba(X), data.WAVEFORM_COSTS)
shares = decisions.estimate_priors(model.predict_proba(X), model.class_prior_)
path = pathlib.Path("model.csboost")
save_model(model, path, info={"file": "waves"})
again = load_model(path)
print(again.predict(X)[:5], prices, shares, others.expected_costs.sum(), to_onnx(model).ByteSize())
why: explain.Contributions = explain.contributions(model, X[:5], X)
text: str = why.describe(0)
booster = AngleGradientBoostingClassifier(n_estimators=3).fit(X, y)
print(text, explain.export_text(booster), why.frame(0)["contribution"].sum())
display = plots.CostConfusionDisplay.from_estimator(model, X, y)
curves = plots.CostCurveDisplay.from_estimators({"booster": booster}, X, y).plot()
print(display.frame(), curves.frame())
saved = metrics.savings(y, {"model": model.predict(X)}, "linear")
table: tables.Table = tables.read_table("loans.csv", target="grade", keep=["id"])
print(saved["saving"], table.X.shape, table.notes)
"""


def check(tmp_path, script):
    """What ``mypy --strict`` says of a user's script."""
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "script.py"]
    environment = os.environ | {"MYPYPATH": str(ROOT), "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache" / "user")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("script", [SCRIPT, AFTERWARDS], ids=["a fit", "what follows it"])
def test_a_strict_type_checker_finds_nothing_to_say_of_a_users_script(script, tmp_path):
    assert check(tmp_path, script) == "Success: no issues found in 1 source file\n"


MISTAKES = {
    "csboost.AngleAdaBoostClassifier(n_estimatorz=5)": 'Unexpected keyword argument "n_estimatorz"',
    "csboost.AngleAdaBoostClassifier(n_estimators='many')": 'Argument "n_estimators"',
    "csboost.AdaBoostMHClassifier(votes='reel')": 'Argument "votes"',
    "csboost.AngleAdaBoostClassifier().fit()": "Missing positional arguments",
    "csboost.AngleAdaBoostClasifier()": "Module has no attribute",
    "csboost.data.make_waveforms(5)": "Module has no attribute",
    "csboost.weak.CostTree(max_leaves=5)": 'Unexpected keyword argument "max_leaves"',
    "csboost.weak.CostTree().fit([[0.0]], [0]).predict()": "Missing positional argument",
    "csboost.metrics.mean_cost([0], [1], None).shape": '"float" has no attribute "shape"',
    "csboost.CostSensitiveClassifier(effort='huge')": 'Argument "effort"',
    "csboost.CostSensitiveClassifier().fit([[0.0]], [0]).decide([[0.0]]).cost": '"Decision" has no attribute "cost"',
    "csboost.CostSensitiveClassifier().fit([[0.0]], [0]).decide()": "Missing positional argument",
    "csboost.save_model(csboost.SAMMEClassifier())": 'Missing positional argument "path"',
    "csboost.load_model(5)": 'Argument 1 to "load_model"',
    "csboost.to_onnx(csboost.SAMMEClassifier(), input_type='half')": 'Argument "input_type"',
    "csboost.explain.contributions(None, [[0.0]], [[0.0]]).value": '"Contributions" has no attribute "value"',
    "csboost.plots.CostCurveDisplay.from_models({}, [[0.0]], [0])": '"type[CostCurveDisplay]" has no attribute',
    "csboost.tables.read_table('a.csv', targets='y')": 'Unexpected keyword argument "targets"',
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return check(tmp_path_factory.mktemp("mistakes"), "\n".join(["import csboost", *MISTAKES, ""]))


@pytest.mark.parametrize("line", MISTAKES)
def test_a_type_checker_sees_a_mistake(line, said):
    number = 2 + list(MISTAKES).index(line)
    assert f"script.py:{number}: error: {MISTAKES[line]}" in said


def completions(source):
    return {completion.name for completion in jedi.Script(source).complete()}


def test_an_editor_completes_the_public_names():
    assert completions("import csboost\ncsboost.Angle") >= {name for name in csboost.__all__ if name[:5] == "Angle"}
    assert completions("from csboost.data import make_w") == {"make_waveform"}
    assert completions("from csboost import weak\nweak.C") >= {"CostTree"}


@pytest.mark.parametrize("made", ["csboost.AngleAdaBoostClassifier()", "csboost.SAMMEClassifier(n_estimators=3)"])
def test_an_editor_completes_the_methods_of_a_fitted_model(made):
    model = f"import csboost\nX, y = csboost.data.make_waveform(99)\nmodel = {made}.fit(X, y)\n"
    offered = {"predict", "predict_expected_cost", "predict_log_proba", "predict_proba"}
    assert completions(f"{model}model.pre") == offered
    assert completions(f"{model}model.staged_c") == {"staged_cost"}


def test_an_editor_completes_what_comes_of_a_model():
    model = (
        "import csboost\nX, y = csboost.data.make_waveform(99)\nmodel = csboost.CostSensitiveClassifier().fit(X, y)\n"
    )
    assert completions(f"{model}model.pred") >= {"predict", "predict_proba", "predict_expected_cost"}
    assert completions(f"{model}model.dec") == {"decide"}
    assert completions(f"{model}csboost.explain.contributions(model, X, X).descr") == {"describe"}
    assert completions(f"{model}csboost.plots.CostConfusionDisplay.from_estimator(model, X, y).fra") == {"frame"}
    assert completions(f"{model}csboost.decisions.decide(model.predict_proba(X)).expected_c") == {
        "expected_cost", "expected_costs",
    }  # fmt: skip
    assert completions("import csboost\ncsboost.tables.read_table('a.csv').no") == {"notes"}
    assert completions("import csboost\ncsboost.save_m") | completions("import csboost\ncsboost.to_o") == {
        "save_model", "to_onnx",
    }  # fmt: skip


EVERY_PACKAGE = ["csboost", *(f"csboost.{name}" for name in csboost._MODULES)]


@pytest.mark.parametrize("package", EVERY_PACKAGE)
def test_type_checkers_are_told_the_names_that_are_imported_on_first_use(package):
    module = importlib.import_module(package)
    tree = ast.parse(Path(module.__file__).read_text())
    told = {}
    for block in (node for node in tree.body if isinstance(node, ast.If)):
        for line in (node for node in block.body if isinstance(node, ast.ImportFrom)):
            told |= {alias.asname: (line.module, alias.name) for alias in line.names}
    assert set(told) == set(module.__all__) - {"__version__"}
    for name, (home, original) in told.items():
        assert name == original
        found = importlib.import_module(f"{home}.{name}" if home == package else home)
        assert getattr(module, name) is (found if home == package else getattr(found, name)), name
        assert name in dir(module)


@pytest.mark.parametrize("package", EVERY_PACKAGE)
def test_a_name_that_is_not_there_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        importlib.import_module(package).nothing  # noqa: B018


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_function_and_method_is_typed(package):
    untyped = []
    for thing in described(package):
        if thing.kind == "class":
            continue
        signature = inspect.signature(thing.value)
        parameters = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
        untyped += [f"{thing.name}({p.name})" for p in parameters if p.annotation is p.empty]
        untyped += [f"{thing.name} -> ?"] if signature.return_annotation is signature.empty else []
    assert untyped == []


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "csboost" / "py.typed").is_file()
