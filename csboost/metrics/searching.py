"""scikit-learn's searches, judged by what answers cost."""

from __future__ import annotations

import inspect
from typing import Any, Literal

from sklearn import config_context
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - it brings the halving searches
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, HalvingRandomSearchCV, RandomizedSearchCV

from csboost._inputs.pipelines import last_step
from csboost._inputs.values import listed
from csboost.metrics.scorer import CostScorer

__all__ = ["cost_search"]

OWN = "own"
BY_ROW = ("sample_weight", "sample_cost")  # what goes to fit and to the score alike


class _Routed:
    """What rows have of their own, such as costs, reaches fit and score, whatever scikit-learn's configuration."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Search, then fit the best on all rows; ``params`` are those of scikit-learn's search."""
        with config_context(enable_metadata_routing=True):
            return super().fit(X, y, **params)  # type: ignore[misc]


class CostGridSearchCV(_Routed, GridSearchCV):
    """All combinations."""


class CostRandomizedSearchCV(_Routed, RandomizedSearchCV):
    """Combinations that are drawn."""


class CostHalvingGridSearchCV(_Routed, HalvingGridSearchCV):
    """All combinations, the better half of them on twice the rows, and so on."""


class CostHalvingRandomSearchCV(_Routed, HalvingRandomSearchCV):
    """The same of combinations that are drawn."""


SEARCHES: dict[str, Any] = {
    "grid": CostGridSearchCV,
    "random": CostRandomizedSearchCV,
    "halving-grid": CostHalvingGridSearchCV,
    "halving-random": CostHalvingRandomSearchCV,
}


def cost_search(
    estimator: Any,
    parameters: Any,
    *,
    search: Literal["grid", "random", "halving-grid", "halving-random"] | Any = "grid",
    cost_matrix: Any = OWN,
    labels: Any = None,
    **options: Any,
) -> Any:
    """Make a search that selects by cost.

    ``GridSearchCV`` and its siblings select by accuracy unless they are told ``scoring=``, also where the model learns
    costs: its ``score`` is accuracy, as scikit-learn's classifiers have it. This is the same search with the mean cost
    by the model's own ``cost_matrix`` in the place of accuracy. Weights and costs of rows that its ``fit`` is given
    (``sample_weight``, ``sample_cost``) go to the model and to the score alike, each fold with its own rows.

    Parameters
    ----------
    estimator : classifier
        Any with a ``cost_matrix``, also as a step of a ``Pipeline`` or within another model; with ``cost_matrix=`` any.
        It is cloned.
    parameters : dict or list of dict
        What to try: values, or distributions where they are drawn.
    search : {"grid", "random", "halving-grid", "halving-random"} or class, default="grid"
        Which search of scikit-learn: ``GridSearchCV``, ``RandomizedSearchCV``, ``HalvingGridSearchCV`` or
        ``HalvingRandomSearchCV``; or a class that is called as they are. For such a class enable scikit-learn's
        metadata routing yourself where rows have weights or costs.
    cost_matrix : "own", None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        By which costs all combinations are judged, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
        By default those of the estimator itself.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``: see :func:`make_cost_scorer`.
    **options : dict
        Further parameters of the search, such as ``cv``, ``n_jobs`` or ``n_iter``.

    Returns
    -------
    search
        Not fitted. Its ``best_score_`` will be minus the mean cost of the best combination.

    Raises
    ------
    ValueError
        For an unknown name of a search, and where the estimator's own costs are none, several, or varied.

    References
    ----------
    Bergstra, J. and Bengio, Y. (2012), "Random search for hyper-parameter optimization", Journal of Machine Learning
    Research 13, 281-305.

    Examples
    --------
    >>> from csboost import AngleAdaBoostClassifier, data, metrics
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = AngleAdaBoostClassifier(data.WAVEFORM_COSTS, n_estimators=20)
    >>> search = metrics.cost_search(model, {"weak_learner__max_leaf_nodes": [2, 8]}, cv=3).fit(X, y)
    >>> bool(-search.best_score_ < 0.4)
    True
    """
    if isinstance(search, str) and search not in SEARCHES:
        raise ValueError(f"unknown search {search!r}. Known: {listed(list(SEARCHES))}, or a class")
    kind: Any = SEARCHES[search] if isinstance(search, str) else search
    if isinstance(cost_matrix, str) and cost_matrix == OWN:
        cost_matrix = _own_costs(estimator, parameters)
    estimator, scorer = clone(estimator), CostScorer(cost_matrix, labels)
    with config_context(enable_metadata_routing=True):
        scorer.set_score_request(**dict.fromkeys(BY_ROW, True))
        for part in _learning_costs(estimator):
            taken = inspect.signature(part.fit).parameters
            part.set_fit_request(**{name: True for name in BY_ROW if name in taken})
    return kind(estimator, parameters, **{"scoring": scorer, **options})


def _own_costs(estimator: Any, parameters: Any) -> Any:
    """The ``cost_matrix`` of the outermost model that has one."""
    remedy = "give cost_matrix=, the costs by which all are judged"
    known = estimator.get_params(deep=True)
    names = sorted((name for name in known if name.split("__")[-1] == "cost_matrix"), key=lambda name: name.count("__"))
    if not names:
        raise ValueError(f"{type(estimator).__name__} has no cost_matrix of its own: {remedy}")
    outermost = [name for name in names if name.count("__") == names[0].count("__")]
    if len(outermost) > 1:
        raise ValueError(f"{type(estimator).__name__} has several cost matrices, {listed(outermost)}: {remedy}")
    for grid in [parameters] if hasattr(parameters, "keys") else parameters:
        if names[0] in grid:
            raise ValueError(f"the parameters vary {names[0]}, so the estimator has no costs of its own: {remedy}")
    return known[names[0]]


def _learning_costs(estimator: Any) -> list[Any]:
    """The models that are fitted with weights or costs of rows: those with a ``cost_matrix``, else the last step."""
    parts = [estimator, *estimator.get_params(deep=True).values()]
    found = [part for part in parts if hasattr(part, "cost_matrix") and hasattr(part, "set_fit_request")]
    last = last_step(estimator)
    return found or ([last] if hasattr(last, "set_fit_request") else [])
