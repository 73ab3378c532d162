"""The trees of a fitted model, one by one, and what their leaves say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from csboost._inputs.categories import Categories
from csboost._inputs.pipelines import last_step
from csboost.ensemble import Ensemble
from csboost.explain.naming import column_names, names_in_order
from csboost.staging import StagedBooster
from csboost.weak.forest import Forest
from csboost.weak.tree import CostTree

__all__ = ["Grown", "Leaf", "grown_in", "model_with_trees", "packed_ensemble", "score_names"]


@dataclass(frozen=True, eq=False)
class Leaf:
    """What a leaf says: an answer, or a value for every answer (for likelihoods: every class), or both."""

    answer: int | None
    values: np.ndarray | None  # (S,)


@dataclass(frozen=True, eq=False)
class Grown:
    """The trees of a model with the names that they are read by.

    Attributes
    ----------
    forest : Forest
    labels : ndarray (trees, leaves) of int, optional
        What leaves answer.
    values : ndarray (trees, leaves, S), optional
        What leaves say of each score.
    coefficients : ndarray (trees,)
        By what labels and values of a tree are multiplied in the final scores.
    trees_per_round : int
    columns : list of str
    scores : list of str
        The names of the S scores: answers, or classes.
    quantity : str
        What the values of leaves are.
    categories : dict of int to list of str
        By the column's number, the names of its categories in their order.
    title : str
        The model.
    """

    forest: Forest
    labels: np.ndarray | None
    values: np.ndarray | None
    coefficients: np.ndarray
    trees_per_round: int
    columns: list[str]
    scores: list[str]
    quantity: str
    categories: dict[int, list[str]]
    title: str

    @property
    def n_rounds(self) -> int:
        """How many rounds there are."""
        return len(self.coefficients) // self.trees_per_round

    def leaf(self, tree: int, number: int) -> Leaf:
        """What one leaf says; values are multiplied by the coefficient of the tree."""
        answer = None if self.labels is None else int(self.labels[tree, number])
        return Leaf(answer, None if self.values is None else self.coefficients[tree] * self.values[tree, number])

    def name_of(self, tree: int) -> str:
        """Round and number of a tree, in words."""
        round_, number = divmod(tree, self.trees_per_round)
        if self.n_rounds == self.trees_per_round == 1:
            return "tree"
        part = f", tree {number + 1} of {self.trees_per_round}" if self.trees_per_round > 1 else ""
        told = f", coefficient {self.coefficients[tree]:.4g}" if self.values is None else ""
        return f"round {round_ + 1}{part}{told}"


def grown_in(model: Any, feature_names: Any = None, class_names: Any = None) -> Grown:
    """The trees of a fitted booster or tree, if need be inside a pipeline or a search.

    Raises
    ------
    TypeError
        For models without trees of this package.
    """
    last = model_with_trees(model)
    names: np.ndarray = last.answers_
    labels: np.ndarray | None
    values: np.ndarray | None
    if isinstance(last, CostTree):
        forest, labels, values, per_round = last._forest, last._labels[None], last._costs[None], 1
        coefficients, quantity = np.ones(1), "expected cost"
    else:
        ensemble = packed_ensemble(last)
        is_label = ensemble.outputs.ndim == 2
        labels, values = (ensemble.outputs, None) if is_label else (None, ensemble.outputs)
        forest, per_round = ensemble.rules, ensemble.trees_per_round
        coefficients, quantity = ensemble.weights * float(ensemble.scales[-1]), "adds"
        names = score_names(last)
    scores = [str(name) for name in names]
    if class_names is not None:
        scores = names_in_order(class_names, len(scores), "class_names", "answers")
    return Grown(
        forest=forest,
        labels=labels,
        values=values,
        coefficients=coefficients,
        trees_per_round=per_round,
        columns=column_names(model, feature_names),
        scores=scores,
        quantity=quantity,
        categories=_categories_of(last),
        title=type(last).__name__,
    )


def model_with_trees(model: Any) -> Any:
    """The fitted model at the end of pipelines and searches, which must have trees.

    Raises
    ------
    TypeError
        Where it has none.
    """
    last = last_step(model)
    if hasattr(last, "members_"):
        names = ", ".join(f"model.members_[{name!r}]" for name in last.members_)
        raise TypeError(f"{type(last).__name__} has no trees of its own: look at one of its members, {names}.")
    if not isinstance(last, CostTree | StagedBooster):
        raise TypeError(
            f"{type(last).__name__} has no trees of this package; boosters of csboost and CostTree have them."
        )
    check_is_fitted(last, "_forest" if isinstance(last, CostTree) else "_ensemble")
    return last


def packed_ensemble(model: Any) -> Ensemble:
    """The ensemble of a fitted booster, whose rules must be trees of this package.

    Raises
    ------
    TypeError
        Where they are others.
    """
    ensemble: Ensemble = model._ensemble
    if not ensemble.is_packed:
        learner = type(ensemble.rules[0].classifier).__name__
        raise TypeError(
            f"the weak learners of this {type(model).__name__} are not trees of this package but {learner}: look at "
            "them one by one, as model.estimators_[0].classifier."
        )
    return ensemble


def score_names(model: Any) -> np.ndarray:
    """What the scores of a booster are of: the answers, or the classes where the Bayes rule decides."""
    names: np.ndarray = model.classes_ if getattr(model, "_by_bayes_rule", False) else model.answers_
    return names


def _categories_of(model: Any) -> dict[int, list[str]]:
    categories: Categories | None = getattr(model, "_categories", None)
    tables = {} if categories is None else categories.tables
    return {place: [str(value) for value in sorted(table, key=table.__getitem__)] for place, table in tables.items()}
