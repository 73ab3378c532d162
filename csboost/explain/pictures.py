"""The picture of one tree."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np

from csboost.explain.branches import condition, number
from csboost.explain.layout import Spot, spots
from csboost.explain.members import Grown
from csboost.plots._style import by_rows, color_of, fill_of, tint

__all__ = ["TreePicture"]

_WIDE = 18  # characters of a line
_JOINT = "\N{NO-BREAK SPACE}"
_LETTER = 0.075  # inches, of the text of boxes
_BAR = 0.13  # inches
_MOST_BARS = 12  # scores that have bars of their own


class TreePicture:
    """Draws one of the trees of a model.

    Parameters
    ----------
    grown : Grown
    tree : int
        Its number.
    decimals : int, optional
        Of thresholds.
    """

    def __init__(self, grown: Grown, tree: int, decimals: int | None = None) -> None:
        self.grown, self.tree, self.decimals = grown, tree, decimals
        self.spots = spots(grown.forest, tree)
        self.places = {spot.node: spot for spot in self.spots}
        values = None if grown.values is None else grown.coefficients[tree] * grown.values[tree]
        self.bars = values if values is not None and values.shape[1] <= _MOST_BARS else None
        self.n_leaves = sum(spot.is_leaf for spot in self.spots)
        self.depth = max(spot.depth for spot in self.spots)
        longest = max(len(line) for name in grown.scores for line in wrap(name, _WIDE) or [""])
        self.leaf_width = max(1.25, _LETTER * longest + 0.35)
        self.leaf_height = 0.5 if self.bars is None else 0.35 + _BAR * self.bars.shape[1]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches that it needs."""
        legend = 0.0 if self.bars is None else 0.3 * self._legend_rows()
        return max(4.0, self.leaf_width * self.n_leaves + 0.4), 0.95 * self.depth + self.leaf_height + 0.75 + legend

    def draw(self, ax: Any) -> None:
        """Draw it on ``ax``."""
        ax.set_axis_off()
        below = 0.15 + self.leaf_height / 0.95
        ax.set(xlim=(-0.55, self.n_leaves - 0.45), ylim=(-self.depth - below, 0.35))
        ax.set_title(self.grown.name_of(self.tree), fontsize="medium", loc="left")
        for spot in self.spots:
            if spot.parent is not None:
                self._draw_way(ax, spot)
            if spot.is_leaf:
                self._draw_leaf(ax, spot)
            else:
                column = condition(self.grown, self.tree, spot.node, self.decimals).column
                box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "0.35"}
                _write(ax, spot.x, -spot.depth, column, bbox=box, fontsize=9, zorder=4)
        if self.bars is not None:
            self._add_legend(ax)

    def _draw_way(self, ax: Any, spot: Spot) -> None:
        """The line from a node's parent, with the condition beside it."""
        parent = self.places[spot.parent or 0]
        ax.plot([parent.x, spot.x], [-parent.depth, -spot.depth], color="0.6", linewidth=1.0, zorder=1)
        split = condition(self.grown, self.tree, parent.node, self.decimals)
        said, side, away = (split.left, "right", -0.07) if spot.is_left else (split.right, "left", 0.07)
        x, wide = (parent.x + spot.x) / 2 + away, max(11, int(0.6 * self.leaf_width / 0.065))
        said = said.replace("= ", f"={_JOINT}").replace("> ", f">{_JOINT}")  # a sign stays with its number
        _write(ax, x, -parent.depth - 0.46, said, wide, ha=side, fontsize=8, color="0.25", zorder=3)

    def _draw_leaf(self, ax: Any, spot: Spot) -> None:
        leaf = self.grown.leaf(self.tree, int(self.grown.forest.feature[self.tree, spot.node]))
        if leaf.answer is not None:
            color = color_of(leaf.answer)
            box = {"boxstyle": "round,pad=0.35", "facecolor": tint(color), "edgecolor": color, "linewidth": 1.5}
            _write(ax, spot.x, -spot.depth, self.grown.scores[leaf.answer], bbox=box, fontsize=9, zorder=4)
        elif self.bars is None and leaf.values is not None:
            best = int(leaf.values.argmax())
            said = f"{self.grown.scores[best]} {number(float(leaf.values[best]), 2)}"
            box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "0.35"}
            _write(ax, spot.x, -spot.depth, f"most: {said}", bbox=box, fontsize=9, zorder=4)
        if self.bars is not None and leaf.values is not None:
            self._draw_bars(ax, spot, leaf.values, below=0.0 if leaf.answer is None else 0.3)

    def _draw_bars(self, ax: Any, spot: Spot, values: np.ndarray, below: float) -> None:
        assert self.bars is not None
        largest, height = np.abs(self.bars).max() or 1.0, _BAR / 0.95
        zero, reach = (spot.x, 0.4) if self.bars.min() < 0 else (spot.x - 0.4, 0.8)
        top = -spot.depth - below
        for k, value in enumerate(values):
            y = top - (k + 0.5) * height
            bar = {"left": zero, "height": 0.85 * height, "zorder": 4}
            ax.barh(y, reach * value / largest, **bar, **fill_of(k))
        ends = [top, top - len(values) * height]
        ax.fill_between([spot.x - 0.45, spot.x + 0.45], *ends, facecolor="white", edgecolor="0.75", zorder=2)
        ax.plot([zero, zero], ends, color="0.35", linewidth=0.8, zorder=5)

    def _add_legend(self, ax: Any) -> None:
        from matplotlib.patches import Patch

        assert self.bars is not None
        columns = self._legend_columns()
        handles = by_rows([Patch(label=name, **fill_of(k)) for k, name in enumerate(self.grown.scores)], columns)
        quantity = "adds to the scores" if self.grown.quantity == "adds" else self.grown.quantity
        title = f"{quantity}, longest bar {np.abs(self.bars).max():.3g}; from top to bottom:"
        legend = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "ncols": columns}
        ax.legend(handles=handles, title=title, frameon=False, fontsize=8, title_fontsize=8, **legend)

    def _legend_columns(self) -> int:
        width = max(4.0, self.leaf_width * self.n_leaves + 0.4)
        longest = max(len(name) for name in self.grown.scores)
        return max(1, min(len(self.grown.scores), int(width / (0.065 * longest + 0.55))))

    def _legend_rows(self) -> int:
        return 1 + -(-len(self.grown.scores) // self._legend_columns())


def _write(ax: Any, x: float, y: float, text: str, wide: int = _WIDE, ha: str = "center", **look: Any) -> None:
    """Text at a point, in lines that are not too long."""
    lines = "\n".join(wrap(text, wide, break_long_words=False)) or text
    ax.text(x, y, lines.replace(_JOINT, " "), ha=ha, va="center", **look)
