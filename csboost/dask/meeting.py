"""Where the machines of one fit meet: what each has found goes up a tree, is put together on the way, and comes back.

A machine's place in the tree is an actor, an object that lives on a Dask worker; actors call one another over the
connections that workers have anyway, so that no ports are needed. What is put together does not depend on the order in
which it arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from csboost.boosting import Interrupted

CHILDREN = 4  # of a place in the tree
MUCH = 2**20  # bytes that are put together beside the event loop
OFTEN = 10.0  # seconds between looks at whether there still is a meeting

#: The places in this process, by fit and number: who sits there need not go over the network.
HERE: WeakValueDictionary[tuple[str, int], Meeting] = WeakValueDictionary()


def parent_of(place: int) -> int | None:
    """The place that one hands on to; the first one is the root."""
    return None if place == 0 else (place - 1) // CHILDREN


def children_of(place: int, n_places: int) -> int:
    """How many places hand on to this one."""
    first = CHILDREN * place + 1
    return max(0, min(n_places - first, CHILDREN))


# What is done on the way up, to two findings, and at the root, to all of them.


def _same(found: Any) -> Any:
    return found


def _listed(one: list[Any], other: list[Any]) -> list[Any]:
    return [*one, *other]


def lined_up(parts: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Values (n, ...) in the order of their numbers, from pairs of numbers and values."""
    numbers = np.concatenate([each for each, _ in parts])
    values: np.ndarray = np.concatenate([values for _, values in parts])
    return values[np.argsort(numbers, kind="stable")]


def totals(parts: list[tuple[np.ndarray, np.ndarray]]) -> Any:
    """Blocks' sums (blocks, ...) added up, as :meth:`csboost.weak.rows.Rows.total` does."""
    partial = lined_up(parts)
    return partial.tolist()[0] if len(partial) == 1 else partial.sum(axis=0).tolist()


def in_order(parts: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Blocks' sums (1, ...) added up one after the other."""
    partial = lined_up(parts)
    total = np.zeros((1, *partial.shape[1:]))
    for part in partial:
        total[0] += part
    return total


class Way(NamedTuple):
    """How findings are put together."""

    meet: Callable[[Any, Any], Any]
    finish: Callable[[Any], Any]


WAYS = {
    "add": Way(np.add, _same),
    "most": Way(np.maximum, _same),
    "list": Way(_listed, _same),
    "line up": Way(_listed, lined_up),
    "total": Way(_listed, totals),
    "in order": Way(_listed, in_order),
}


class _Turn:
    """One exchange as one place sees it."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.found: list[Any] = []
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None

    def end(self, result: Any) -> None:
        """Give those who wait what all have found."""
        if not self.done.done():
            self.done.set_result(result)

    def fail(self, error: Exception) -> None:
        """Give them an error."""
        if not self.done.done():
            self.done.set_exception(error)


class Meeting:
    """A place in the tree of one fit; an actor on the worker of the machine.

    Parameters
    ----------
    fit : str
        Which fit it is.
    place, n_places : int
    parent : Actor, optional
        The place that this one hands on to.
    """

    def __init__(self, fit: str, place: int, n_places: int, parent: Any = None):
        self.parent, self.n_here = parent, 1 + children_of(place, n_places)
        self.turns: dict[int, _Turn] = {}
        self.gone, self.trees = False, 0
        self.loop: asyncio.AbstractEventLoop | None = None
        HERE[fit, place] = self

    async def open(self) -> None:
        """Be ready: everything else happens in the worker's event loop."""
        self.loop = asyncio.get_running_loop()

    async def exchange(self, number: int, way: str, found: Any) -> Any:
        """Put what one machine has ``found`` together with what the others have; exchanges are numbered alike by all.

        Raises
        ------
        Interrupted
            When a machine is gone.
        """
        if self.gone:
            raise Interrupted
        turn = self.turns.get(number)
        if turn is None:
            turn = self.turns[number] = _Turn(way)
        turn.found.append(found)
        if way != turn.way:
            turn.fail(RuntimeError(f"machines went apart: exchange {number} is {way!r} here, {turn.way!r} elsewhere"))
        if len(turn.found) == self.n_here:  # nobody waits for the answer from above but for what comes of it
            turn.task = asyncio.create_task(self._hand_on(number, turn))
        try:
            return await turn.done
        finally:
            self.turns.pop(number, None)

    async def _hand_on(self, number: int, turn: _Turn) -> None:
        way = WAYS[turn.way]
        try:
            together = turn.found[0]
            for found in turn.found[1:]:
                together = way.meet(together, found)
            turn.found.clear()
            if self.parent is not None:
                turn.end(await self.parent.exchange(number, turn.way, together))
            elif bytes_of(together) < MUCH:
                turn.end(way.finish(together))
            else:  # the event loop has other callers
                turn.end(await asyncio.to_thread(way.finish, together))
        except (Interrupted, OSError, RuntimeError):  # of an actor that has left, or is gone
            turn.fail(Interrupted())
        except Exception as error:
            turn.fail(error)

    async def leave(self) -> None:
        """Break up: whoever waits here is told so."""
        self.gone = True
        for turn in self.turns.values():
            turn.fail(Interrupted())

    async def progress(self) -> int:
        """How many trees were begun."""
        return self.trees


class Seat:
    """The machine's side of its place: the calls of the thread that fits.

    Parameters
    ----------
    fit : str
    place : int
    actors : mapping
        All that the worker holds.

    Attributes
    ----------
    n_exchanges, bytes : int
        How many there were, and of how many bytes one way.
    """

    def __init__(self, fit: str, place: int, actors: Mapping[Any, Any]):
        meeting = HERE.get((fit, place))
        if meeting is None:  # broken up before this machine came
            raise Interrupted
        self.meeting, self.actors = meeting, actors
        self.n_exchanges, self.bytes = 0, 0

    def is_held(self) -> bool:
        """Whether the place is still there: it is given up when the client is gone."""
        return any(actor is self.meeting for actor in list(self.actors.values()))

    def exchange(self, way: str, found: Any) -> Any:
        """Wait for what all machines have found together."""
        loop = self.meeting.loop
        assert loop is not None  # the meeting was opened before
        self.bytes += bytes_of(found)
        asked = asyncio.run_coroutine_threadsafe(self.meeting.exchange(self.n_exchanges, way, found), loop)
        self.n_exchanges += 1
        while True:
            try:
                return asked.result(timeout=OFTEN)
            except TimeoutError:
                if not self.is_held():
                    raise Interrupted from None


def bytes_of(found: Any) -> int:
    """Bytes of the arrays in what is exchanged."""
    if isinstance(found, np.ndarray):
        return found.nbytes
    if isinstance(found, (list, tuple)):
        return sum(bytes_of(each) for each in found)
    return 8
