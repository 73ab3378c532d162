"""Tables whose cells are texts already: in Markdown, in LaTeX and as a page has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd


class View(NamedTuple):
    """A table as shown: a title, and cells that are texts already."""

    title: str
    frame: pd.DataFrame


def markdown(frame: pd.DataFrame, numbers: bool = True) -> str:
    """Return a table in Markdown; with ``numbers`` all columns but the first are flush right."""
    rule = "---:|" if numbers else "---|"
    lines = ["| " + " | ".join(frame.columns) + " |", "|---|" + rule * (frame.shape[1] - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in frame.itertuples(index=False)]
    return "\n".join(lines) + "\n"


def latex(frame: pd.DataFrame, caption: str, bold: pd.DataFrame | None = None, numbers: bool = True) -> str:
    """Return a table in LaTeX (needs booktabs).

    Parameters
    ----------
    frame : DataFrame
    caption : str
    bold : DataFrame of bool, optional
        Which cells are bold.
    numbers : bool
        The first column holds labels, which may be LaTeX, and the others numbers: centred, numbers flush right.
        Without, all cells are plain texts.
    """
    styler = frame.style.hide(axis="index")
    if bold is not None:
        weights = bold.replace({True: "font-weight: bold", False: ""})
        styler = styler.apply(lambda _: weights, axis=None)
    if not numbers:
        styler = styler.format(escape="latex")
    columns = "l" + "r" * (frame.shape[1] - 1) if numbers else "l" * frame.shape[1]
    return styler.to_latex(
        convert_css=bold is not None,
        hrules=True,
        column_format=columns,
        caption=caption,
        position_float="centering" if numbers else None,
    )


def number(value: float, digits: int = 3) -> str:
    """Format a number; what is not known is a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def p_text(p: float) -> str:
    """Format a p-value."""
    return "-" if math.isnan(p) else "< .001" if p < 0.001 else f"{p:.3f}"


def markdown_of(shown: Sequence[View], lines: Sequence[str]) -> str:
    """Return views under their titles, and sentences after them as a list, in Markdown."""
    parts = [f"## {view.title}\n\n{markdown(view.frame)}" for view in shown]
    return "\n".join([*parts, *(f"- {line}" for line in lines)]) + "\n"
