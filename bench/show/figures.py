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
from matplotlib.axis import Axis
from matplotlib.figure import Figure

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


class Picture(NamedTuple):
    """A figure for a page: caption, and the PNG in base64."""

    caption: str
    png: str


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
    for suffix, options in (("pdf", {"metadata": {"CreationDate": None}}), ("png", {"dpi": 160})):
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


def picture(figure: Figure, folder: Path, name: str, caption: str) -> Picture:
    """Write a figure (:func:`save`) and return it for a page."""
    return Picture(caption, base64.b64encode(save(figure, folder, name).read_bytes()).decode())
