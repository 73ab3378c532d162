"""The verdict on a user's file, in sentences: what costs least, how much less than what, how sure, where it flips."""

from __future__ import annotations

import math

from bench.show.own_file.worth import Answered, Worth, lines_of
from bench.show.statistics import ALPHA
from bench.show.tables import DIGITS, number
from bench.studies.own_jobs import CONSTANT, TODAY, Asked
from csboost.metrics.flipping import first_flip
from csboost.metrics.sentences import interval_of, percent, rounded

LEGEND = (
    "cost: mean per case, the lower the better; in parentheses its standard error over splits. saved: per case against "
    "{base}, with the {level} interval of the paired differences, and as a share. above lowest: how much more it costs "
    "than the lowest. p: of no difference from the lowest, Holm-corrected over all pairs of models."
)


def verdict(worth: Worth, asked: Asked) -> list[str]:
    """Return the verdict: the first sentence says which model costs least, the others what hangs on it."""
    words = _words(worth, asked)
    size = number(float(worth.means.iloc[0]), DIGITS)
    least = f"least of {len(worth.means)} models: {size}" if len(worth.means) > 1 else size
    lines = [f"{worth.best} costs {least} per case ({worth.n_cases:,} cases, {_splits(worth.given)})."]
    for base in reversed(asked.baselines):
        lines.append(_against(worth, base, words[base]))
    if worth.runner_up is not None:
        lines.append(_runner_up(worth))
    return lines


def _words(worth: Worth, asked: Asked) -> dict[str, str]:
    always = " or ".join(worth.constants)
    return {TODAY: f"today's answers ({asked.about.today})", CONSTANT: f"always answering {always}"}


def _splits(given: Answered) -> str:
    return "1 split" if len(given.splits) == 1 else f"mean of {len(given.splits)} splits"


def _against(worth: Worth, base: str, words: str) -> str:
    """What the lowest model saves against a baseline."""
    row = lines_of(worth.against[base])[worth.best]
    saving, lower, upper = (row[name] for name in ("saving", "lower", "upper"))
    if saving == 0:
        return f"That is the same as {words}."
    less = "less" if saving > 0 else "more"
    said = f"That is {_difference(saving, lower, upper)} {less} than {words}"
    if not lower <= 0 <= upper:
        share = "" if math.isnan(row["saved_share"]) else f", {percent(abs(row['saved_share']))} of the cost"
        advice = "" if saving > 0 else ": no model pays here"
        return f"{said}{share}{advice}; {first_flip(worth.flips[base])}."
    return f"{said}: that is not sure."  # nor is where it would flip of use then


def _difference(saving: float, lower: float, upper: float) -> str:
    """A saving, or what is lost, with its interval, both as positive where they can be."""
    if saving < 0:
        saving, lower, upper = -saving, -upper, -lower
    if not math.isfinite(lower):
        return f"{rounded(saving, width=abs(saving))[0]} per case"
    size, low, high = rounded(saving, lower, upper, width=upper - lower)
    return f"{size} per case ({interval_of(low, high, 0.95)})"


def _runner_up(worth: Worth) -> str:
    """How far the next model is, and whether it is told apart."""
    name = str(worth.runner_up)
    row = lines_of(worth.against[worth.best])[name]
    saving, lower, upper = (row[column] for column in ("saving", "lower", "upper"))
    if saving == 0:
        return f"{name} costs the same."
    said = f"The runner-up, {name}, costs {_difference(saving, lower, upper)} more"
    alike = [str(other) for other, p in worth.p_holm.items() if not p < ALPHA]
    if name in alike:
        why = "" if lower <= 0 <= upper else f", as the lowest of {len(worth.means)} was picked on the same cases"
        others = [other for other in alike if other != name]
        also = f"; not told apart from it either: {', '.join(others)}" if others else ""
        return f"{said}: that is not sure{why}{also}."
    return f"{said}, which is beyond chance (p {_p(worth.p_holm[name])}); {first_flip(worth.flips[name])}."


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def notes(worth: Worth | None, asked: Asked) -> list[str]:
    """Return what a reader must know before deciding."""
    if worth is None:
        return []
    lines = [
        "Sure is what the cases make sure: intervals are of paired differences over cases, for models fitted to as "
        "many rows as here and cases to come that are like these. The lowest model was picked on the same cases, which "
        "makes it look a little better than it is."
    ]
    for name, lacking in worth.given.left_out.items():
        lines.append(f"{name} lacks {lacking} of the splits that others have, and is not compared.")
    if worth.n_cases < 200:
        lines.append(f"{worth.n_cases} cases are few: differences have to be large to be sure.")
    return lines
