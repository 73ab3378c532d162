"""``python -m bench.timing --cluster``: rounds on a LocalCluster of processes beside local ones and LightGBM's.

Each number of workers has a cluster. It is opened here; who fits on it does so in a process of its own, which can be
killed: a fit that never ends costs its time limit alone, and the cluster is then begun anew.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bench import extras
from bench.exits import UsageError
from bench.machine import available_cores, available_memory, describe, load, versions
from bench.printing import say
from bench.rows.columns import FAILED
from bench.rows.store import Store
from bench.timing import cluster_tables, probe, session, surroundings
from bench.timing.contestants import REFERENCE
from bench.timing.on_dask import ADDRESS, BOOSTERS, LIGHTGBM, SPREAD, SUFFIX, names_of
from bench.timing.sizes import CLUSTER
from bench.timing.work import ROUND, Group, Work
from bench.timing.worker import Worker

LIMIT = 600.0  # seconds for a sample, with what prepares it: a busy machine takes its time
PARTS = 4  # partitions per worker
OTHERS = ("sizes", "works", "peers", "algorithms", "rounds", "processes", "against", "jobs")
"""Options that say what else is measured, or how."""


def conduct(options: argparse.Namespace, command: str) -> int:
    """Run the command from the parsed options to the printed tables; return its exit code."""
    extras.require("dask", "distributed")
    return session.through(options, command, f"{options.study}-cluster", _measure, cluster_tables.write_outputs)


def refuse_others(options: argparse.Namespace, defaults: argparse.ArgumentParser) -> None:
    """Refuse options that say what else is to be measured (UsageError)."""
    given = [f"--{name}" for name in OTHERS if getattr(options, name) != defaults.get_default(name)]
    if given:
        raise UsageError(
            f"--cluster has works, contestants and threads of its own; give it without {', '.join(given)}."
        )


def plan(names: Sequence[str], *, cores: int, quick: bool = False, repeats: int | None = None) -> list[Group]:
    """Return a group per number of workers: the same rows for all of them, as many rows for each, few rows for two.

    Parameters
    ----------
    names : sequence of str
        Contestants of the many rows.
    cores : int
        A local fit has as many threads as there are workers, but no more than these.
    quick : bool
        Far fewer rows, and at most two workers.
    repeats : int, optional
        Of every sample; default 3, 1 with ``quick``.
    """
    n, per_worker, rounds = (100_000, 50_000, 25) if quick else (2_000_000, 500_000, 65)
    few = tuple(name + suffix for name in BOOSTERS for suffix in ("", SUFFIX))
    at: dict[str, Any] = {"measure": ROUND, "size": "cluster", "repeats": repeats or (1 if quick else 3)}
    groups = []
    for workers in (1, 2) if quick else (1, 2, 4):
        shared = {**at, "workers": workers, "threads": min(workers, cores)}
        group = [
            Work("cluster-round", n=rows, d=57, K=7, rounds=rounds, names=tuple(names), **shared)
            for rows in sorted({n, per_worker * workers})
        ]
        if workers == 2:
            tiny = {**shared, "rounds": 50 if quick else 205, "threads": 1}
            group.append(Work("cluster-tiny", n=10_000, d=20, K=5, names=few, **tiny))
        groups.append(tuple(group))
    return groups


def _measure(store: Store, options: argparse.Namespace, command: str) -> None:
    cores, busy = available_cores(), load()
    has_lightgbm = extras.is_installed("lightgbm")
    names = [REFERENCE, SPREAD, *([LIGHTGBM] if has_lightgbm else [])]
    groups = plan(names, cores=cores, quick=options.quick, repeats=options.replications)
    layer = f"dask and distributed {versions()['distributed']}"
    store.open({**surroundings.fingerprint(options.seed), "cluster": layer}, fresh=options.fresh)
    groups, skipped = surroundings.fitting(groups, available_memory())
    notes = [f"LocalCluster of processes, one thread each; {layer}."]
    most = max((work.workers for group in groups for work in group), default=0)
    if most > cores:
        notes.append(f"{most} workers on {cores} cores show what more workers cost, not how fast they are.")
    if not has_lightgbm:
        notes.append(f"Skipped, not installed: lightgbm ({extras.remedy('peers')}).")
    notes += [f"Skipped, too large for this machine's memory: {work.key}." for work in skipped]
    for note in notes:
        say(note)
    absent = {"cluster-round": "it takes two cores" if cores == 1 else "--cluster"}
    environment = {**describe(), "load": round(busy, 2)}
    store.save_settings(command=command, environment=environment, notes=notes, absent=absent)
    if not options.quick:
        say(f"About {CLUSTER} minutes on two idle cores.")
    variant = "quick" if options.quick else ""
    session.run(groups, store, seed=options.seed, variant=variant, launch=launcher(options.seed))
    notes.append(f"Load of the machine: {busy:.1f} at the start, {load():.1f} at the end, on {cores} cores.")
    if busy > surroundings.BUSY * cores:
        notes[-1] = f"{notes[-1][:-1]}: it was busy, the figures are unreliable."
    store.save_settings(notes=notes)


class Stage:
    """A cluster that has the rows of a group, and the processes that fit there; begun anew after a failure.

    Parameters
    ----------
    group : Group
        Works of one number of workers.
    seed : int
        Of the data.
    given_up : dict
        Contestants that did not end -> what is said of them; they are not asked again.
    """

    def __init__(self, group: Group, seed: int, given_up: dict[str, str]):
        self._group, self._seed, self._given_up = group, seed, given_up
        self._stack = contextlib.ExitStack()
        self._workers: dict[bool, Worker] = {}

    def __call__(self, work: Work, name: str, seed: int) -> dict[str, Any]:
        """Take a sample."""
        if name in self._given_up:
            return {"status": FAILED, "error": self._given_up[name]}
        if not self._workers:
            self._open()
        worker = self._workers[name == LIGHTGBM]
        found = worker(work, name, seed)
        if found["status"] == FAILED:
            if worker.was_late:
                self._given_up[name] = found["error"]
            self.close()
        return found

    def _open(self) -> None:
        from distributed import Client, LocalCluster

        shape = {"n_workers": self._group[0].workers, "threads_per_worker": 1, "processes": True}
        quiet = {"dashboard_address": ":0", "worker_dashboard_address": None, "silence_logs": logging.CRITICAL}
        cluster = self._stack.enter_context(LocalCluster(**shape, **quiet))
        client = self._stack.enter_context(Client(cluster, set_as_default=False))
        client.run(_hold_their_tongues)
        for work in self._group:
            publish(client, work, self._seed)
        for is_peer in (False, True):
            worker = Worker(probe.ROOT, {ADDRESS: cluster.scheduler_address}, LIMIT)
            self._stack.callback(worker.close)
            self._workers[is_peer] = worker

    def close(self) -> None:
        """End the processes and the cluster."""
        self._workers.clear()
        self._stack.close()


def _hold_their_tongues() -> None:
    """Let a worker's stdout lead nowhere: libraries print there, and it is that of the tables."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def publish(client: Any, work: Work, seed: int) -> None:
    """Give the cluster the rows of a work, in partitions over all workers."""
    import dask.array as da

    from bench.timing.data import make_floats

    n_parts = PARTS * work.workers
    cuts = [work.n * part // n_parts for part in range(n_parts + 1)]
    for key, values in zip(names_of(work), make_floats(work.n, work.d, work.K, seed), strict=True):
        parts = client.scatter([values[start:stop] for start, stop in pairwise(cuts)], hash=False)
        whole = da.concatenate(
            [
                da.from_delayed(part, (stop - start, *values.shape[1:]), values.dtype)
                for part, (start, stop) in zip(parts, pairwise(cuts), strict=True)
            ]
        )
        client.publish_dataset(client.persist(whole), name=key)


def launcher(seed: int) -> session.Launch:
    """Return what opens the stage of a group; contestants that did not end on one are not asked on the next."""
    given_up: dict[str, str] = {}
    return lambda group: contextlib.closing(Stage(group, seed, given_up))
