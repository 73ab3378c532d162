"""A model's answers to blocks of cases, under its own costs or others."""

from __future__ import annotations

from math import floor, log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from csboost._inputs.pipelines import last_step, split_pipeline
from csboost.bayes.rule import AnswersByBayesRule
from csboost.costs.answers import resolve_answers
from csboost.data.errors import DataError
from csboost.tables.class_costs import read_cost_file
from csboost.tables.labels import label_texts


class Answered(NamedTuple):
    """Answers to n cases: places among ``Decider.labels``, and what every answer is expected to cost."""

    places: np.ndarray  # (n,)
    expected: np.ndarray | None  # (n, A); None of models without probabilities


class Decider:
    """Answers cases.

    Parameters
    ----------
    model : classifier or Pipeline
        Fitted.
    costs : path, optional
        A table of other costs than those of the fit.

    Attributes
    ----------
    labels : ndarray of shape (A,)
        The answers.
    has_costs : bool
        Whether the model expects costs at all.
    decimals : int
        Of expected costs that are meant: 12 digits of the largest cost. Those behind them vary with the size of blocks.
    """

    def __init__(self, model: Any, costs: Path | None = None) -> None:
        self._model, self._last = model, last_step(model)
        self.classes = np.asarray(self._last.classes_)
        self.has_costs = hasattr(self._last, "predict_expected_cost")
        self._bayes = isinstance(self._last, AnswersByBayesRule)
        self._table = None if costs is None else self._read(costs)
        self.labels = np.asarray(getattr(self._last, "answers_", self.classes))
        if self._table is not None:
            self.labels = resolve_answers(self._table, self.classes).labels
        costs_used = getattr(self._last, "cost_matrix_", 1.0) if self._table is None else self._table
        largest = float(np.abs(np.asarray(costs_used)).max())
        self.decimals = 11 - floor(log10(largest)) if largest > 0 else 12

    def _read(self, path: Path) -> pd.DataFrame:
        """The table with the labels of the model."""
        if not path.exists():
            raise FileNotFoundError(f"--costs {path}: there is no such file.")
        given = read_cost_file(path)
        names = dict(zip(label_texts(self.classes.tolist()), self.classes.tolist(), strict=True))
        lacking = [name for name in names if name not in given.classes]
        unknown = [name for name in given.classes if name not in names]
        for labels, what in ((lacking, "gives no costs to"), (unknown, "has rows for what is no class of the model:")):
            if labels:
                raise DataError(f"{path} {what} {', '.join(labels)}; the model has the classes {', '.join(names)}.")
        if not self.has_costs:
            raise DataError(f"{type(self._last).__name__} has no probabilities, so other costs need another fit.")
        table = given.table
        table.index = pd.Index([names[name] for name in table.index], dtype=object)
        table.columns = pd.Index([names.get(name, name) for name in table.columns], dtype=object)
        return table

    def answer(self, X: pd.DataFrame) -> Answered:
        """Answer a block of cases."""
        _, rows = split_pipeline(self._model, X)
        if self._table is not None:
            return self._placed(self._last.decide(rows, self._table))
        if self._bayes:  # decides by just these
            expected = self._last.predict_expected_cost(rows)
            return Answered(expected.argmin(axis=1), expected)
        if self.has_costs:
            return self._placed(self._last.decide(rows))
        return Answered(self._places(self._last.predict(rows)), None)

    def _placed(self, decision: Any) -> Answered:
        return Answered(self._places(decision.answers), decision.expected_costs)

    def _places(self, answers: np.ndarray) -> np.ndarray:
        return pd.Index(self.labels).get_indexer(pd.Index(np.asarray(answers)))
