"""Which answers are compared, and by how much they differ."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from csboost._inputs.values import listed
from csboost.explain.members import score_names
from csboost.staging import StagedBooster

__all__ = ["Pairs", "decides_by_cost", "pair"]


class Pairs(NamedTuple):
    """An answer and another one for every row."""

    quantity: str  # "cost" or "score"
    answer: np.ndarray  # (n,) numbers
    against: np.ndarray  # (n,) numbers
    difference: np.ndarray  # (n,) by how much the answer is better


def pair(model: Any, X: Any, numbers: np.ndarray, of: str | None, answer: Any, against: Any) -> Pairs:
    """Answers and what they are compared with; by default those of the model and the best others.

    ``X`` are the rows as the model takes them, ``numbers`` (n, d) the same as the trees see them.
    """
    by_cost = decides_by_cost(model)
    quantity = _quantity(model, of, by_cost)
    if len(model.answers_) < 2:
        raise ValueError(
            f"{type(model).__name__} has the one answer {listed(model.answers_.tolist())}: there is no other"
        )
    decisive = -model.predict_expected_cost(X) if by_cost else model._ensemble.scores(numbers)
    n = len(decisive)
    chosen = _codes(model.predict(X) if answer is None else answer, model.answers_, n, "answer")
    if against is None:
        rest = decisive.copy()
        rest[np.arange(n), chosen] = -np.inf
        other = rest.argmax(axis=1)
    else:
        other = _codes(against, model.answers_, n, "against")
    same = np.equal(chosen, other)
    if same.any():
        row = int(same.argmax())
        raise ValueError(
            f"row {row} would be compared with its own answer {listed(model.answers_[chosen[row : row + 1]].tolist())}"
        )
    values = decisive if (quantity == "cost") == by_cost else model._ensemble.scores(numbers)
    rows = np.arange(n)
    return Pairs(quantity, chosen, other, values[rows, chosen] - values[rows, other])


def decides_by_cost(model: Any) -> bool:
    """Whether a model answers by expected costs, and not by its scores."""
    return not isinstance(model, StagedBooster) or bool(getattr(model, "_by_bayes_rule", False))


def _quantity(model: Any, of: str | None, by_cost: bool) -> str:
    if of is None:
        return "cost" if by_cost else "score"
    name = type(model).__name__
    if of == "cost" and not by_cost:
        raise ValueError(f"{name} answers by its scores, and its expected costs are no function of sums: of='score'")
    if of == "score" and not isinstance(model, StagedBooster):
        raise ValueError(f"{name} has no scores of its own, it answers by expected costs: of='cost'")
    if of == "score" and list(score_names(model)) != list(model.answers_):
        raise ValueError(
            f"the scores of this {name} are of the classes {listed(model.classes_.tolist())}, and its answers are "
            "others: of='cost'"
        )
    return of


def _codes(labels: Any, answers: np.ndarray, n: int, name: str) -> np.ndarray:
    """The numbers (n,) of labels, one for all rows or one per row."""
    given = [labels] * n if np.ndim(labels) == 0 else list(labels)
    if len(given) != n:
        raise ValueError(f"{name} has {len(given)} labels for {n} rows")
    codes: np.ndarray = pd.Index(answers).get_indexer(pd.Index(given))
    if (codes < 0).any():
        unknown = list(dict.fromkeys(label for label, code in zip(given, codes, strict=True) if code < 0))
        raise ValueError(f"{name} holds {listed(unknown)}, which the model does not answer: {listed(answers.tolist())}")
    return codes
