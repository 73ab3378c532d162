"""The two simulated examples of the paper (section "Numerical Experiments") and their exact class probabilities.

Simulation 1 is the waveform problem of Breiman et al. (1984): three classes, 21 features. Simulation 2 is the problem
of Wang (2013): four Gaussian classes in the plane and eight features of noise. Classes are numbered from 0 here, from 1
in the paper.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, softmax

WAVEFORM_COSTS = np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
"""Costs of scenario 1c, shape (3, 3), rows = truth."""

FOUR_GAUSSIANS_COSTS = np.array(
    [[0.0, 1.0, 2.0, 2.0], [1.0, 0.0, 2.0, 2.0], [0.5, 0.5, 0.0, 1.0], [0.5, 0.5, 1.0, 0.0]]
)
"""Costs of scenario 2c, shape (4, 4), rows = truth."""

for _costs in (WAVEFORM_COSTS, FOUR_GAUSSIANS_COSTS):
    _costs.setflags(write=False)

_J = np.arange(1, 22)
_V1 = np.maximum(6.0 - np.abs(_J - 11), 0.0)
_V2 = np.maximum(6.0 - np.abs(_J - 15), 0.0)
_V3 = np.maximum(6.0 - np.abs(_J - 7), 0.0)
# The mean of class k lies at a uniformly random point of the segment from _START[k] (u = 1) to _END[k] (u = 0).
_START = np.array([_V1, _V1, _V2])
_END = np.array([_V2, _V3, _V3])

_CENTRES = np.array([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0], [0.0, 0.0]])
_CHUNK = 65_536  # rows held at once by bayes_cost


class BayesCost(NamedTuple):
    """The lowest mean cost that any classifier can reach, and the standard error of its Monte Carlo estimate."""

    cost: float
    standard_error: float


RandomState = int | np.random.Generator | np.random.RandomState | None


def _generator(random_state: RandomState) -> np.random.Generator:
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)


def _check_size(n_samples: int) -> int:
    if isinstance(n_samples, bool) or not isinstance(n_samples, (int, np.integer)) or n_samples < 1:
        raise ValueError(f"n_samples must be a whole number of at least 1, got {n_samples!r}.")
    return int(n_samples)


def make_waveform(n_samples: int = 5000, random_state: RandomState = None) -> tuple[np.ndarray, np.ndarray]:
    """Draw from Simulation 1: noisy random mixtures of two of three triangular waves.

    Parameters
    ----------
    n_samples : int
        Number of rows, at least 1. The paper uses 5,000: 300 for training, 4,700 for testing.
    random_state : int, numpy Generator, numpy RandomState or None
        Source of randomness; an integer gives the same rows at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, 21), float64
    y : ndarray of shape (n_samples,), int64, values 0 to 2

    References
    ----------
    The paper, "Simulation 1"; Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.
    """
    n = _check_size(n_samples)
    rng = _generator(random_state)
    y = rng.integers(0, 3, size=n)
    u = rng.random((n, 1))
    X = rng.standard_normal((n, 21))
    X += _END[y]
    X += u * (_START - _END)[y]
    return X, y


def make_four_gaussians(n_samples: int = 5000, random_state: RandomState = None) -> tuple[np.ndarray, np.ndarray]:
    """Draw from Simulation 2: four unit Gaussians in two features, and eight features of pure noise.

    Parameters
    ----------
    n_samples : int
        Number of rows, at least 1. The paper uses 5,000: 300 for training, 4,700 for testing.
    random_state : int, numpy Generator, numpy RandomState or None
        Source of randomness; an integer gives the same rows at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, 10), float64
    y : ndarray of shape (n_samples,), int64, values 0 to 3

    References
    ----------
    The paper, "Simulation 2"; Wang (2013).
    """
    n = _check_size(n_samples)
    rng = _generator(random_state)
    y = rng.integers(0, 4, size=n)
    X = rng.standard_normal((n, 10))
    X[:, :2] += _CENTRES[y]
    return X, y


def _check_features(X: np.ndarray, width: int) -> np.ndarray:
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != width:
        raise ValueError(f"X must have shape (n, {width}), got {X.shape}.")
    return X


def waveform_probabilities(X: np.ndarray) -> np.ndarray:
    """Exact class probabilities of Simulation 1 at the rows of ``X``.

    Parameters
    ----------
    X : array of shape (n, 21)

    Returns
    -------
    ndarray of shape (n, 3); rows sum to 1

    Notes
    -----
    The density of class k is the integral over u in (0, 1) of a Gaussian whose mean is linear in u. Completing the
    square leaves a difference of two normal distribution functions, so no quadrature is needed; logarithms keep the
    rows far from every class exact.
    """
    X = _check_features(X, 21)
    log_density = np.empty((len(X), 3))
    for k, (end, step) in enumerate(zip(_END, _START - _END, strict=True)):
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
    """Exact class probabilities of Simulation 2 at the rows of ``X``, shape (n, 10) -> (n, 4); rows sum to 1."""
    X = _check_features(X, 10)
    return softmax(X[:, :2] @ _CENTRES.T - 0.5 * (_CENTRES**2).sum(axis=1), axis=1)


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

    Returns
    -------
    BayesCost
        ``cost`` and its ``standard_error``, in units of the cost matrix.

    Raises
    ------
    ValueError
        For an unknown scenario.
    """
    if scenario not in _SCENARIOS:
        raise ValueError(f"Unknown scenario {scenario!r}; known are {', '.join(_SCENARIOS)}.")
    make, probabilities, costs = _SCENARIOS[scenario]
    n = _check_size(n_samples)
    rng = _generator(random_state)
    least = np.empty(n)
    for start in range(0, n, _CHUNK):
        stop = min(start + _CHUNK, n)
        X, _ = make(stop - start, rng)
        least[start:stop] = (probabilities(X) @ costs).min(axis=1)
    return BayesCost(float(least.mean()), float(least.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"))
