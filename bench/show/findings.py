"""What a study found, in sentences: for the top of the report and the foot of the table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bench.show.results import Result
from bench.show.statistics import ALPHA, Ranks
from bench.show.tables import BEYOND, Block

PAPER_ROUNDS = 200
MANY_REPLICATIONS = 10  # from here on a standard error is worth its name
FEW = (
    "Only {} replications: standard errors are rough guesses, and so are differences in their unit; tests tell little."
)
TEST = "(Paired Wilcoxon tests at 5 %, Holm-corrected over all pairs of algorithms: picking the lowest is paid for.)"


def finding(result: Result) -> str:
    """Say which algorithm is lowest in each scenario and from which others it is not told apart; empty without rows."""
    parts = [text for block in result.blocks if (text := _winner(block, result.pairs[block.scenario.key]))]
    if not parts:
        return ""
    tested = any(pairs["p_holm"].notna().any() for pairs in result.pairs.values())
    sentence = f"Lowest mean test cost ({result.protocol} protocol). {'. '.join(parts)}."
    return " ".join([sentence, *([TEST] if tested else []), *_agreement(result)])


def _winner(block: Block, pairs: Any) -> str:
    known = {name: cell for name, cell in block.cells.items() if not math.isnan(cell.mean)}
    if not known:
        return ""
    best = next(iter(pairs.index), next(iter(known)))
    text = f"{block.scenario.label}: {best} {known[best].mean_text}"
    p_values = pairs["p_holm"].dropna()
    if p_values.empty:
        return text
    alike = list(p_values.index[p_values >= ALPHA])
    if not alike:
        return f"{text}, told apart from all others"
    return f"{text}, not told apart from {'any other' if len(alike) == len(known) - 1 > 1 else ', '.join(alike)}"


def _agreement(result: Result) -> list[str]:
    """Say how many cells agree with print, where the protocol exists to reproduce it."""
    printed = [cell for block in result.blocks for cell in block.cells.values() if not math.isnan(cell.difference)]
    if result.protocol != "published" or not printed:
        return []
    near = sum(not cell.is_far for cell in printed)
    return [f"{near} of {len(printed)} cells lie within {BEYOND:g} combined standard errors of print."]


def rank_sentence(ranks: Ranks, protocol: str) -> str:
    """Return the average ranks in a sentence, with what a test makes of them."""
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.average.items())
    sentence = f"Average rank over {ranks.scenarios} scenarios ({protocol}): {listed}. "
    if ranks.sources < ranks.scenarios:
        rows = "all from the same rows" if ranks.sources == 1 else f"from {ranks.sources} sources of rows"
        sentence += f"They are {rows}, and what shares rows is one block of Nemenyi's test, not several. "
    if not ranks.can_tell:
        return sentence + "Nemenyi's test (5 %) cannot tell any two apart with so little: read ranks as a description."
    return f"{sentence}Nemenyi's test (5 %) tells apart ranks that differ by more than {ranks.critical_difference:.2f}."


def caveats(results: Sequence[Result], replications: int, fingerprint: Mapping[str, Any]) -> list[str]:
    """Return what else a reader must know before comparing: few replications, and how far print is comparable."""
    lines = [FEW.format(replications)] if 1 < replications < MANY_REPLICATIONS else []
    rounds = fingerprint.get("rounds", PAPER_ROUNDS)
    if has_print(results) and rounds != PAPER_ROUNDS:
        lines.append(f"The paper's figures are after {PAPER_ROUNDS} rounds, these after {rounds}.")
    if not comparable(fingerprint):
        lines.append(
            "The paper's figures are of equally many loans of each grade; these of grades as frequent as they come, "
            "so they are not shown beside each other."
        )
    return lines


def comparable(fingerprint: Mapping[str, Any]) -> bool:
    """Return whether a study's costs mean the same as the printed ones: not when grades keep their frequencies."""
    return not fingerprint.get("full")


def has_print(results: Sequence[Result]) -> bool:
    """Return whether any cell has a printed value beside it."""
    return any(cell.published_text for result in results for block in result.blocks for cell in block.cells.values())
