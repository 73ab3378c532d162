"""Everything that a study writes and prints, made from the stored rows alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from bench import figures, findings, layouts, report, statistics, tables
from bench.rank_figure import rank_diagram
from bench.store import Store, job_of, write_atomic
from bench.study import Selection, Study

Rows = Sequence[dict[str, Any]]


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


def evaluate(study: Study, selection: Selection, rows: Rows, protocol: str, printed: bool = True) -> Result:
    """Return means, paired differences and ranks of a protocol; ``printed`` puts the paper's figures beside them."""
    blocks, pairs = [], {}
    for scenario in selection.scenarios:
        costs = tables.test_costs(rows, selection, scenario, protocol)
        if costs:
            blocks.append(tables.summarise(costs, scenario, printed))
            pairs[scenario.key] = statistics.paired_differences(pd.DataFrame(costs))
    means = pd.DataFrame([{name: cell.mean for name, cell in block.cells.items()} for block in blocks])
    title = f"{study.title}, {protocol} protocol: mean test cost per {study.unit}"
    ranks = statistics.average_ranks(means, [block.scenario.scenario for block in blocks])
    return Result(protocol, title, blocks, pairs, ranks)


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
    fingerprint = settings.get("fingerprint", {})
    printed = findings.comparable(fingerprint)
    results = [evaluate(study, selection, rows, protocol, printed) for protocol in selection.protocols]
    found = [sentence for sentence in map(findings.finding, results) if sentence]
    foot = [
        *(findings.rank_sentence(result.ranks, result.protocol) for result in results if result.ranks),
        *findings.caveats(results, selection.replications, fingerprint),
        *study.notes,
    ]
    legend = layouts.legend(findings.has_print(results))
    layouts.print_tables(
        {result.title: layouts.fitting_table(result.blocks, bayes) for result in results},
        [legend, "", *found, *foot, *large_fit_lines(rows)],
    )

    if sys.stderr.isatty():
        print(f"Drawing figures and {store.folder / 'report.html'} ...", file=sys.stderr, flush=True)
    tidy = tables.tidy({result.protocol: result.blocks for result in results}, study.name)
    write_atomic(store.folder / "table.csv", tidy.to_csv(index=False))
    write_atomic(store.folder / "table.md", _markdown_page(results, bayes, legend, [*found, *foot]))
    write_atomic(store.folder / "table.tex", "\n".join(layouts.latex(r.blocks, bayes, r.title) for r in results))
    write_atomic(store.folder / "environment.json", json.dumps(settings.get("environment", {}), indent=2) + "\n")
    pictures = {result.protocol: _draw(study, selection, rows, result, bayes, store) for result in results}
    page = report.render(study, selection, rows, results, bayes, pictures, found, foot, settings)
    write_atomic(store.folder / "report.html", page)


def large_fit_lines(rows: Rows) -> list[str]:
    """Return cost, time and peak memory of each fit whose memory was measured."""
    return [
        f"{row['algorithm']}, {row['costs']} costs, {row['protocol']}: cost {row['test_cost']:.4f}, "
        f"fit {row['fit_seconds']:.1f} s, predict {row['predict_seconds']:.1f} s, "
        f"peak memory {row['peak_memory_bytes'] / 2**20:,.0f} MB"
        for row in rows
        if row.get("peak_memory_bytes")
    ]


def _markdown_page(results: Sequence[Result], bayes: layouts.Bayes, legend: str, foot: Sequence[str]) -> str:
    parts = [f"## {result.title}\n\n{layouts.markdown(result.blocks, bayes)}" for result in results]
    legend = legend.replace("* lowest mean", "Bold: lowest mean")
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
            rank_diagram(result.ranks, result.protocol), store.folder, f"figure-ranks-{result.protocol}"
        )
        pictures.append((f"Average ranks over scenarios, {result.protocol} protocol", path.read_bytes()))
    return pictures
