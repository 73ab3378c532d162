"""Where a verdict on two sets of answers flips when the costs change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode
from csboost.metrics.flipping import changes_that_flip, first_flip
from csboost.metrics.sentences import rounded


def flip_points(
    y_true: ArrayLike,
    model_answers: ArrayLike,
    other_answers: ArrayLike,
    cost_matrix: Any = None,
    *,
    groups: Mapping[str, Iterable[tuple[Any, Any]]] | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
) -> pd.DataFrame:
    """At which value of an entry of the cost table two sets of answers cost the same, so that the verdict flips.

    Costs are seldom known well; what a verdict hangs on is. The answers stay as they are: the saving is then linear in
    every entry, and the point is exact. Beyond it the model may still win if it decides anew by the other costs.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    model_answers : array-like of shape (n,)
        A model's answers.
    other_answers : array-like of shape (n,)
        The answers that they are compared with.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    groups : mapping of str to list of (truth, answer), optional
        Entries that change together, by a common factor, such as ``{"missed": [("sick", "well")], "false alarm":
        [("well", "sick")]}``. With two groups that hold all entries that matter, the factor is by how much the ratio
        of the one to the other has to change. By default every entry changes alone.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out. An entry is then
        the mean over the rows of that truth, and all of its costs change by one factor.

    Returns
    -------
    pandas.DataFrame
        A row per entry (indexed by ``truth`` and ``answer``; without right answers that cost nothing) or per group,
        the smallest relative change first: ``cost``, the entry as it is; ``flips_at``, its value where the saving is
        0; ``factor``, that value over the present one; ``relative_change``; ``side``, whether the verdict flips
        ``"below"`` or ``"above"``; ``saving``, how much of the saving per case comes from here. NaN where nothing
        flips it: no difference between the answers, or a negative value where the costs have no gains. Groups have no
        ``cost`` and no ``flips_at``. ``.attrs["verdict"]`` says the first in a sentence.

    Raises
    ------
    ValueError
        As :func:`mean_cost`, and for groups that are empty or name an entry that is not there.

    References
    ----------
    Drummond, C. and Holte, R. C. (2006), "Cost curves: an improved method for visualizing classifier performance",
    Machine Learning 65, 95-130, doi:10.1007/s10994-006-8199-5 (performance as a function of the costs).

    Examples
    --------
    >>> from csboost import metrics
    >>> truth, C = ["sick", "sick", "well", "well", "well"], [[0, 5], [1, 0]]
    >>> careful, today = ["sick", "sick", "sick", "sick", "well"], ["sick", "well", "well", "well", "well"]
    >>> flips = metrics.flip_points(truth, careful, today, C)
    >>> flips[["cost", "flips_at", "side"]]
                  cost  flips_at   side
    truth answer
    sick  well     5.0       2.0  below
    well  sick     1.0       2.5  above
    """
    given = {"model_answers": model_answers, "other_answers": other_answers}
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers=given)
    model, other = outcomes.given
    table, saving = changes_that_flip(outcomes, model, other, groups)
    said = "the same as the other answers"
    if saving:
        size = rounded(abs(saving), width=abs(saving))[0]
        said = f"{size} per case {'less' if saving > 0 else 'more'} than the other answers; {first_flip(table)}"
    table.attrs["verdict"] = f"the model costs {said}"
    return table
