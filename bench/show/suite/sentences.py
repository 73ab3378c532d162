"""What a comparison over the suite found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bench.show.statistics import ALPHA
from bench.show.suite.scores import ENOUGH, Scores, against_best
from bench.studies.suite import Comparison

LEGEND = (
    "relative cost: geometric mean over sets of the cost divided by that of the best constant answer of the training "
    "rows. log ratio: mean over sets of the log cost ratio to the algorithm with the lowest, with its standard error; "
    "better on: the sets on which the line's own is cheaper than that one.",
    "Wilcoxon, t test: paired tests against the lowest, over sets, Holm-corrected over all pairs of algorithms. "
    "fit s, predict s: median seconds of one fit, which serves all cost structures of a set where costs enter at the "
    "decision; of the tuned arm, search included. MB: most memory that a fit added to its process.",
)
FEW_SETS = 6
"""With fewer, the smallest p-value of Wilcoxon's test is above 5 %."""


def finding(scores: Scores) -> str:
    """Say which algorithm has the lowest costs and ranks, and from which others it is not told apart."""
    means = scores.mean_logs
    best = means.index[0]
    where = f"Arm {scores.arm}, {scores.part}"
    if len(means) == 1:
        return f"{where}: {best} alone, relative cost {math.exp(means[best]):.3f}."
    text = f"{where}: lowest mean log cost {best} (relative cost {math.exp(means[best]):.3f})"
    if scores.ranks is not None:
        first = scores.ranks.average.index[0]
        text += f", best average rank {first} ({scores.ranks.average.iloc[0]:.2f})"
    pairs = against_best(scores)
    if len(scores.by_set) < FEW_SETS:
        return f"{text}; {len(scores.by_set)} sets are too few for tests to tell anything apart."
    alike = list(pairs.index[~(pairs["wilcoxon_holm"] < ALPHA)])
    told = f"not told apart from {', '.join(alike)}" if alike else "told apart from all others"
    return f"{text}; by Wilcoxon's test over sets {told}."


def notes(found: Sequence[Scores], whole: Mapping[str, Scores], comparison: Comparison) -> list[str]:
    """Return what a reader must know before comparing."""
    lines = [
        "Cost structures of a set share its rows and are averaged first: sets, not tasks, are what the tests count. "
        f"Each table corrects for its own {_pairs_in_words(found)} pairs; that arms and parts are looked at side by "
        "side is not corrected for.",
        "A cost of 0 has no logarithm: costs below half of the cheapest mistake on one test row of all splits are "
        f"raised to that ({_zeros(whole)} are 0).",
    ]
    for scores in found:
        if scores.left_out:
            lines.append(
                f"Arm {scores.arm}, {scores.part}: {', '.join(scores.left_out)} finished less than {ENOUGH:.0%} of "
                "what others have and take no part in the comparison."
            )
    if comparison.splits < 3:
        lines.append("Fewer than three splits: costs of small sets are rough.")
    return lines


def _pairs_in_words(found: Sequence[Scores]) -> str:
    counts = sorted({len(scores.pairs) for scores in found})
    return " or ".join(map(str, counts)) if counts else "0"


def _zeros(whole: Mapping[str, Scores]) -> str:
    """Say how many mean costs are 0, over the arms."""
    costs = {arm: scores.costs for arm, scores in whole.items()}
    counts = (f"arm {arm}: {int((of == 0).to_numpy().sum())} of {of.size} cells" for arm, of in costs.items())
    return "; ".join(counts)
