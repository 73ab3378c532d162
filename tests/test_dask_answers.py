"""What a model that was fitted on Dask is good for: lazy answers, copies, files, and the class without Dask."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import compiled
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

pytest.importorskip("distributed")
pytest.importorskip("dask.dataframe")

import dask.array as da
import dask.dataframe as dd
from dask_cases import BOOSTERS, cluster, in_parts, local, spread, table

import csboost
from csboost.weak import CostTree

pytestmark = [compiled("whole fits"), pytest.mark.timeout(300)]
METHODS = ["predict", "decision_function", "predict_proba", "predict_expected_cost", "predict_log_proba", "decide"]
HUMAN = pd.DataFrame([[0, 2, 1, 0.1], [5, 0, 1, 0.1], [2, 1, 0, 0.1]])
HUMAN = HUMAN.set_axis(["high", "low", "middle"]).set_axis(["high", "low", "middle", "a human"], axis=1)
SIZES = (250, 0, 350)


@pytest.fixture(scope="module", autouse=True)
def client():
    found, client = cluster(2)
    yield client
    client.close()
    found.close()


X, Y = table(n=600, dtype=np.float64)
F = pd.DataFrame(X, columns=list("abcde"), index=np.arange(600)[::-1])


@pytest.fixture(scope="module", params=["three classes", "two classes", "a human"])
def fitted(request, client):
    """Both models and the answers' labels."""
    y = np.where(Y == "high", "high", "other") if request.param == "two classes" else Y
    costs = HUMAN if request.param == "a human" else None
    one = local("angle-ada", costs).fit(X, y)
    other = spread("angle-ada", costs, client=client).fit(in_parts(X, SIZES), in_parts(y, SIZES))
    return one, other


@pytest.mark.parametrize("method", METHODS)
def test_an_array_gives_a_lazy_array(fitted, method):
    one, other = fitted
    expected = np.asarray(getattr(one, method)(X))
    lazy = getattr(other, method)(in_parts(X, SIZES).rechunk({1: 2}))
    assert isinstance(lazy, da.Array)
    assert (lazy.dtype, lazy.shape, lazy.chunks[0]) == (expected.dtype, expected.shape, SIZES)
    found = lazy.compute()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("method", METHODS)
def test_a_frame_gives_lazy_columns_with_its_index(method):
    one = local("angle-ada", HUMAN).fit(F, Y)
    other = spread("angle-ada", HUMAN).fit(parted(F), parted(pd.Series(Y, F.index)))
    expected = np.asarray(getattr(one, method)(F))
    labels = one.answers_ if method in ("decision_function", "predict_expected_cost") else one.classes_
    expected = pd.Series(expected, F.index) if expected.ndim == 1 else pd.DataFrame(expected, F.index, labels)
    lazy = getattr(other, method)(parted(F))
    if expected.ndim == 1:
        assert isinstance(lazy, dd.Series)
        assert lazy.dtype == expected.dtype
        pd.testing.assert_series_equal(lazy.compute(), expected, check_index_type=False)
    else:
        assert isinstance(lazy, dd.DataFrame)
        assert lazy.columns.tolist() == labels.tolist()
        pd.testing.assert_frame_equal(lazy.compute(), expected, check_index_type=False)
    np.testing.assert_array_equal(np.asarray(getattr(other, method)(F)), expected)  # in memory: at once


def parted(table):
    return dd.from_pandas(table, npartitions=3, sort=False)


def test_answers_to_rows_of_unknown_number_and_to_none(fitted):
    one, other = fitted
    chosen = X[:, 0] > 0
    lazy = in_parts(X, SIZES)[in_parts(chosen, SIZES)]
    np.testing.assert_array_equal(other.predict(lazy).compute(), one.predict(X[chosen]))
    np.testing.assert_array_equal(other.predict_proba(lazy).compute(), one.predict_proba(X[chosen]))
    assert other.predict(in_parts(X, SIZES)[:0]).compute().tolist() == []


def test_decide_knows_the_answers_of_another_table(fitted):
    one, other = fitted
    if len(one.classes_) == 2:
        return
    expected = np.asarray(one.decide(X, HUMAN))
    lazy = other.decide(in_parts(X, SIZES), HUMAN)
    assert lazy.dtype == expected.dtype
    np.testing.assert_array_equal(lazy.compute(), expected)
    priors = [0.5, 0.3, 0.2]
    assert (other.decide(in_parts(X, SIZES), priors=priors).compute() == one.decide(X, priors=priors)).all()
    assert other.decide(X, limits={"high": 10}).counts["high"] <= 10
    for named in ({"limits": {"high": 10}}, {"sample_cost": {}}, {"priors": "estimate"}):
        with pytest.raises(ValueError, match=f"{next(iter(named))}.* looks at all rows together"):
            other.decide(in_parts(X, SIZES), **named)


def test_accuracy_is_counted_where_the_rows_lie(fitted):
    one, other = fitted
    weights = np.repeat([1.0, 0.0, 2.5], 200)
    lazy = [in_parts(values, [200, 200, 200]) for values in (X, Y, weights)]
    assert other.score(*lazy[:2]) == pytest.approx(one.score(X, Y), abs=1e-12)
    assert other.score(*lazy) == pytest.approx(one.score(X, Y, weights), abs=1e-12)
    assert other.score(X, Y) == one.score(X, Y)
    assert spread("samme").fit(*lazy[:2]).score(lazy[0], lazy[1]) == local("samme").fit(X, Y).score(X, Y)


