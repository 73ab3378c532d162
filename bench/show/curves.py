"""The figure of a scenario's cost curves, a panel per algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import GREY, INK, LOG, SOFT, STYLE, number_plainly, plt
from bench.studies.study import Scenario, Study

ACROSS = 4  # panels beside each other
LOG_SPAN = 4.0  # drawn on a logarithmic axis when the curves span more than this factor


def cost_curves(
    curves: dict[str, np.ndarray],
    study: Study,
    scenario: Scenario,
    protocol: str,
    seed: int,
    bayes_cost: float | None = None,
) -> Figure:
    """Draw a scenario of a study (:func:`draw_curves`).

    Parameters
    ----------
    curves : dict
        From :func:`bench.show.results.curves_of`.
    study, scenario, protocol
        For axis names and title.
    seed, bayes_cost
        As there.
    """
    title, source = f"{scenario.label}, {protocol} protocol", f"{scenario.scenario} {scenario.costs}"
    return draw_curves(curves, study.unit, title, source, seed, bayes_cost)


def draw_curves(
    curves: dict[str, np.ndarray], unit: str, title: str, source: str, seed: int, bayes_cost: float | None = None
) -> Figure:
    """Draw cost curves, a panel per algorithm: its mean with a band, one replication, and the others' means in grey.

    Parameters
    ----------
    curves : dict
        Algorithm -> (replications, rounds), NaN where one is missing; one column without rounds.
    unit, title : str
        What a test row is, and the title.
    source : str
        Name of the rows: another one chooses another replication.
    seed : int
        Chooses the single replication at random among those that every algorithm has finished.
    bayes_cost : float, optional
        Drawn as a horizontal line.
    """
    whole = [np.isfinite(stacked).all(axis=1) for stacked in curves.values()]
    common = np.flatnonzero(np.logical_and.reduce(whole))
    rng = np.random.default_rng([seed, crc32(source.encode())])
    chosen = int(rng.choice(common)) if len(common) else None
    rounds = max(stacked.shape[1] for stacked in curves.values())
    means = {name: _stretch(np.nanmean(stacked, axis=0), rounds) for name, stacked in curves.items()}
    singles = {name: _stretch(curves[name][chosen], rounds) for name in curves if chosen is not None}
    replications = len(next(iter(curves.values())))
    if replications == 1:
        singles = {}  # it is the mean
    down, across = -(-len(curves) // ACROSS), min(len(curves), ACROSS)
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(
            down, across, figsize=(9, 1.4 + 1.8 * down), sharex=True, sharey=True, squeeze=False, layout="constrained"
        )
        panels = dict(zip(curves, grid.flat, strict=False))
        for empty in grid.flat[len(curves) :]:
            empty.remove()
        scale = _limit(grid[0, 0], [*means.values(), *singles.values()], bayes_cost)
        for name, axes in panels.items():
            for other in (mean for rival, mean in means.items() if rival != name):
                axes.plot(np.arange(1, len(other) + 1), other, color=GREY, linewidth=0.8, zorder=1)
            _draw_own(axes, name, means[name], _band(curves[name], rounds), singles.get(name))
            if bayes_cost is not None:
                axes.axhline(bayes_cost, color=SOFT, linewidth=0.8, linestyle=(0, (4, 2)))
            axes.set_title(f"{name}  {means[name][-1]:.3f}", loc="left", color=INK)
            axes.set_xlim(1, max(rounds, 2))
            axes.xaxis.set_tick_params(labelbottom=True)
            _announce(axes, [means[name], *([singles[name]] if name in singles else [])])
        key = _key(replications, chosen if singles else None, len(curves), bayes_cost)
        figure.supxlabel(f"boosting round\n{key}", fontsize=8)
        figure.supylabel(f"test cost per {unit}{scale}", fontsize=8)
        figure.suptitle(title, fontsize=10, fontweight="bold")
    return figure


def _draw_own(axes: Axes, name: str, mean: np.ndarray, band: np.ndarray | None, single: np.ndarray | None) -> None:
    colour, place = REGISTRY[name].colour, np.arange(1, len(mean) + 1)
    if band is not None:
        axes.fill_between(place, mean - band, mean + band, color=colour, alpha=0.3, linewidth=0, zorder=2)
    if single is not None:
        axes.plot(place[: len(single)], single, color=colour, linewidth=0.5, label="one replication", zorder=2)
    axes.plot(place, mean, color=colour, linewidth=1.6, label=name, zorder=3)


def _band(stacked: np.ndarray, rounds: int) -> np.ndarray | None:
    """Return two standard errors of the mean after each round, or None where a round has a single value."""
    count = np.isfinite(stacked).sum(axis=0)
    return _stretch(2 * np.nanstd(stacked, axis=0, ddof=1) / np.sqrt(count), rounds) if count.min() > 1 else None


def _stretch(values: np.ndarray, rounds: int) -> np.ndarray:
    """A model without rounds is one number: a level line."""
    return np.full(rounds, values[0]) if len(values) == 1 else values


def _key(replications: int, chosen: int | None, algorithms: int, bayes_cost: float | None) -> str:
    parts = ["thick: mean over replications, band: ±2 standard errors" if replications > 1 else "thick: 1 replication"]
    parts += [f"thin: replication {chosen}, chosen at random"] if chosen is not None else []
    parts += ["grey: the others' means"] if algorithms > 1 else []
    parts += [f"dashed: Bayes cost {bayes_cost:.3f}"] if bayes_cost is not None else []
    return "; ".join(parts)


def _limit(axes: Axes, drawn: list[np.ndarray], bayes_cost: float | None) -> str:
    """Choose the axis so that late rounds can be told apart, and say of which kind it is.

    The first rounds of a curve may leave the picture, which :func:`_announce` then says.
    """
    settled = np.concatenate([curve[len(curve) // 10 :] for curve in drawn])
    low, high = np.nanmin(settled), np.nanmax(settled)
    if bayes_cost is not None:
        low = min(low, bayes_cost)
    if low > 0 and high / low > LOG_SPAN:
        axes.set_yscale("log")
        number_plainly(axes.yaxis, (1, 2, 3, 5))
        axes.set_ylim(low / 1.1, high * 1.15)
        return f" ({LOG})"
    margin = 0.08 * (high - low) or 0.1
    axes.set_ylim(low - margin, high + margin)
    return ""


def _announce(axes: Axes, drawn: Sequence[np.ndarray]) -> None:
    """Say in the panel which rounds of its curves lie outside the picture."""
    low, high = axes.get_ylim()
    for side, edge, place in (("above", "top", 0.97), ("below", "bottom", 0.03)):
        outside = [curve > high if side == "above" else curve < low for curve in drawn]
        if any(map(np.any, outside)):
            last = 1 + max(int(np.flatnonzero(curve).max()) for curve in outside if curve.any())
            text = f"round 1: {side}" if last == 1 else f"rounds up to {last}: partly {side}"
            box = {"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 1}
            axes.text(
                0.97, place, text, transform=axes.transAxes, ha="right", va=edge, fontsize=7, color=SOFT, bbox=box
            )
