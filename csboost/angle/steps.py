"""Step lengths of the angle boosters: the closed form of AdaBoost, and the line search of every other loss.

With the symmetric coding a step b adds ``b * G[Phi, a]`` to the margins of the A answers: b to the one that is given,
``-b / (A - 1)`` to the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import BLOCK

TINY = 1e-10  # an error below this is perfect: the step is capped at its value here
LARGEST_ODDS = 1e290  # exp(margin) stops here, far from overflow
SMALLEST_ODDS = 1e-290  # and here: odds of 0 would stay 0 whatever the margin does later


def closed_form_step(error: float, n_answers: int) -> float:
    """The paper's beta (Lemma 1) with A in place of its K: ``(A-1)/A * (log((1-eps)/eps) - log(A-1))``."""
    return (n_answers - 1) / n_answers * (math.log((1.0 - error) / error) - math.log(n_answers - 1))


def largest_step(n_answers: int) -> float:
    """Where the step of a perfect rule, which has no finite minimiser, is capped."""
    return closed_form_step(TINY, n_answers)


def line_search(slopes: Callable[[float], tuple[float, float]], start: float, cap: float) -> float:
    """Minimise a convex function of one variable over ``[0, cap]``, given that it falls at 0.

    Newton's method inside a bracket: ``slopes(b)`` returns the first and second derivative. The last step is taken
    below 1e-7, which leaves an error of about its square.
    """
    low, high, cap_seen = 0.0, cap, False
    b = min(max(start, 0.0), cap)
    for _ in range(200):
        slope, curvature = slopes(b)
        if slope == 0.0 or (slope < 0.0 and b >= cap):
            return b
        cap_seen = cap_seen or b >= cap
        low, high = (b, high) if slope < 0.0 else (low, b)
        then = b - slope / curvature if curvature > 0.0 else np.inf
        if abs(then - b) <= 1e-7 * (1.0 + b) and low <= then <= high:
            return then
        if not low < then < high:
            then = cap if then >= high and high == cap and not cap_seen else 0.5 * (low + high)
        if high - low <= 1e-15 * (1.0 + high):
            return then
        b = then
    return b


@kernel
def logistic_slopes(odds, costs, leaf_of_row, outputs, up, down, first, last, partial):
    """Per block, sums of ``c sigmoid`` and ``c sigmoid (1 - sigmoid)`` at a trial step, apart for the given answer
    and the others, into ``partial`` (blocks, 4).

    ``odds`` (n, A) holds ``exp(M)``; the trial step multiplies it by ``up`` or ``down``: no exp per element.
    """
    n_rows, n_answers = odds.shape
    for block in range(first, last):
        answered = answered_bend = others = others_bend = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            answer = outputs[np.uintp(leaf_of_row[row])]
            for k in range(n_answers):
                here = k == answer
                trial = odds[row, k] * (up if here else down)
                rest = 1.0 / (1.0 + trial)
                value = costs[row, k] * trial * rest
                answered += value if here else 0.0
                answered_bend += value * rest if here else 0.0
                others += 0.0 if here else value
                others_bend += 0.0 if here else value * rest
        partial[block, 0], partial[block, 1], partial[block, 2], partial[block, 3] = (
            answered,
            answered_bend,
            others,
            others_bend,
        )


@kernel
def logistic_update(odds, costs, leaf_of_row, outputs, up, down, weights, first, last, partial):
    """Take a step: multiply the odds, write ``weights = c sigmoid(M)`` and its total per block."""
    n_rows, n_answers = odds.shape
    for block in range(first, last):
        total = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            answer = outputs[np.uintp(leaf_of_row[row])]
            for k in range(n_answers):
                value = odds[row, k] * (up if k == answer else down)
                value = max(min(value, LARGEST_ODDS), SMALLEST_ODDS)
                odds[row, k] = value
                weights[row, k] = costs[row, k] * value / (1.0 + value)
                total += weights[row, k]
        partial[block] = total


@kernel
def lum_slope(margin, a, c):
    """``-l'(-margin)`` and ``l''(-margin)`` of the large-margin unified loss."""
    if -margin < c / (1.0 + c):
        return 1.0, 0.0
    ratio = a / (-(1.0 + c) * margin - c + a)
    slope = ratio ** (a + 1.0)
    return slope, (a + 1.0) * (1.0 + c) / a * slope * ratio


@kernel
def lum_slopes(margins, costs, leaf_of_row, outputs, step, family, first, last, partial):
    """The same sums as :func:`logistic_slopes` for the large-margin unified loss; ``margins`` (n, A) holds M,
    ``family`` its parameters a and c.
    """
    a, c = family
    n_rows, n_answers = margins.shape
    for block in range(first, last):
        sums = partial[block]
        sums[:] = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            answer = outputs[np.uintp(leaf_of_row[row])]
            for k in range(n_answers):
                shift = step if k == answer else -step / (n_answers - 1)
                slope, bend = lum_slope(margins[row, k] + shift, a, c)
                at = 0 if k == answer else 2
                sums[at] += costs[row, k] * slope
                sums[at + 1] += costs[row, k] * bend


@kernel
def lum_update(margins, costs, leaf_of_row, outputs, step, family, weights, first, last, partial):
    """Take a step: move the margins, write ``weights = c * -l'(-M)`` and its total per block."""
    a, c = family
    n_rows, n_answers = margins.shape
    for block in range(first, last):
        total = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            answer = outputs[np.uintp(leaf_of_row[row])]
            for k in range(n_answers):
                margins[row, k] += step if k == answer else -step / (n_answers - 1)
                weights[row, k] = costs[row, k] * lum_slope(margins[row, k], a, c)[0]
                total += weights[row, k]
        partial[block] = total
