"""What ``report.html`` of a study shows: tables, figures, protocol, machine, how to repeat it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from bench.protocols import PROTOCOLS
from bench.rows.row import Row
from bench.show import findings, layouts, tables
from bench.show.failing import failures
from bench.show.figures import Picture
from bench.show.pages import mixed_versions
from bench.show.results import Result
from bench.studies.study import Selection, Study


def contents(
    study: Study,
    selection: Selection,
    rows: Sequence[Row],
    results: Sequence[Result],
    bayes: layouts.Bayes,
    pictures: Mapping[str, Sequence[Picture]],
    found: Sequence[str],
    foot: Sequence[str],
) -> dict[str, Any]:
    """Return what the template ``report.html.j2`` shows.

    Parameters
    ----------
    study, selection
        What is shown.
    rows : list of Row
        The stored rows of the selection.
    results : list of Result
        A section each.
    bayes : dict
        Scenario key -> (Bayes cost, standard error).
    pictures : dict
        Protocol -> its figures.
    found : list of str
        What the study found, a sentence per protocol.
    foot : list of str
        Sentences about the data and the comparison.
    """
    seconds = _median_seconds(rows)
    sections = [
        {
            "protocol": result.protocol,
            "text": PROTOCOLS[result.protocol],
            "names": list(dict.fromkeys(name for block in result.blocks for name in block.cells)),
            "blocks": [(block.scenario, block.cells, block.lowest()) for block in result.blocks],
            "lines": _lines(result, seconds),
            "printed": findings.has_print([result]),
            "pictures": pictures[result.protocol],
        }
        for result in results
    ]
    return {
        "study": study,
        "selection": selection,
        "sections": sections,
        "bayes": {key: tables.number(cost, tables.DIGITS) for key, (cost, _) in bayes.items()},
        "found": found,
        "foot": foot,
        "difference": layouts.DIFFERENCE,
        "failures": failures(rows),
        "jobs": len(selection.jobs),
        "done": sum(row.is_done for row in rows),
        "mixed": mixed_versions(rows),
    }


def _median_seconds(rows: Sequence[Row]) -> dict[tuple[str, ...], float]:
    times: dict[tuple[str, ...], list[float]] = {}
    for row in rows:
        if row.is_done:
            times.setdefault((row.scenario, row.costs, row.protocol, row.algorithm), []).append(row.fit_seconds)
    return {key: statistics.median(values) for key, values in times.items()}


def _lines(result: Result, seconds: Mapping[tuple[str, ...], float]) -> list[dict[str, Any]]:
    """Return a line per cell: paired comparison with the scenario's best and time beside the cell itself."""
    lines = []
    for scenario, cells in result.blocks:
        pairs = result.pairs[scenario.key].to_dict("index")
        for name, cell in cells.items():
            pair = pairs.get(name, {})
            p_value = pair.get("p_holm", math.nan)
            time = seconds.get((scenario.scenario, scenario.costs, result.protocol, name))
            lines.append(
                {
                    "scenario": scenario.label,
                    "name": name,
                    "cell": cell,
                    "gap": pair.get("mean_difference", math.nan),
                    "gap_text": _gap_text(pair.get("mean_difference", math.nan)),
                    "p_value": p_value,
                    "p": "" if math.isnan(p_value) else "< 0.001" if p_value < 0.001 else f"{p_value:.3f}",
                    "seconds": "" if time is None else f"{time:.3f}",
                }
            )
    return lines


def _gap_text(gap: float) -> str:
    return "" if math.isnan(gap) else "best" if gap == 0 else f"{gap:.4f}"
