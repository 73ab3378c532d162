"""The course of every study: open the results folder, run the missing jobs, write tables, figures and report."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.algorithms import PROTOCOLS, REGISTRY
from bench.cli import available_cores
from bench.environment import describe
from bench.exits import DONE, SOME_FAILED, UnusableError, UsageError
from bench.runner import run_jobs
from bench.settings import damaged
from bench.store import Store, job_of
from bench.study import Selection, Study

QUICK_REPLICATIONS = 3


def conduct(make_study: Callable[[argparse.Namespace], Study], options: argparse.Namespace, command: str) -> int:
    """Run a study from the parsed options to its printed table.

    Parameters
    ----------
    make_study : callable
        Options -> :class:`Study`.
    options : Namespace
        From :func:`bench.cli.base_parser`.
    command : str
        The command that repeats the run, for the report.

    Returns
    -------
    int
        Exit code: 0, or 1 when selected jobs failed.
    """
    from csboost.data import DataError

    try:
        return _conduct(make_study, options, command)
    except DataError as error:
        raise UnusableError(str(error)) from None


def _conduct(make_study: Callable[[argparse.Namespace], Study], options: argparse.Namespace, command: str) -> int:
    with Store(options.out or Path("results") / options.study, options.study) as store:
        if options.render_only:
            store.check_rendered(
                ("title",), ("notes",), ("command",), ("fingerprint", "seed"), ("fingerprint", "rounds")
            )
        study = make_study(options)
        stored = store.settings() if options.render_only else {}
        if stored:  # what was said of the data when they were read
            study = replace(study, title=stored["title"], notes=tuple(stored["notes"]))
            _check_selection(study, options, store)
        selection = select(study, options, stored)
        if not options.render_only:
            _run(study, selection, store, options, command)
        rows = store.rows()
        for problem in store.problems:
            say(problem)
        from bench.outputs import write_outputs

        write_outputs(study, selection, rows, store)
        return _report_failures(selection, rows)


def select(study: Study, options: argparse.Namespace, stored: dict[str, Any]) -> Selection:
    """Return the jobs asked for: as given, else as last asked of the folder (``stored``), else the defaults."""
    before = stored.get("selection", {})
    names = options.scenarios or before.get("scenarios") or [scenario.key for scenario in study.scenarios]
    algorithms = options.algorithms or before.get("algorithms") or options.default_algorithms
    protocols = options.protocols or before.get("protocols") or ["faithful"]
    usual = QUICK_REPLICATIONS if options.quick else before.get("replications") or study.replications
    selection = Selection(
        scenarios=tuple(scenario for scenario in study.scenarios if scenario.key in names),
        algorithms=tuple(name for name in REGISTRY if name in algorithms),
        protocols=tuple(dict.fromkeys(protocols)),
        replications=options.replications or usual,
    )
    if not selection.jobs():
        known = ", ".join(name for name, algorithm in REGISTRY.items() if algorithm.published)
        raise UsageError(f"nothing to run: the published protocol has only {known}.")
    return selection


def _check_selection(study: Study, options: argparse.Namespace, store: Store) -> None:
    """Refuse names in the stored selection that this study does not have, where it is what will be shown."""
    known = {
        "scenarios": [scenario.key for scenario in study.scenarios],
        "algorithms": REGISTRY,
        "protocols": PROTOCOLS,
    }
    stored = store.settings().get("selection", {})
    for part, names in known.items():
        for name in () if getattr(options, part) else stored.get(part, []):
            if name not in names:
                raise damaged(store.folder, ("selection", part), f"{name!r} is not one of {', '.join(names)}")


def _run(study: Study, selection: Selection, store: Store, options: argparse.Namespace, command: str) -> None:
    settings = {"seed": options.seed, "rounds": options.rounds, **study.settings}
    store.open(settings, fresh=options.fresh)
    store.save_settings(
        selection={
            "scenarios": [scenario.key for scenario in selection.scenarios],
            "algorithms": list(selection.algorithms),
            "protocols": list(selection.protocols),
            "replications": selection.replications,
        },
        command=command,
        environment=describe(),
        title=study.title,
        notes=list(study.notes),
    )
    done = {job_of(row) for row in store.rows() if row["status"] == "done"}
    todo = [job for job in selection.jobs() if job not in done]
    if todo:
        if len(todo) < len(selection.jobs()):
            asked = len(selection.jobs())
            say(f"Resuming in {store.folder}: {asked - len(todo)} of {asked} jobs are done already.")
        processes = options.jobs or available_cores()
        run_jobs(
            study, todo, store, seed=options.seed, rounds=options.rounds, processes=processes, cluster=options.cluster
        )
    if study.bayes_cost is not None:
        known = store.settings().get("bayes_cost", {})
        new = {s.key: list(study.bayes_cost(s.key)) for s in selection.scenarios if s.key not in known}
        store.save_settings(bayes_cost={**known, **new})


def _report_failures(selection: Selection, rows: list[dict[str, Any]]) -> int:
    wanted = set(selection.jobs())
    failed = [row for row in rows if row["status"] != "done" and job_of(row) in wanted]
    if not failed:
        return DONE
    say_failures(failed, len(wanted))
    return SOME_FAILED


def say_failures(failed: list[dict[str, Any]], asked: int) -> None:
    """Tell the user which of the jobs that were asked for failed, and why."""
    say(f"{len(failed)} of {asked} jobs failed; the same command tries them again:")
    for (algorithm, error), count in Counter((row["algorithm"], row["error"]) for row in failed).most_common(5):
        say(f"  {count} x {algorithm}: {error}")


def say(text: str) -> None:
    """Tell the user something on stderr."""
    print(text, file=sys.stderr, flush=True)
