"""The credit studies: the embedded table, the paper's protocol on the user's files, and all loans of those files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from bench.studies import draws
from bench.studies.scenarios import CREDIT
from bench.studies.study import Scenario, Split, Study
from csboost import costs, data, metrics

GRADES = tuple("ABCDEFG")
DESCRIBED = 20  # at most of so many replications is said which columns their models get
SPREAD = (
    "A standard error measures the draw of the training loans from these loans, which all replications share, and not "
    "what other loans would cost"
)
RAREST = 75  # loans of grade G in the embedded table
PAPER = "the paper has 551,448 loans of January 2017 to March 2018 and 57 features"


def scenarios() -> tuple[Scenario, ...]:
    """Return the three cost structures of the paper's Table 2."""
    return tuple(Scenario(*named, costs.PRESETS[named.costs](len(GRADES)), GRADES) for named in CREDIT.values())


def embedded_study(per_grade: int, replications: int, *, load: bool = True) -> Study:
    """Return the study of the table that comes with the project.

    Parameters are those of :func:`paper_study`, and so is the error for grades with too few loans.
    """
    if load:
        data.credit_split(data.load_lending_club(), 0, per_grade)  # found out now, not by every job of the run
    return Study(
        name="credit",
        title="Credit grades",
        unit="loan",
        scenarios=scenarios(),
        draw=partial(draws.draw_credit, per_grade),
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
    seed: int = 0,
    described: int | None = None,
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
    seed : int
        Of the run.
    described : int or None
        How many replications are asked for: the notes say which columns their models get. None: ``replications``.

    Raises
    ------
    DataError
        For files that are missing or unusable, and for grades with too few loans.
    """
    given = _file_settings(paths, window) if load else {}
    settings = {**given, "per_grade": per_grade, "train_fraction": train_fraction}
    bunch: Any = data.load_lending_club(paths, start=window[0], stop=window[1]) if load else None

    def draw(scenario: str, protocol: str, seed: int) -> Split:
        return Split(*data.paper_draw(bunch, seed, per_grade=per_grade, train_fraction=train_fraction))

    study = Study(
        name="credit",
        title="Credit grades",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=replications,
        settings=settings,
        draw_in_parent=True,
    )

    def fitted(replication: int) -> Any:
        draw_seed = study.seed(seed, "credit", replication)
        train, _ = data.paper_split(bunch, draw_seed, per_grade=per_grade, train_fraction=train_fraction)
        return data.make_loan_preprocessor().fit(bunch.data.iloc[train])

    # Too few loans of a grade are found out here, not in the middle of the run.
    preprocessors = [fitted(r) for r in range(min(described or replications, DESCRIBED))] if load else []
    notes = (
        constant_answers(GRADES),
        *_reading(bunch, preprocessors),
        f"{per_grade:,} loans of each grade, {train_fraction:.0%} of them train; {PAPER}.",
        f"{SPREAD}.",
    )
    return replace(study, notes=notes)


def full_study(paths: Sequence[Path] | None, window: tuple[str, str], *, load: bool, seed: int = 0) -> Study:
    """Return the study that trains on all loans but a hold-out.

    Parameters are those of :func:`paper_study`; without ``paths`` the loans are those of the embedded table.
    """
    settings = {**(_file_settings(paths, window) if paths and load else {"data": "embedded"}), "full": True}
    bunch: Any = data.load_lending_club(paths, start=window[0], stop=window[1]) if load else None
    if bunch is not None:
        data.full_split(bunch, 0)  # a grade without loans is found out now, not by every job of the run

    @lru_cache(maxsize=1)  # drawn for the notes, for the first compilation and for the run
    def drawn(seed: int) -> tuple[Split, Any]:
        preprocessor = data.make_loan_preprocessor() if paths else None
        return Split(*data.full_draw(bunch, seed, preprocessor=preprocessor)), preprocessor

    def draw(scenario: str, protocol: str, seed: int) -> Split:
        return drawn(seed)[0]

    study = Study(
        name="credit",
        title="Credit grades, all loans",
        unit="loan",
        scenarios=scenarios(),
        draw=draw,
        replications=1,
        settings=settings,
        draw_in_parent=True,
        single_jobs=True,
    )
    notes = (
        *([] if bunch is None else [constant_answers(bunch.target)]),
        *_reading(bunch, [drawn(study.seed(seed, "credit", 0))[1]] if load and paths else []),
        f"A fifth of the loans tests; the grades are as frequent as they come; {PAPER}, balanced.",
    )
    return replace(study, notes=notes)


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
    """Return what tells these files and this window from all others.

    Files are told apart by what they hold, not where they lie; their order is that of the loans, which decides which
    are drawn.
    """
    return {"data": [_file_identity(path) for path in paths], "from": window[0], "to": window[1]}


def _file_identity(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return f"{path.name}, {file.tell()} bytes, sha256 {digest}"


def _reading(bunch: Any, preprocessors: Sequence[Any]) -> list[str]:
    """Say what was read from files, which columns the models get, and why they do not get the others."""
    if bunch is None or bunch.report is None:
        return []
    return [*bunch.report.about_loans(), *data.describe_kept(preprocessors), *bunch.report.about_dropped()]
