"""A search over parameters that selects by cost."""

from __future__ import annotations

from typing import Any

import sklearn
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.utils import check_random_state

from csboost._inputs.pipelines import last_step
from csboost.metrics.scorer import make_cost_scorer

__all__ = ["tune"]


def tune(
    estimator: Any,
    parameters: Any,
    X: Any,
    y: ArrayLike,
    *,
    cost_matrix: Any = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    n_iter: int | None = None,
    cv: Any = 5,
    n_jobs: int | None = None,
    random_state: Any = None,
    **options: Any,
) -> GridSearchCV | RandomizedSearchCV:
    """Search parameters by cross-validated cost, and fit the cheapest on all rows.

    A search of scikit-learn without ``scoring`` selects by accuracy, whatever the model was told of costs. This one
    selects by the mean cost of the answers in the held-out folds.

    Parameters
    ----------
    estimator : classifier or Pipeline
        A clone of it is fitted. Of a pipeline the last step has the costs.
    parameters : dict or list of dict
        The values of each parameter, or with ``n_iter`` distributions to draw them from: as in scikit-learn's searches.
    X : array-like or DataFrame of shape (n, d)
        Features, as the estimator takes them.
    y : array-like of shape (n,)
        Class labels.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, optional
        By what is selected, rows = truth; by default the ``cost_matrix`` of the estimator (None there: every mistake
        costs 1). An array is in the order of the sorted classes.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, in the fits and in the score.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row, in the score and, of models that take it there, in the fits.
    n_iter : int, optional
        How many settings to draw; by default all combinations are tried.
    cv : int, splitter or iterable, default=5
        The folds.
    n_jobs : int, optional
        Fits at a time.
    random_state : int, RandomState or None, default=None
        Draws the settings.
    **options : dict
        Further parameters of scikit-learn's ``GridSearchCV``, or with ``n_iter`` of ``RandomizedSearchCV``.

    Returns
    -------
    GridSearchCV or RandomizedSearchCV
        Fitted. Scores are minus mean costs; ``predict`` is that of ``best_estimator_``.

    Raises
    ------
    ValueError
        For costs, weights or data that cannot be used, parameters that the estimator does not have, and a ``scoring``:
        that is what this function chooses.

    References
    ----------
    Bergstra, J. and Bengio, Y. (2012), "Random search for hyper-parameter optimization", Journal of Machine Learning
    Research 13, 281-305.

    Examples
    --------
    >>> from csboost import SAMMEClassifier, data, tune
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> found = tune(SAMMEClassifier("linear"), {"n_estimators": [1, 5]}, X, y, cv=3)
    >>> found.best_params_, bool(found.best_score_ < 0)
    ({'n_estimators': 5}, True)
    """
    if "scoring" in options:
        raise ValueError("tune selects by cost and takes no scoring: use GridSearchCV for other scores")
    given = {"sample_weight": sample_weight, "sample_cost": sample_cost}
    rows = {name: values for name, values in given.items() if values is not None}
    model = clone(estimator)
    last = last_step(model)
    if cost_matrix is None:
        cost_matrix = getattr(last, "cost_matrix", None)
    common = {"cv": cv, "n_jobs": n_jobs, **options}
    with sklearn.config_context(enable_metadata_routing=bool(rows)):
        scorer = make_cost_scorer(cost_matrix)
        if rows:
            _ask(model, last, set(rows))
            scorer = scorer.set_score_request(**dict.fromkeys(rows, True))
        if n_iter is None:
            search = GridSearchCV(model, parameters, scoring=scorer, **common)
        else:
            seed = check_random_state(random_state)
            search = RandomizedSearchCV(model, parameters, n_iter=n_iter, scoring=scorer, random_state=seed, **common)
        return search.fit(X, y, **rows)


def _ask(model: Any, last: Any, names: set[str]) -> None:
    """Let the last step ask for what its fit takes of ``names``; no other part that takes it too is handed any."""
    for part in (last, *model.get_params(deep=True).values()):
        if isinstance(part, type) or not hasattr(part, "get_metadata_routing"):
            continue
        requests = getattr(getattr(part.get_metadata_routing(), "fit", None), "requests", {})
        for name in names & set(requests):
            if part is last or requests[name] is None:
                part.set_fit_request(**{name: part is last})
