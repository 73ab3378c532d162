"""What all figures share: colours, line styles, logarithmic axes, and how they are saved."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from bench.algorithms import REGISTRY
from bench.rows.files import write_atomic

INK, SOFT, GREY = "#1c1c1c", "#5c5c5c", "#c4c4c4"  # text, lesser text (7:1 on white), lines behind others
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "text.color": INK,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}
LOG = "log scale"
DPI = 160
_WIDE = 8.5  # inches: those of figures of several panels beside each other, or of long labels


def short(name: str, most: int = 28) -> str:
    """Return a name that leaves room for the picture: the middle of a long one is left out."""
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-half + 1 :]}"


class Picture(NamedTuple):
    """A figure for a page.

    Attributes
    ----------
    caption, alt : str
        What it is, and what is seen: the values, for who does not see it.
    png : str
        In base64.
    width, height : int
        In pixels.
    """

    caption: str
    alt: str
    png: str
    width: int
    height: int

    @property
    def is_narrow(self) -> bool:
        """Whether it has one panel, so that it need not be as wide as the page."""
        return self.width < _WIDE * DPI


def style(name: str) -> dict[str, Any]:
    """Return an algorithm's line style, the same in every figure."""
    algorithm = REGISTRY[name]
    return {
        "color": algorithm.colour,
        "linestyle": algorithm.dashes,
        "marker": algorithm.marker,
        "markersize": 4.5,
        "markerfacecolor": "white",
    }


def save(figure: Figure, folder: Path, name: str) -> Path:
    """Write ``name.png`` and ``name.pdf`` and return the path of the first."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not again for each format
    for suffix, options in (("pdf", {"metadata": {"CreationDate": None}}), ("png", {"dpi": DPI})):
        buffer = io.BytesIO()
        figure.savefig(buffer, format=suffix, **options)
        write_atomic(folder / f"{name}.{suffix}", buffer.getvalue())
    plt.close(figure)
    return folder / f"{name}.png"


def number_plainly(axis: Axis, subs: Sequence[int]) -> None:
    """Label a logarithmic axis with plain numbers: powers of ten times each of ``subs``."""
    axis.set_major_locator(ticker.LogLocator(subs=subs))
    axis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axis.set_minor_locator(ticker.NullLocator())


def picture(figure: Figure, folder: Path, name: str, caption: str, alt: str) -> Picture:
    """Write a figure (:func:`save`) and return it for a page."""
    width, height = (round(DPI * inches) for inches in figure.get_size_inches())
    return Picture(caption, alt, base64.b64encode(save(figure, folder, name).read_bytes()).decode(), width, height)


def name_points(axes: Axes, points: Sequence[tuple[str, float, float]]) -> None:
    """Write names beside points, each at the first of eight places where it covers no other name or point."""
    centres = [axes.transData.transform((x, y)) for _, x, y in points]
    covered = [Bbox.from_extents(x - 5, y - 5, x + 5, y + 5) for x, y in centres]
    for name, x, y in points:
        for right, up in ((7, -3), (7, 5), (7, -11), (-7, -3), (-7, 5), (-7, -11), (7, 13), (7, -19)):
            side = "left" if right > 0 else "right"
            text = axes.annotate(name, (x, y), (right, up), textcoords="offset points", ha=side, fontsize=8, color=INK)
            box = text.get_window_extent()
            if not any(box.overlaps(other) for other in covered):
                covered.append(box)
                break
            text.remove()
        else:
            axes.annotate(name, (x, y), (7, -3), textcoords="offset points", fontsize=8, color=INK)
