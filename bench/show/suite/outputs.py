"""Everything that a comparison over the suite writes and prints, made from the stored rows alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd
from matplotlib.figure import Figure

from bench.rows import files
from bench.rows.files import write_atomic
from bench.rows.row import Row
from bench.rows.store import Store
from bench.show import views
from bench.show.described import describe_ranks
from bench.show.failing import failures
from bench.show.figures import Picture, picture
from bench.show.pages import mixed_versions, write_page, write_tables
from bench.show.ranks import rank_diagram
from bench.show.suite import pictures, tables
from bench.show.suite.described import describe_cost_against_time, describe_log_ratios
from bench.show.suite.scores import Scores, frame_of, score
from bench.show.suite.sentences import LEGEND, finding, notes
from bench.show.terminal import print_tables, view_table
from bench.studies.suite import TITLE, Comparison
from bench.suite.names import ARMS, FURTHER, PARTS, USUAL_PARTS
from bench.suite.sets import part_of

ALL, BOTH = "all sets", "tuning and held-out sets"


def write_outputs(comparison: Comparison, rows: Sequence[Row], store: Store) -> None:
    """Print the tables and write ``table.*``, ``pairs.csv``, ``figure-*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    comparison : Comparison
        What is shown.
    rows : list of Row
        Those of its jobs.
    store : Store
        Where the files go, and where the environment of the run comes from.
    """
    table = frame_of(rows)
    found = list(_scores(comparison, table))
    mine = [[row for row in rows if row.protocol == scores.arm and row.scenario in scores.sets] for scores in found]
    summaries = [tables.summary(scores, those) for scores, those in zip(found, mine, strict=True)]
    whole = _whole(comparison, table)
    extra = [
        tables.between_arms(whole),
        tables.missing(comparison, rows, store.settings().get("absent", {})),
    ]
    shown = [*summaries, *(view for view in extra if view is not None)]
    sentences = [finding(scores) for scores in found]
    foot = notes(found, whole, comparison)
    if found:
        print_tables({view.title: view_table(view) for view in shown}, [*LEGEND, "", *sentences, *foot])
    else:
        print_tables({view.title: view_table(view) for view in shown}, ["No job is done."])

    tasks = [tables.every_task(scores) for scores in whole.values()]
    write_tables(
        store,
        tables.tidy(table),
        views.markdown_of([*shown, *tasks], [*LEGEND, *sentences, *foot]),
        "\n".join(views.latex(view.frame, view.title, numbers=False) for view in [*shown, *tasks]),
    )
    write_atomic(store.folder / files.PAIRS, _pairs(found).to_csv(index=False))
    sections = [
        {"summary": view, "text": ARMS[scores.arm], "pictures": _draw(scores, those, store)}
        for scores, view, those in zip(found, summaries, mine, strict=True)
    ]
    write_page(
        store, "suite.html.j2", title=TITLE, comparison=comparison, sections=sections, sentences=sentences,
        notes=foot, legend=LEGEND, extra=[view for view in extra if view is not None], tasks=tasks,
        n_jobs=len(comparison.jobs), n_done=sum(row.is_done for row in rows), failures=failures(rows),
        mixed=mixed_versions(rows),
    )  # fmt: skip


def _whole(comparison: Comparison, table: pd.DataFrame) -> dict[str, Scores]:
    """Return each arm's scores on all sets there are."""
    found = {arm: score(table, comparison.algorithms, arm, ALL, comparison.set_names) for arm in comparison.arms}
    return {arm: scores for arm, scores in found.items() if scores is not None}


def _scores(comparison: Comparison, table: pd.DataFrame) -> Iterator[Scores]:
    """Yield each arm's scores: where there are tuning sets and held-out ones of both first, then of each part."""
    sets = comparison.set_names
    by_part = {part: [name for name in sets if part_of(name) == part] for part in PARTS}
    parts = {f"{part} sets": names for part, names in by_part.items() if names}
    if all(by_part[part] for part in USUAL_PARTS):
        both = [name for name in sets if part_of(name) in USUAL_PARTS]
        parts = {BOTH if by_part[FURTHER] else ALL: both, **parts}
    for arm in comparison.arms:
        for part, names in parts.items():
            scores = score(table, comparison.algorithms, arm, part, names)
            if scores is not None:
                yield scores


def _pairs(found: Sequence[Scores]) -> pd.DataFrame:
    frames = [scores.pairs.assign(arm=scores.arm, part=scores.part) for scores in found if len(scores.pairs)]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _draw(scores: Scores, rows: Sequence[Row], store: Store) -> list[Picture]:
    """Write a section's figures and return them for the page."""
    where = f"arm {scores.arm}, {scores.part}"
    name = f"{scores.arm}-{scores.part.replace(' ', '-')}"
    seconds = {algorithm: spent[0] for algorithm, spent in tables.spending(rows).items()}
    drawn: dict[str, tuple[str, Figure, str]] = {}
    if scores.ranks is not None:
        unit = f"tasks of {scores.ranks.sources} sets"
        drawn["ranks"] = (
            f"Average ranks, {where}",
            rank_diagram(scores.ranks, where, unit),
            describe_ranks(scores.ranks, where, unit),
        )
    if len(scores.mean_logs) > 1:
        drawn["ratios"] = (f"Log cost ratios, {where}", pictures.log_ratios(scores), describe_log_ratios(scores))
        drawn["time"] = (
            f"Cost against time, {where}",
            pictures.cost_against_time(scores, seconds),
            describe_cost_against_time(scores, seconds),
        )
    return [
        picture(figure, store.folder, f"figure-{kind}-{name}", caption, alt)
        for kind, (caption, figure, alt) in drawn.items()
    ]
