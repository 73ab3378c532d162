"""The answers of least expected cost on any classifier's probabilities."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.row_index import index_of
from csboost.costs.row_tables import CostTables
from csboost.decisions.assignment import under_limits
from csboost.decisions.decision import Decision
from csboost.decisions.expected import check_rows, expected_costs
from csboost.decisions.limits import limit_doubts, named_limits
from csboost.decisions.priors import with_priors
from csboost.decisions.probabilities import read_probabilities


def decide(
    proba: Any,
    cost_matrix: Any = None,
    sample_cost: Any = None,
    priors: Any = None,
    train_priors: Any = None,
    limits: Any = None,
    classes: ArrayLike | None = None,
) -> Decision:
    """The answers of least expected cost, on any classifier's probabilities (the Bayes rule).

    The costs, and what else is known when the answers are needed, come in here and not in training: another table,
    costs that depend on the row, shares of the classes that have changed, answers that may be given only so often.

    Parameters
    ----------
    proba : array-like or labelled table of shape (n, K)
        Class probabilities; rows sum to 1, or miss it by 0.001 at most, as in single precision. They are taken as they
        are: expected costs of a row whose sum is 1.001 come out a thousandth too high. Divide by the sums where that
        matters.
    cost_matrix : None, str, array-like of shape (K, A), labelled table or CostTable
        What an answer costs, rows = truth, columns = answers, which need not be classes: ``"human"``, ``"dismiss"``. A
        negative entry is a gain. None: every mistake costs 1. A labelled table is aligned to the classes by label; an
        array is in the order of the columns of ``proba``; one that is not square names no answers, which are then the
        numbers of its columns.
    sample_cost : CostTables, array-like of shape (n, K, A) or dict, optional
        Costs that differ from row to row. A dict gives the entries that do, as ``{(truth, answer): costs (n,)}``, or
        ``{answer: costs (n,)}`` for what an answer costs whatever the truth; they replace those of the table. A
        :class:`~csboost.costs.CostTables`, as :func:`~csboost.costs.from_formulas` makes it, replaces the whole table
        by one per row, aligned by label; an array does so in the order of the classes and answers. A cost per row and
        answer, (n, A), as ``fit`` takes it, is refused: it is what answers cost where the truth is known.
    priors : array-like of shape (K,), mapping, Series or "estimate", optional
        Shares of the classes among these rows, where they are not those of the training. ``"estimate"``: by
        :func:`estimate_priors` from the rows themselves.
    train_priors : array-like of shape (K,), mapping or Series, optional
        Shares of the classes in training, weights included; needed with ``priors``.
    limits : dict or Series, optional
        How often answers may be given, ``{"human": 0.05, "urgent": 20, "dismiss": (10, None)}``: a float from 0 to 1 is
        a share of the rows, a whole number a count (20.0 is 20 too), one value an upper limit, a pair a lower and an
        upper one, None no limit. 1.0 is all rows, 1 a single one: make an ``int`` of a count that is worked out.
    classes : array-like of shape (K,), optional
        Labels of the columns of ``proba``; by default their names, else the labels of the table's rows (where these
        are sorted, as columns of ``predict_proba`` are), else numbers.

    Returns
    -------
    Decision
        An array (n,) of answers, with what they are expected to cost. Answers are labels of the table's columns where
        it is labelled, classes where it is square, else numbers. The first of several that cost the same. It keeps the
        index of a DataFrame ``proba``.

    Raises
    ------
    ValueError
        For probabilities that are NaN, negative or do not sum to 1; costs that do not fit; shares that do not sum to 1,
        or name unknown classes; unknown answers in ``limits``, and limits that cannot be kept.

    Warns
    -----
    UserWarning
        With ``priors="estimate"``, where the estimate is doubtful (:func:`estimate_priors`). For a limit of 1.0 among
        counts held as floats, which may be meant as one row.

    Notes
    -----
    With ``priors`` each probability is multiplied by its class's new share over its training share, and rows are
    brought back to a sum of 1 (Saerens et al. 2002). Under ``limits`` the sum of expected costs over all rows is least:
    one limit orders the rows by what the answer costs beside the best other one; several make a transportation problem,
    solved exactly but for rounding, from prices that :func:`scipy.optimize.linprog` finds.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.
    Saerens, M., Latinne, P. and Decaestecker, C. (2002), "Adjusting the outputs of a classifier to new a priori
    probabilities: a simple procedure", Neural Computation 14, 21-41, doi:10.1162/089976602753284446.
    Ahuja, R. K., Magnanti, T. L. and Orlin, J. B. (1993), "Network Flows: Theory, Algorithms, and Applications",
    Prentice Hall, chapter 9, 294-356.

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import decisions
    >>> table = pd.DataFrame(
    ...     [[0, 1, 0.3], [5, 0, 0.3]], index=["sound", "broken"], columns=["sound", "broken", "human"]
    ... )
    >>> proba = [[0.99, 0.01], [0.9, 0.1], [0.8, 0.2], [0.2, 0.8]]
    >>> decision = decisions.decide(proba, table, classes=["sound", "broken"])
    >>> decision.tolist()
    ['sound', 'human', 'human', 'broken']
    >>> limited = decisions.decide(proba, table, classes=["sound", "broken"], limits={"human": 1})
    >>> limited.tolist(), round(limited.shadow_prices["human"], 3)
    (['sound', 'sound', 'human', 'broken'], 0.2)
    """
    check_rows(sample_cost, proba=proba)
    P, names = read_probabilities(proba, classes, sample_cost if isinstance(sample_cost, CostTables) else cost_matrix)
    P, shares, doubts = with_priors(P, names, priors, train_priors)
    for doubt in [*doubts, *limit_doubts(limits)]:
        warnings.warn(doubt, stacklevel=2)
    costs, labels = expected_costs(P, names, cost_matrix, sample_cost)
    return concluded(costs, labels, names, shares, limits, index=index_of(proba))


def concluded(
    costs: NDArray[np.float64],
    labels: NDArray[Any],
    classes: NDArray[Any],
    priors: NDArray[np.float64] | None,
    limits: Any,
    answers: NDArray[np.intp] | None = None,
    index: Any = None,
) -> Decision:
    """The decision on expected costs (n, A); ``answers`` (n,) are those of a model that decides in its own way,
    ``index`` names the rows.
    """
    prices: dict[Any, float] = {}
    if named_limits(limits):
        answers, prices = under_limits(costs, limits, labels)
    elif answers is None:
        answers = costs.argmin(axis=1)
    named = index if index is not None and len(index) == len(costs) else None
    return Decision(answers, costs, labels, classes, priors, prices, named)
