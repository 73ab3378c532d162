"""Limits as they are written on the command line."""

from __future__ import annotations

import argparse
import re

Bound = float | int
Limit = Bound | tuple[Bound | None, Bound | None]

_BOUND = re.compile(r"(\d+(?:[.,]\d+)?)\s*(%?)")
_FORMS = "write human=5% (a share of the rows), urgent=20 (a number of rows), urgent=10.. (at least) or urgent=10..20"


def parse_limit(text: str) -> tuple[str, Limit]:
    """An answer and its limit, from a text such as ``human=5%``; an argparse type."""
    answer, sign, limit = text.rpartition("=")
    if not sign or not answer.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is no limit: {_FORMS}")
    least, dots, most = limit.partition("..")
    if not dots:
        return answer.strip(), _bound(limit, text)
    if not least.strip() and not most.strip():
        raise argparse.ArgumentTypeError(f"{text!r} has no number: {_FORMS}")
    lower, upper = (_bound(part, text) if part.strip() else None for part in (least, most))
    return answer.strip(), (lower, upper)


def _bound(part: str, text: str) -> Bound:
    found = _BOUND.fullmatch(part.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} has no limit behind the sign =: {_FORMS}")
    number, percent = found[1].replace(",", "."), found[2]
    if percent:
        share = float(number) / 100
        if share > 1:
            raise argparse.ArgumentTypeError(f"{text!r} asks for more than 100 % of the rows")
        return share
    if "." in number:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a share nor a whole number of rows: {_FORMS}")
    return int(number)
