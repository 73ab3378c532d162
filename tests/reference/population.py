"""The simplex, the losses, and the population minimiser of the paper's Theorems 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize
from scipy.special import expit


def simplex_vertices(K: int) -> np.ndarray:
    """W (K, K-1), the paper's eq. (1)."""
    ones = np.ones(K - 1)
    W = [ones / np.sqrt(K - 1)]
    for j in range(2, K + 1):
        e = np.zeros(K - 1)
        e[j - 2] = 1.0
        W.append(-(1 + np.sqrt(K)) / (K - 1) ** 1.5 * ones + np.sqrt(K / (K - 1)) * e)
    return np.array(W)


def gram(K: int) -> np.ndarray:
    """G = W W': 1 on the diagonal, -1/(K-1) off it."""
    return np.where(np.eye(K, dtype=bool), 1.0, -1.0 / (K - 1))


class Exponential:
    def value(self, z):
        return np.exp(-z)

    def derivative(self, z):
        return -np.exp(-z)


class Logistic:
    def value(self, z):
        return np.logaddexp(0.0, -z)

    def derivative(self, z):
        return -expit(-z)


@dataclass
class LUM:
    """Large-margin unified family, the paper's eq. for ``LMUM``; a > 0, c >= 0."""

    a: float = 1.0
    c: float = 0.0

    def _ratio(self, z):
        tail = np.maximum(z, self.c / (1 + self.c))  # the ratio is 1 at the joint and unused below it
        return self.a / ((1 + self.c) * tail - self.c + self.a)

    def value(self, z):
        return np.where(z < self.c / (1 + self.c), 1 - z, self._ratio(z) ** self.a / (1 + self.c))

    def derivative(self, z):
        return np.where(z < self.c / (1 + self.c), -1.0, -(self._ratio(z) ** (self.a + 1)))


def population_risk_minimizer(P: np.ndarray, C: np.ndarray, loss) -> np.ndarray:
    """The f (K-1,) that minimises sum_j P_j sum_k C[j, k] l(-<f, w_k>).

    BFGS finds it, then a root finder drives the gradient to rounding error. Only the definition of the risk is used,
    so that Theorems 1 and 2 can be tested against the result. Margins: ``simplex_vertices(K) @ f``.
    """
    W = simplex_vertices(len(P))

    def risk(f):
        return sum(P[j] * (C[j] * loss.value(-W @ f)).sum() for j in range(len(P)))

    def gradient(f):
        return sum(P[j] * (C[j] * -loss.derivative(-W @ f)) @ W for j in range(len(P)))

    f = optimize.minimize(risk, np.zeros(len(P) - 1), jac=gradient, method="BFGS", options={"gtol": 1e-8}).x
    polished = optimize.root(gradient, f, options={"xtol": 1e-14}).x
    return polished if np.abs(gradient(polished)).max() < np.abs(gradient(f)).max() else f


def population_minimiser(E: np.ndarray, loss) -> np.ndarray:
    """Margins (n, A) that minimise ``sum_a E[i, a] l(-M[i, a])`` over f in R^(A-1): regularised Newton for all rows.

    ``E`` are expected costs of answers, which need not be classes; the loss needs a second derivative.
    """
    W = simplex_vertices(E.shape[1])
    E = E / E.mean(axis=1, keepdims=True)
    f = np.zeros((len(E), W.shape[1]))

    def risk(f):
        return (E * loss.value(-f @ W.T)).sum(axis=1)

    for _ in range(300):
        M = f @ W.T
        gradient = -(E * loss.derivative(-M)) @ W
        size = np.linalg.norm(gradient, axis=1)
        if size.max() < 1e-13:
            break
        hessian = np.einsum("nk,ki,kj->nij", E * loss.second_derivative(-M), W, W)
        hessian += np.minimum(size, 1.0)[:, None, None] ** 2 * np.eye(W.shape[1]) + 1e-14 * np.eye(W.shape[1])
        direction = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        step, start = np.ones(len(E)), risk(f)
        slope = (gradient * direction).sum(axis=1)
        for _ in range(60):
            trial = f + step[:, None] * direction
            worse = risk(trial) > start + 1e-4 * step * slope + 1e-15 * np.abs(start)
            if not worse.any():
                break
            step[worse] /= 2
        f = f + step[:, None] * direction
    assert size.max() < 1e-10
    return f @ W.T


def link(margins: np.ndarray, C: np.ndarray, loss) -> np.ndarray:
    """Class probabilities (K,) of the margins (K,) of a population minimiser, for an invertible C (Theorem 2)."""
    q = -1.0 / loss.derivative(-margins)
    p = np.linalg.inv(C.T) @ q
    return p / p.sum()
