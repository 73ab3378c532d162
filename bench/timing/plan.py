"""Which works a run takes, grouped so that what is compared runs in turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bench.timing.work import Group
from bench.timing.works import Planner


def plan(
    sizes: Collection[str],
    names: Sequence[str],
    *,
    threads: int,
    cores: int,
    works: Collection[str] | None = None,
    rounds: int = 200,
    processes: int = 5,
    replications: int | None = None,
    quick: bool = False,
    against: str = "",
) -> list[Group]:
    """Return the groups of works asked for, in the order in which they are run.

    Parameters
    ----------
    sizes : collection of {"small", "medium", "large", "sweeps"}
    names : sequence of str
        Contestants, the reference among them.
    threads : int
        Of the large works.
    cores : int
        The sweep over threads ends there.
    works : collection of str, optional
        Names of works; only these.
    rounds : int
        Of whole fits.
    processes : int
        In which the works of the figures to reach are repeated.
    replications : int, optional
        Repeats of every work in each process.
    quick : bool
        Far fewer rows.
    against : str
        Which earlier code there is to compare with; empty for none.
    """
    planner = Planner(tuple(names), threads, cores, rounds, min(processes, 2) if quick else processes, quick, against)
    order = ("small", "medium", "large", "sweeps")
    groups = [group for size in order if size in sizes for group in getattr(planner, size)()]
    groups = [tuple(work for work in group if work.names) for group in groups]
    if works is not None:
        groups = [tuple(work for work in group if work.name in works) for group in groups]
    if replications or quick:
        groups = [
            tuple(replace(work, repeats=replications or min(work.repeats, 2)) for work in group) for group in groups
        ]
    return [group for group in groups if group]
