"""The figure of average ranks over scenarios."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import INK, STYLE, plt
from bench.show.statistics import ALPHA, Ranks


def rank_diagram(ranks: Ranks, where: str, unit: str = "scenarios") -> Figure:
    """Draw average ranks, an algorithm per line, so that equal ranks do not hide each other.

    Where the test can tell any apart, a bar of one critical difference is drawn around each rank: bars that do not
    meet are told apart (Koning et al. 2005, International Journal of Forecasting 21). The title says
    ``where`` it holds and over how many of a ``unit``.
    """
    half = ranks.critical_difference / 2
    place = np.arange(len(ranks.average))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.5, 1.3 + 0.26 * len(place)), layout="constrained")
        for y, (name, rank) in enumerate(ranks.average.items()):
            colour = REGISTRY[str(name)].colour
            if ranks.can_tell:
                axes.plot([rank - half, rank + half], [y, y], color=colour, linewidth=5, alpha=0.35)
            axes.plot([rank], [y], "o", color=colour, markersize=6)
        axes.set_yticks(place, [f"{name}  {rank:.2f}" for name, rank in ranks.average.items()], color=INK)
        axes.set_ylim(len(place) - 0.5, -0.5)
        axes.set_xlabel("average rank (1 is best)")
        axes.grid(axis="y", visible=False)
        told = (
            f"Bars that do not meet are told apart by Nemenyi's test ({ALPHA:.0%})."
            if ranks.can_tell
            else f"Nemenyi's test ({ALPHA:.0%}) cannot tell any two apart with {ranks.sources} "
            f"source{'s' if ranks.sources > 1 else ''} of rows."
        )
        axes.set_title(f"Average rank over {ranks.scenarios} {unit}, {where}.\n{told}", loc="left")
    return figure
