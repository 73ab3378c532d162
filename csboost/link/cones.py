"""For which probabilities is an answer the cheapest? A convex cone for each answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from csboost.link.interface import Array
from csboost.link.tolerances import LEAD

__all__ = ["Cone", "cone_of"]


class Cone(NamedTuple):
    """The ``x >= 0`` for which ``C' x`` is least at one answer.

    Attributes
    ----------
    start : ndarray of shape (J,)
        A point inside. Where it is 0, so is every ``x`` of the cone; 0 throughout means that the answer is dominated:
        no probabilities make it the cheapest.
    binding : ndarray of shape (A,)
        The answers whose constraint does not hold by itself.
    give : ndarray of shape (A,)
        How much each constraint is relaxed.
    """

    start: Array
    binding: NDArray[np.bool_]
    give: Array


def cone_of(C: Array, answer: int) -> Cone:
    """The cone of an answer.

    Parameters
    ----------
    C : ndarray of shape (J, A)
        Rows = truth.
    answer : int
        A column of ``C``.

    Returns
    -------
    Cone
    """
    lead = C - C[:, [answer]]  # lead' x >= 0
    binding = _any(lead < 0)
    start = _inside_by_one_truth(lead[:, binding], answer)
    if start is None:
        start = _largest_support(lead[:, binding])
    supported = start > 0
    if not supported.any():
        return Cone(start, binding, np.zeros(C.shape[1]))
    binding = _any(lead[supported] < 0)
    costs, leads = start @ C, start @ lead
    if (leads < -LEAD * costs)[binding].any():  # the linear programme was not solved well enough
        return Cone(np.zeros_like(start), binding, np.zeros(C.shape[1]))
    # What is not strict anywhere in the cone is an equation; it gets a little room for the interior-point method.
    return Cone(start, binding, np.where(binding & (leads <= LEAD * costs), LEAD, 0.0))


def _any(found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a column has any."""
    return np.asarray(found.any(axis=0), dtype=np.bool_)


def _inside_by_one_truth(lead: Array, answer: int) -> Array | None:
    """A point inside where the truth is nearly sure and leaves the answer strictly cheapest; most costs allow that."""
    clear = ~_any(lead.T <= 0)
    if not clear.any():
        return None
    truth = answer if answer < len(lead) and clear[answer] else int(np.argmax(clear))
    loss = np.maximum(-lead.sum(axis=0), 0.0)
    share = np.divide(0.5 * lead[truth], loss, where=loss > 0, out=np.ones_like(loss)).min(initial=1.0)
    start = np.full(len(lead), share)
    start[truth] += 1.0
    return start


def _largest_support(lead: Array) -> Array:
    """A point with as many positive entries and strict constraints as any: a linear programme.

    Entries and leads count up to 1; as multiples of a point in the cone are in it, all that can be positive reach 1.
    """
    lead = lead / np.abs(lead).max(axis=0)
    scale = np.abs(lead).max(axis=1, initial=0.0)
    moving = np.flatnonzero(scale > 0)  # the other truths do not matter to any constraint
    start = np.ones(len(lead))
    lead = lead[moving] / scale[moving][:, None]
    J, A = lead.shape
    positive = np.hstack([-np.eye(J), np.eye(J), np.zeros((J, A))])
    strict = np.hstack([-lead.T, np.zeros((A, J)), np.eye(A)])
    bounds = [(0, None)] * J + [(0, 1)] * (J + A)
    objective = np.concatenate([np.zeros(J), -np.ones(J + A)])
    found = linprog(objective, A_ub=np.vstack([positive, strict]), b_ub=np.zeros(J + A), bounds=bounds)
    if not found.success:
        start[moving] = 0.0
        return start
    start[moving] = np.where(found.x[J : 2 * J] > 0.5, found.x[:J] / scale[moving], 0.0)
    return start
