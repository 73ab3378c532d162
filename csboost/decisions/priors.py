"""Other shares of the classes than in training: probabilities reweighted, and shares estimated from unlabelled rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import listed
from csboost.decisions.probabilities import read_probabilities
from csboost.decisions.shares import Array, read_shares, read_train_shares, reweighted

ESTIMATE = "estimate"
CLOSE, STEPS = 1e-10, 2000  # the iteration ends at steps this small, or after so many
STAYED = 1e-4  # an estimate this near to where it began has not moved
NOTHING = 1e-6  # a share below it is none
UNSURE = 0.1  # the standard error of a share beyond which the estimate is called poor


def with_priors(
    P: Array, classes: NDArray[Any], priors: Any, train_priors: Any
) -> tuple[Array, Array | None, list[str]]:
    """Probabilities under ``priors``, the shares used (None: as in training), and what makes them doubtful."""
    if priors is None:
        if train_priors is not None:
            raise ValueError("train_priors has no use without priors: give priors, the shares to be expected, too")
        return P, None, []
    if isinstance(priors, str) and priors != ESTIMATE:
        raise ValueError(f"priors={priors!r} is unknown: give the shares of the classes, or {ESTIMATE!r}")
    if train_priors is None:
        raise ValueError(
            "priors needs train_priors, the shares that the classifier was trained with: give train_priors, e.g. the "
            "class shares of the training data, or proba.mean(axis=0) where these are unknown"
        )
    train = read_train_shares(train_priors, classes)
    if isinstance(priors, str):
        shares = likeliest_shares(P, train)
        return reweighted(P, shares, train, classes), shares, doubts(P, train, shares, classes)
    shares = read_shares(priors, classes, "priors")
    return reweighted(P, shares, train, classes), shares, []


def estimate_priors(proba: Any, train_priors: Any, classes: ArrayLike | None = None) -> pd.Series:
    """Shares of the classes among unlabelled rows, by the EM algorithm of Saerens et al. (2002).

    It holds where the classes look as they did in training and only their shares have changed (label shift), and where
    the probabilities were right in training (calibrated). Neither can be read off unlabelled rows: compare the estimate
    with a few rows whose classes are known.

    Parameters
    ----------
    proba : array-like or labelled table of shape (n, K)
        Probabilities of the rows by a classifier trained with ``train_priors``.
    train_priors : array-like of shape (K,), mapping or Series
        Shares of the classes in the training data, weights included; by label, or in the order of the columns.
    classes : array-like of shape (K,), optional
        Labels of the columns; by default their names, else numbers.

    Returns
    -------
    pandas.Series of length K
        The likeliest shares, indexed by class; they sum to 1.

    Raises
    ------
    ValueError
        For probabilities or shares that cannot be used, and where there is no row.

    Warns
    -----
    UserWarning
        When the estimate stays where it began, as it does whenever the mean of the probabilities is ``train_priors``;
        when it leaves a class no share; and when the rows are too few, or tell the classes too poorly apart, for its
        standard error to be below 0.1.

    Notes
    -----
    The estimate maximises ``sum_i log(sum_k pi'_k p_ik / pi_k)``. Steps of EM are lengthened where that does not lower
    the likelihood (Varadhan & Roland 2008).

    References
    ----------
    Saerens, M., Latinne, P. and Decaestecker, C. (2002), "Adjusting the outputs of a classifier to new a priori
    probabilities: a simple procedure", Neural Computation 14, 21-41, doi:10.1162/089976602753284446.
    Varadhan, R. and Roland, C. (2008), "Simple and globally convergent methods for accelerating the convergence of any
    EM algorithm", Scandinavian Journal of Statistics 35, 335-353, doi:10.1111/j.1467-9469.2007.00585.x.

    Examples
    --------
    >>> import numpy as np
    >>> from csboost import data, decisions
    >>> X, y = data.make_waveform(20_000, random_state=0)
    >>> kept = (y == 0) | (np.arange(len(y)) % 4 == 0)  # classes 1 and 2 have become rare
    >>> proba = data.waveform_probabilities(X[kept])
    >>> true = np.bincount(y[kept]) / kept.sum()
    >>> bool((abs(decisions.estimate_priors(proba, [1 / 3, 1 / 3, 1 / 3]) - true) < 0.01).all())
    True
    """
    P, names = read_probabilities(proba, classes)
    train = read_train_shares(train_priors, names)
    shares = likeliest_shares(P, train)
    for doubt in doubts(P, train, shares, names):
        warnings.warn(doubt, stacklevel=2)
    return pd.Series(shares, index=pd.Index(names, name="class"), name="prior")


def likeliest_shares(P: Array, train: Array) -> Array:
    """The shares (K,) under which rows of probabilities ``P`` (n, K) are likeliest, starting from ``train`` (K,)."""
    if not len(P):
        raise ValueError("proba has no rows: shares of the classes cannot be estimated from none")
    ratios = P / train

    def step(shares: Array) -> Array:
        return shares * (ratios.T @ (1.0 / _mixed(ratios, shares))) / len(P)

    def likelihood(shares: Array) -> float:
        return float(np.log(_mixed(ratios, shares)).sum())

    shares = train
    for _ in range(STEPS):
        first = step(shares)
        second = step(first)
        if np.abs(second - first).max() < CLOSE:
            break
        change, bend = first - shares, second - 2.0 * first + shares
        stretch = np.linalg.norm(change) / max(float(np.linalg.norm(bend)), np.finfo(float).tiny)
        leap = shares + 2.0 * stretch * change + stretch**2 * bend
        farther = leap.min() > 0 and likelihood(leap) >= likelihood(second)
        shares = leap if farther else second
    return second / second.sum()


def _mixed(ratios: Array, shares: Array) -> Array:
    """How likely each row is (n,), in proportion to its likelihood in training."""
    return np.maximum(ratios @ shares, np.finfo(float).tiny)


def doubts(P: Array, train: Array, shares: Array, classes: NDArray[Any]) -> list[str]:
    """What speaks against estimated shares, as sentences."""
    found = []
    if np.abs(shares - train).max() < STAYED:
        found.append(
            "the estimated priors stay where they began: the mean of the probabilities equals train_priors, so these "
            "rows tell nothing of other shares. If train_priors were taken from these rows, give those of the training "
            "data; if you know the shares, give them as priors."
        )
    nothing = shares < NOTHING
    if nothing.any():
        found.append(
            f"the estimated priors leave {listed(list(classes[nothing]))} no share at all: either these rows have none "
            "of that, or the probabilities are not calibrated. Check with rows whose class is known, or give priors."
        )
    errors = standard_errors(P / train, shares)
    worst = int(np.argmax(errors))
    if errors[worst] > UNSURE:
        error = f"of {errors[worst]:.2g}" if np.isfinite(errors[worst]) else "without bound"
        found.append(
            f"the estimated priors are uncertain: the share of {listed(list(classes[worst : worst + 1]))} has a "
            f"standard error {error}. {len(P)} rows are too few, or tell the classes too poorly apart; give priors if "
            "you know them."
        )
    return found


def standard_errors(ratios: Array, shares: Array) -> Array:
    """Standard errors (K,) of the likeliest shares by the observed information, among classes that have a share."""
    present = np.flatnonzero(shares >= NOTHING)
    errors = np.zeros(len(shares))
    if len(present) < 2:
        return errors
    slopes = ratios[:, present] / _mixed(ratios, shares)[:, None]
    # shares sum to 1, so only directions that keep the sum are free
    free = np.linalg.svd(np.ones((1, len(present))))[2][1:]
    strength, directions = np.linalg.eigh(free @ (slopes.T @ slopes) @ free.T)
    with np.errstate(divide="ignore"):
        lengths = 1.0 / np.maximum(strength, 0.0)
    known = strength > len(ratios) * np.finfo(float).eps
    along = (directions.T @ free) ** 2
    errors[present] = np.sqrt(np.where(known, lengths, 0.0) @ along)
    errors[present[(along[~known] > np.finfo(float).eps).any(axis=0)]] = np.inf
    return errors
