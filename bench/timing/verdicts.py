"""The figures to reach as a reader meets them: in a sentence, and as a table whose second column is the verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from bench.show.views import View
from bench.timing.tables import spread, three_digits


def finding(targets: pd.DataFrame) -> str:
    """Say in a sentence how many figures reach their floor and which miss it."""
    judged = targets[targets["mark"].str.startswith("ok") | (targets["mark"] == "missed")]
    if judged.empty:
        return f"None of the {len(targets)} figures to reach was measured as its floor asks."
    missed = judged[judged["mark"] == "missed"]
    sentence = f"{len(judged) - len(missed)} of {len(judged)} measured figures reach their floor"
    sentence += f", {(judged['mark'] == 'ok, aim met').sum()} of them their aim."
    if len(missed):
        whole = dict(zip(targets["work"], whole_labels(targets["work"]), strict=True))
        lines = [f"{whole[line['work']]} ({measured_text(line)})" for line in missed.to_dict("records")]
        sentence += f" Missed: {'; '.join(lines)}."
    without = len(targets) - len(judged)
    return sentence + (f" Without a verdict: {without}." if without else "")


def whole_labels(labels: Iterable[str]) -> list[str]:
    """Return labels that can stand alone: ``the same`` becomes what the line above it is about."""
    whole: list[str] = []
    for label in labels:
        if label.startswith("the same") and whole:
            above = whole[-1]
            about = above.rpartition(":")[0] or above.rpartition(", ")[0] or above
            label = about + (":" if label.startswith("the same against") else "") + label.removeprefix("the same")
        whole.append(label)
    return whole


def measured_text(line: Mapping[Any, Any]) -> str:
    """Return the measured value of a line of the figures to reach, in its unit."""
    return "-" if math.isnan(line["measured"]) else three_digits(line["measured"]) + _unit(line)


def _unit(line: Mapping[Any, Any]) -> str:
    return "x" if line["unit"] == "x" else f" {line['unit']}"


def _floor_text(line: Mapping[Any, Any]) -> str:
    if math.isinf(line["floor"]):
        return "runs"
    return f"{'at least' if line['more_is_better'] else 'at most'} {line['floor']:g}{_unit(line)}"


def target_view(targets: pd.DataFrame) -> View:
    """Return the figures to reach, as texts; the verdict comes second, where no narrow screen cuts it off."""
    lines = []
    for line in targets.to_dict("records"):
        note = f" ({line['note']})" if line["note"] else ""
        lines.append(
            {
                "work": line["work"] + note,
                "verdict": line["mark"],
                "floor": _floor_text(line),
                "aim": f"{line['aim']:g}{_unit(line)}" if math.isfinite(line["aim"]) else "",
                "measured": measured_text(line),
                "spread": spread(line["low"], line["high"]),
            }
        )
    return View("Figures to reach", pd.DataFrame(lines))
