"""Gradient boosting by angle: one tree of vector leaves per round, whatever the number of classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from csboost import _numba
from csboost._checked import checks_parameters
from csboost._docs import documented
from csboost._inputs.categories import Categories
from csboost.angle.fitted_gradient import FittedGradientBooster, for_all_rows
from csboost.angle.losses import MarginLoss
from csboost.angle.objectives import Objective, make_objective
from csboost.boosting import Interrupted
from csboost.eval_sets import read_eval_sets
from csboost.problem import class_shares, read_problem
from csboost.resuming import check_warm
from csboost.weak.layout import BINS

if TYPE_CHECKING:
    from csboost.angle.bags import Bagging, Bags
    from csboost.angle.procedure import Outcome
    from csboost.costs.cost_table import CostTable
    from csboost.problem import Problem


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class AngleGradientBoostingClassifier(FittedGradientBooster):
    """Gradient boosting of class margins, with one tree per round whatever the number of classes.

    A leaf holds a vector, one value per class (for margin losses: per answer) that sum to 0: the Newton step of its
    rows, with the curvature of the loss between all pairs of classes. Rounds are found by folds and repeated on all
    rows; margins of several such bags are averaged.

    Parameters
    ----------
    {cost_matrix}
    loss : {"multinomial", "guess-averse", "exponential", "logistic", "lum"} or object, default="multinomial"
        ``"multinomial"``: the likelihood, with costs entering the decision alone (the Bayes rule). All others weigh
        costs while they learn and answer the largest margin: ``"guess-averse"`` (Beijbom et al. 2014), and the margin
        losses of :class:`AngleBoostClassifier`, by name or as an object.
    learning_rate : float, default=0.15
        Multiplies every leaf's values.
    n_estimators : int, default=700
        Rounds at most; each adds one tree to every bag.
    max_leaf_nodes : int, default=8
        Leaves of a tree at most.
    min_samples_leaf : int, default=5
        Rows that a leaf needs; a row counts once, whatever its weight.
    subsample : float, default=1.0
        Share of the rows that each tree learns from, drawn anew.
    max_features : float or int, default=0.6
        Share (float) or number (int) of the columns that are tried for a split, drawn anew for every node.
    reg_lambda : float, default=0.3
        Added to curvatures: pulls the values of small leaves to 0.
    thresholds : {"mixed", "exact", "random"}, default="mixed"
        Which thresholds of numeric columns are tried: all ("exact"), one drawn at random per column and node
        ("random"), or either by the toss of a coin per tree.
    max_bins : int or None, default=None
        How many bins a numeric column has at most, up to 255; frequent and missing values have bins of their own. None:
        255 for at most 255 values, or where some are much more frequent than others, else 127, which take less time.
    n_bags : int, default=5
        Runs whose margins are averaged.
    n_iter_no_change : int or None, default=25
        Each bag holds out a fold and ends when its loss there has not fallen for so many rounds. None: no folds, all
        bags learn from all rows for ``n_estimators`` rounds.
    refit : bool, default=True
        Whether bags then start again on all rows, for a tenth more rounds than were best for the folds on the whole.
        Otherwise each bag is kept as it was at its best round.
    {n_jobs}
    warm_start : bool, default=False
        Whether a further ``fit``, on the same data, goes on with the bags that are there, to ``n_estimators`` rounds;
        no folds are held out then.
    random_state : int, RandomState or None, default=None
        Draws folds, columns, rows and thresholds.
    verbose : int, default=0
        Above 0, the held-out loss and cost, the best round and the time left go to stderr.

    Attributes
    ----------
    {shared_attributes}
    estimators_ : list of length n_iter_ * n_bags
        The trees, one of each bag per round.
    estimator_weights_ : ndarray of shape (n_iter_ * n_bags,)
        Their coefficients: the learning rate over ``n_bags``.
    estimator_errors_ : ndarray of shape (n_iter_,)
        What the model leaves to do in the training rows before each round: the mean probability of wrong classes, or
        the mean slope of a margin loss.
    best_iteration_ : int
        The number of rounds that is best by the folds; ``n_estimators`` without any.
    validation_curve_ : dict of str to ndarray
        ``"loss"`` and ``"cost"``: means over the held-out rows after each round; empty without folds.
    oof_probabilities_ : ndarray of shape (n, K)
        Probabilities of the training rows by the bag that held them out, after ``best_iteration_`` rounds; NaN for rows
        that none did.
    evals_result_ : dict
        ``{"valid_0": {"loss": ndarray, "cost": ndarray}, ...}``, one entry for each of ``eval_set``.

    Notes
    -----
    Columns of a DataFrame that hold text or categories are used as they are: a split sends one category, or a set of
    them in the order of their mean gradients, to one side. The 249 most frequent ones are told apart; the rest, and
    categories that come up in prediction only, are one more. Missing values have a place of their own in every column.

    Splits are scored by ``sum_k G_k^2 / (H_k + reg_lambda)`` with sums of gradients and curvatures. Values of a leaf
    are at most 4 long; beyond 32 classes they use the diagonal of the curvature.

    ``predict_proba`` is the softmax of the margins for the likelihood. For the guess-averse loss and the margin losses
    it is what their minimum in the population tells of the probabilities; ``predict`` answers the largest margin,
    which need not be the answer of least ``predict_expected_cost``. With costs per row (``sample_cost``) the likelihood
    still decides by ``cost_matrix``.

    With fewer rows than two per fold there are fewer folds; fewer than four rows are learnt from for
    ``n_iter_no_change`` rounds.

    References
    ----------
    Friedman, J. (2001), "Greedy function approximation: a gradient boosting machine", The Annals of Statistics 29,
    1189-1232, doi:10.1214/aos/1013203451.
    {zhang_liu_2014}
    Beijbom, O., Saberian, M., Kriegman, D. and Vasconcelos, N. (2014), "Guess-averse loss functions for cost-sensitive
    multiclass boosting", Proceedings of the 31st International Conference on Machine Learning, PMLR 32(2), 586-594.
    {yang_2021}

    Examples
    --------
    >>> from csboost import AngleGradientBoostingClassifier, data, metrics
    >>> X, y = data.make_waveform(2000, random_state=0)
    >>> model = AngleGradientBoostingClassifier(data.WAVEFORM_COSTS, n_bags=2, random_state=0).fit(X[:300], y[:300])
    >>> metrics.mean_cost(y[300:], model.predict(X[300:]), data.WAVEFORM_COSTS) < 0.25
    True
    """

    cost_matrix: ArrayLike | str | CostTable | None = field(default=None, kw_only=False)
    loss: Literal["multinomial", "guess-averse", "exponential", "logistic", "lum"] | MarginLoss = "multinomial"
    learning_rate: float = 0.15
    n_estimators: int = 700
    max_leaf_nodes: int = 8
    min_samples_leaf: int = 5
    subsample: float = 1.0
    max_features: float | int = 0.6
    reg_lambda: float = 0.3
    thresholds: Literal["mixed", "exact", "random"] = "mixed"
    max_bins: int | None = None
    n_bags: int = 5
    n_iter_no_change: int | None = 25
    refit: bool = True
    n_jobs: int | None = None
    warm_start: bool = False
    random_state: int | np.random.RandomState | None = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "cost_matrix": "no_validation",
        "loss": [str, HasMethods(["value", "derivative", "second_derivative"])],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_leaf_nodes": [Interval(Integral, 2, 65535, closed="both")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "subsample": [Interval(Real, 0, 1, closed="right")],
        "max_features": [Interval(Integral, 1, None, closed="left"), Interval(Real, 0, 1, closed="right")],
        "reg_lambda": [Interval(Real, 0, None, closed="left")],
        "thresholds": [StrOptions({"mixed", "exact", "random"})],
        "max_bins": [Interval(Integral, 2, BINS - 1, closed="both"), None],
        "n_bags": [Interval(Integral, 1, None, closed="left")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left"), None],
        "refit": ["boolean"],
        "n_jobs": [Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left"), None],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None, eval_set: Any = None) -> Self:
        """Fit the booster.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Numbers; NaN is a missing value. Columns of a DataFrame may hold text or categories.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : array-like of shape (n, A), optional
            What each answer costs for each row, in the order of the sorted classes (and then of other answers), or a
            table with the answers as columns. Negative entries are gains. Where given, these rows win over
            ``cost_matrix`` while the booster learns.
        eval_set : tuple (X, y), or list of such, optional
            Other rows, whose loss and cost after each round are recorded in ``evals_result_``; nothing is learnt from
            them.

        Returns
        -------
        self
            The fitted booster.

        Raises
        ------
        ValueError
            For costs, weights or data that cannot be used, and for a warm start that does not fit what is there.

        Examples
        --------
        >>> from csboost import AngleGradientBoostingClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = AngleGradientBoostingClassifier(n_bags=1, n_iter_no_change=None, n_estimators=20)
        >>> model.fit(X, y, eval_set=(X, y)).evals_result_["valid_0"]["loss"].shape
        (20,)
        """
        _numba.require()
        goes_on = self.warm_start and hasattr(self, "_ensemble")
        categories = self._categories if goes_on else Categories()
        problem = read_problem(self, X, y, sample_weight, sample_cost, categories, goes_on=goes_on)
        if goes_on:
            check_warm(self, problem)
        self._categories = categories
        objective = self._begin(problem)
        held_out = read_eval_sets(eval_set, problem, lambda rows: categories.transform(self, rows))
        if goes_on:
            self._go_on(self._bagging(objective))
        else:
            self._learn(objective)
            self.oof_probabilities_ = for_all_rows(self.oof_probabilities_, sample_weight)
        self.evals_result_ = {f"valid_{i}": self._record(objective, rows) for i, rows in enumerate(held_out)}
        return self

    def _begin(self, problem: Problem) -> Objective:
        """What is to be lowered; the classes are known from here on."""
        objective = make_objective(self.loss, problem, class_shares(problem))
        self.classes_, self.answers_, self.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        self.class_prior_, self._known = objective.shares, problem.known
        return objective

    def _learn(self, objective: Objective, folds: np.ndarray | None = None, found: Bags | None = None) -> None:
        """Fit to rows that are read already, with ``folds`` (n,) that others share, and ``found`` by an earlier try."""
        bagging = self._bagging(objective)
        bagging.found.update(found or {})
        try:
            self._keep(self._fit_bags(bagging, folds), objective)
        except Interrupted as interrupted:
            interrupted.found = bagging.found
            raise

    def _bagging(self, objective: Objective) -> Bagging:
        from csboost.angle.bags import Bagging, Drawing  # kernels

        d, n_columns = objective.problem.X.shape[1], self.max_features
        if isinstance(n_columns, (float, np.floating)):
            n_columns = np.ceil(n_columns * d)
        drawing = Drawing(
            max_leaves=int(self.max_leaf_nodes),
            least_rows=int(self.min_samples_leaf),
            reg=float(self.reg_lambda),
            n_columns=max(1, min(int(n_columns), d)),
            thresholds=self.thresholds,
        )
        return Bagging(
            name=type(self).__name__,
            objective=objective,
            drawing=drawing,
            learning_rate=float(self.learning_rate),
            subsample=float(self.subsample),
            n_threads=effective_n_jobs(self.n_jobs),
            categorical=self._categories.mask(d),
            max_bins=self.max_bins,
        )

    def _fit_bags(self, bagging: Bagging, folds: np.ndarray | None) -> Outcome:
        from csboost.angle.procedure import Course, fit_bags  # kernels
        from csboost.angle.progress import Progress

        course = Course(int(self.n_bags), int(self.n_estimators), self.n_iter_no_change, bool(self.refit))
        progress = None
        if self.verbose:
            loss = "log loss" if self.loss == "multinomial" else "loss"
            progress = Progress(type(self).__name__, course.n_rounds, course.n_runs, loss)
        return fit_bags(bagging, course, check_random_state(self.random_state), progress, folds)

    # Going on.

    def _go_on(self, bagging: Bagging) -> None:
        """More rounds for the bags that are there."""
        from csboost.angle.bags import averaged, taken_apart

        bags, n_rounds = taken_apart(self._ensemble, self._seeds), int(self.n_estimators)
        jobs = [bagging.job(bag.seed, n_rounds, before=bag) for bag in bags if bag.n_rounds < n_rounds]
        longer = iter(bagging.run(jobs))
        bags = [next(longer) if bag.n_rounds < n_rounds else bag for bag in bags]
        self._ensemble = averaged(bags, float(self.learning_rate), self._ensemble.start)
