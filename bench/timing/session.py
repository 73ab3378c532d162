"""A run: works in turns, a stored row per sample, and at the end tables, figures and report from the rows."""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.algorithms import PAPER
from bench.exits import DONE, SOME_FAILED, Interrupted, UsageError
from bench.extras import remedy
from bench.machine import available_cores, available_memory, commit, describe, load, versions
from bench.printing import say
from bench.rows.columns import TIMING
from bench.rows.row import Job, Row
from bench.rows.store import Store
from bench.show.failing import failures
from bench.timing import surroundings
from bench.timing.contestants import installed, names_of
from bench.timing.plan import plan
from bench.timing.sizes import DEFAULT_SIZES, PEERS, SIZES, THREADS
from bench.timing.work import UNITS, Group, Work
from bench.timing.worker import launcher

Launch = Callable[[Group], contextlib.AbstractContextManager[Callable[[Work, str, int], dict[str, Any]]]]


def conduct(options: argparse.Namespace, command: str) -> int:
    """Run the command from the parsed options to the printed tables; return its exit code."""

    def write(rows: Sequence[Row], store: Store) -> None:
        from bench.timing.outputs import write_outputs  # after the samples, which need no matplotlib

        write_outputs(rows, store)

    return through(options, command, options.study, _measure, write)


def through(
    options: argparse.Namespace,
    command: str,
    folder: str,
    measure: Callable[[Store, argparse.Namespace, str], None],
    write: Callable[[Sequence[Row], Store], None],
) -> int:
    """Go through a run: measure unless only the tables are asked for, write what the rows give, tell what failed.

    Parameters
    ----------
    options : Namespace
    command : str
    folder : str
        Below ``results``, unless ``--out`` says otherwise.
    measure : callable
        (store, options, command) -> rows in the store.
    write : callable
        (rows, store) -> tables.

    Returns
    -------
    int
        The exit code.
    """
    with Store(options.out or Path("results") / folder, options.study) as store:
        if options.render_only:
            store.check_rendered()
        else:
            measure(store, options, command)
        rows = store.rows()
        for problem in store.problems:
            say(problem)
        write(rows, store)
        failed = failures(rows)
        for (name, error), count in failed[:5]:
            say(f"failed, {count} x {name}: {error}")
        return SOME_FAILED if failed else DONE


def _measure(store: Store, options: argparse.Namespace, command: str) -> None:
    cores = available_cores()
    threads = options.jobs or min(THREADS, cores)
    if threads > cores:
        raise UsageError(f"--jobs {threads}: this machine lets the process use {cores} cores.")
    earlier = None if options.against is None else _checkout(options.against)
    peers, missing = installed(PEERS if options.peers is None else options.peers)
    sizes = options.sizes or list(DEFAULT_SIZES if options.works is None else SIZES)
    groups = plan(sizes, names_of(options.algorithms or PAPER, peers), threads=threads, cores=cores,
                  works=options.works, rounds=options.rounds, processes=options.processes,
                  replications=options.replications, quick=options.quick,
                  against="" if earlier is None else surroundings.digest(earlier))  # fmt: skip
    store.open(surroundings.fingerprint(options.seed), fresh=options.fresh)
    notes = [f"Skipped, not installed: {', '.join(missing)} ({remedy('peers')})."] if missing else []
    if earlier is not None:
        notes.append(f"Earlier code: {surroundings.digest(earlier)}, commit {commit(earlier) or 'unknown'}.")
    busy = load()
    if busy > surroundings.BUSY * cores:
        notes.append(f"The machine was busy at the start (load {busy:.1f} on {cores} cores): unreliable figures.")
    groups, skipped = surroundings.fitting(groups, available_memory())
    notes += [f"Skipped, too large for this machine's memory: {work.key}." for work in skipped]
    for note in notes:
        say(note)
    absent = {peer: f"{peer} is not installed" for peer in missing}
    absent |= {work.name: "too large for this machine's memory" for work in skipped}
    absent |= {"two-threads": "it takes two cores"} if cores == 1 else {}
    environment = {**describe(), "load": round(busy, 2)}
    store.save_settings(command=command, environment=environment, notes=notes, absent=absent)
    if not options.quick and options.works is None and sys.stderr.isatty():
        minutes = sum(SIZES[size] for size in sizes)
        say(f"Measuring {', '.join(sizes)}: about {minutes} minutes on two idle cores.")
    with surroundings.new_cache():
        run(groups, store, seed=options.seed, variant=variant(options, threads), launch=launcher(earlier, options.seed))


