"""The course of a comparison over the suite: select, run the missing jobs, write tables, figures and report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bench import extras
from bench.algorithms import REGISTRY, unavailable
from bench.command.options import choice
from bench.exits import DONE, SOME_FAILED, UnusableError, UsageError
from bench.machine import available_cores, describe
from bench.printing import say
from bench.rows.columns import SUITE
from bench.rows.settings import damaged
from bench.rows.store import Store
from bench.run.progress import say_resuming
from bench.show.failing import say_failures
from bench.studies.suite import Comparison
from bench.suite.names import ARMS, KINDS, PARTS, USUAL_PARTS
from bench.suite.sets import KNOWN, part_of
from bench.suite.tasks import Task, tasks

QUICK_SPLITS = 1
LISTED_BY = "`python -m bench.suite.sets`"


def conduct(options: argparse.Namespace, command: str) -> int:
    """Run the suite from the parsed options of ``bench.compare`` to its printed tables; return the exit code."""
    with Store(options.out or Path("results") / SUITE, SUITE) as store:
        if options.render_only:
            store.check_rendered(("command",), ("selection",), ("fingerprint", "seed"))
        asked = shown = select(options, store)
        if not options.render_only:
            shown = _run(asked, store, options, command)
        stored = {row.job: row for row in store.rows()}
        rows = [stored[job] for job in shown.jobs if job in stored]  # the file's order is that of the workers
        for problem in store.problems:
            say(problem)
        from bench.show.suite.outputs import write_outputs  # after the jobs, which need no matplotlib

        write_outputs(shown, rows, store)
        now = set(asked.jobs)
        failed = [row for row in rows if not row.is_done and row.job in now]
        if failed:
            say_failures(failed, len(now))
        return SOME_FAILED if failed else DONE


def select(options: argparse.Namespace, store: Store) -> Comparison:
    """Return what is asked for; drawing alone, what was not given is as last asked of the folder."""
    stored: dict[str, Any] = store.settings().get("selection", {}) if options.render_only else {}
    if stored:
        _check_stored(stored, store)
    before = None if _says_tasks(options) else stored.get("scenarios")
    names = before or [task.name for task in _asked_tasks(options)]
    chosen = tuple(task for task in tasks(KNOWN) if task.name in set(names))
    if not chosen:
        raise UsageError("nothing to run: none of these sets has such a cost structure")
    algorithms = options.algorithms or stored.get("algorithms") or _usual_algorithms(options)
    return Comparison(
        tasks=chosen,
        algorithms=tuple(name for name in REGISTRY if name in algorithms),
        arms=tuple(arm for arm in ARMS if arm in (options.arms or stored.get("protocols") or ["defaults"])),
        splits=options.replications
        or (QUICK_SPLITS if options.quick else stored.get("replications") or options.default_replications),
    )


def _says_tasks(options: argparse.Namespace) -> bool:
    return bool(options.tasks or options.sets or options.kinds)


def _usual_algorithms(options: argparse.Namespace) -> list[str]:
    """Return the default competitors that can be made; the others are told and left out."""
    usual = [name for name in options.usual_algorithms if not REGISTRY[name].is_slow]
    absent = unavailable(usual)
    for name, why in absent.items():
        say(f"{name} is not available: {why}.")
    return [name for name in usual if name not in absent]


def _asked_tasks(options: argparse.Namespace) -> list[Task]:
    names = list(dict.fromkeys(name for word in options.sets or USUAL_PARTS for name in _sets_of(word)))
    found = tasks([name for name in KNOWN if name in names], options.kinds or KINDS)
    if options.tasks:
        parse = choice("task", [task.name for task in tasks(KNOWN)], LISTED_BY)
        asked = {_parsed(parse, word) for word in options.tasks}
        found = [task for task in (found if options.sets or options.kinds else tasks(KNOWN)) if task.name in asked]
    return found


def _sets_of(word: str) -> list[str]:
    """Return the sets that a word of ``--sets`` means: a part, or one set."""
    if word in PARTS:
        return [name for name in KNOWN if part_of(name) == word]
    return [_parsed(choice("set", [*PARTS, *KNOWN], LISTED_BY), word)]


def _parsed(parse: Any, word: str) -> str:
    try:
        return str(parse(word))
    except argparse.ArgumentTypeError as error:
        raise UsageError(str(error)) from None


def _check_stored(stored: dict[str, Any], store: Store) -> None:
    """Refuse names in the stored selection that the suite does not have."""
    known = {"scenarios": [task.name for task in tasks(KNOWN)], "algorithms": REGISTRY, "protocols": ARMS}
    for part, names in known.items():
        for name in stored.get(part, []):
            if name not in names:
                raise damaged(store.folder, ("selection", part), f"the suite does not know {name!r}")


def check_packages(comparison: Comparison) -> None:
    """Refuse sets whose package is not installed (UnusableError)."""
    lacking: dict[str, list[str]] = {}
    for name in dict.fromkeys(task.set_name for task in comparison.tasks):
        package = KNOWN[name].package
        if not extras.is_installed({"scikit-learn": "sklearn"}.get(package, package.replace("-", "_"))):
            lacking.setdefault(package, []).append(name)
    if lacking:
        which = "; ".join(f"{package} ({', '.join(names)})" for package, names in lacking.items())
        raise UnusableError(
            f"data sets of packages that are not installed: {which}; {extras.remedy('suite')}, or name others "
            "with --sets."
        )


def _run(comparison: Comparison, store: Store, options: argparse.Namespace, command: str) -> Comparison:
    """Run the missing jobs; return what the folder was asked for so far, this time included."""
    from bench.run.suite import run_suite

    check_packages(comparison)
    store.open({"seed": options.seed}, fresh=options.fresh)
    together = _joined(comparison, store)
    store.save_settings(
        selection={
            "scenarios": [task.name for task in together.tasks],
            "algorithms": list(together.algorithms),
            "protocols": list(together.arms),
            "replications": together.splits,
        },
        absent=unavailable(name for name in options.usual_algorithms if name not in together.algorithms),
        command=command,
        environment=describe(),
    )
    done = store.done()
    todo = [job for job in comparison.jobs if job not in done]
    say_resuming(store.folder, len(todo), len(comparison.jobs))
    if todo:
        processes = options.jobs or available_cores()
        run_suite(todo, store, seed=options.seed, processes=processes, cluster=options.cluster)
    return together


def _joined(comparison: Comparison, store: Store) -> Comparison:
    """Return a comparison with what its folder was asked for before: slow parts are run apart and shown together."""
    before: dict[str, Any] = store.settings().get("selection", {})
    if before:
        _check_stored(before, store)
    names = {*before.get("scenarios", []), *(task.name for task in comparison.tasks)}
    algorithms = {*before.get("algorithms", []), *comparison.algorithms}
    arms = {*before.get("protocols", []), *comparison.arms}
    return Comparison(
        tasks=tuple(task for task in tasks(KNOWN) if task.name in names),
        algorithms=tuple(name for name in REGISTRY if name in algorithms),
        arms=tuple(arm for arm in ARMS if arm in arms),
        splits=max(before.get("replications", 1), comparison.splits),
    )
