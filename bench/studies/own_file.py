"""A user's file as it is compared on: features, classes, costs, today's answers, splits, all checked before a fit."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bench.competitors.form import ROUNDS
from bench.exits import UnusableError, UsageError
from bench.studies.own_splits import Division, by_folds, by_time, moments
from csboost import data, tables
from csboost.tables.class_costs import (
    Costs,
    OrderError,
    check_classes,
    cost_words,
    costs_of_name,
    read_cost_file,
)

LEAKY = 0.97  # balanced accuracy of a single column from which on it is doubted
UNIT = "case"


class Rows(NamedTuple):
    """Rows by their places, for training and for testing."""

    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True)
class About:
    """What is shown of a file and its costs, whether or not the file is read again: as stored with the results.

    Attributes
    ----------
    name, costs_name : str
        Of the file and of the costs: scenario and costs of the rows.
    target : str
    classes, answers : tuple of str
        Rows and columns of the costs.
    costs : tuple of tuple of float, (K, A)
    today : str
        Column of today's answers, empty without one.
    splits : str
        How rows were divided, in words.
    """

    name: str
    costs_name: str
    target: str
    classes: tuple[str, ...]
    answers: tuple[str, ...]
    costs: tuple[tuple[float, ...], ...]
    today: str
    splits: str

    @property
    def matrix(self) -> np.ndarray:
        """The costs (K, A)."""
        return np.array(self.costs, dtype=np.float64)

    @property
    def table(self) -> pd.DataFrame:
        """The costs with their labels."""
        return pd.DataFrame(self.matrix, index=list(self.classes), columns=list(self.answers))

    @classmethod
    def of_stored(cls, stored: dict[str, Any]) -> About:
        """Return what :func:`dataclasses.asdict` stored (ValueError for what it cannot have stored)."""
        try:
            about = cls(**{name: _frozen(value) for name, value in stored.items()})
            whole = about.matrix.shape == (len(about.classes), len(about.answers))
        except (TypeError, ValueError):
            whole = False
        if not whole:
            raise ValueError("it does not say what the rows are about")
        return about


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass(frozen=True)
class OwnFile:
    """A file, ready to be fitted on.

    Attributes
    ----------
    about : About
    X : DataFrame (n, d)
    y : ndarray (n,)
        Codes of the classes.
    cases : ndarray (n,)
        Places of the rows in the file.
    today : ndarray (n,) or None
        Codes of today's answers.
    division : Division
        The splits that there are.
    notes : tuple of str
        What was found and done, in sentences.
    identity : dict
        What tells this comparison from others, for the results folder.
    """

    about: About
    X: pd.DataFrame
    y: np.ndarray
    cases: np.ndarray
    today: np.ndarray | None
    division: Division
    notes: tuple[str, ...]
    identity: dict[str, Any]

    def split(self, replication: int) -> Rows:
        """Return the rows of a replication."""
        return Rows(*self.division.draw(replication))


def load(options: Any) -> OwnFile:
    """Read file and costs as the options of ``bench.compare`` say.

    Raises
    ------
    UnusableError
        For a file, a column or costs that cannot be used; the message names the offender and the remedy.
    UsageError
        For an order that is not stated, or is not that of the classes.
    """
    try:
        return _load(options)
    except (data.DataError, FileNotFoundError) as error:
        raise UnusableError(str(error)) from None
    except OrderError as error:
        raise UsageError(str(error)) from None


def _load(options: Any) -> OwnFile:
    given = read_cost_file(options.cost_file) if options.cost_file is not None else None
    aside = [name for name in (options.today, options.time) if name is not None]
    if options.target in aside:
        raise UsageError(f"the target {options.target!r} cannot be today's answer or the time as well.")
    known = {*given.classes, *given.answers} if given is not None else set()
    read = {"target": options.target, "aside": aside, "labels": known, "sheet": options.sheet}
    table = tables.read_table(
        options.file, drop=options.drop or (), keep=options.keep or (), categories=options.categories or (), **read
    )
    parts, notes = [table], [*table.notes]
    if options.test is not None:
        parts.append(tables.read_table(options.test, columns=table.columns, **read))
        notes.append(parts[1].notes[0])
    labels = pd.concat([part.y for part in parts], ignore_index=True)
    costs = given or costs_of_name(options.costs or "equal", labels, options.order, options.target)
    check_classes(costs, labels, options.target, given_by=options.cost_file)
    kept = _with_answers(parts, options.today, costs, notes)
    X = _stacked([part.X for part in parts])[kept].reset_index(drop=True)
    y = pd.Index(costs.classes).get_indexer(pd.Index(labels[kept]))
    ends = np.cumsum([0, *(len(part.y) for part in parts if part.y is not None)])
    division = _divide(options, parts, kept, y, ends, notes, costs)
    cases = np.arange(1, len(labels) + 1) if len(parts) > 1 else table.rows
    about = About(
        name=Path(table.name).stem, costs_name=costs.name, target=options.target, classes=costs.classes,
        answers=costs.answers, costs=tuple(map(tuple, costs.matrix.tolist())), today=options.today or "",
        splits=division.words,
    )  # fmt: skip
    if options.today is not None:
        notes.append(f"{options.today} holds today's answers and is no feature.")
    return OwnFile(
        about=about, X=X, y=y, cases=cases[kept],
        today=_today(parts, kept, options.today, costs),
        division=division,
        notes=(*notes, division.words, *cost_words(costs), *_about_classes(y, costs), *_leaks(X, y)),
        identity=_identity(options, about, X),
    )  # fmt: skip


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One frame of several: their categories are those of all."""
    if len(frames) == 1:
        return frames[0]
    columns = {}
    for name in frames[0]:
        pieces = [frame[name] for frame in frames]
        if pieces[0].dtype == "category":
            columns[name] = pd.Series(pd.api.types.union_categoricals(pieces, sort_categories=True))
        else:
            columns[name] = pd.concat(pieces, ignore_index=True)
    return pd.DataFrame(columns)


