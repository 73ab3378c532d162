"""Everything that a study writes and prints, made from the stored rows alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from bench import figures, layouts, report, statistics, tables
from bench.store import Store, job_of, write_atomic
from bench.study import Selection, Study

Rows = Sequence[dict[str, Any]]

MANY_REPLICATIONS = 10  # from here on a standard error is worth its name
FEW = (
    "Only {} replications: standard errors are rough guesses, and so are differences in their unit; tests tell little."
)


@dataclass(frozen=True)
class Result:
    """What the rows say under one protocol.

    Attributes
    ----------
    protocol, title : str
    blocks : list of Block
        The table.
    pairs : dict
        Scenario key -> paired differences from the best algorithm.
    ranks : Ranks or None
        Average ranks over scenarios.
    """

    protocol: str
    title: str
    blocks: list[tables.Block]
    pairs: dict[str, pd.DataFrame]
    ranks: statistics.Ranks | None


def evaluate(study: Study, selection: Selection, rows: Rows, protocol: str) -> Result:
    """Return means, paired differences and ranks of a protocol."""
    blocks, pairs = [], {}
    for scenario in selection.scenarios:
        costs = tables.test_costs(rows, selection, scenario, protocol)
        if costs:
            blocks.append(tables.summarise(costs, scenario))
            pairs[scenario.key] = statistics.paired_differences(pd.DataFrame(costs))
    means = pd.DataFrame([{name: cell.mean for name, cell in block.cells.items()} for block in blocks])
    title = f"{study.title}, {protocol} protocol: mean test cost per {study.unit}"
    return Result(protocol, title, blocks, pairs, statistics.average_ranks(means))


def write_outputs(study: Study, selection: Selection, rows: Rows, store: Store) -> None:
    """Print the table and write ``table.*``, ``figure-*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    study, selection
        What is shown.
    rows : list of dict
        Stored rows, at most one per job; those that ``selection`` leaves out are not shown.
    store : Store
        Where the files go, and where settings, Bayes costs and the environment of the run come from.
    """
    settings = store.settings()
    wanted = set(selection.jobs())
    rows = [row for row in rows if job_of(row) in wanted]
    bayes: layouts.Bayes = {key: (cost, error) for key, (cost, error) in settings.get("bayes_cost", {}).items()}
    results = [evaluate(study, selection, rows, protocol) for protocol in selection.protocols]
    foot = [
        *(rank_sentence(result.ranks, result.protocol) for result in results if result.ranks),
        *([FEW.format(selection.replications)] if 1 < selection.replications < MANY_REPLICATIONS else []),
        *study.notes,
    ]
    layouts.print_tables(
        {result.title: layouts.terminal_table(result.blocks, bayes, layouts.is_narrow()) for result in results},
        [layouts.LEGEND, "", *foot, *large_fit_lines(rows)],
    )

    if sys.stderr.isatty():
        print(f"Drawing figures and {store.folder / 'report.html'} ...", file=sys.stderr, flush=True)
    tidy = tables.tidy({result.protocol: result.blocks for result in results}, study.name)
    write_atomic(store.folder / "table.csv", tidy.to_csv(index=False))
    write_atomic(store.folder / "table.md", _markdown_page(results, bayes, foot))
    write_atomic(store.folder / "table.tex", "\n".join(layouts.latex(r.blocks, bayes, r.title) for r in results))
    write_atomic(store.folder / "environment.json", json.dumps(settings.get("environment", {}), indent=2) + "\n")
    pictures = {result.protocol: _draw(study, selection, rows, result, bayes, store) for result in results}
    write_atomic(
        store.folder / "report.html", report.render(study, selection, rows, results, bayes, pictures, foot, settings)
    )


def rank_sentence(ranks: statistics.Ranks, protocol: str) -> str:
    """Return the average ranks in a sentence."""
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.average.items())
    return (
        f"Average rank over {ranks.scenarios} scenarios ({protocol}): {listed}. Nemenyi's test (5 %) tells apart ranks "
        f"that differ by more than {ranks.critical_difference:.2f}."
    )


def large_fit_lines(rows: Rows) -> list[str]:
    """Return cost, time and peak memory of each fit whose memory was measured."""
    return [
        f"{row['algorithm']}, {row['costs']} costs, {row['protocol']}: cost {row['test_cost']:.4f}, "
        f"fit {row['fit_seconds']:.1f} s, predict {row['predict_seconds']:.1f} s, "
        f"peak memory {row['peak_memory_bytes'] / 2**20:,.0f} MB"
        for row in rows
        if row.get("peak_memory_bytes")
    ]


def _markdown_page(results: Sequence[Result], bayes: layouts.Bayes, foot: Sequence[str]) -> str:
    parts = [f"## {result.title}\n\n{layouts.markdown(result.blocks, bayes)}" for result in results]
    legend = layouts.LEGEND.replace("* lowest mean", "Bold: lowest mean")
    return "\n".join([*parts, f"{legend}\n", *(f"- {line}" for line in foot)]) + "\n"


def _draw(
    study: Study, selection: Selection, rows: Rows, result: Result, bayes: layouts.Bayes, store: Store
) -> list[tuple[str, bytes]]:
    """Write a protocol's figures and return (caption, PNG) of each."""
    pictures = []
    seed = store.settings()["fingerprint"]["seed"]
    for scenario, _ in result.blocks:
        curves = figures.curves_of(rows, selection, scenario, result.protocol)
        if curves:
            bound = bayes[scenario.key][0] if scenario.key in bayes else None
            figure = figures.cost_curves(curves, study, scenario, result.protocol, seed, bound)
            path = figures.save(figure, store.folder, f"figure-{scenario.scenario}-{scenario.costs}-{result.protocol}")
            caption = f"Test cost against boosting round, {scenario.label}, {result.protocol} protocol"
            pictures.append((caption, path.read_bytes()))
    if result.ranks is not None:
        path = figures.save(
            figures.rank_diagram(result.ranks, result.protocol), store.folder, f"figure-ranks-{result.protocol}"
        )
        pictures.append((f"Average ranks over scenarios, {result.protocol} protocol", path.read_bytes()))
    return pictures
