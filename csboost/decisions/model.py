"""What a fitted model decides under other costs, other shares of the classes, or limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csboost._inputs.row_index import index_of
from csboost.costs.answers import Answers
from csboost.decisions.deciding import concluded
from csboost.decisions.decision import Decision
from csboost.decisions.expected import check_rows, expected_costs
from csboost.decisions.limits import limit_doubts, named_limits
from csboost.decisions.priors import with_priors

if TYPE_CHECKING:
    from csboost.decisions.mixin import Decides


def decided(
    model: Decides, X: Any, cost_matrix: Any, sample_cost: Any, priors: Any, limits: Any
) -> tuple[Decision, list[str]]:
    """The decision, and what makes it doubtful, as sentences."""
    P, own_costs, own = model._judge(X)
    classes, labels = model.classes_, model.answers_
    index, doubts, open_ = index_of(X), limit_doubts(limits), model._probability_doubt()
    if cost_matrix is None and sample_cost is None and priors is None:
        decision = concluded(own_costs, labels, classes, None, limits, own, index)
        return decision, doubts if open_ is None or not named_limits(limits) else [*doubts, open_]
    check_rows(sample_cost, X=X)
    P, shares, of_priors = with_priors(P, classes, priors, None if priors is None else model.class_prior_)
    doubts += of_priors
    if isinstance(priors, str):
        doubts += model._prior_doubts()
    doubt = None if priors is None else model._shares_doubt()
    doubts += [] if doubt is None else [doubt]
    table = Answers(model.cost_matrix_, labels)
    costs, labels = expected_costs(P, classes, cost_matrix, sample_cost, table, model._known)
    if open_ is not None and (
        priors is not None
        or named_limits(limits)
        or not np.array_equal(labels, model.answers_)
        or not np.allclose(costs, own_costs)
    ):
        doubts.append(open_)
    return concluded(costs, labels, classes, shares, limits, index=index), doubts
