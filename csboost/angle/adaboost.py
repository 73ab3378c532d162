"""Angle AdaBoost: Algorithm 1 of the paper."""

from __future__ import annotations

from csboost.angle.general import _AngleBooster
from csboost.angle.losses import ExponentialLoss, MarginLoss


class AngleAdaBoostClassifier(_AngleBooster):
    """Angle-based cost-sensitive AdaBoost for any number of classes (Algorithm 1 of the paper).

    The exponential loss of the margins ``M_k = <f(x), w_k>``, weighted by the costs, is lowered one small tree at a
    time: each tree answers one class per leaf, and its coefficient has a closed form.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K) or DataFrame, default=None
        ``C[j, k]`` is the cost of answering k when the truth is j (rows = truth), finite and not negative. None:
        every mistake costs 1. A name: ``"linear"`` or ``"partitioned-linear"``. An array is in the order of the
        sorted classes; a DataFrame is aligned by its labels.
    n_estimators : int, default=200
        Rounds at most.
    learning_rate : float, default=1.0
        Multiplies every step. The default is the paper's full step, which overfits small noisy samples: on 420 credit
        loans 0.1 costs 1.18 per loan where 1.0 costs 1.35 (linear costs, 200 rounds; docs/guide.md). Take 0.1 there, or
        set ``n_iter_no_change``.
    weak_learner : None, CostTree, SklearnWeakLearner or classifier, default=None
        None is ``CostTree(max_leaf_nodes=4)``.
    n_iter_no_change : int or None, default=None
        Stop when the mean cost of held-out rows has not fallen for so many rounds, and keep the rounds up to the
        best. None: no early stopping.
    validation_fraction : float, default=0.1
        Share of every class that early stopping holds out.
    n_jobs : int or None, default=None
        Threads; None is one, -1 all. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Draws the held-out rows, and the seeds of a scikit-learn weak learner.
    verbose : int, default=0
        Above 0, progress goes to stderr.

    Attributes
    ----------
    classes_ : ndarray (K,)
    margin_scale_ : float
        By what :meth:`predict_proba` multiplies the margins: fitted on held-out rows, 1 without any.
    cost_matrix_ : ndarray (K, K)
        The costs as used.
    n_iter_ : int
        Rounds kept.
    estimators_ : list
    estimator_weights_ : ndarray (n_iter_,)
        Steps, learning rate included.
    estimator_errors_ : ndarray (n_iter_,)
        Weighted cost share of each weak rule (the paper's epsilon).
    feature_importances_ : ndarray (d,)
    n_features_in_ : int
    feature_names_in_ : ndarray (d,), when X had string column names

    Notes
    -----
    *Probabilities.* :meth:`predict_proba` and :meth:`predict_expected_cost` follow the paper's Theorem 2
    (:class:`csboost.link.MarginLink`). They are estimates: exact when the margins minimise the population risk, else of
    a point inside the simplex that explains the margins nearly as well as any for which :meth:`predict` answers the
    class of least expected cost. Expected costs are what the margins tell; small probabilities are differences of
    nearly equal costs and poorly known. When rows were held out (``n_iter_no_change``), the margins are first
    multiplied by ``margin_scale_``, with which the expected cost of the answers to those rows is what they cost; it is
    1 otherwise.

    The class of least expected cost need not be the most probable one. Costs given per row leave the link without
    one matrix; it then uses ``cost_matrix_``. Where an answer never costs anything (a column of zeros), nothing was
    learned about the classes: the probabilities are their shares in the training data.

    The ``argmin`` of the expected costs of a row is what :meth:`predict` answers, but for answers that tie at a cost
    of 0. The one exception needs costs on the diagonal (an answer that others dominate, so that no probabilities make
    it the cheapest) or costs that span more than ten powers of ten.
    """

    def _loss(self) -> MarginLoss:
        return ExponentialLoss()
