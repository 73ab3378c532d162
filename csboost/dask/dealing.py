"""Who gets which blocks of rows: whole blocks, so that their sums are those of a single machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from csboost.weak.layout import BLOCK

SLACK = 1.05  # by how much a machine may have more than its share, before rows are moved


class Stretch(NamedTuple):
    """Rows of a partition, counted from its first."""

    partition: int
    start: int
    stop: int


def deal_blocks(
    counts: Sequence[int], holders: Sequence[str | None], threads: Mapping[str, int]
) -> dict[str, np.ndarray]:
    """The blocks of each machine that gets any, ascending.

    A block goes to the machine that holds its first row, unless that one has more than its share by then, which is in
    proportion to threads; what is left goes to the machines that have the least.

    Parameters
    ----------
    counts : sequence of int
        Rows of each partition.
    holders : sequence of str or None
        The machine that has it.
    threads : mapping of str to int
        Of each machine.
    """
    starts, n_blocks = np.cumsum([0, *counts]), -(-sum(counts) // BLOCK)
    share = {name: number * n_blocks / sum(threads.values()) for name, number in threads.items()}
    blocks: dict[str, list[int]] = {name: [] for name in threads}
    loose = []
    for block in range(n_blocks):
        holder = holders[int(np.searchsorted(starts, block * BLOCK, side="right")) - 1]
        if holder in blocks and len(blocks[holder]) < max(1.0, SLACK * share[holder]):
            blocks[holder].append(block)
        else:
            loose.append(block)
    for block in loose:
        emptiest = max(threads, key=lambda name: share[name] - len(blocks[name]))
        blocks[emptiest].append(block)
    return {name: np.array(sorted(found), np.int64) for name, found in blocks.items() if found}


def stretches(blocks: np.ndarray, counts: Sequence[int]) -> list[Stretch]:
    """Where the rows of some ascending ``blocks`` lie, in their order."""
    starts = np.cumsum([0, *counts])
    n_all, found = int(starts[-1]), []
    ends = np.flatnonzero(np.diff(blocks) != 1) + 1
    for first, last in pairwise([0, *ends.tolist(), len(blocks)]):
        if first == last:
            continue
        row, stop = int(blocks[first]) * BLOCK, min((int(blocks[last - 1]) + 1) * BLOCK, n_all)
        partition = int(np.searchsorted(starts, row, side="right")) - 1
        while row < stop:
            until = min(stop, int(starts[partition + 1]))
            if until > row:
                found.append(Stretch(partition, row - int(starts[partition]), until - int(starts[partition])))
            row, partition = max(row, until), partition + 1
    return found
