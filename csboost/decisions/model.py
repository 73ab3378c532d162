"""What a fitted model decides under other costs, other shares of the classes, or limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csboost.costs.answers import Answers
from csboost.decisions.deciding import concluded
from csboost.decisions.decision import Decision
from csboost.decisions.expected import check_rows, expected_costs
from csboost.decisions.priors import with_priors

if TYPE_CHECKING:
    from csboost.decisions.mixin import Decides


def decided(
    model: Decides, X: Any, cost_matrix: Any, sample_cost: Any, priors: Any, limits: Any
) -> tuple[Decision, list[str]]:
    """The decision, and what makes its priors doubtful, as sentences."""
    P, costs, own = model._judge(X)
    classes, labels = model.classes_, model.answers_
    if cost_matrix is None and sample_cost is None and priors is None:
        return concluded(costs, labels, classes, None, limits, own), []
    check_rows(sample_cost, X=X)
    P, shares, doubts = with_priors(P, classes, priors, None if priors is None else model.class_prior_)
    if isinstance(priors, str):
        doubts += model._prior_doubts()
    doubt = None if priors is None else model._shares_doubt()
    doubts += [] if doubt is None else [doubt]
    table = Answers(model.cost_matrix_, labels)
    costs, labels = expected_costs(P, classes, cost_matrix, sample_cost, table, model._known)
    return concluded(costs, labels, classes, shares, limits), doubts
