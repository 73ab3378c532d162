"""Other shares of the classes than in training, known or estimated: probabilities brought to them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import listed
from csboost.decisions.estimating import estimated
from csboost.decisions.probabilities import read_probabilities
from csboost.decisions.shares import Array, read_shares, read_train_shares

ESTIMATE = "estimate"


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
        shares, doubts = estimated(P, train, classes)
    else:
        shares, doubts = read_shares(priors, classes, "priors"), []
    return reweighted(P, shares, train, classes), shares, doubts


def reweighted(P: Array, shares: Array, train: Array, classes: NDArray[Any]) -> Array:
    """Probabilities (n, K) under other ``shares`` (K,) than those of the training: ``p_k shares_k / train_k``."""
    weighted = P * (shares / train)
    totals = weighted.sum(axis=1, keepdims=True)
    if not totals.all():
        i = int(np.argmin(totals))
        left = list(classes[P[i] > 0])
        raise ValueError(
            f"row {i} can only be of {listed(left)} by its probabilities, and priors gives that no share: give it a "
            "small one."
        )
    return weighted / totals


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
        when it leaves a class no share; when the rows are too few, or tell the classes too poorly apart, for its
        standard error to be below 0.1; and when it has not come to rest after 2,000 rounds.

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
    shares, doubts = estimated(P, train, names)
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=2)
    return pd.Series(shares, index=pd.Index(names, name="class"), name="prior")