def _with_answers(parts: Sequence[tables.Table], today: str | None, costs: Costs, notes: list[str]) -> np.ndarray:
    """Which rows have all that is needed; today's answers must be answers of the costs."""
    n = sum(len(part.X) for part in parts)
    if today is None:
        return np.ones(n, dtype=bool)
    answers = pd.concat([part.aside[today] for part in parts], ignore_index=True)
    known = answers.notna().to_numpy()
    if not known.any():
        raise UnusableError(f"the column {today!r} of today's answers is empty.")
    unknown = answers[known & ~answers.isin(costs.answers).to_numpy()].value_counts()
    if len(unknown):
        listed = ", ".join(f"{label!r} ({count} rows)" for label, count in unknown.head(5).items())
        raise UnusableError(
            f"column {today!r} of today's answers holds {listed}, which the costs do not know; they know "
            f"{', '.join(costs.answers)}. Give the table of costs a column for each, or mend these rows."
        )
    if not known.all():
        notes.append(f"Rows without today's answer ({today!r} is missing) are left out: {(~known).sum():,}.")
    return known


def _today(parts: Sequence[tables.Table], kept: np.ndarray, today: str | None, costs: Costs) -> np.ndarray | None:
    if today is None:
        return None
    answers = pd.concat([part.aside[today] for part in parts], ignore_index=True)
    return pd.Index(costs.answers).get_indexer(pd.Index(answers[kept]))


def _divide(
    options: Any,
    parts: Sequence[tables.Table],
    kept: np.ndarray,
    y: np.ndarray,
    ends: np.ndarray,
    notes: list[str],
    costs: Costs,
) -> Division:
    if options.test is not None:
        place = np.flatnonzero(kept)
        learnt, tested = np.flatnonzero(place < ends[1]), np.flatnonzero(place >= ends[1])
        words = f"{parts[0].name} trains ({len(learnt):,} rows), {parts[1].name} tests ({len(tested):,} rows)."
        if not len(learnt) or not len(tested):
            raise UnusableError("one of the two files has no row that can be used.")
        division = Division(lambda replication: (learnt, tested), None, words)
    elif options.time is not None:
        division = by_time(moments(parts[0].aside[options.time][kept], options.time), options.time)
        notes.append(f"{options.time} tells the time and is no feature.")
    else:
        division = by_folds(y, costs.classes, options.seed)
    return division.limited(y, options.most_rows)


def _about_classes(y: np.ndarray, costs: Costs) -> list[str]:
    counts = np.bincount(y, minlength=len(costs.classes))
    listed = ", ".join(f"{name} {count:,}" for name, count in zip(costs.classes, counts, strict=True))
    few = [name for name, count in zip(costs.classes, counts, strict=True) if count < 10]
    rare = f" Little can be said of {', '.join(few)}: fewer than 10 rows." if few else ""
    return [f"Rows of each class: {listed}.{rare}"]


def _leaks(X: pd.DataFrame, y: np.ndarray) -> list[str]:
    """Name columns that tell the class alone: they are likely known only once it is."""
    with contextlib.suppress(ValueError):  # a class with too few rows for two halves
        scores = data.single_column_accuracy(X, pd.Series(y))
        found = [f"{name} ({score:.0%})" for name, score in scores.items() if score >= LEAKY]
        if found:
            return [
                f"Doubt: {', '.join(found)} tells the class alone (balanced accuracy). If it is known only after the "
                "answer is due, leave it out with --drop."
            ]
    return []


def _identity(options: Any, about: About, X: pd.DataFrame) -> dict[str, Any]:
    """Return what fixes the outcome of a job beside the seed."""
    names = ("file", "test")
    files = [_digest(path) for name in names if (path := getattr(options, name)) is not None]
    stated = {name: value for name, value in asdict(about).items() if name not in ("splits", "name")}
    return {
        "data": files,
        "features": list(map(str, X.columns)),
        "time": options.time or "",
        "rounds": options.rounds or ROUNDS,
        "most rows": options.most_rows,
        **stated,
    }


def _digest(path: Path) -> str:
    with Path(path).open("rb") as file:
        return f"{Path(path).name}, sha256 {hashlib.file_digest(file, 'sha256').hexdigest()}"
