"""How the members of a mixture are pooled, from the probabilities that they gave to rows they had not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

__all__ = ["DOUBT", "LEAST", "Pool", "log_loss_of", "pool", "pooled"]

LEAST = 1e-15  # a model that was sure of a wrong class is not ruled out by one row
DOUBT = 1e-3  # what every member keeps for all classes alike, so that none can rule one out alone
STIFFNESS = 3.0  # rows' worth of log loss that moving an exponent by 1 has to bring
HOTTEST = 20.0  # temperature: what knows nothing needs no more
MOST_ROWS = 20_000  # more tell a few exponents no better, only slower


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


def logs_of(probabilities: np.ndarray) -> np.ndarray:
    """What a member of a pool says: the logarithms of its probabilities (n, K) with a little doubt."""
    logs: np.ndarray = np.log((1.0 - DOUBT) * probabilities + DOUBT / probabilities.shape[1])
    return logs


def pooled(members: list[np.ndarray], exponents: np.ndarray) -> np.ndarray:
    """Probabilities (n, K) of a pool, from those of its members, each (n, K)."""
    margins = np.zeros_like(members[0])
    for exponent, probabilities in zip(exponents, members, strict=True):
        margins += exponent * logs_of(probabilities)
    found: np.ndarray = softmax(margins, axis=1)
    return found


def pool(members: list[np.ndarray], y: np.ndarray, weights: np.ndarray) -> Pool:
    """The pool of the ``members``, each (n, K), under which the classes ``y`` (n,) are most likely.

    Exponents are drawn towards equal ones of sum 1, as strongly as a few rows would: few rows, or rows that all members
    tell apart, make no pool that is much surer than its members. Rows that a member knows nothing of (NaN) do not
    count, nor does the only row of a class, which was held out from all that could have known it. Rows of uneven
    ``weights`` (n,) count for as many as are effectively there. See Genest, C. and Zidek, J. V. (1986), "Combining
    probability distributions: a critique and an annotated bibliography", Statistical Science 1, 114-135,
    doi:10.1214/ss/1177013825, and for exponents from held-out rows Satopää, V. A., Baron, J., Foster, D. P., Mellers,
    B. A., Tetlock, P. E. and Ungar, L. H. (2014), "Combining multiple probability predictions using a simple logit
    model", International Journal of Forecasting 30, 344-356, doi:10.1016/j.ijforecast.2013.09.009.
    """
    equal = np.full(len(members), 1.0 / len(members))
    is_known = ~np.isnan([P[:, 0] for P in members]).any(axis=0) & (np.bincount(y)[y] > 1)
    known = np.flatnonzero(is_known)
    if not len(known):
        return Pool(equal, 1.0)
    if len(known) > MOST_ROWS:
        known = np.sort(np.random.default_rng(0).permutation(known)[:MOST_ROWS])
    logs, counts = np.stack([logs_of(P[known]) for P in members]), weights[known] / weights[known].max()
    counts *= counts.sum() / (counts @ counts)  # of the sum that Kish (1965) calls the effective number of rows
    with threadpool_limits(limits=1, user_api="blas"):  # products are small, and sums would depend on the threads
        exponents = _likeliest(logs, y[known], counts, equal)
    total = float(exponents.sum())
    return Pool(exponents / total if total > 0 else equal, 1.0 / max(total, 1.0 / HOTTEST))


def _likeliest(logs: np.ndarray, y: np.ndarray, counts: np.ndarray, equal: np.ndarray) -> np.ndarray:
    """The exponents (m,) of least penalised log loss, from the members' logarithms (m, n, K)."""
    rows = np.arange(len(y))

    def loss(exponents: np.ndarray) -> tuple[float, np.ndarray]:
        margins, moved = np.einsum("m,mnk->nk", exponents, logs), exponents - equal
        total = -counts @ log_softmax(margins, axis=1)[rows, y] + STIFFNESS * moved @ moved
        residuals = softmax(margins, axis=1)
        residuals[rows, y] -= 1.0
        slope = np.einsum("n,nk,mnk->m", counts, residuals, logs, optimize=True) + 2.0 * STIFFNESS * moved
        return float(total) / len(y), slope / len(y)

    # convex, with one minimum: where the search ends for lack of progress, it is there but for rounding
    found = minimize(loss, equal, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(equal), tol=1e-10)
    exponents: np.ndarray = found.x
    return exponents
