"""Everything that the study writes and prints, made from the stored rows alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from rich.table import Table
from rich.text import Text

from bench.printing import say
from bench.rows.files import TARGETS, write_atomic
from bench.rows.store import Store
from bench.show import views
from bench.show.figures import Picture, picture
from bench.show.pages import write_page, write_tables
from bench.show.terminal import bare_table, print_tables
from bench.show.views import View
from bench.timing import described, figures, verdicts
from bench.timing.measured import Rows
from bench.timing.tables import family_views, summarise, sweep_views
from bench.timing.targets import evaluate

TITLE = "Speed, beside other libraries"
LEGEND = (
    "Medians; spread: least and largest, of the figures to reach over processes (each gives the median of its "
    "repeats), in the other tables over repeats. Ratios are formed repeat by repeat, the peer's time over Angle "
    "AdaBoost's (over that of one bag of Angle Gradient, where leaves hold vectors: as it is, it tries 60 % of "
    "the columns per node, in half of the trees one threshold of each, where the others try all); at the "
    "defaults, our time over the peer's. Matched: leaves (4; vectors 8), 255 bins, rounds, threads; runs are "
    "interleaved. LightGBM, XGBoost and HistGradientBoosting grow a tree per class and round (one in all for two "
    "classes). missed: the floor is not reached."
)


def write_outputs(rows: Rows, store: Store) -> None:
    """Print the tables and write ``table.*``, ``targets.csv``, figures, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    rows : list of Row
        Stored rows.
    store : Store
        Where the files go, and where the command, notes and the environment come from.
    """
    targets = evaluate(rows, store.settings().get("absent", {}))
    views = [*family_views(rows), *sweep_views(rows)]
    found = verdicts.finding(targets)
    write_study(rows, store, TITLE, found, LEGEND, targets, views, summarise(rows), lambda: _draw(rows, targets, store))


def write_study(
    rows: Rows,
    store: Store,
    title: str,
    found: str,
    legend: str,
    targets: pd.DataFrame,
    more: Sequence[View],
    tidy: pd.DataFrame,
    draw: Callable[[], list[Picture]] = list,
) -> None:
    """Print and write what became of the figures to reach, and ``more`` tables; files as of :func:`write_outputs`.

    Parameters
    ----------
    rows : list of Row
    store : Store
    title, found, legend : str
        ``found`` says in a sentence what became of the figures to reach.
    targets : DataFrame
        From :func:`bench.timing.targets.evaluate`.
    more : sequence of View
    tidy : DataFrame
        For ``table.csv``.
    draw : callable
        Writes the figures and returns them.
    """
    settings = store.settings()
    shown = [verdicts.target_view(targets), *more]
    shown = [view._replace(frame=view.frame.fillna("")) for view in shown]
    foot = [legend, *settings.get("notes", []), machine_line(settings.get("environment", {}))]
    print_tables({view.title: terminal_table(view) for view in shown}, ["", found, *foot])

    if sys.stderr.isatty():
        say(f"Drawing figures and report in {store.folder} ...")
    write_tables(store, tidy, _markdown_page(title, shown, [found, *foot]), _latex(shown))
    write_atomic(store.folder / TARGETS, targets.to_csv(index=False))
    write_page(
        store,
        "timing.html.j2",
        title=title,
        finding=found,
        views=[(view.title, list(view.frame.columns), view.frame.values.tolist()) for view in shown],
        foot=foot,
        pictures=draw(),
        failures=[row for row in rows if not row.is_done],
        samples=sum(row.is_done for row in rows),
    )


def machine_line(environment: Mapping[str, Any]) -> str:
    """Return processor, versions and date in a sentence."""
    if not environment:
        return "The folder does not tell which machine the rows are from."
    shown = ("python", "csboost", "numba", "numpy", "scikit-learn", "lightgbm", "xgboost", "catboost")
    known = ", ".join(f"{name} {environment['versions'][name]}" for name in shown if name in environment["versions"])
    return f"{environment['processor']}, {environment['cores']} cores; {known}; {environment['date'][:10]}."


def terminal_table(view: View) -> Table:
    """Return a table for the terminal."""
    table = bare_table()
    for place, name in enumerate(view.frame.columns):
        table.add_column(name, justify="right" if place and name != "verdict" else "left", overflow="fold", min_width=5)
    for row in view.frame.itertuples(index=False):
        table.add_row(*(Text(text, style=_colour(text)) for text in row))
    return table


def _colour(text: str) -> str:
    return "red" if text == "missed" else "green" if text in ("ok", "ok, aim met") else ""


def _markdown_page(title: str, shown: Sequence[View], lines: Sequence[str]) -> str:
    tables = [f"### {view.title}\n\n{views.markdown(view.frame)}" for view in shown]
    return "\n".join([f"## {title}\n", *tables, *(f"- {line}" for line in lines)]) + "\n"


def _latex(shown: Sequence[View]) -> str:
    return "\n".join(views.latex(view.frame.replace("µ", r"$\\mu$", regex=True), view.title) for view in shown)


def _draw(rows: Rows, targets: pd.DataFrame, store: Store) -> list[Picture]:
    """Write the figures and return them for the report."""
    drawn = [
        (
            "figure-ratios",
            "Ratios with their spread, floor and aim",
            figures.ratios(targets),
            lambda: described.describe_ratios(targets),
        )
    ]
    for work, (label, _) in figures.NAMES.items():
        name = f"figure-{work.removeprefix('sweep-')}"
        caption = f"Seconds per boosting round by number of {label} ({work})"
        drawn.append((name, caption, figures.scaling(rows, work), partial(described.describe_scaling, rows, work)))
    pictures = []
    for name, caption, figure, describe in drawn:
        for old in store.folder.glob(f"{name}.p*"):  # of rows that are no longer there
            old.unlink()
        if figure is not None:
            pictures.append(picture(figure, store.folder, name, caption, describe()))
    return pictures
