"""What one machine does in a fit: the same as every other, on its own blocks of rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from distributed import get_worker, secede

from csboost import _numba
from csboost._inputs.categories import Categories
from csboost.angle.gradient import AngleGradientBoostingClassifier
from csboost.boosting import Interrupted
from csboost.dask.meeting import Seat
from csboost.dask.parts import Piece
from csboost.dask.rows import SpreadRows
from csboost.problem import Problem, class_shares

__all__ = ["Job", "Report", "Side", "take_part"]


@dataclass
class Side:
    """Rows to learn from, or to watch, as one machine has them.

    Attributes
    ----------
    blocks : ndarray (blocks,)
        Their numbers among all.
    n_all : int
        Rows of all machines.
    """

    blocks: np.ndarray
    n_all: int


@dataclass
class Job:
    """What a machine has to know, apart from its rows.

    Attributes
    ----------
    fit : str
        Which fit it is.
    place : int
        Of the machine in the tree.
    model : estimator
        Of this package, not fitted; it has ``n_features_in_``.
    shared : Problem
        Without rows: the classes, their costs, and the like.
    training, watched : Side
        The latter where rows are held out.
    shares : ndarray (K,), optional
        Of the classes, where rows are held out.
    state : tuple
        Of the random numbers.
    found : object, optional
        What an interrupted fit had found.
    """

    fit: str
    place: int
    model: Any
    shared: Problem
    training: Side
    watched: Side | None
    shares: np.ndarray | None
    state: Any
    found: Any = None


@dataclass
class Report:
    """What comes of it.

    Attributes
    ----------
    model : estimator, optional
        Fitted; the same on all machines.
    found : object, optional
        What there was when the fit was interrupted.
    interrupted : bool
    state : tuple, optional
        Of the random numbers after the fit.
    n_exchanges, n_bytes : int
        How often the machines met, and how much this one had to say.
    """

    model: Any = None
    found: Any = None
    interrupted: bool = False
    state: Any = None
    n_exchanges: int = 0
    n_bytes: int = 0


def take_part(job: Job, pieces: list[Piece], watched: list[Piece]) -> Report:
    """Fit with the other machines. It leaves the worker's queue, so that none of them waits for a place in one."""
    secede()
    _numba.require()
    n_threads = threads_of(job.model)
    pool = ThreadPoolExecutor(n_threads - 1) if n_threads > 1 else None
    try:
        seat = Seat(job.fit, job.place, get_worker().state.actors)
        training = _problem(job, job.training, pieces, seat, (n_threads, pool))
        held = None if job.watched is None else _problem(job, job.watched, watched, seat, (n_threads, pool))
        pieces.clear()
        watched.clear()
        state = _learn(job, training, held)
    except Interrupted as interrupted:
        return Report(found=interrupted.found or job.found, interrupted=True)
    finally:
        if pool is not None:
            pool.shutdown()
    return Report(job.model, state=state, n_exchanges=seat.n_exchanges, n_bytes=seat.bytes)


def threads_of(model: Any) -> int:
    """How many threads work on a machine's rows: all that its worker has, unless the model says otherwise."""
    available = int(get_worker().state.nthreads)
    return available if model.n_jobs is None or model.n_jobs < 1 else int(model.n_jobs)


def _problem(job: Job, side: Side, pieces: list[Piece], seat: Seat, threads: tuple[int, Any]) -> Problem:
    """The machine's rows."""
    shared = job.shared
    X, y, weights, costs, gains = (_joined([piece[i] for piece in pieces], is_written=i > 1) for i in range(5))
    if not pieces:
        X, y, costs = shared.X, shared.y, shared.costs
    if weights is None:
        weights = np.ones(0) if not pieces else np.broadcast_to(1.0, len(y))  # one number in memory
    if gains is None and shared.gains is not None:
        gains = shared.gains
    kept = shared.classes, shared.cost_matrix, shared.exponent, shared.other_answers, gains, shared.known

    def spread(_: int) -> SpreadRows:
        return SpreadRows(side.blocks, side.n_all, seat, *threads)

    return Problem(X, y, weights, costs, *kept, spread=spread)


def _joined(arrays: list[Any], is_written: bool) -> Any:
    """The pieces of an array one after the other; a copy where the fit writes into it, as partitions stay as they are:
    another try begins with them.
    """
    if not arrays or arrays[0] is None:
        return None
    if len(arrays) == 1:
        return arrays[0].copy() if is_written else arrays[0]
    return np.concatenate(arrays)


def _learn(job: Job, training: Problem, held: Problem | None) -> Any:
    """Fit the model, as its ``fit`` does once the rows are read; the state of the random numbers after it."""
    model, rng = job.model, np.random.RandomState()
    rng.set_state(job.state)
    model._categories = Categories()
    if isinstance(model, AngleGradientBoostingClassifier):
        model.random_state = rng
        model._learn(model._begin(training), found=job.found)
    else:
        shares = class_shares(training) if job.shares is None else job.shares
        model._learn(training, held, shares, rng, job.found)
    return rng.get_state()
