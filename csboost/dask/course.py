"""The course of a fit, on the client: rows are dealt to machines, these fit together, and go on where one is lost.

The machines' work is an ordinary task each, which runs for the whole fit; they meet in a tree of actors
(:mod:`csboost.dask.meeting`). When a worker is lost, those left hand over the rounds that they have, Dask computes the
lost partitions again, and the fit goes on from there on the workers that there are.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from distributed import Client

from csboost.booster import Booster
from csboost.dask import parts
from csboost.dask.dealing import deal_blocks, stretches
from csboost.dask.holding import Watched
from csboost.dask.meeting import Meeting, parent_of
from csboost.dask.member import Job, Report, Side, take_part
from csboost.dask.reading import Table
from csboost.dask.waiting import finished, wait_for_workers
from csboost.dask.watching import Lost, Watch, rounds_of

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
    held_out : Watched, optional
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
    held_out: Watched | None
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
                if rounds_of(error.found) > rounds_of(found):
                    found, idle = error.found, 0
                else:
                    idle += 1
                self._tell(f"lost {', '.join(lost)}; going on after {rounds_of(found)} rounds")
        raise RuntimeError(
            f"{self.name}: workers were lost {TRIES} times before a further round was done, the last time "
            f"{', '.join(lost)}. Most often they run out of memory: give them more, or take more of them."
        )

    def _try(self, found: Any) -> Report:
        threads, holders, held = self._workers(), self._holders(), self.held_out
        counts = self.table.counts if held is None else self.table.counts - held.counts
        learning = _Dealt.of(counts, holders, threads, is_held=False)
        members = {name: threads[name] for name in learning.blocks}
        watched = None if held is None else _Dealt.of(held.counts, holders, members, is_held=True)
        machines = f"{len(members)} workers" if len(members) > 1 else "one worker"
        self._tell(f"{learning.n_all:,} rows to learn from, on {machines}")
        begun, fit = time.monotonic(), f"csboost-{uuid4().hex}"
        shares = None if held is None else held.shares
        with Watch(self.client, list(members)) as watch:
            for place, worker in enumerate(members):
                above = parent_of(place)
                watch.open(worker, Meeting, fit, place, len(members), None if above is None else watch.meetings[above])
            for place, worker in enumerate(members):
                training, pieces = self._side(learning, worker)
                aside, others = (None, []) if watched is None else self._side(watched, worker)
                watch.pieces += [*pieces, *others]
                job = Job(fit, place, self.model, self.table.problem, training, aside, shares, self.state, found)
                watch.start(worker, take_part, job, pieces, others)
            rounds = self.model.n_estimators if isinstance(self.model, Booster) else None  # elsewhere folds tell
            return watch.end(_Progress(self.name, rounds, rounds_of(found), begun) if self.verbose else None)

    def _side(self, dealt: _Dealt, worker: str) -> tuple[Side, list[Any]]:
        """A machine's rows."""
        blocks, pieces = dealt.blocks.get(worker, np.zeros(0, np.int64)), []
        for stretch in stretches(blocks, dealt.counts):
            mask = None if self.held_out is None else self.held_out.masks[stretch.partition]
            rows = self.table.coded[stretch.partition], mask, dealt.is_held, stretch.start, stretch.stop
            pieces.append(self.client.submit(parts.cut, *rows, pure=False))
        return Side(blocks, dealt.n_all), pieces

    def _workers(self) -> dict[str, int]:
        """The workers that take tasks, and their threads."""
        wait_for_workers(self.client)
        known = self.client.scheduler_info(n_workers=-1)["workers"]
        running = {name: each["nthreads"] for name, each in known.items() if each.get("status", "running") == "running"}
        return running or dict(self.client.nthreads())  # all of them paused: they may go on

    def _holders(self) -> list[str | None]:
        """The worker that has each partition; lost ones are computed again first."""
        coded = self.table.coded
        finished(self.client, coded)
        held = self.client.who_has(coded)
        return [next(iter(held.get(future.key, ())), None) for future in coded]

    def _tell(self, words: str) -> None:
        if self.verbose:
            print(f"[{self.name}] {words}", file=sys.stderr)


class _Dealt(NamedTuple):
    """Rows to learn from, or those held out, as they are dealt."""

    blocks: dict[str, np.ndarray]  # of each machine that has any
    counts: list[int]  # rows of each partition
    is_held: bool

    @classmethod
    def of(cls, counts: np.ndarray, holders: list[str | None], threads: dict[str, int], *, is_held: bool) -> _Dealt:
        """Deal rows of which each partition has ``counts`` (partitions, K)."""
        rows: list[int] = counts.sum(axis=1).tolist()
        return cls(deal_blocks(rows, holders, threads), rows, is_held)

    @property
    def n_all(self) -> int:
        """Rows of all machines."""
        return sum(self.counts)


class _Progress:
    """Lines about the trees that were begun, after those of an earlier try; of ``n_rounds``, where anybody knows."""

    def __init__(self, name: str, n_rounds: int | None, before: int, begun: float):
        self.name, self.n_rounds, self.before, self.begun, self.said = name, n_rounds, before, begun, begun

    def __call__(self, meeting: Any) -> None:
        now = time.monotonic()
        if now - self.said < TELL:
            return
        self.said = now
        try:
            trees = int(meeting.progress().result(timeout=TELL))
        except (OSError, RuntimeError, TimeoutError):  # busy, or lost just now
            return
        pace = trees / (now - self.begun)
        number, of_all, left = self.before + trees, "", ""
        if self.n_rounds is not None and number <= self.n_rounds:
            of_all = f" of at most {self.n_rounds}"
            left = f", about {(self.n_rounds - number) / pace:.0f} s left" if trees else ""
        print(f"[{self.name}] tree {number}{of_all}, {pace:.1f} a second{left}", file=sys.stderr)
