"""``report.html``: one page per study that needs no network: tables, figures, protocol, machine, how to repeat it."""

from __future__ import annotations

import base64
import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup, escape

from bench import findings, layouts, tables
from bench.protocols import PROTOCOLS
from bench.study import Selection, Study

if TYPE_CHECKING:
    from bench.outputs import Result, Rows


def render(
    study: Study,
    selection: Selection,
    rows: Rows,
    results: Sequence[Result],
    bayes: layouts.Bayes,
    pictures: Mapping[str, Sequence[tuple[str, bytes]]],
    found: Sequence[str],
    foot: Sequence[str],
    settings: Mapping[str, Any],
) -> str:
    """Return the page.

    Parameters
    ----------
    study, selection
        What is shown.
    rows : list of dict
        The stored rows of the selection.
    results : list of Result
        A section each.
    bayes : dict
        Scenario key -> (Bayes cost, standard error).
    pictures : dict
        Protocol -> (caption, PNG) of its figures.
    found : list of str
        What the study found, a sentence per protocol.
    foot : list of str
        Sentences about the data and the comparison.
    settings : dict
        As stored in the results folder.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    seconds = _median_seconds(rows)
    sections = [
        {
            "protocol": result.protocol,
            "text": PROTOCOLS[result.protocol],
            "names": list(dict.fromkeys(name for block in result.blocks for name in block.cells)),
            "blocks": [(block.scenario, block.cells, block.lowest()) for block in result.blocks],
            "lines": _lines(result, seconds),
            "printed": findings.has_print([result]),
            "pictures": [(caption, base64.b64encode(png).decode()) for caption, png in pictures[result.protocol]],
        }
        for result in results
    ]
    return environment.get_template("report.html.j2").render(
        study=study,
        selection=selection,
        sections=sections,
        bayes={key: tables.number(cost, tables.DIGITS) for key, (cost, _) in bayes.items()},
        breakable={name: _breakable(name) for name in selection.algorithms},
        found=found,
        foot=foot,
        difference=layouts.DIFFERENCE,
        settings=settings,
        failures=Counter((row["algorithm"], row["error"]) for row in rows if row["status"] != "done").most_common(),
        jobs=len(selection.jobs()),
        done=sum(row["status"] == "done" for row in rows),
        mixed=mixed_versions(rows),
    )


def _breakable(name: str) -> Markup:
    """Return a name that a narrow heading may break within, as in Logistic|Regression."""
    return Markup("<wbr>").join(map(escape, layouts.pieces(name)))


def _median_seconds(rows: Rows) -> dict[tuple[str, ...], float]:
    times: dict[tuple[str, ...], list[float]] = {}
    for row in rows:
        if row["status"] == "done":
            key = (row["scenario"], row["costs"], row["protocol"], row["algorithm"])
            times.setdefault(key, []).append(row["fit_seconds"])
    return {key: statistics.median(values) for key, values in times.items()}


def mixed_versions(rows: Rows) -> list[str]:
    """Name the packages of which the rows know more than one version."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        for name, version in row["versions"].items():
            seen.setdefault(name, set()).add(version)
    return [f"{name} {' and '.join(sorted(found))}" for name, found in seen.items() if len(found) > 1]


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