@pytest.mark.parametrize("method", ["staged_predict", "staged_decision_function", "staged_cost"])
def test_what_needs_rows_in_memory_says_so(fitted, method):
    one, other = fitted
    labels = [one.predict(X)] if method == "staged_cost" and len(one.answers_) == len(one.classes_) else [Y]
    extra = labels if method == "staged_cost" else []
    with pytest.raises(TypeError, match="needs rows in memory: X.compute"):
        list(getattr(other, method)(in_parts(X, SIZES), *extra))
    if set(labels[0]) <= set(one.classes_):
        for found, expected in zip(getattr(other, method)(X, *extra), getattr(one, method)(X, *extra), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", BOOSTERS)
def test_methods_are_there_where_the_class_without_dask_has_them(name):
    one, other = local(name), spread(name)
    for method in (*METHODS, "score", "staged_cost"):
        assert hasattr(one, method) == hasattr(other, method), method
    absent = {method for method in METHODS if not hasattr(other, method)}
    assert absent in (set(), {"predict_proba", "predict_expected_cost", "predict_log_proba", "decide"})
    assert (name in ("m2", "pnorm-set")) == bool(absent)


def test_copies_share_the_client_and_pickles_leave_it(fitted, client):
    one, other = fitted
    copies = [copy.copy(other), copy.deepcopy(other)]
    assert [each.client for each in copies] == [client, client]
    assert copies[1]._ensemble is not other._ensemble
    cloudpickle = pytest.importorskip("cloudpickle")
    for kind in (pickle, cloudpickle):
        found = kind.loads(kind.dumps(other))
        assert found.client is None
        assert found.client_ is client  # that of the process
        copies.append(found)
    for found in copies:
        np.testing.assert_array_equal(found.decision_function(X), one.decision_function(X))
    assert other.client is client


def test_a_pickle_predicts_in_a_process_without_a_cluster_and_fits_with_a_client_of_its_own(tmp_path):
    one = local("angle-ada", HUMAN).fit(X, Y)
    other = spread("angle-ada", HUMAN).fit(in_parts(X, SIZES), in_parts(Y, SIZES))
    (tmp_path / "model").write_bytes(pickle.dumps(other))
    np.save(tmp_path / "X.npy", X)
    code = (
        "import pickle, dask.array, distributed, numpy as np\n"
        "model, X = pickle.load(open('model', 'rb')), np.load('X.npy')\n"
        "np.save('found.npy', model.decision_function(X)); model.predict(X)\n"
        "print(repr(model)[:4], repr(model.to_local())[:5])\n"
        "lazy = [dask.array.from_array(each, chunks=200) for each in (X, np.isnan(X[:, 0]))]\n"
        "try: model.fit(*lazy)\n"
        "except ValueError as error: print(error)\n"
        "client = distributed.Client(processes=False, dashboard_address=None, set_as_default=False)\n"
        "print(model.set_params(client=client, cost_matrix=None).fit(*lazy).score(*lazy) > 0.9)\n"
        "client.close()"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(csboost.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=environment)
    said = "no Dask client: create distributed.Client(...) first, or pass client="
    assert done.stdout.splitlines() == ["Dask Angle", said, "True"], done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "found.npy"), one.decision_function(X))


def test_the_local_model_knows_nothing_of_dask(fitted, tmp_path):
    one, other = fitted
    found = other.to_local()
    assert type(found) is type(one)
    assert b"dask" not in pickle.dumps(found)
    assert set(vars(found)) == set(vars(one))
    assert repr(found) == repr(one)
    for model in (other, found):  # a file holds the local one
        csboost.save_model(model, tmp_path / "model.csboost")
        loaded = csboost.load_model(tmp_path / "model.csboost")
        assert type(loaded) is type(one)
        np.testing.assert_array_equal(loaded.decision_function(X), one.decision_function(X))


def test_parameters_are_those_of_the_plain_class_and_the_client(fitted, client):
    one, other = fitted
    given = other.get_params(deep=False)
    assert given.pop("client") is client
    assert given.keys() == one.get_params(deep=False).keys()
    with sklearn.config_context(enable_metadata_routing=True):
        asking = copy.copy(other).set_fit_request(sample_weight=True)
        assert clone(asking).get_metadata_routing().fit.requests["sample_weight"] is True
        assert not hasattr(asking.to_local(), "_metadata_request")
    cloned = clone(other)
    assert cloned.client is client
    assert not hasattr(cloned, "classes_")
    assert repr(cloned).startswith("DaskAngleAdaBoostClassifier(client=<Client: ")
    cloned.set_params(weak_learner=CostTree(max_leaf_nodes=3), client=None, n_estimators=2)
    cloned.set_params(weak_learner__max_leaf_nodes=8)
    assert cloned.weak_learner.max_leaf_nodes == 8
    assert "client" not in repr(cloned)
    fitted_again = cloned.fit(in_parts(X, SIZES), in_parts(Y, SIZES))
    expected = local("angle-ada", cloned.cost_matrix, n_estimators=2, weak_learner=CostTree(max_leaf_nodes=8)).fit(X, Y)
    np.testing.assert_array_equal(fitted_again.decision_function(X), expected.decision_function(X))


def test_a_search_of_the_plain_class_runs_on_the_cluster():
    search = GridSearchCV(local("samme"), {"weak_learner__max_leaf_nodes": [2, 4], "n_estimators": [2, 4]}, cv=2)
    expected = clone(search).fit(X, Y)
    with joblib.parallel_config(backend="dask"):
        search.fit(X, Y)
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(search.decision_function(X), expected.decision_function(X))
