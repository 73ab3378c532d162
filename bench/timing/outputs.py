"""Everything that the study writes and prints, made from the stored rows alone."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from rich import box
from rich.table import Table
from rich.text import Text

from bench import layouts
from bench.figures import save
from bench.store import Store, write_atomic
from bench.timing import figures, verdicts
from bench.timing.measured import Rows
from bench.timing.tables import View, family_views, latex, markdown, summarise, sweep_views
from bench.timing.targets import evaluate

TITLE = "Speed, beside other libraries"
LEGEND = (
    "Medians; spread: least and largest, of the figures to reach over processes (each gives the median of its "
    "repeats), in the other tables over repeats. Ratios are formed repeat by repeat, the peer's time over "
    "Angle AdaBoost's. Matched: 4 leaves, 255 bins, rounds, threads; runs are interleaved. LightGBM, XGBoost and "
    "HistGradientBoosting grow a tree per class and round (one in all for two classes). "
    "missed: the floor is not reached."
)


def write_outputs(rows: Rows, store: Store) -> None:
    """Print the tables and write ``table.*``, ``targets.csv``, figures, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    rows : list of dict
        Stored rows.
    store : Store
        Where the files go, and where the command, notes and the environment come from.
    """
    settings = store.settings()
    targets = evaluate(rows, settings.get("absent", {}))
    found = verdicts.finding(targets)
    views = [verdicts.target_view(targets), *family_views(rows), *sweep_views(rows)]
    foot = [LEGEND, *settings.get("notes", []), machine_line(settings.get("environment", {}))]
    layouts.print_tables({view.title: terminal_table(view) for view in views}, ["", found, *foot])

    if sys.stderr.isatty():
        print(f"Drawing figures and report in {store.folder} ...", file=sys.stderr, flush=True)
    write_atomic(store.folder / "table.csv", summarise(rows).to_csv(index=False))
    write_atomic(store.folder / "targets.csv", targets.to_csv(index=False))
    page = "\n".join([f"## {TITLE}\n", *map(markdown, views), *(f"- {line}" for line in (found, *foot))])
    write_atomic(store.folder / "table.md", page + "\n")
    write_atomic(store.folder / "table.tex", latex(views))
    write_atomic(store.folder / "environment.json", json.dumps(settings.get("environment", {}), indent=2) + "\n")
    pictures = _draw(rows, targets, store)
    write_atomic(store.folder / "report.html", _page(rows, views, found, foot, pictures, settings))


def machine_line(environment: Mapping[str, Any]) -> str:
    """Return processor, versions and date in a sentence."""
    if not environment:
        return "The folder does not tell which machine the rows are from."
    shown = ("python", "csboost", "numba", "numpy", "scikit-learn", "lightgbm", "xgboost")
    known = ", ".join(f"{name} {environment['versions'][name]}" for name in shown if name in environment["versions"])
    return f"{environment['processor']}, {environment['cores']} cores; {known}; {environment['date'][:10]}."


def terminal_table(view: View) -> Table:
    """Return a table for the terminal."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for place, name in enumerate(view.frame.columns):
        table.add_column(name, justify="right" if place and name != "verdict" else "left", overflow="fold", min_width=5)
    for row in view.frame.fillna("").itertuples(index=False):
        table.add_row(*(Text(text, style=_colour(text)) for text in row))
    return table


def _colour(text: str) -> str:
    return "red" if text == "missed" else "green" if text in ("ok", "ok, aim met") else ""


def _draw(rows: Rows, targets: Any, store: Store) -> list[tuple[str, str]]:
    """Write the figures and return (caption, base64 of the PNG) of each."""
    drawn = [("figure-ratios", "Ratios with their spread, floor and aim", figures.ratios(targets))]
    for work, (label, _) in figures.NAMES.items():
        name = f"figure-{work.removeprefix('sweep-')}"
        drawn.append((name, f"Seconds per boosting round by number of {label} ({work})", figures.scaling(rows, work)))
    pictures = []
    for name, caption, figure in drawn:
        for old in store.folder.glob(f"{name}.p*"):  # of rows that are no longer there
            old.unlink()
        if figure is not None:
            png = save(figure, store.folder, name).read_bytes()
            pictures.append((caption, base64.b64encode(png).decode()))
    return pictures


def _page(
    rows: Rows,
    views: Sequence[View],
    found: str,
    foot: Sequence[str],
    pictures: Sequence[tuple[str, str]],
    settings: Mapping[str, Any],
) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("timing.html.j2").render(
        title=TITLE,
        finding=found,
        views=[(view.title, list(view.frame.columns), view.frame.fillna("").values.tolist()) for view in views],
        foot=foot,
        pictures=pictures,
        settings=settings,
        failures=[row for row in rows if row["status"] != "done"],
        samples=sum(row["status"] == "done" for row in rows),
    )
