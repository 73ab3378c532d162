"""Everything that a comparison on a user's file writes and prints, made from the stored rows alone."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.rows.columns import OWN_FILE
from bench.rows.row import Row
from bench.rows.store import Store
from bench.show import views
from bench.show.curves import draw_curves
from bench.show.described import describe_curves
from bench.show.failing import failures
from bench.show.figures import Picture, picture
from bench.show.own_file import described, pictures
from bench.show.own_file.sentences import LEGEND, notes, verdict
from bench.show.own_file.views import block, cost_table, flips, summary
from bench.show.own_file.worth import Worth, answered, weigh
from bench.show.pages import mixed_versions, write_page, write_tables
from bench.show.tables import tidy
from bench.show.terminal import print_tables, view_table
from bench.studies.own_file import UNIT
from bench.studies.own_jobs import ARM, TODAY, Asked

NOTHING = "No model has finished a split: there is nothing to compare yet."


def write_outputs(asked: Asked, rows: Sequence[Row], store: Store) -> None:
    """Print the verdict and write ``table.*``, ``figure-*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    asked : Asked
        What is shown.
    rows : list of Row
        Those of its jobs.
    store : Store
        Where the files go, and where the notes on the file come from.
    """
    cells = block(asked, rows)
    given = answered(asked, rows)
    worth = None if given is None else weigh(asked, given)
    found = [NOTHING] if worth is None else verdict(worth, asked)
    shown = [] if worth is None else [summary(worth, asked, cells, rows), *flips(worth, asked)]
    base = "today's answers" if asked.baselines[-1] == TODAY else "the best constant answer"
    legend = LEGEND.format(base=base, level="95 %")
    foot = notes(worth, asked)
    print_tables(
        {view.title: view_table(view) for view in shown}, ["", legend, "", *foot, "", *found] if shown else found
    )
    every = [*shown, cost_table(asked)]
    write_tables(
        store,
        tidy({ARM: [cells]}, OWN_FILE),
        views.markdown_of(every, [*found, legend, *foot, *store.settings().get("notes", [])]),
        "\n".join(views.latex(view.frame, view.title, numbers=False) for view in every),
    )
    write_page(
        store, "own_file.html.j2", asked=asked, found=found, legend=legend, foot=foot, shown=shown,
        costs=cost_table(asked), pictures=[] if worth is None else _draw(worth, asked, rows, store),
        n_jobs=len(asked.jobs), n_done=sum(row.is_done for row in rows), failures=failures(rows),
        mixed=mixed_versions(rows),
    )  # fmt: skip


def _draw(worth: Worth, asked: Asked, rows: Sequence[Row], store: Store) -> list[Picture]:
    """Write the figures and return them for the page."""
    done = [row for row in rows if row.is_done]
    seconds = {
        name: statistics.median(row.fit_seconds for row in done if row.algorithm == name) for name in worth.given.models
    }
    against = "today's answers" if asked.baselines[-1] == TODAY else "the best constant answer"
    drawn: dict[str, tuple[str, Figure, str]] = {
        "savings": (
            f"What each model saves per case against {against}",
            pictures.savings(worth, asked),
            described.describe_savings(worth, asked, against),
        ),
        "confusion": (
            f"Where the cost of {worth.best} comes from; n: its answers in all splits",
            pictures.where_it_pays(worth, asked),
            described.describe_where_it_pays(worth, asked),
        ),
    }
    if len(worth.means) > 1:
        drawn["time"] = (
            "Cost per case against the seconds of a fit",
            pictures.cost_against_time(worth, asked, seconds),
            described.describe_cost_against_time(worth, seconds),
        )
    curves = _curves(asked, done)
    if curves:
        title = pictures.source_of(asked)
        figure = draw_curves(curves, UNIT, title, asked.about.name, store.settings()["fingerprint"]["seed"])
        drawn["curves"] = ("Test cost against boosting round", figure, describe_curves(curves, UNIT, title))
    return [
        picture(figure, store.folder, f"figure-{kind}", caption, alt) for kind, (caption, figure, alt) in drawn.items()
    ]


def _curves(asked: Asked, done: Sequence[Row]) -> dict[str, np.ndarray]:
    """Return the cost curves of the boosters that have them: algorithm -> (splits, rounds), NaN where missing."""
    curves: dict[str, np.ndarray] = {}
    for name in (name for name in asked.algorithms if name in REGISTRY):
        mine = {row.replication: curve for row in done if row.algorithm == name and (curve := _curve(row))}
        if mine:
            curves[name] = np.full((asked.splits, max(map(len, mine.values()))), np.nan)
            for split, curve in mine.items():
                curves[name][split] = np.pad(curve, (0, curves[name].shape[1] - len(curve)), mode="edge")
    return curves


def _curve(row: Row) -> list[float]:
    curve: list[float] = vars(row).get("cost_curve", [])
    return curve