def _checkout(path: Path) -> Path:
    """Return the folder of earlier code, or say what it should be."""
    if not (path / "csboost" / "__init__.py").exists():
        raise UsageError(
            f"--against {path}: there is no csboost/__init__.py. Name the root of another checkout, such as one made "
            "by git worktree add --detach FOLDER COMMIT."
        )
    return path.resolve()


def variant(options: argparse.Namespace, threads: int) -> str:
    """Return in what a run departs from the works that the floors are about; empty for nothing."""
    departures = ["quick"] * options.quick
    departures += [f"{threads} threads"] if threads != THREADS else []
    departures += [f"{options.rounds} rounds"] if options.rounds != 200 else []
    return ", ".join(departures)


def run(groups: Sequence[Group], store: Store, *, seed: int, variant: str, launch: Launch) -> None:
    """Take the missing samples of all groups and append a row for each.

    A repeat is stored when all its contestants have run, and is repeated as a whole if it was interrupted: what is
    compared was measured within the same minutes.

    Parameters
    ----------
    groups : sequence of Group
    store : Store
    seed : int
    variant : str
        In what the run departs from the figures to reach.
    launch : callable
        Group -> context manager of a new process (or of what stands for it): (work, name, seed) -> sample.

    Raises
    ------
    Interrupted
        Ctrl-C or SIGTERM.
    """
    done = store.done()
    todo = [(group, repeats) for group in groups if (repeats := missing_repeats(group, done))]
    if len(todo) < len(groups):
        say(f"Resuming in {store.folder}: {len(groups) - len(todo)} of {len(groups)} works are done already.")
    kept = 0
    try:
        with _progress(sum(len(turns(group, repeat)) for group, repeats in todo for repeat in repeats)) as advance:
            for group, repeats in todo:
                for _, together in itertools.groupby(repeats, group[0].process_of):
                    with launch(group) as take:
                        for repeat in together:
                            rows = []
                            for work, name in turns(group, repeat):
                                advance(0, f"{work.name}, {name}")
                                rows.append(row_of(work, name, repeat, seed, variant, take(work, name, seed)))
                                advance(1, "")
                            store.append(rows)
                            kept += len(rows)
    except KeyboardInterrupt:
        raise Interrupted(f"{kept} samples of this run are kept.") from None
    finally:
        gc.unfreeze()


def missing_repeats(group: Group, done: set[Job]) -> list[int]:
    """Return the repeats of which a row is missing."""
    most = max(work.total_repeats for work in group)
    return [r for r in range(most) if any(work.job(name, r) not in done for work, name in turns(group, r))]


def turns(group: Group, repeat: int) -> list[tuple[Work, str]]:
    """Return a repeat's samples in the order in which they are taken; each repeat starts at another one."""
    pairs = [(work, name) for work in group for name in work.contestants(repeat)]
    start = repeat % max(len(pairs), 1)
    return pairs[start:] + pairs[:start]


def row_of(work: Work, name: str, repeat: int, seed: int, variant: str, result: dict[str, Any]) -> Row:
    """Return the row of a sample, ready to be stored."""
    shared = ("measure", "cache", "size", "n", "d", "K", "rounds", "threads", "against", "workers")
    fields = {field: getattr(work, field) for field in shared}
    fields |= {"variant": variant, "process": work.process_of(repeat), "unit": UNITS.get(work.measure, "s")}
    key = work.job(name, repeat)._asdict()
    # What was measured comes last: the loans' number of features is known only then.
    return Row(**{"study": TIMING, **key, "seed": seed, "work": work.name, **fields, **result, "versions": versions()})


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """Show progress on stderr, drawn between samples only: a thread that redraws would be timed, too."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total)

        def advance(steps: int, what: str) -> None:
            bar.update(task, advance=steps, description=what, refresh=True)

        yield advance
