"""The two simulated examples of the paper (section "Numerical Experiments").

Simulation 1 is the waveform problem of Breiman et al. (1984): three classes, 21 features. Simulation 2 is the problem
of Wang (2013): four Gaussian classes in the plane and eight features of noise. Classes are numbered from 0 here, from 1
in the paper.
"""

from __future__ import annotations

import numpy as np

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
# The mean of class k lies at a uniformly random point of the segment from START[k] (u = 1) to END[k] (u = 0).
START = np.array([_V1, _V1, _V2])
END = np.array([_V2, _V3, _V3])

CENTRES = np.array([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0], [0.0, 0.0]])


RandomState = int | np.random.Generator | np.random.RandomState | None


def generator(random_state: RandomState) -> np.random.Generator:
    """NumPy's generator for any accepted source of randomness."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)


def check_size(n_samples: int) -> int:
    """The number of rows, if it is one."""
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
        Features.
    y : ndarray of shape (n_samples,), int64
        Classes, 0 to 2.

    Raises
    ------
    ValueError
        When ``n_samples`` is no positive whole number.

    References
    ----------
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984), "Classification and Regression Trees", Wadsworth.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 ("Simulation 1").

    Examples
    --------
    >>> from csboost import data
    >>> X, y = data.make_waveform(500, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((500, 21), [0, 1, 2])
    """
    n = check_size(n_samples)
    rng = generator(random_state)
    y = rng.integers(0, 3, size=n)
    u = rng.random((n, 1))
    X = rng.standard_normal((n, 21))
    X += END[y]
    X += u * (START - END)[y]
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
        Features.
    y : ndarray of shape (n_samples,), int64
        Classes, 0 to 3.

    Raises
    ------
    ValueError
        When ``n_samples`` is no positive whole number.

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
    >>> X.shape, sorted(set(y.tolist()))
    ((500, 10), [0, 1, 2, 3])
    """
    n = check_size(n_samples)
    rng = generator(random_state)
    y = rng.integers(0, 4, size=n)
    X = rng.standard_normal((n, 10))
    X[:, :2] += CENTRES[y]
    return X, y
