"""What the tests of fits on Dask share: clusters, tables in partitions, and the two fits side by side."""

from __future__ import annotations

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import csboost
import csboost.dask

#: name -> (class without Dask, its parameters)
BOOSTERS = {
    "angle-ada": ("AngleAdaBoostClassifier", {}),
    "angle-logit": ("AngleLogitBoostClassifier", {}),
    "samme": ("SAMMEClassifier", {}),
    "mh": ("AdaBoostMHClassifier", {}),
    "mh-real": ("AdaBoostMHClassifier", {"votes": "real"}),
    "mh-apart": ("AdaBoostMHClassifier", {"joint": False}),
    "m2": ("AdaBoostM2Classifier", {}),
    "pnorm": ("PNormBoostClassifier", {}),
    "pnorm-set": ("PNormBoostClassifier", {"hypothesis": "set"}),
    "gradient": ("AngleGradientBoostingClassifier", {"n_bags": 2, "n_estimators": 12, "n_iter_no_change": 4}),
    "gradient-logistic": (
        "AngleGradientBoostingClassifier",
        {"loss": "logistic", "n_bags": 2, "n_estimators": 6, "n_iter_no_change": 3, "subsample": 0.6},
    ),
}


def local(name, *costs, **parameters):
    """A booster for one machine."""
    kind, options = BOOSTERS[name]
    return getattr(csboost, kind)(*costs, **{"n_estimators": 4, "random_state": 0, **options, **parameters})


def spread(name, *costs, **parameters):
    """The same on Dask."""
    kind, options = BOOSTERS[name]
    return getattr(csboost.dask, f"Dask{kind}")(
        *costs, **{"n_estimators": 4, "random_state": 0, **options, **parameters}
    )


def table(n, seed=0, dtype=np.float32, classes=("high", "low", "middle")):
    """Features with missing values, few and many values, and noisy labels as text."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5)).astype(dtype)
    X[:, 1], X[:, 2] = np.round(X[:, 1]), np.round(3 * X[:, 2])
    X[rng.random(X.shape) < 0.04] = np.nan
    score = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1] * X[:, 3]) + rng.normal(size=n)
    return X, np.array(classes)[np.digitize(score, [-0.5, 0.6])]


def in_parts(values, sizes):
    """An array as a Dask Array of chunks of such sizes."""
    return da.from_array(values, chunks=(tuple(sizes), *values.shape[1:]))


def uneven(n, n_parts, seed=0):
    """Sizes of partitions that add up to n, some of them 0."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, n + 1, n_parts - 1))
    cuts[rng.random(len(cuts)) < 0.2] = n // 2
    return np.diff(np.concatenate([[0], np.sort(cuts), [n]])).tolist()


def cluster(n_workers, processes=False, threads=1):
    """A cluster of this machine and its client, to be closed."""
    found = LocalCluster(
        n_workers=n_workers, threads_per_worker=threads, processes=processes, dashboard_address=None,
        worker_dashboard_address=None, silence_logs=50,
    )  # fmt: skip
    return found, Client(found)


def assert_same_bits(one, other, X):
    """Margins, probabilities where there are any, and what else a fit leaves."""
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    np.testing.assert_array_equal(one.estimator_weights_, other.estimator_weights_)
    np.testing.assert_array_equal(one.estimator_errors_, other.estimator_errors_)
    np.testing.assert_array_equal(one.class_prior_, other.class_prior_)
    assert one.classes_.tolist() == other.classes_.tolist()
    if hasattr(one, "predict_proba"):
        np.testing.assert_array_equal(one.predict_proba(X[:50]), other.predict_proba(X[:50]))
