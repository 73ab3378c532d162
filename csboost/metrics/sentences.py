"""Figures and entries of cost tables in words."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import Any

import numpy as np


def rounded(*values: float, width: float) -> list[str]:
    """Figures with the decimals that an interval of such a ``width`` justifies: two digits of it, and at least two
    decimals below 100.
    """
    largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
    scale = width if isfinite(width) and width > 0 else largest or 1.0
    decimals = min(max(1 - floor(log10(scale)), 0 if largest >= 100 else 2), 12)
    return [f"{round(float(value), decimals) + 0.0:,.{decimals}f}" for value in values]  # + 0.0: no -0.00


def short(value: float) -> str:
    """A figure of up to four digits, without zeros that say nothing."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(share: float) -> str:
    """A share in per cent, with a decimal where it is small."""
    return f"{100 * share:.0f} %" if abs(share) >= 0.095 else f"{100 * share:.1f} %"


def entry(truth: Any, answer: Any) -> str:
    """An entry of a cost table."""
    return f"a true {plain(truth)} answered {plain(answer)}"


def plain(label: Any) -> Any:
    """A label as Python has it."""
    return label.item() if isinstance(label, np.generic) else label


def interval_of(lower: str, upper: str, confidence: float, what: str = "") -> str:
    """Such as ``95 % interval 0.22 to 0.40``."""
    return f"{100 * confidence:g} % interval{f' of {what}' if what else ''} {lower} to {upper}"
