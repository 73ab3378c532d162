"""The result table in the paper's layout: on the terminal (rich), in Markdown and in LaTeX (pandas Styler)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bench.show import views
from bench.show.tables import BEYOND, DIGITS, Block, number
from bench.show.terminal import bare_table, fits

Bayes = dict[str, tuple[float, float]]
"""Scenario key -> (Bayes cost, standard error), for the scenarios where it is known."""

LEGEND = "* lowest mean; in parentheses: standard error over replications"
DIFFERENCE = (
    "difference: the mean minus the paper's, in combined standard errors: + costs more than print, - less, ! beyond "
    f"{BEYOND:g}"
)
_ACROSS = 6  # algorithms beside each other in 80 columns


def legend(printed: bool) -> str:
    """Return the sentence that explains a table, with or without the paper's figures in it."""
    return f"{LEGEND}; {DIFFERENCE}." if printed else f"{LEGEND}."


def bayes_text(bayes: Bayes, key: str) -> str:
    """Return a scenario's Bayes cost as text, empty where none is known."""
    return number(bayes[key][0], DIGITS) if key in bayes else ""


def pieces(name: str) -> list[str]:
    """Cut an algorithm's name where a heading may be broken: after a space, before a dot, within long words."""
    words = re.split(r"(?<= )|(?=\.)", name)
    return [part for word in words for part in (re.split(r"(?<=[a-z])(?=[A-Z])", word) if len(word) > 9 else [word])]


def fitting_table(blocks: Sequence[Block], bayes: Bayes) -> RenderableType:
    """Return a protocol's table, narrow where stdout is a terminal that has no room for unbroken headings."""
    wide = terminal_table(blocks, bayes)
    return wide if fits(wide) else narrow_table(blocks, bayes)


def narrow_table(blocks: Sequence[Block], bayes: Bayes) -> RenderableType:
    """Return a protocol's table for 80 columns: broken headings, and six algorithms beside each other at most."""
    names = _names(blocks)
    groups = [names[start : start + _ACROSS] for start in range(0, len(names), _ACROSS)]
    last = len(groups) - 1
    return Group(
        *(terminal_table(blocks, bayes if i == last else {}, group, narrow=True) for i, group in enumerate(groups))
    )


def _names(blocks: Sequence[Block]) -> list[str]:
    return list(dict.fromkeys(name for block in blocks for name in block.cells))


def terminal_table(
    blocks: Sequence[Block], bayes: Bayes, names: Sequence[str] | None = None, narrow: bool = False
) -> Table:
    """Return a protocol's table: under each mean its standard error, the printed value and the difference.

    ``names`` are the algorithms to show, default all; with ``narrow`` the headings are broken.
    """
    names = _names(blocks) if names is None else names
    with_bayes = any(bayes_text(bayes, block.scenario.key) for block in blocks)
    view = bare_table(gap=0 if narrow else 1)
    view.add_column("", min_width=12)
    for name in [*names, *(["Bayes cost"] if with_bayes else [])]:
        heading = "\n".join(piece.strip() for piece in pieces(name)) if narrow else name
        view.add_column(heading, justify="right", overflow="fold")
    for block in blocks:
        lowest, cells = block.lowest(), [block.cells[name] for name in names]
        means = [
            Text(f"*{cell.mean_text}", style="bold") if name in lowest else Text(cell.mean_text)
            for name, cell in zip(names, cells, strict=True)
        ]
        view.add_row(Text(block.scenario.label, style="bold"), *means, bayes_text(bayes, block.scenario.key))
        below = {
            "": [cell.error_text for cell in cells],
            " ": [cell.reps_text for cell in cells],
            "  paper": [cell.published_text for cell in cells],
            "  ": [cell.published_error_text for cell in cells],
            "  difference": [cell.difference_text for cell in cells],
        }
        for label, texts in below.items():
            if any(texts):
                view.add_row(label, *(Text(text, style="red" if "!" in text else "") for text in texts))
        view.add_section()
    return view


def _flat(blocks: Sequence[Block], bayes: Bayes) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a protocol's table as texts, and where they are bold: a row per scenario, the printed row, differences."""
    labels: list[str] = []
    texts: list[dict[str, str]] = []
    bold: list[dict[str, bool]] = []
    for scenario, cells in blocks:
        lowest = Block(scenario, cells).lowest()
        rows = {
            scenario.label: {n: f"{c.mean_text} {c.error_text} {c.reps_text}".strip() for n, c in cells.items()},
            "paper": {n: f"{c.published_text} {c.published_error_text}".strip() for n, c in cells.items()},
            "difference": {n: c.difference_text for n, c in cells.items()},
        }
        if scenario.key in bayes:
            rows[scenario.label]["Bayes cost"] = bayes_text(bayes, scenario.key)
        for label, row in rows.items():
            if any(row.values()):
                labels.append(label)
                texts.append(row)
                bold.append({name: label == scenario.label and name in lowest for name in row})
    frame = pd.DataFrame(texts).fillna("")
    frame.insert(0, "", pd.Series(labels, dtype=object))
    return frame, pd.DataFrame(bold).reindex(columns=frame.columns).eq(True)


def markdown(blocks: Sequence[Block], bayes: Bayes) -> str:
    """Return a protocol's table in Markdown; the lowest mean of a scenario is bold."""
    frame, bold = _flat(blocks, bayes)
    return views.markdown(frame.where(~bold, "**" + frame + "**"))


def latex(blocks: Sequence[Block], bayes: Bayes, caption: str) -> str:
    """Return a protocol's table in LaTeX (needs booktabs); the lowest mean of a scenario is bold."""
    frame, bold = _flat(blocks, bayes)
    frame[""] = frame[""].replace({"paper": r"\quad paper", "difference": r"\quad difference"})
    return views.latex(frame, caption, bold=bold)
