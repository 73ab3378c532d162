"""The course of a fit, on the client: rows are dealt to machines, these fit together, and go on where one is lost.

The machines' work is an ordinary task each, which runs for the whole fit; they meet in a tree of actors
(:mod:`csboost.dask.meeting`). When a worker is lost, those left hand over the rounds that they have, Dask computes the
lost partitions again, and the fit goes on from there on the workers that there are.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np
from distributed import Client

from csboost.dask import parts
from csboost.dask.dealing import deal, stretches
from csboost.dask.holding import HeldOut
from csboost.dask.meeting import Meeting, parent_of
from csboost.dask.member import Job, Report, Side, take_part
from csboost.dask.reading import Table
from csboost.dask.waiting import finished, wait_for_workers
from csboost.dask.watching import Lost, Watch, size_of
from csboost.weak.layout import BLOCK

__all__ = ["Course"]

TRIES = 5  # without a new round, after which a fit ends
TELL = 2.0  # seconds between lines of progress


@dataclass
class Course:
    """One fit.

    Parameters
    ----------
    client : Client
    model : estimator
        Of this package, not fitted.
    table : Table
    held_out : HeldOut, optional
        The rows that early stopping watches.
    state : tuple
        Of the random numbers.
    name : str
        Of the booster.
    verbose : int
    """

    client: Client
    model: Any
    table: Table
    held_out: HeldOut | None
    state: Any
    name: str
    verbose: int = 0

    def run(self) -> Report:
        """Fit, as often as it takes.

        Raises
        ------
        RuntimeError
            When there are no workers, or they are lost again and again before a round is done.
        """
        found, idle, lost = None, 0, [""]
        while idle < TRIES:
            try:
                return self._try(found)
            except Lost as error:
                lost = error.workers or ["a connection"]
                if size_of(error.found) > size_of(found):
                    found, idle = error.found, 0
                else:
                    idle += 1
                self._tell(f"lost {', '.join(lost)}; going on after {size_of(found)} rounds")
        raise RuntimeError(
            f"{self.name}: workers were lost {TRIES} times before a further round was done, the last time "
            f"{', '.join(lost)}. Most often they run out of memory: give them more, or take more of them."
        )

    def _try(self, found: Any) -> Report:
        threads, holders = self._workers(), self._holders()
        held = None if self.held_out is None else self.held_out.counts
        counts = self.table.counts if held is None else self.table.counts - held
        learning, watched = _rows_of(counts), None if held is None else _rows_of(held)
        dealt = deal(learning, holders, threads)
        aside = {} if watched is None else deal(watched, holders, {name: threads[name] for name in dealt})
        self._tell_memory(dealt, sum(learning))
        fit, shares = f"csboost-{uuid4().hex}", None if self.held_out is None else self.held_out.shares
        begun = time.monotonic()
        with Watch(self.client, list(dealt)) as watch:
            for place, worker in enumerate(dealt):
                above = parent_of(place)
                watch.open(worker, Meeting, fit, place, len(dealt), None if above is None else watch.meetings[above])
            for place, (worker, blocks) in enumerate(dealt.items()):
                training, pieces = Side(blocks, sum(learning)), self._pieces(blocks, learning, False)
                side, others = None, []
                if watched is not None:
                    mine = aside.get(worker, np.zeros(0, np.int64))
                    side, others = Side(mine, sum(watched)), self._pieces(mine, watched, True)
                job = Job(fit, place, self.model, self.table.problem, training, side, shares, self.state, found)
                watch.start(worker, take_part, job, pieces, others)
            return watch.end(
                _Progress(self.name, self.model.n_estimators - size_of(found), begun) if self.verbose else None
            )

    def _workers(self) -> dict[str, int]:
        """The workers that there are, and their threads."""
        wait_for_workers(self.client)
        return dict(self.client.nthreads())

    def _holders(self) -> list[str | None]:
        """The worker that has each partition; lost ones are computed again first."""
        coded = self.table.coded
        finished(self.client, coded)
        held = self.client.who_has(coded)
        return [next(iter(held.get(future.key, ())), None) for future in coded]

    def _pieces(self, blocks: np.ndarray, counts: list[int], is_held: bool) -> list[Any]:
        """The rows of some blocks."""
        found = []
        for stretch in stretches(blocks, counts):
            mask = None if self.held_out is None else self.held_out.masks[stretch.partition]
            rows = self.table.coded[stretch.partition], mask, is_held, stretch.start, stretch.stop
            found.append(self.client.submit(parts.cut, *rows, pure=False))
        return found

    def _tell_memory(self, dealt: dict[str, np.ndarray], n_all: int) -> None:
        """Say what each machine will need; warn where it has less."""
        problem = self.table.problem
        per_row = bytes_per_row(problem.X.shape[1], problem.X.itemsize, problem.n_classes, problem.n_answers)
        most = max(len(blocks) for blocks in dealt.values()) * BLOCK * per_row
        self._tell(f"{n_all:,} rows on {len(dealt)} workers, at most {most / 2**30:.2f} GiB on one")
        known = self.client.scheduler_info(n_workers=-1)["workers"]
        limits = [known[name]["memory_limit"] for name in dealt if name in known]
        limit = min([each for each in limits if each], default=0)
        if 0 < limit < most:
            warnings.warn(
                f"{self.name} needs about {most / 2**30:.2f} GiB on a worker, which may take {limit / 2**30:.2f} GiB: "
                "take more workers, or float32.",
                stacklevel=6,
            )

    def _tell(self, words: str) -> None:
        if self.verbose:
            print(f"[{self.name}] {words}", file=sys.stderr)


def bytes_per_row(n_features: int, itemsize: int, n_classes: int, n_answers: int) -> int:
    """What a machine keeps for a row: the features and their codes, two copies of the costs while partitions are there
    too, the booster's state twice, channels and books.
    """
    return n_features * (2 * itemsize + 1) + 8 * 5 * n_answers + 4 * (2 * n_classes + 8) + 16


def _rows_of(counts: np.ndarray) -> list[int]:
    found: list[int] = counts.sum(axis=1).tolist()
    return found


class _Progress:
    """Lines about the trees that were begun."""

    def __init__(self, name: str, n_rounds: int, begun: float):
        self.name, self.n_rounds, self.begun, self.said = name, n_rounds, begun, begun

    def __call__(self, meeting: Any) -> None:
        now = time.monotonic()
        if now - self.said < TELL:
            return
        self.said, trees = now, int(meeting.progress().result(timeout=TELL))
        pace = trees / (now - self.begun)
        left = f", about {(self.n_rounds - trees) / pace:.0f} s left" if 0 < trees <= self.n_rounds else ""
        print(f"[{self.name}] tree {trees}, {pace:.1f} a second{left}", file=sys.stderr)
