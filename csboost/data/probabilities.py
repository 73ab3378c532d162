"""What can be known of the two simulations: exact class probabilities, and the lowest cost that they allow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, softmax

from csboost.data.simulations import (
    CENTRES,
    END,
    FOUR_GAUSSIANS_COSTS,
    START,
    WAVEFORM_COSTS,
    RandomState,
    check_size,
    generator,
    make_four_gaussians,
    make_waveform,
)

_CHUNK = 65_536  # rows held at once by bayes_cost


class BayesCost(NamedTuple):
    """The lowest mean cost that any classifier can reach, and the standard error of its Monte Carlo estimate."""

    cost: float
    standard_error: float


def _check_features(X: np.ndarray, width: int) -> np.ndarray:
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != width:
        raise ValueError(f"X must have shape (n, {width}), got {X.shape}.")
    return X


def waveform_probabilities(X: np.ndarray) -> np.ndarray:
    """Exact class probabilities of Simulation 1 at the rows of ``X``.

    Parameters
    ----------
    X : array-like of shape (n, 21)
        As from :func:`make_waveform`.

    Returns
    -------
    ndarray of shape (n, 3)
        Probabilities; rows sum to 1.

    Raises
    ------
    ValueError
        When ``X`` has another shape.

    Notes
    -----
    The density of class k is the integral over u in (0, 1) of a Gaussian whose mean is linear in u. Completing the
    square leaves a difference of two normal distribution functions, so no quadrature is needed; logarithms keep the
    rows far from every class exact.

    References
    ----------
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984), "Classification and Regression Trees", Wadsworth.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 ("Simulation 1").

    Examples
    --------
    >>> from csboost import data
    >>> X, y = data.make_waveform(500, random_state=0)
    >>> float((data.waveform_probabilities(X).argmax(axis=1) == y).mean())
    0.866
    """
    X = _check_features(X, 21)
    log_density = np.empty((len(X), 3))
    for k, (end, step) in enumerate(zip(END, START - END, strict=True)):
        length = np.linalg.norm(step)
        along = X @ (step / length) - end @ (step / length)  # position of the row along the segment
        # The two square terms that belong to x alone are dropped: |x|^2 is common to the classes.
        log_density[:, k] = X @ end - 0.5 * end @ end + 0.5 * along**2 - np.log(length)
        log_density[:, k] += _log_normal_mass(-along, length - along)
    return softmax(log_density, axis=1)


def _log_normal_mass(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """log P(low < Z < high) for a standard normal Z, taken in the lower tail, where it keeps all its digits."""
    mirrored = low > 0
    a, b = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    log_b = log_ndtr(b)
    return log_b + np.log1p(-np.exp(log_ndtr(a) - log_b))


def four_gaussians_probabilities(X: np.ndarray) -> np.ndarray:
    """Exact class probabilities of Simulation 2 at the rows of ``X``.

    Parameters
    ----------
    X : array-like of shape (n, 10)
        As from :func:`make_four_gaussians`.

    Returns
    -------
    ndarray of shape (n, 4)
        Probabilities; rows sum to 1.

    Raises
    ------
    ValueError
        When ``X`` has another shape.

    References
    ----------
    Wang, J. (2013), "Boosting the generalized margin in cost-sensitive multiclass classification", Journal of
    Computational and Graphical Statistics 22, 178-192.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 ("Simulation 2").

    Examples
    --------
    >>> from csboost import data
    >>> X, y = data.make_four_gaussians(500, random_state=0)
    >>> float((data.four_gaussians_probabilities(X).argmax(axis=1) == y).mean())
    0.932
    """
    X = _check_features(X, 10)
    return softmax(X[:, :2] @ CENTRES.T - 0.5 * (CENTRES**2).sum(axis=1), axis=1)


_SCENARIOS = {
    "1": (make_waveform, waveform_probabilities, 1.0 - np.eye(3)),
    "1c": (make_waveform, waveform_probabilities, WAVEFORM_COSTS),
    "2": (make_four_gaussians, four_gaussians_probabilities, 1.0 - np.eye(4)),
    "2c": (make_four_gaussians, four_gaussians_probabilities, FOUR_GAUSSIANS_COSTS),
}


def bayes_cost(scenario: str, n_samples: int = 1_000_000, random_state: RandomState = 0) -> BayesCost:
    """Estimate the Bayes cost of a scenario: the mean, over draws of X, of the least expected cost given X.

    Parameters
    ----------
    scenario : {"1", "1c", "2", "2c"}
        The simulation, and with "c" its unequal costs (equal costs otherwise).
    n_samples : int
        Number of draws; they are made and used in blocks, so memory does not grow with it.
    random_state : int, numpy Generator, numpy RandomState or None
        Source of randomness; an integer gives the same rows at every call.

    Returns
    -------
    BayesCost
        ``cost`` and its ``standard_error``, in units of the cost matrix.

    Raises
    ------
    ValueError
        For an unknown scenario.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the Bayes rule; section "Numerical
    Experiments").

    Examples
    --------
    >>> from csboost import data
    >>> cost, standard_error = data.bayes_cost("1c", n_samples=20_000, random_state=0)
    >>> abs(cost - 0.156) < 4 * standard_error
    True
    """
    if scenario not in _SCENARIOS:
        raise ValueError(f"Unknown scenario {scenario!r}; known are {', '.join(_SCENARIOS)}.")
    make, probabilities, costs = _SCENARIOS[scenario]
    n = check_size(n_samples)
    rng = generator(random_state)
    least = np.empty(n)
    for start in range(0, n, _CHUNK):
        stop = min(start + _CHUNK, n)
        X, _ = make(stop - start, rng)
        least[start:stop] = (probabilities(X) @ costs).min(axis=1)
    return BayesCost(float(least.mean()), float(least.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"))
