"""Figures of the timings in words (:mod:`bench.timing.figures`)."""

from __future__ import annotations

import pandas as pd

from bench.timing.figures import NAMES
from bench.timing.measured import Rows, of_work
from bench.timing.tables import quantity, sweep_table
from bench.timing.verdicts import measured_text, whole_labels


def describe_scaling(rows: Rows, work: str) -> str:
    """Say each contestant's seconds per round at the ends of a sweep."""
    label, varied = NAMES[work]
    table = sweep_table(of_work(rows, work), varied)
    parts = []
    for name in table:
        values = table[name].dropna()
        ends = [f"{quantity(values[place], 's')} at {place:,}" for place in (values.index[0], values.index[-1])]
        parts.append(f"{name} {' to '.join(dict.fromkeys(ends))}")
    return f"Time of a boosting round by number of {label}: {', '.join(parts)}."


def describe_ratios(targets: pd.DataFrame) -> str:
    """Say each measured ratio with its floor and aim."""
    whole = targets.assign(work=whole_labels(targets["work"]))
    known = whole[(whole["unit"] == "x") & whole["measured"].notna()]
    parts = [
        f"{line['work']} {measured_text(line)} ({'at least' if line['more_is_better'] else 'at most'} "
        f"{line['floor']:g}, aim {line['aim']:g})"
        for line in known.to_dict("records")
    ]
    return f"Measured ratios, in parentheses what they should reach: {'; '.join(parts)}."
