"""How the members of a mixture are pooled, from the probabilities that they gave to rows they had not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

__all__ = ["Pool", "log_loss_of", "log_probabilities", "pool", "pooled"]

LEAST = 1e-15  # a model that was sure of a wrong class is not ruled out by one row
UNKNOWN = 1e-6  # the least that a probability counts for in a pool, and what a member gives a class that it never met
STIFFNESS = 3.0  # rows' worth of log loss that moving a weight by 1 has to bring
LEAST_SUM = 0.05  # of the exponents of a pool


class Pool(NamedTuple):
    """A logarithmic opinion pool: probabilities in proportion to ``prod_m P_m ** (weights[m] / temperature)``."""

    weights: np.ndarray  # (m,), not negative, of sum 1
    temperature: float

    @property
    def exponents(self) -> np.ndarray:
        """Of the members' probabilities (m,)."""
        return self.weights / self.temperature


def log_loss_of(probabilities: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Mean log loss of ``probabilities`` (n, K) for the classes ``y`` (n,)."""
    own = np.maximum(probabilities[np.arange(len(y)), y], LEAST)
    return float(np.average(-np.log(own), weights=weights))


def log_probabilities(margins: np.ndarray, known: np.ndarray, n_classes: int) -> np.ndarray:
    """Logarithms of probabilities (n, K), from margins (n, S) of the ``known`` classes (S,)."""
    logs = np.full((len(margins), n_classes), np.log(UNKNOWN))
    logs[:, known] = log_softmax(margins, axis=1)
    return logs


def pooled(logs: list[np.ndarray], exponents: np.ndarray) -> np.ndarray:
    """Probabilities (n, K) of a pool of members with such logarithms of probabilities, each (n, K)."""
    margins = exponents[0] * logs[0]
    for exponent, log in zip(exponents[1:], logs[1:], strict=True):
        margins += exponent * log
    found: np.ndarray = softmax(margins, axis=1)
    return found


def pool(members: list[np.ndarray], y: np.ndarray, weights: np.ndarray) -> Pool:
    """The pool of the ``members``, each (n, K), under which the classes ``y`` (n,) are most likely.

    Exponents are drawn towards equal ones of sum 1, as strongly as a few rows would: few rows, or rows that all members
    tell apart, make no pool that is much surer than its members. Rows that a member knows nothing of (NaN) do not
    count. See Genest, C. and Zidek, J. V. (1986), "Combining probability distributions: a critique and an annotated
    bibliography", Statistical Science 1, 114-135, doi:10.1214/ss/1177013825, and for exponents from held-out rows
    Satopää, V. A., Baron, J., Foster, D. P., Mellers, B. A., Tetlock, P. E. and Ungar, L. H. (2014), "Combining
    multiple probability predictions using a simple logit model", International Journal of Forecasting 30, 344-356,
    doi:10.1016/j.ijforecast.2013.09.009.
    """
    start = np.full(len(members), 1.0 / len(members))
    known = ~np.isnan([P[:, 0] for P in members]).any(axis=0)
    if not known.any():
        return Pool(start, 1.0)
    logs = np.stack([np.log(np.maximum(P[known], UNKNOWN)) for P in members])
    y, rows = y[known], np.arange(known.sum())
    counts = weights[known] * (len(rows) / weights[known].sum())  # rows of mean weight 1

    def loss(exponents: np.ndarray) -> tuple[float, np.ndarray]:
        margins = np.einsum("m,mnk->nk", exponents, logs)
        residuals = softmax(margins, axis=1)
        moved = exponents - start
        total = -counts @ log_softmax(margins, axis=1)[rows, y] + STIFFNESS * moved @ moved
        residuals[rows, y] -= 1.0
        slope = np.einsum("n,nk,mnk->m", counts, residuals, logs, optimize=True)
        return float(total) / len(rows), (slope + 2.0 * STIFFNESS * moved) / len(rows)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(start), tol=1e-10).x
    total = float(found.sum())
    return Pool(found / total, 1.0 / total) if total >= LEAST_SUM else Pool(start, 1.0 / LEAST_SUM)
