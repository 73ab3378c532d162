"""Everything that a study writes and prints, made from the stored rows alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.printing import say
from bench.rows import files
from bench.rows.row import Row
from bench.rows.store import Store
from bench.show import figures, findings, layouts, report, tables
from bench.show.curves import cost_curves
from bench.show.described import describe_curves, describe_ranks
from bench.show.pages import write_page, write_tables
from bench.show.ranks import rank_diagram
from bench.show.results import Done, Result, curves_of, evaluate, finished
from bench.show.terminal import print_tables
from bench.studies.study import Selection, Study


def write_outputs(study: Study, selection: Selection, rows: Sequence[Row], store: Store) -> None:
    """Print the table and write ``table.*``, ``figure-*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    study, selection
        What is shown.
    rows : list of Row
        Those of the selection, at most one per job.
    store : Store
        Where the files go, and where settings, Bayes costs and the environment of the run come from.
    """
    settings, done = store.settings(), finished(rows)
    bayes: layouts.Bayes = {key: (cost, error) for key, (cost, error) in settings.get("bayes_cost", {}).items()}
    fingerprint = settings.get("fingerprint", {})
    printed = findings.comparable(fingerprint)
    results = [evaluate(study, selection, done, protocol, printed) for protocol in selection.protocols]
    found = [sentence for sentence in map(findings.finding, results) if sentence]
    foot = [
        *(findings.rank_sentence(result.ranks, result.protocol) for result in results if result.ranks),
        *findings.caveats(results, selection.replications, fingerprint),
        *study.notes,
    ]
    legend = layouts.legend(findings.has_print(results))
    print_tables(
        {result.title: layouts.fitting_table(result.blocks, bayes) for result in results},
        [legend, "", *found, *foot, *large_fit_lines(rows)],
    )

    if sys.stderr.isatty():
        say(f"Drawing figures and {store.folder / files.REPORT} ...")
    write_tables(
        store,
        tables.tidy({result.protocol: result.blocks for result in results}, study.name),
        _markdown_page(results, bayes, legend, [*found, *foot]),
        "\n".join(layouts.latex(result.blocks, bayes, result.title) for result in results),
    )
    pictures = {result.protocol: _draw(study, selection, done, result, bayes, store) for result in results}
    write_page(
        store,
        "report.html.j2",
        **report.contents(study, selection, rows, results, bayes, pictures, found, foot),
    )


def large_fit_lines(rows: Sequence[Row]) -> list[str]:
    """Return cost, time and peak memory of each fit whose memory was measured."""
    return [
        f"{row.algorithm}, {row.costs} costs, {row.protocol}: cost {row.test_cost:.4f}, "
        f"fit {row.fit_seconds:.1f} s, predict {row.predict_seconds:.1f} s, "
        f"peak memory {row.peak_memory_bytes / 2**20:,.0f} MB"
        for row in rows
        if row.peak_memory_bytes
    ]


def _markdown_page(results: Sequence[Result], bayes: layouts.Bayes, legend: str, foot: Sequence[str]) -> str:
    parts = [f"## {result.title}\n\n{layouts.markdown(result.blocks, bayes)}" for result in results]
    legend = legend.replace("* lowest mean", "Bold: lowest mean")
    return "\n".join([*parts, f"{legend}\n", *(f"- {line}" for line in foot)]) + "\n"


def _draw(
    study: Study, selection: Selection, done: Done, result: Result, bayes: layouts.Bayes, store: Store
) -> list[figures.Picture]:
    """Write a protocol's figures and return them for the report."""
    pictures = []
    seed, protocol = store.settings()["fingerprint"]["seed"], result.protocol
    for scenario, _ in result.blocks:
        curves = curves_of(done, selection, scenario, protocol)
        if curves:
            bound = bayes[scenario.key][0] if scenario.key in bayes else None
            figure = cost_curves(curves, study, scenario, protocol, seed, bound)
            name = f"figure-{scenario.scenario}-{scenario.costs}-{protocol}"
            title = f"{scenario.label}, {protocol} protocol"
            alt = describe_curves(curves, study.unit, title, bound)
            pictures.append(
                figures.picture(figure, store.folder, name, f"Test cost against boosting round, {title}", alt)
            )
    if result.ranks is not None:
        where = f"{protocol} protocol"
        figure, alt = rank_diagram(result.ranks, where), describe_ranks(result.ranks, where)
        caption = f"Average ranks over scenarios, {where}"
        pictures.append(figures.picture(figure, store.folder, f"figure-ranks-{protocol}", caption, alt))
    return pictures
