"""Rows to time on: the paper's waveforms for small fits, floats with a signal for large ones, clusters, made loans."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

BLOCK = 65536  # rows drawn at once: temporary arrays stay small beside X
SIGNAL = 6  # features that the class depends on
ROWS_FOLDER = "CSBOOST_TIMING_ROWS"  # environment variable: where rows that take long to make are kept
LOANS, CLUSTERS = "loans", "clusters"  # sources of rows by name
HELD_OUT = 0.2  # share of the loans that a study of all loans tests on


def make_floats(n_samples: int, n_features: int, n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw standard normal features and a class that depends on a few of them, with noise.

    The first rows of a larger draw are those of a smaller one.

    Parameters
    ----------
    n_samples, n_features, n_classes, seed : int

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), float32
        More distinct values than bins in every feature: all 255 bins are in use, the costly case.
    y : ndarray of shape (n_samples,), int64, values 0 to n_classes - 1
        The largest of ``n_classes`` random linear scores of the first six features, plus Gumbel noise.
    """
    slopes = np.random.default_rng([seed, n_classes]).standard_normal((min(SIGNAL, n_features), n_classes))
    X, y = np.empty((n_samples, n_features), np.float32), np.empty(n_samples, np.int64)
    for block, start in enumerate(range(0, n_samples, BLOCK)):
        rng = np.random.default_rng([seed, n_features, n_classes, block])
        noise = rng.gumbel(size=(BLOCK, n_classes))[: min(BLOCK, n_samples - start)]
        rows = X[start : start + BLOCK]
        rng.standard_normal(out=rows, dtype=np.float32)
        y[start : start + BLOCK] = (rows[:, : len(slopes)] @ slopes + noise).argmax(axis=1)
    return X, y


@lru_cache(maxsize=2)  # what is predicted, and what the model was trained on
def _latest(n_samples: int, n_features: int, n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if (n_features, n_classes) == (21, 3):
        from csboost.data import make_waveform

        return make_waveform(n_samples, seed)
    return make_floats(n_samples, n_features, n_classes, seed)


def rows_for(
    n_samples: int, n_features: int, n_classes: int, seed: int, of: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first ``n_samples`` of ``of`` rows (views): waveforms for 21 features and 3 classes, else floats.

    The latest draws are kept, so works of several sizes that name one ``of`` share it.
    """
    X, y = _latest(of or n_samples, n_features, n_classes, seed)
    return X[:n_samples], y[:n_samples]


def clusters(n_samples: int, n_features: int, n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scikit-learn's ``make_classification``: classes of two clusters each, in half of the features. Boosters
    need many rounds to tell them apart.
    """
    from sklearn.datasets import make_classification

    X, y = make_classification(
        n_samples, n_features, n_informative=n_features // 2, n_classes=n_classes, random_state=seed
    )
    return X, y


def loans(n_samples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return invented loans as ``python -m bench.credit --full`` trains on them: read, screened, one-hot, float32.

    Parameters
    ----------
    n_samples : int
        Training rows.
    seed : int

    Returns
    -------
    X : ndarray of shape (n_samples, d), float32
        Amounts with many values, counts with few, and 0/1 columns for the levels of categories.
    y : ndarray of shape (n_samples,), int64
        Grades A to G as 0 to 6.

    Notes
    -----
    Made once per run: the folder that ``CSBOOST_TIMING_ROWS`` names keeps them, so that two versions of the code get
    the same rows.
    """
    folder = os.environ.get(ROWS_FOLDER)
    kept = None if folder is None else Path(folder) / f"loans-{n_samples}-{seed}.npz"
    if kept is None or not kept.exists():
        X, y = _make_loans(n_samples, seed)
        if kept is None:
            return X, y
        np.savez(kept, X=X, y=y)
    with np.load(kept) as file:
        return file["X"], file["y"]


def _make_loans(n_samples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    from csboost import data
    from csboost.data.synthetic_lending_club import write_synthetic_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loans.csv"
        many = round(n_samples / (1 - HELD_OUT)) + 10
        write_synthetic_file(path, many, "kaggle", first="2017-01", last="2018-03", seed=seed)
        draw = data.full_draw(data.load_lending_club(path, progress=False), seed, test_size=HELD_OUT)
    return draw.X_train[:n_samples], draw.y_train[:n_samples]
