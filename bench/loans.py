"""The credit studies: the embedded table, the paper's protocol on the user's files, and all loans of those files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench import sources
from bench.study import Scenario, Split, Study
from csboost import costs, data, metrics

GRADES = tuple("ABCDEFG")
LABELS = {"equal": "Equal costs", "linear": "Linear costs", "partitioned-linear": "Partitioned-linear costs"}
PAPER = "the paper has 551,448 loans of January 2017 to March 2018 and 57 features"


def scenarios() -> tuple[Scenario, ...]:
    """Return the three cost structures of the paper's Table 2."""
    return tuple(
        Scenario(name, "credit", name, label, costs.PRESETS[name](len(GRADES)), GRADES)
        for name, label in LABELS.items()
    )


def embedded_study(per_grade: int, replications: int) -> Study:
    """Return the study of the table that comes with the project."""
    return Study(
        name="credit",
        title="Credit grades",
        unit="loan",
        scenarios=scenarios(),
        draw=partial(sources.draw_credit, per_grade),
        replications=replications,
        settings={"data": "embedded", "per_grade": per_grade},
        notes=(
            f"Data: 9,857 Lending Club loans of the first quarter of 2016 with 20 features; {PAPER}.",
            f"{per_grade} loans of each grade train ({per_grade * len(GRADES)}; the paper: 420), all others test. "
            "Each grade has the same weight in the test set; the paper samples 1,500 loans of each grade instead.",
        ),
        show_constant_answers=True,
    )


def paper_study(
    paths: Sequence[Path],
    window: tuple[str, str],
    *,
    per_grade: int,
    train_fraction: float,
    replications: int,
    load: bool,
) -> Study:
    """Return the study of the paper's protocol on Lending Club files.

    Parameters
    ----------
    paths : sequence of Path
    window : (str, str)
        First and last month of issue.
    per_grade : int
        Loans sampled of each grade.
    train_fraction : float
        Share of the sample that trains; the rest tests.
    replications : int
    load : bool
        Whether to read the files, which drawing a replication needs and redrawing the tables does not.

    Raises
    ------
    DataError
        For files that are missing or unusable, and for grades with too few loans.
    """
    settings = {**_file_settings(paths, window), "per_grade": per_grade, "train_fraction": train_fraction}
    bunch = data.load_lending_club(paths, start=window[0], stop=window[1]) if load else None

    def draw(scenario: str, seed: int) -> Split:
        return Split(*data.paper_draw(bunch, seed, per_grade=per_grade, train_fraction=train_fraction))

    if load:
        draw("credit", 0)  # too few loans of a grade are found out now, not in the middle of the run
    return Study(
        name="credit",
        title="Credit grades",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=replications,
        settings=settings,
        notes=(*_reading(bunch), f"{per_grade:,} loans of each grade, {train_fraction:.0%} of them train; {PAPER}."),
        show_constant_answers=True,
        draw_in_parent=True,
    )


def full_study(paths: Sequence[Path], window: tuple[str, str], *, load: bool) -> Study:
    """Return the study that trains on all loans but a hold-out; parameters are those of :func:`paper_study`."""
    bunch = data.load_lending_club(paths, start=window[0], stop=window[1]) if load else None

    def draw(scenario: str, seed: int) -> Split:
        return Split(*data.full_draw(bunch, seed))

    return Study(
        name="credit",
        title="Credit grades, all loans",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=1,
        settings={**_file_settings(paths, window), "full": True},
        notes=(
            *_reading(bunch),
            *_constant_answers(bunch),
            f"The grades are as frequent as in the files; {PAPER}, balanced.",
        ),
        draw_in_parent=True,
        single_jobs=True,
    )


def _file_settings(paths: Sequence[Path], window: tuple[str, str]) -> dict[str, Any]:
    return {"data": sorted(path.name for path in paths), "from": window[0], "to": window[1]}


def _reading(bunch: Any) -> list[str]:
    """Say what was read, and which columns are kept."""
    return [] if bunch is None else str(bunch.report).splitlines()


def _constant_answers(bunch: Any) -> list[str]:
    """Say what constant answers cost where grades weigh as they occur."""
    if bunch is None:
        return []
    best = {scenario.label: metrics.constant_costs(bunch.target, scenario.cost_matrix) for scenario in scenarios()}
    answers = "; ".join(f"{label} {answer.min():.3f} (always {answer.idxmin()})" for label, answer in best.items())
    return [f"Best constant answer: {answers}."]
