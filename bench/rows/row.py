"""A stored row: what a finished or failed job leaves in ``runs.jsonl``, each column declared once.

Rows are plain JSON, so people do open and change them. They are checked at the door, when they are read and when they
are written: behind it, whoever meets a :class:`Row` may take every attribute for what its declaration says.

A new column is one declaration here and the one line, in the job, that fills it.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, NamedTuple, get_type_hints

from bench.rows import kinds
from bench.rows.columns import (
    BOOSTERS,
    CALIBRATION,
    DECISIONS,
    DONE,
    EXPERIMENTS,
    OWN_FILE,
    READINGS,
    STUDIES,
    SUITE,
    TIMING,
    Column,
    Values,
    always,
    done_of,
    if_failed,
    if_known,
    never,
    of,
)
from bench.rows.kinds import COUNT, NUMBER, NUMBER_IF_KNOWN, NUMBERS, POSITIVE, TABLE, TEXT, VERSIONS, WHOLE


class Job(NamedTuple):
    """The key of a job. Its fields are the identity of a stored row."""

    scenario: str
    costs: str
    algorithm: str
    protocol: str
    replication: int


class Row:
    """A row; its attributes are the columns that it has.

    Each annotation gives type, kind and the rows that have the column; the text below it, what it means. Where a row
    may lack a column and its readers ask for it all the same, it is None there. The order is that of the file.
    """

    study: Annotated[str, Column(TEXT, never)]
    scenario: Annotated[str, Column(TEXT, always)]
    """Source of rows; of the timing study, the work."""
    costs: Annotated[str, Column(TEXT, always)]
    algorithm: Annotated[str, Column(TEXT, always)]
    protocol: Annotated[str, Column(TEXT, always)]
    replication: Annotated[int, Column(WHOLE, always)]
    seed: Annotated[int, Column(WHOLE, never)]
    """Of the replication's draw; in lists and of timings, of the run."""

    work: Annotated[str, Column(TEXT, of(TIMING))]
    """Family of works, such as ``large-round``."""
    measure: Annotated[str, Column(TEXT, done_of(TIMING))]
    cache: Annotated[str, Column(TEXT, done_of(TIMING))]
    """Of compiled code: ``empty``, ``warm``, or the empty text where it plays no part."""
    size: Annotated[str, Column(TEXT, of(TIMING))]
    variant: Annotated[str, Column(TEXT, done_of(TIMING))]
    """In what the run departed from the works that the floors are about; empty for nothing."""
    n: Annotated[int, Column(WHOLE, done_of(TIMING))]
    d: Annotated[int, Column(WHOLE, done_of(TIMING))]
    K: Annotated[int, Column(WHOLE, done_of(TIMING))]
    rounds: Annotated[int, Column(WHOLE, done_of(TIMING))]
    threads: Annotated[int, Column(COUNT, done_of(TIMING))]
    process: Annotated[int, Column(WHOLE, never)] = 0
    """Number of the process in which the sample was taken."""
    against: Annotated[str | None, Column(TEXT, never)] = None
    """Digest of the earlier code that took part."""
    workers: Annotated[int, Column(WHOLE, never)] = 0
    """Of the Dask cluster that took part; 0 without one."""
    unit: Annotated[str, Column(TEXT, done_of(TIMING))]

    status: Annotated[str, Column(kinds.STATUS, always)]
    error: Annotated[str, Column(TEXT, if_failed)]
    test_cost: Annotated[float, Column(NUMBER, done_of(*BOOSTERS, READINGS, SUITE, OWN_FILE))]
    """Mean over the test rows, after the last round."""
    constant_cost: Annotated[float, Column(POSITIVE, done_of(SUITE))]
    """What the test rows cost when all get the one answer that is cheapest for the training rows."""
    cost_floor: Annotated[float, Column(POSITIVE, done_of(SUITE))]
    """Half of the cheapest mistake, made on one test row: stands for a cost of 0 in logarithms."""
    log_loss: Annotated[float | None, Column(NUMBER_IF_KNOWN, never)] = None
    """Of the test rows' probabilities, where costs enter at the decision."""
    chosen: Annotated[str, Column(TEXT, done_of(SUITE))]
    """What the arm settled on: a temperature, or options; empty for nothing."""
    answers: Annotated[list[int], Column(NUMBERS, done_of(OWN_FILE))]
    """Answer to each test row: its place among the columns of the costs."""
    truths: Annotated[list[int], Column(NUMBERS, never)]
    """Class of each test row: its place among the rows of the costs. The row of the best constant answer has it."""
    cases: Annotated[list[int], Column(NUMBERS, never)]
    """Which test rows these are, by their places in the file; in the same row of the split."""
    cost_curve: Annotated[list[float], Column(NUMBERS, done_of(*BOOSTERS))]
    """Test cost after each round; empty for a model without rounds."""
    n_iter: Annotated[int | None, Column(NUMBER_IF_KNOWN, never)] = None
    """Rounds until the fit ended."""
    lines: Annotated[list[dict[str, Any]], Column(TABLE, done_of(CALIBRATION, DECISIONS, EXPERIMENTS))]
    """Lines of the table that one fit gives."""
    value: Annotated[float, Column(POSITIVE, done_of(TIMING))]
    """What was measured, in ``unit``."""
    fits: Annotated[int, Column(COUNT, never)]
    """Fits that ``value`` is the mean of."""
    predictions: Annotated[int, Column(COUNT, never)]
    """Predictions that ``value`` is the mean of."""
    combinations: Annotated[int, Column(COUNT, never)]
    """Fits, each in a new process, that ``value`` is the sum of."""
    loaded: Annotated[list[str], Column(kinds.TEXTS, never)]
    """Heavy libraries that the import brought along."""
    import_seconds: Annotated[float, Column(NUMBER, done_of(measures=("first fit",)))]
    second_seconds: Annotated[float | None, Column(NUMBER, never)] = None
    """First fit with another number of classes, after the first."""
    warm_seconds: Annotated[float | None, Column(NUMBER, never)] = None
    """First fit in a new process when everything is compiled."""
    fit_bytes: Annotated[float, Column(NUMBER, done_of(measures=("memory",)))]
    """Peak memory that the fit itself added; in the suite, where the system tells."""
    X_bytes: Annotated[float, Column(NUMBER, never)]
    fit_seconds: Annotated[
        float,
        Column(NUMBER, done_of(*BOOSTERS, CALIBRATION, DECISIONS, EXPERIMENTS, SUITE, OWN_FILE, measures=("round",))),
    ]
    fit_rounds: Annotated[int, Column(COUNT, done_of(measures=("round",)))]
    setup_seconds: Annotated[float | None, Column(NUMBER, never)] = None
    """What came before the first round."""
    exchanges: Annotated[float | None, Column(NUMBER, never)] = None
    """Between the machines of a fit, per round."""
    sent_bytes: Annotated[float | None, Column(NUMBER, never)] = None
    """By one of them, per round."""
    predict_seconds: Annotated[float, Column(NUMBER, done_of(*BOOSTERS, SUITE, OWN_FILE))]
    """Of the whole staged cost, where there is one."""
    peak_memory_bytes: Annotated[float | None, Column(NUMBER_IF_KNOWN, never)] = None
    """Peak memory of the process during the fit, where it was measured."""
    versions: Annotated[dict[str, str], Column(VERSIONS, if_known)]
    """Of Python and the packages that the result may depend on."""

    def __init__(self, **values: Any) -> None:
        undeclared = [name for name in values if name not in columns()]
        if undeclared:
            raise TypeError(f"a row has no column {undeclared[0]!r}; declare it in {__name__}.Row")
        self.__dict__.update(values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={kinds.shown(value)}' for name, value in vars(self).items())})"

    @property
    def job(self) -> Job:
        """Whose row it is."""
        return Job(self.scenario, self.costs, self.algorithm, self.protocol, self.replication)

    @property
    def is_done(self) -> bool:
        """Whether the job has ended well."""
        return self.status == DONE

    def stored(self) -> dict[str, Any]:
        """Return the columns that the row has, in the order of their declaration."""
        return {name: vars(self)[name] for name in columns() if name in vars(self)}


@cache
def columns() -> dict[str, Column]:
    """Return the declared columns by name."""
    hints = get_type_hints(Row, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def of_json(values: Values) -> Row:
    """Return the row of a JSON object that has no fault; what no column is declared for is left out."""
    return Row(**{name: value for name, value in values.items() if name in columns()})


def fault_of_row(row: Any, study: str | None = None) -> str | None:
    """Return what is wrong with a row of a study, as it is or will be stored; None for a sound one.

    A study that is not known has rows of its own making: of them, only what every row has is checked.
    """
    if not isinstance(row, dict):
        return "it is no object in braces"
    if study is not None and row.get("study", study) != study:
        return f"its study is {kinds.shown(row['study'])}, not {study!r}"
    for name, column in columns().items():
        needed = column.needed(study, row)
        if needed and name not in row:
            return f"{name} is missing"
        if needed or (name in row and study in STUDIES and row.get("status") == DONE):
            fault = column.kind.fault(row[name])
            if fault is not None:
                return f"{name} {fault}"
    return None
