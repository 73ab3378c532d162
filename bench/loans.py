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
SPREAD = (
    "A standard error measures the draw of the training loans from these loans, which all replications share, and not "
    "what other loans would cost"
)
RAREST = 75  # loans of grade G in the embedded table
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
            constant_answers(GRADES),
            f"Data: 9,857 Lending Club loans of the first quarter of 2016 with 20 features; {PAPER}.",
            f"{per_grade} loans of each grade train ({per_grade * len(GRADES)}; the paper: 420), all others test. "
            "Each grade has the same weight in the test set; the paper samples 1,500 loans of each grade instead.",
            f"{SPREAD}; of grade G only {RAREST - per_grade} test at a time, with a seventh of the weight.",
        ),
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

    def draw(scenario: str, protocol: str, seed: int) -> Split:
        return Split(*data.paper_draw(bunch, seed, per_grade=per_grade, train_fraction=train_fraction))

    if load:
        draw("credit", "faithful", 0)  # too few loans of a grade are found out now, not in the middle of the run
    return Study(
        name="credit",
        title="Credit grades",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=replications,
        settings=settings,
        notes=(
            constant_answers(GRADES),
            *_reading(bunch),
            f"{per_grade:,} loans of each grade, {train_fraction:.0%} of them train; {PAPER}.",
            f"{SPREAD}.",
        ),
        draw_in_parent=True,
    )


def full_study(paths: Sequence[Path] | None, window: tuple[str, str], *, load: bool) -> Study:
    """Return the study that trains on all loans but a hold-out.

    Parameters are those of :func:`paper_study`; without ``paths`` the loans are those of the embedded table.
    """
    bunch = data.load_lending_club(paths, start=window[0], stop=window[1]) if load else None

    def draw(scenario: str, protocol: str, seed: int) -> Split:
        return Split(*data.full_draw(bunch, seed))

    return Study(
        name="credit",
        title="Credit grades, all loans",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=1,
        settings={**(_file_settings(paths, window) if paths else {"data": "embedded"}), "full": True},
        notes=(
            *([] if bunch is None else [constant_answers(bunch.target)]),
            *_reading(bunch),
            f"A fifth of the loans tests; the grades are as frequent as they come; {PAPER}, balanced.",
        ),
        draw_in_parent=True,
        single_jobs=True,
    )


def constant_answers(grades: Sequence[str]) -> str:
    """Say what the best constant answer costs in each scenario when the loans have these grades."""
    answers = []
    for scenario in scenarios():
        answer = metrics.constant_costs(grades, scenario.cost_matrix, labels=GRADES)
        best = list(answer.index[answer <= answer.min() + 1e-12])
        which = "any grade" if len(best) == len(answer) else "always " + " or ".join(best)
        answers.append(f"{scenario.label} {answer.min():.3f} ({which})")
    return f"Best constant answer: {'; '.join(answers)}."


def _file_settings(paths: Sequence[Path], window: tuple[str, str]) -> dict[str, Any]:
    return {"data": sorted(path.name for path in paths), "from": window[0], "to": window[1]}


def _reading(bunch: Any) -> list[str]:
    """Say what was read from files, and which columns are kept."""
    return [] if bunch is None or bunch.report is None else str(bunch.report).splitlines()
