"""One replication of a credit study: which loans train and which test, and the features made from them.

Every draw depends on the seed alone, so that competitors are compared on the same rows, and every statistic of the
features (means, scales, modes, levels) comes from the training rows alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils import Bunch

from csboost.data.credit_features import make_credit_preprocessor
from csboost.data.errors import DataError


class Draw(NamedTuple):
    """Arrays of one replication; classes are codes 0..K-1 in the order of ``bunch.target_names`` (A = 0 ... G = 6)."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    test_weight: np.ndarray


def grade_codes(bunch: Bunch) -> np.ndarray:
    """Return the grades as codes, shape (n,), int64, in the order of ``bunch.target_names``."""
    names = list(bunch.target_names)
    codes = bunch.target.map({name: code for code, name in enumerate(names)})
    return codes.to_numpy(dtype=np.int64)


def pick_per_grade(codes: np.ndarray, names: list[str], count: int, spare: int, seed: int) -> list[np.ndarray]:
    """Draw ``count`` rows of each grade without replacement.

    Parameters
    ----------
    codes : ndarray of shape (n,)
    names : list of str, length K
    count : int
        Rows per grade.
    spare : int
        Rows that each grade must have left over.
    seed : int

    Returns
    -------
    list of K ndarrays of shape (count,)
        Row numbers, in random order.

    Raises
    ------
    DataError
        If a grade has too few loans; it names the grade, its count and the option ``--per-grade``.
    """
    if count < 1:
        raise DataError(f"per_grade must be at least 1, got {count} (option --per-grade).")
    sizes = np.bincount(codes, minlength=len(names))
    short = [f"{name} has {size:,}" for name, size in zip(names, sizes, strict=True) if size < count + spare]
    if short:
        most = max(int(sizes.min()) - spare, 0)
        advice = f"use --per-grade {most} or less" if most else "use other files or a wider window"
        left = f" and {spare} to test on" if spare else ""
        raise DataError(
            f"Too few loans: {count:,} per grade are asked for{left}, but grade {'; grade '.join(short)}; {advice}."
        )
    rng = np.random.default_rng(seed)
    return [rng.choice(np.flatnonzero(codes == code), size=count, replace=False) for code in range(len(names))]


def credit_split(bunch: Bunch, seed: int, per_grade: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Choose the training loans of one replication on the embedded table; every other loan is for testing.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication.
    per_grade : int
        Training loans of each grade; 60 gives the paper's 420 (4 % of 10,500).

    Returns
    -------
    train, test : ndarray of int64
        Row numbers, ascending.
    test_weight : ndarray of float64, shape (len(test),)
        Gives each grade the same total weight; the mean is 1.

    Raises
    ------
    DataError
        If a grade has too few loans to train and test on.
    """
    codes = grade_codes(bunch)
    train = np.sort(np.concatenate(pick_per_grade(codes, list(bunch.target_names), per_grade, spare=1, seed=seed)))
    rest = np.ones(len(codes), dtype=bool)
    rest[train] = False
    test = np.flatnonzero(rest)
    sizes = np.bincount(codes[test])
    return train, test, len(test) / (len(sizes) * sizes[codes[test]])


def credit_draw(bunch: Bunch, seed: int, per_grade: int = 60) -> Draw:
    """Make one replication on the embedded table: 60 loans per grade train, all others test with equal grade weights.

    Parameters are those of :func:`credit_split`.

    Returns
    -------
    Draw
        ``X_train`` (420, 83) and ``X_test`` (n, 83) in float64, C order; codes; ``test_weight`` (n,).
    """
    train, test, weight = credit_split(bunch, seed, per_grade)
    return assemble(make_credit_preprocessor(), bunch, train, test, weight)


def assemble(
    preprocessor: TransformerMixin,
    bunch: Bunch,
    train: np.ndarray,
    test: np.ndarray,
    weight: np.ndarray,
    dtype: type = np.float64,
) -> Draw:
    """Fit ``preprocessor`` on the training rows, apply it to both parts and return the arrays in C order."""
    codes = grade_codes(bunch)
    X_train: np.ndarray = np.ascontiguousarray(preprocessor.fit_transform(bunch.data.iloc[train]), dtype=dtype)
    X_test: np.ndarray = np.ascontiguousarray(preprocessor.transform(bunch.data.iloc[test]), dtype=dtype)
    return Draw(X_train, codes[train], X_test, codes[test], weight)
