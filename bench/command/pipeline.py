"""The course of every study: open the results folder, run the missing jobs, write tables, figures and report."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.algorithms import REGISTRY
from bench.exits import DONE, SOME_FAILED, UnusableError, UsageError
from bench.machine import available_cores, describe
from bench.printing import say
from bench.protocols import PROTOCOLS
from bench.rows.columns import BOOSTERS
from bench.rows.settings import damaged
from bench.rows.store import Store
from bench.run.progress import say_resuming
from bench.run.runner import run_jobs
from bench.show.failing import say_failures
from bench.studies.study import QUICK_REPLICATIONS, Selection, Study


def conduct(make_study: Callable[[argparse.Namespace], Study], options: argparse.Namespace, command: str) -> int:
    """Run a study from the parsed options to its printed table.

    Parameters
    ----------
    make_study : callable
        Options -> :class:`Study`.
    options : Namespace
        From :func:`bench.command.cli.base_parser`.
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
        if study.name not in BOOSTERS:
            raise ValueError(
                f"rows of the study {study.name!r} would not be checked: add it to BOOSTERS in bench/rows/columns.py."
            )
        stored = store.settings() if options.render_only else {}
        if stored:  # what was said of the data when they were read
            study = replace(study, title=stored["title"], notes=tuple(stored["notes"]))
            _check_selection(study, options, store)
        selection = select(study, options, stored)
        if not options.render_only:
            _run(study, selection, store, options, command)
        wanted = set(selection.jobs)
        rows = [row for row in store.rows() if row.job in wanted]
        for problem in store.problems:
            say(problem)
        from bench.show.outputs import write_outputs  # after the jobs, which need no matplotlib

        write_outputs(study, selection, rows, store)
        failed = [row for row in rows if not row.is_done]
        if failed:
            say_failures(failed, len(wanted))
        return SOME_FAILED if failed else DONE


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
    if not selection.jobs:
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
    done = store.done()
    todo = [job for job in selection.jobs if job not in done]
    say_resuming(store.folder, len(todo), len(selection.jobs))
    if todo:
        processes = options.jobs or available_cores()
        run_jobs(
            study, todo, store, seed=options.seed, rounds=options.rounds, processes=processes, cluster=options.cluster
        )
    if study.bayes_cost is not None:
        known = store.settings().get("bayes_cost", {})
        new = {s.key: list(study.bayes_cost(s.key)) for s in selection.scenarios if s.key not in known}
        store.save_settings(bayes_cost={**known, **new})
