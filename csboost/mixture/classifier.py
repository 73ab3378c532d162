"""The model to fit first: gradient boosting and logistic regression, pooled, with costs entering the decision."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from csboost import _numba
from csboost._checked import checks_parameters
from csboost._docs import documented
from csboost._inputs.categories import Categories
from csboost.angle.folds import FOLDS, deal
from csboost.angle.gradient import AngleGradientBoostingClassifier
from csboost.angle.objectives import make_objective
from csboost.mixture.fitted import FittedMixture
from csboost.mixture.linear import fit_regressions
from csboost.mixture.pooling import pool
from csboost.problem import Problem, class_shares, read_problem

if TYPE_CHECKING:
    from csboost.costs.cost_table import CostTable

__all__ = ["CostSensitiveClassifier"]


class Effort(NamedTuple):
    """What an effort fits."""

    boosters: dict[str, dict[str, Any]]  # their parameters, by the names of the members
    products: bool = False  # whether a second regression sees products of two numbers


EFFORTS = {
    "fast": Effort({"gradient boosting": {"refit": False}}),
    "default": Effort({"gradient boosting": {}}, products=True),
    "high": Effort(
        {
            "gradient boosting, exact thresholds": {"thresholds": "exact"},
            "gradient boosting, random thresholds": {"thresholds": "random"},
        },
        products=True,
    ),
}


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class CostSensitiveClassifier(FittedMixture):
    """The model to fit first: gradient boosting and logistic regressions, pooled; answers of least expected cost.

    There is nothing to tune. On the same five folds :class:`AngleGradientBoostingClassifier` finds its rounds, and two
    multinomial logistic regressions their strengths, of which the second also sees squares and products of two numbers.
    Their log probabilities are added up by weights that make the folds' held-out rows likely (a logarithmic pool).

    Parameters
    ----------
    {cost_matrix}
    effort : {"fast", "default", "high"}, default="default"
        "fast" keeps the boosters of the folds, which do not start again on all rows, and has one regression; "high" has
        two boosters, of exact and of random thresholds.
    {n_jobs}
    random_state : int, RandomState or None, default=None
        Draws folds, and what the boosters draw.
    verbose : int, default=0
        Above 0, progress, the weights of the members and the temperature go to stderr.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered: ``classes_``, unless the costs are a table with other columns.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given, in the order of ``classes_`` and ``answers_``.
    class_prior_ : ndarray of shape (K,)
        Shares of the classes in the rows of ``fit``, weights included.
    members_ : dict of str to classifier
        The fitted members by name, boosters first. A regression is a scikit-learn pipeline for rows of numbers, in
        which categories are numbered.
    weights_ : ndarray of shape (len(members_),)
        Of the members' log probabilities, in the order of ``members_``; they sum to 1.
    temperature_ : float
        What the weighted mean of the members' log probabilities is divided by: below 1 where together they know more
        than each alone, above 1 where they are too sure.
    n_features_in_ : int
        Number of features seen in ``fit``, d.
    feature_names_in_ : ndarray of shape (d,)
        Their names, when X had string column names.

    Notes
    -----
    Columns of a DataFrame that hold text or categories, and missing values, are used as they are: see
    :class:`AngleGradientBoostingClassifier`. The regressions see standardised numbers, the mean where one is missing,
    columns of 0 and 1 as they are, and a column per category; the first, a column that says where a number is missing.
    They learn from 50,000 rows at most, and take numbers beyond those for the nearest of them. The second is left out
    where numbers, squares and products are more than 400, or more than half the rows.

    Costs enter the decision alone, so ``predict_proba`` does not depend on them, and other costs need no other fit:
    ``decide(X, other_costs)``, which also takes costs that differ from row to row.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the 17th International Joint
    Conference on Artificial Intelligence, 973-978.
    Friedman, J. (2001), "Greedy function approximation: a gradient boosting machine", The Annals of Statistics 29,
    1189-1232, doi:10.1214/aos/1013203451.
    Genest, C. and Zidek, J. V. (1986), "Combining probability distributions: a critique and an annotated bibliography",
    Statistical Science 1, 114-135, doi:10.1214/ss/1177013825.
    Wolpert, D. H. (1992), "Stacked generalization", Neural Networks 5, 241-259, doi:10.1016/S0893-6080(05)80023-1.
    {zhang_liu_2014}

    Examples
    --------
    >>> from csboost import CostSensitiveClassifier, data, metrics
    >>> X, y = data.make_waveform(2000, random_state=0)
    >>> model = CostSensitiveClassifier(data.WAVEFORM_COSTS, random_state=0).fit(X[:300], y[:300])
    >>> metrics.mean_cost(y[300:], model.predict(X[300:]), data.WAVEFORM_COSTS) < 0.25
    True
    >>> list(model.members_)
    ['gradient boosting', 'logistic regression']
    """

    cost_matrix: ArrayLike | str | CostTable | None = field(default=None, kw_only=False)
    effort: Literal["fast", "default", "high"] = "default"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "cost_matrix": "no_validation",
        "effort": [StrOptions(set(EFFORTS))],
        "n_jobs": AngleGradientBoostingClassifier._parameter_constraints["n_jobs"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the members and their weights.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Numbers; NaN is a missing value. Columns of a DataFrame may hold text or categories.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        ValueError
            For costs, weights or data that cannot be used.

        Examples
        --------
        >>> from csboost import CostSensitiveClassifier, data
        >>> X, y = data.make_waveform(200, random_state=0)
        >>> model = CostSensitiveClassifier(effort="fast", random_state=0).fit(X, y)
        >>> bool(abs(model.weights_.sum() - 1) < 1e-9)
        True
        """
        _numba.require()
        categories, rng = Categories(), check_random_state(self.random_state)
        problem = read_problem(self, X, y, sample_weight, None, categories)
        n_folds = min(FOLDS, len(problem.y) // 2)
        folds = deal(problem.y, n_folds, rng) if n_folds > 1 else None
        seed = int(rng.randint(np.iinfo(np.int32).max))
        members: dict[str, Any] = {}
        out_of_fold = []
        effort = EFFORTS[self.effort]
        for name, parameters in effort.boosters.items():
            members[name] = self._boost(problem, categories, folds, {"random_state": seed, **parameters})
            out_of_fold.append(members[name].oof_probabilities_)
        categorical = categories.mask(problem.X.shape[1])
        for name, linear in fit_regressions(problem, folds, categorical, rng, products=effort.products).items():
            members[name] = linear.model
            out_of_fold.append(linear.probabilities)
        weights, temperature = pool(out_of_fold, problem.y, problem.weights)
        self.classes_, self.answers_, self.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        self.class_prior_, self._known, self._categories = class_shares(problem), problem.known, categories
        self.members_, self.weights_, self.temperature_ = members, weights, temperature
        if self.verbose:
            told = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(members, weights, strict=True))
            print(f"[{type(self).__name__}] {told}; temperature {temperature:.2f}", file=sys.stderr)
        return self

    def _boost(
        self, problem: Problem, categories: Categories, folds: np.ndarray | None, parameters: dict[str, Any]
    ) -> AngleGradientBoostingClassifier:
        """One booster on the rows and folds of the mixture."""
        booster = AngleGradientBoostingClassifier(
            self.cost_matrix, n_jobs=self.n_jobs, verbose=self.verbose, **parameters
        )
        booster.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            booster.feature_names_in_ = self.feature_names_in_
        booster.classes_, booster.answers_, booster.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        booster.class_prior_, booster._known, booster._categories = class_shares(problem), problem.known, categories
        booster.evals_result_ = {}
        booster._learn(make_objective(booster.loss, problem, booster.class_prior_), folds)
        return booster
