"""Shares of the classes among unlabelled rows, by the EM algorithm, and what makes them doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed
from csboost.decisions.shares import Array

CLOSE, ROUNDS = 1e-10, 2000  # the iteration ends at steps this small, or after so many rounds
STAYED = 1e-4  # an estimate this near to where it began has not moved
NOTHING = 1e-6  # a share below it is none
UNSURE = 0.1  # the standard error of a share beyond which the estimate is called poor


def estimated(P: Array, train: Array, classes: NDArray[Any]) -> tuple[Array, list[str]]:
    """The likeliest shares (K,), and what speaks against them, as sentences."""
    shares, moved = _climbed(P, train)
    found = doubts(P, train, shares, classes)
    if moved >= CLOSE:
        found.append(
            f"the estimated priors have not come to rest: after {ROUNDS} rounds of EM they still move by {moved:.2g} a "
            "round, so that the likeliest shares may be others. Give priors if you know them."
        )
    return shares, found


def likeliest_shares(P: Array, train: Array) -> Array:
    """The shares (K,) under which rows of probabilities ``P`` (n, K) are likeliest, starting from ``train`` (K,)."""
    return _climbed(P, train)[0]


def _climbed(P: Array, train: Array) -> tuple[Array, float]:
    """The likeliest shares, and by how much the last step of EM still moved one of them."""
    if not len(P):
        raise ValueError("proba has no rows: shares of the classes cannot be estimated from none")
    ratios = P / train

    def step(shares: Array) -> Array:
        return shares * (ratios.T @ (1.0 / _mixed(ratios, shares))) / len(P)

    def likelihood(shares: Array) -> float:
        return float(np.log(_mixed(ratios, shares)).sum())

    shares = train
    for _ in range(ROUNDS):
        first = step(shares)
        second = step(first)
        moved = float(np.abs(second - first).max())
        if moved < CLOSE:
            break
        change, bend = first - shares, second - 2.0 * first + shares
        stretch = np.linalg.norm(change) / max(float(np.linalg.norm(bend)), np.finfo(float).tiny)
        leap = shares + 2.0 * stretch * change + stretch**2 * bend
        farther = leap.min() > 0 and likelihood(leap) >= likelihood(second)
        shares = leap if farther else second
    return second / second.sum(), moved


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
