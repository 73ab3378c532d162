"""Tables whose cells are texts already: in Markdown, in LaTeX and as a page has them."""

from __future__ import annotations

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
