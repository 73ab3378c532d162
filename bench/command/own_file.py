"""The course of a comparison on a user's file: read and check it, say what was found, run, write what came of it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.algorithms import REGISTRY, unavailable
from bench.competitors.form import form_of
from bench.exits import DONE, SOME_FAILED, UsageError
from bench.machine import available_cores, describe
from bench.printing import say
from bench.rows.columns import OWN_FILE
from bench.rows.settings import damaged
from bench.rows.store import Store
from bench.run.progress import say_resuming
from bench.show.failing import say_failures
from bench.studies.own_file import About, OwnFile, load
from bench.studies.own_jobs import Asked
from csboost import costs
from csboost.tables.class_costs import with_numbers

SPLITS, QUICK_SPLITS = 5, 2


def conduct(options: argparse.Namespace, command: str) -> int:
    """Compare on a file from the parsed options of ``bench.compare`` to the printed verdict; return the exit code."""
    with Store(options.out or Path("results") / OWN_FILE, OWN_FILE) as store:
        asked = _stored(options, store) if options.render_only else _run(options, store, command)
        stored = {row.job: row for row in store.rows()}
        rows = [stored[job] for job in asked.jobs if job in stored]
        for problem in store.problems:
            say(problem)
        from bench.show.own_file.outputs import write_outputs  # after the jobs, which need no matplotlib

        write_outputs(asked, rows, store)
        failed = [row for row in rows if not row.is_done]
        if failed:
            say_failures(failed, len(asked.jobs))
        return SOME_FAILED if failed else DONE


def _stored(options: argparse.Namespace, store: Store) -> Asked:
    """Return what the folder was last asked for, but for what is given now."""
    store.check_rendered(("command",), ("selection",), ("notes",), ("about",), ("fingerprint", "seed"))
    settings = store.settings()
    try:
        about = About.of_stored(settings["about"])
    except ValueError as error:
        raise damaged(store.folder, ("about",), str(error)) from None
    before = settings["selection"]
    for name in before.get("algorithms", []):
        if name not in REGISTRY:
            raise damaged(store.folder, ("selection", "algorithms"), f"{name!r} is not one of {', '.join(REGISTRY)}")
    names = options.algorithms or before.get("algorithms", [])
    return Asked(about, tuple(names), options.replications or before.get("replications", 1))


def _run(options: argparse.Namespace, store: Store, command: str) -> Asked:
    """Read the file, say what was found, and run the missing jobs."""
    own = load(options)
    for note in own.notes:
        say(note)
    words = costs.describe(with_numbers(own.about.table))
    say(f"\n{words}\n")
    algorithms, absent = _algorithms(options, own)
    asked = Asked(own.about, tuple(name for name in REGISTRY if name in algorithms), _splits(options, own))
    store.open({"seed": options.seed, **own.identity}, fresh=options.fresh)
    store.save_settings(
        selection={
            "scenarios": [own.about.name],
            "algorithms": list(asked.algorithms),
            "protocols": ["defaults"],
            "replications": asked.splits,
        },
        absent=absent,
        command=command,
        environment=describe(),
        about=asdict(own.about),
        notes=[*own.notes, *words.splitlines()],
    )
    done = store.done()
    todo = [job for job in asked.jobs if job not in done]
    say_resuming(store.folder, len(todo), len(asked.jobs))
    if todo:
        from bench.run.own_file import run_own_file

        run_own_file(
            own, todo, store, seed=options.seed, rounds=options.rounds, processes=options.jobs or available_cores(),
            cluster=options.cluster,
        )  # fmt: skip
    return asked


def _splits(options: argparse.Namespace, own: OwnFile) -> int:
    """Return how many splits are run; by time there are only so many."""
    most = own.division.most
    usual = 1 if options.test is not None else QUICK_SPLITS if options.quick else SPLITS
    wanted = options.replications or usual
    if most is not None and wanted > most:
        if options.replications:
            say(f"There are only {most} cuts in time, not {wanted}.")
        return most
    return int(wanted)


def _algorithms(options: argparse.Namespace, own: OwnFile) -> tuple[list[str], dict[str, str]]:
    """Return the competitors, and why others of the usual ones are left out."""
    usual = (name for name in options.usual_algorithms if not REGISTRY[name].is_slow and name not in options.studied)
    names = options.algorithms or list(usual)
    absent = unavailable(names)
    if set(own.about.answers) != set(own.about.classes):
        absent |= {
            name: "it learns classes, and the costs have other answers than the classes"
            for name in names
            if name not in absent and _needs_classes(name, own)
        }
    for name, why in absent.items():
        say(f"{name} is left out: {why}.")
    left = [name for name in names if name not in absent]
    if not left:
        raise UsageError("no competitor is left that could take these costs; name others with --algorithms.")
    return left, absent


def _needs_classes(name: str, own: OwnFile) -> bool:
    """Whether a booster refuses answers that are not just the classes."""
    form: Any = form_of(name)
    if not form.sees_costs:
        return False
    model = form.make(own.about.matrix, 0)
    last = model[-1] if hasattr(model, "steps") else model
    return bool(hasattr(last, "_needs_classes") and last._needs_classes())
