"""Watching over the machines of a fit: who is lost, and what was found by then."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Self

from distributed import Client, KilledWorker, wait
from distributed.comm.core import CommClosedError

from csboost.boosting import Interrupted

__all__ = ["Lost", "Watch", "rounds_of"]

OFTEN = 0.25  # seconds between looks at who is there
SOON = 30.0  # seconds that a message may take


class Lost(Exception):
    """Machines are lost, and the fit with them.

    Attributes
    ----------
    workers : list of str
        Their addresses; empty where a connection was.
    found : object, optional
        The most that any of the others had found.
    """

    def __init__(self, workers: list[str], found: Any = None):
        super().__init__(workers)
        self.workers, self.found = workers, found


def rounds_of(found: Any) -> int:
    """Rounds that an interrupted fit had found: an ensemble's, or those of all bags, or of several ensembles."""
    if isinstance(found, dict):
        return sum(bag.n_rounds for bag in found.values())
    if isinstance(found, list):
        return sum(part.n_rounds for part in found)
    return 0 if found is None else int(found.n_rounds)


class Watch:
    """The tasks of one try; those that still run when it is left are broken off.

    Parameters
    ----------
    client : Client
    workers : list of str
        The addresses of the machines.

    Attributes
    ----------
    meetings : list of Actor
        Their places in the tree.
    pieces : list of Future
        Rows that were dealt to them.
    """

    def __init__(self, client: Client, workers: list[str]):
        self.client, self.workers = client, workers
        self.meetings: list[Any] = []
        self.pieces: list[Any] = []
        self._actors: list[Any] = []
        self._members: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is not None:
            self._break_up()
        for future in (*self._members, *self._actors):
            future.cancel()
        for future in self.pieces:
            future.release()

    def open(self, worker: str, meeting: type, *arguments: Any) -> None:
        """Make a place in the tree on a worker."""
        pinned: dict[str, Any] = {"workers": [worker], "allow_other_workers": False, "pure": False}
        actor = self.client.submit(meeting, *arguments, actor=True, **pinned)
        self._actors.append(actor)
        while not _is_done(actor):
            self._look()
        try:
            self.meetings.append(actor.result())
            self.meetings[-1].open().result(timeout=SOON)
        except Exception as error:  # whatever comes of a worker that goes just now
            raise Lost(self._gone()) from error

    def start(self, worker: str, task: Callable[..., Any], *arguments: Any) -> None:
        """Begin a machine's work."""
        pinned: dict[str, Any] = {"workers": [worker], "allow_other_workers": False, "pure": False, "retries": 0}
        self._members.append(self.client.submit(task, *arguments, **pinned))

    def end(self, tell: Callable[[Any], None] | None) -> Any:
        """Wait for a machine that is done; what it returns, as all do.

        Raises
        ------
        Lost
            When a machine is.
        """
        waiting = list(self._members)
        while waiting:
            _is_done(*waiting)
            for future in [future for future in waiting if future.status != "pending"]:
                waiting.remove(future)
                report = self._report(future)
                if report is not None:
                    return report
            self._look()
            if tell is not None:
                tell(self.meetings[0])
        raise Lost(self._gone(), self._collect())

    def _report(self, future: Any) -> Any:
        """What a machine that is done returns, None where it is lost by now: others may have it. Raises what ended its
        work before its time.
        """
        if future.status == "lost":
            return None
        if future.status == "finished":
            report = self._result(future)
            if report is not None and report.interrupted:
                raise Lost(self._gone(), self._collect())
            return report
        error = future.exception() if future.status == "error" else None
        if error is None or isinstance(error, (CommClosedError, Interrupted, KilledWorker)):
            raise Lost(self._gone(), self._collect()) from error
        raise error

    def _result(self, future: Any) -> Any:
        """A result, None where its worker is lost before it is here."""
        while future.status == "finished":
            try:
                return future.result(timeout=SOON)
            except TimeoutError:  # it takes its time
                continue
            except (CancelledError, OSError, KilledWorker):
                return None
        return None

    def _look(self) -> None:
        gone = self._gone()
        if gone:
            raise Lost(gone, self._collect())

    def _gone(self) -> list[str]:
        present = self.client.nthreads()
        return [worker for worker in self.workers if worker not in present]

    def _break_up(self) -> None:
        """Tell all machines to end, and wait until they have been told: their places are given up next."""
        told = []
        for meeting in self.meetings:
            with suppress(OSError, RuntimeError):  # its worker is gone
                told.append(meeting.leave())
        for each in told:
            with suppress(OSError, RuntimeError, TimeoutError):
                each.result(timeout=SOON / len(told))
        self.meetings = []

    def _collect(self) -> Any:
        """The most that any machine had found."""
        self._break_up()
        gone = set(self._gone())
        there = [future for worker, future in zip(self.workers, self._members, strict=False) if worker not in gone]
        with suppress(TimeoutError, CancelledError):
            wait(there, timeout=SOON)
        found = [None]
        for future in there:
            if future.status == "finished":
                try:
                    found.append(future.result(timeout=SOON).found)
                except Exception:  # one more that is gone
                    continue
        return max(found, key=rounds_of)


def _is_done(*futures: Any) -> bool:
    """Wait a moment; whether one of them is done."""
    try:
        wait(futures, timeout=OFTEN, return_when="FIRST_COMPLETED")
    except TimeoutError:
        return False
    except CancelledError:  # their status says so
        pass
    return True
