"""Bad input to fits on Dask is refused in words that name the offender, its partition, and the remedy."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from cases import compiled
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

pytest.importorskip("distributed")
pytest.importorskip("dask.dataframe")

import dask
import dask.bag
import dask.dataframe as dd
from dask_cases import cluster, in_parts, spread, table
from distributed import Client

from csboost.weak import CostTree

pytestmark = [compiled("fits"), pytest.mark.timeout(300)]
SIZES = (300, 0, 300, 300)
X, Y = table(n=900, dtype=np.float64)
F = pd.DataFrame(X, columns=list("abcde"))
ROWS = np.arange(900)


@pytest.fixture(scope="module")
def client():
    found, client = cluster(2)
    yield client
    client.close()
    found.close()


def lazy(values, sizes=SIZES):
    return in_parts(np.asarray(values), sizes)


def frame(table):
    return dd.from_pandas(table, npartitions=3, sort=False)


def refused(match, X=None, y=None, error=ValueError, model=None, **extras):
    model = spread("samme") if model is None else model
    with pytest.raises(error, match=match):
        model.fit(lazy(F) if X is None else X, lazy(Y) if y is None else y, **extras)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        (
            "X",
            X,
            r"X must be a Dask Array or DataFrame, got ndarray: take the class without Dask.*array.from_array\(X\)",
        ),
        ("X", F, r"X must be .*, got DataFrame: .*dask.dataframe.from_pandas\(X, npartitions=8\)"),
        ("y", Y, r"y must be .*, got ndarray: .*dask.array.from_array\(y\)"),
        ("sample_weight", [1.0] * 900, "sample_weight must be .*, got list"),
        ("sample_cost", F, "sample_cost must be .*, got DataFrame"),
        ("X", dask.delayed(X), "X must be .*: make one of its parts, as with dask.array.from_delayed"),
        ("X", dask.bag.from_sequence([1, 2]), r"X must be .*, got Bag: .*X.to_dataframe\(\)"),
    ],
)
def test_what_is_no_collection(client, name, value, match):
    refused(match, error=TypeError, **{name: value})


def test_one_dimension_or_three(client):
    refused(
        r"X must have two dimensions, rows and columns, got 1: a single feature is X.reshape\(-1, 1\)", lazy(X)[:, 0]
    )
    refused(r"got 1: a single feature is X.to_frame\(\)", frame(F)["a"])
    refused("got 3", lazy(X)[:, :, None])


def test_partitions_that_do_not_match(client):
    refused(r"X has 4, y has 2.*y.rechunk\(X.chunks\[0\]\)", y=lazy(Y, (450, 450)))
    refused("X has 4, y has 4, sample_cost has 1", sample_cost=lazy(np.ones((900, 3)), (900,)))
    refused(
        "partition [23]: rows differ in number: X 300, y (299|301).*same chunks or divisions",
        y=lazy(Y, (300, 0, 299, 301)),
    )
    short = lazy(np.ones(899), (300, 0, 300, 299))
    refused("partition 3: rows differ in number: X 300, y 300, sample_weight 299", sample_weight=short)
    short = lazy(np.ones((899, 3)), (300, 0, 300, 299))
    refused("partition 3: rows differ in number: X 300, y 300, sample_cost 299", sample_cost=short)
    shifted = frame(pd.Series(Y, ROWS + 5))
    refused(
        r"partition \d: y has another index than X.*columns of one collection, as by X.join\(y\)", frame(F), shifted
    )


def test_partitions_that_differ_in_columns_or_in_the_type_of_labels(client):
    parts = F[:300], F[300:600], F[600:].rename(columns={"a": "z"})
    differing = dd.from_map(lambda place: parts[place], range(3), meta=F.iloc[:0])
    refused(
        "partitions differ in their columns: 'a', .* in partition 0, 'z', .* in partition 2.*X.list_of_columns",
        differing,
        frame(pd.Series(Y)),
    )
    mixed = np.where(ROWS < 600, Y.astype(object), ROWS % 2)
    refused("labels in y are text in partition 0 and numbers in partition 3.*astype", y=lazy(mixed))


def test_features_that_are_not_finite_numbers(client):
    refused(
        r"partition \d: X has columns that are not numbers: 'city'", frame(F.assign(city="Rome")), frame(pd.Series(Y))
    )
    refused(r"partition \d: .*'kind' \(category\)", frame(F.assign(kind=pd.Categorical(Y))), frame(pd.Series(Y)))
    refused("partition 2: Input X contains infinity", lazy(np.where(ROWS[:, None] == 400, np.inf, X)))
    sparse = lazy(np.nan_to_num(X)).map_blocks(csr_matrix)
    refused(r"partition \d: Sparse data was passed for X.*toarray", sparse, error=TypeError)


def test_labels_that_cannot_be_learnt(client):
    refused(r"y holds only one class, 'a'", y=lazy(np.full(900, "a")))
    refused(r"y holds only one class, 'low' \(in rows of positive weight\)", sample_weight=lazy((Y == "low") * 1.0))
    refused(
        "partition 3: Input y contains NaN: the label of row 50 is missing",
        y=lazy(np.where(ROWS == 650, np.nan, ROWS % 2)),
    )
    refused(r"partition \d: Unknown label type: continuous", y=lazy(np.nan_to_num(X[:, 0])))
    refused("partition .*1d array, got an array of shape", y=lazy(np.c_[Y, Y]))
    refused("nothing to learn from: no rows", lazy(X)[:0], lazy(Y)[:0])


def test_classes_that_are_expected(client):
    refused("classes are 'high', 'low', but y also has 'middle'", classes=["low", "high"])
    refused("classes are .*, but no row of positive weight has 'top'", classes=["low", "high", "middle", "top"])


def test_weights(client):
    refused(r"partition 3: sample_weight\[50\] is -1", sample_weight=lazy(np.where(ROWS == 650, -1.0, 1.0)))
    refused("sample_weight is zero everywhere", sample_weight=lazy(np.zeros(900)))
    refused(r"partition \d: sample_weight has shape \(300, 1\)", sample_weight=lazy(np.ones((900, 1))))
    refused(r"partition \d: sample_weight must be a rectangular table of numbers, got", sample_weight=lazy(Y))


def test_costs(client):
    refused(r"partition \d: sample_cost has shape \(300, 4\), expected \(300, 3\)", sample_cost=lazy(np.ones((900, 4))))
    refused(r"partition \d: sample_cost has shape \((300|0),\)", sample_cost=lazy(np.ones(900)))
    refused(
        r"partition 2: sample_cost\[100, 0\] is nan",
        sample_cost=lazy(np.where(ROWS[:, None] == 400, np.nan, np.ones(3))),
    )
    refused("sample_cost is zero everywhere", sample_cost=lazy(np.zeros((900, 3))))
    refused("sample_cost holds gains alone", sample_cost=lazy(-np.ones((900, 3))))
    named = pd.DataFrame(np.ones((900, 3)), columns=["high", "low", "mid"])
    refused(
        r"partition \d: sample_cost has no column for the classes 'middle'",
        frame(F),
        frame(pd.Series(Y)),
        sample_cost=frame(named),
    )
    refused(r"cost_matrix has shape \(2, 2\), but there are 3 classes", model=spread("samme", np.ones((2, 2))))
    refused("SAMME raises the weight.*CostSensitiveClassifier", model=spread("samme", human()))


def human():
    return pd.DataFrame(
        [[0, 2, 1, 0.3], [5, 0, 1, 0.3], [2, 1, 0, 0.3]], ["high", "low", "middle"], ["high", "low", "middle", "human"]
    )


def test_parameters(client):
    refused(
        "weak_learner must be a CostTree on a cluster, got DecisionTree",
        model=spread("samme", weak_learner=DecisionTreeClassifier()),
    )
    refused("'max_leaf_nodes' parameter of CostTree", model=spread("samme", weak_learner=CostTree(max_leaf_nodes=1)))
    refused("set warm_start=False", model=spread("samme", warm_start=True))
    refused("'n_estimators' parameter of DaskSAMMEClassifier", model=spread("samme", n_estimators=0))
    refused(
        "raise it, or set n_iter_no_change=None", model=spread("samme", n_iter_no_change=1, validation_fraction=1e-9)
    )
    refused(r"client must be a distributed.Client, got 'tcp://x:1'", model=spread("samme", client="tcp://x:1"))
    refused("unexpected keyword argument 'eval_set'", error=TypeError, eval_set=None)


def test_an_error_of_the_users_own_tasks_comes_through(client):
    refused("by zero", lazy(X).map_blocks(lambda rows: 1 // 0, dtype=float), error=ZeroDivisionError)


def test_a_model_that_is_not_fitted(client):
    for method in ("predict", "decision_function", "predict_proba", "decide"):
        with pytest.raises(NotFittedError):
            getattr(spread("samme"), method)(lazy(X))
    for ask in (lambda model: model.to_local(), lambda model: model.score(lazy(X), lazy(Y))):
        with pytest.raises(NotFittedError):
            ask(spread("samme"))


def test_other_columns_when_predicting(client):
    fitted = spread("samme").fit(frame(F), frame(pd.Series(Y)))
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame(F[list("bacde")])).compute()
    with pytest.raises(ValueError, match="'a' "):
        fitted.predict(frame(F.assign(a="x"))).compute()
    with pytest.raises(ValueError, match="X must have two dimensions"):
        fitted.predict(frame(F)["a"])
    with pytest.raises(TypeError, match="X must be a Dask Array or DataFrame"):
        fitted.predict(dask.delayed(F))
    parts = F, F.rename(columns={"e": "f"})
    differing = dd.from_map(lambda place: parts[place], range(2), meta=F[:0])
    labels = dd.from_map(lambda place: pd.Series(Y), range(2), meta=pd.Series(Y)[:0])
    with pytest.raises(ValueError, match="partition 1: .*feature names should match"):
        fitted.score(differing, labels)


def test_a_closed_client_and_an_asynchronous_one(client):
    other = Client(client.cluster, set_as_default=False)
    other.close()
    refused("the client is closed: create distributed.Client", model=spread("samme", client=other))

    async def ask():
        async with Client(client.scheduler.address, asynchronous=True, set_as_default=False) as found:
            refused("client must not be asynchronous", model=spread("samme", client=found))

    asyncio.run(ask())


def test_dask_is_imported_when_it_is_asked_for_and_missed_in_words():
    code = (
        "import sys, csboost, csboost.dask\n"
        "print('dask' in sys.modules or 'distributed' in sys.modules)\n"
        "sys.modules['distributed'] = sys.modules['dask'] = None\n"
        "try: csboost.dask.DaskSAMMEClassifier\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded, said = done.stdout.splitlines()
    assert loaded == "False"
    assert said.startswith("csboost.dask needs Dask (")
    assert said.endswith("): pip install dask distributed")
