"""Any scikit-learn classifier that takes ``sample_weight`` as weak learner (label rule only)."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from csboost.weak.interface import LABEL, TIE, Rule

if TYPE_CHECKING:
    from csboost.problem import Problem
    from csboost.weak.channels import Channels
    from csboost.weak.layout import Search


class SklearnWeakLearner(BaseEstimator):
    """Weak learner around a scikit-learn classifier.

    Each row is shown to the classifier once for every answer that it wants more than its least wanted one, weighted by
    the difference ``A[i, k] - min_k A[i, k]``; minimising the weighted error is then the label rule's aim. Rows with
    one non-zero channel (SAMME) pass through as they are. The weights have mean 1. A rule that gives one answer for
    all rows is announced once, with a warning.

    Parameters
    ----------
    estimator : classifier
        Must take ``sample_weight``; it is cloned for every round. A ``random_state`` of None is drawn anew each round.

    Attributes
    ----------
    estimator : classifier
        As given. What is fitted belongs to the booster: its ``estimators_``.

    References
    ----------
    Zadrozny, B., Langford, J. and Abe, N. (2003), "Cost-sensitive learning by cost-proportionate example weighting",
    Third IEEE International Conference on Data Mining, 435-442, doi:10.1109/ICDM.2003.1250950.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (Lemma 2).

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from csboost import SAMMEClassifier, data
    >>> from csboost.weak import SklearnWeakLearner
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> stump = SklearnWeakLearner(DecisionTreeClassifier(max_depth=1))
    >>> SAMMEClassifier(n_estimators=3, weak_learner=stump, random_state=0).fit(X, y).n_iter_
    3
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def bind(self, problem: Problem, rule: int, n_rounds: int, n_threads: int, rng: np.random.RandomState) -> _Bound:
        """See :class:`csboost.weak.interface.WeakLearner`."""
        if rule != LABEL:
            raise ValueError(
                f"{type(self.estimator).__name__} answers labels, but this booster needs a vote per class; use "
                'weak_learner=CostTree(), or hypothesis="label" where the booster has it.'
            )
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(f"{type(self.estimator).__name__}.fit takes no sample_weight, so it cannot be boosted.")
        return _Bound(self.estimator, problem, rng)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self.estimator).input_tags.allow_nan
        return tags


class _Answers:
    """A fitted classifier whose leaves are its answers."""

    def __init__(self, classifier: Any):
        self.classifier = classifier

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Numbers (n,) of the answers."""
        return np.asarray(self.classifier.predict(X)).astype(np.int64)


class _Bound:
    def __init__(self, estimator: Any, problem: Problem, rng: np.random.RandomState):
        self.estimator, self.rng = estimator, rng
        self.X, self.labels, self.n_answers = problem.X, problem.y, problem.n_answers
        self.rows = problem.rows()
        self.grown: list[_Answers] = []
        self.warned = False
        self.draws = estimator.get_params(deep=False).get("random_state", 0) is None

    def grow(self, m: int, channels: Channels, search: Search | None = None) -> Rule:
        wants = channels.dense(self.labels, self.n_answers)
        extra = wants - wants.min(axis=1, keepdims=True)
        rows, wanted = np.nonzero(extra)
        classifier = clone(self.estimator)
        if self.draws:
            classifier.set_params(random_state=self._seed())
        weights = extra[rows, wanted]
        # mean 1, as without weights: a penalty or a least leaf weight of the classifier keeps its meaning
        classifier.fit(self.X[rows], wanted, sample_weight=weights / weights.mean())
        self.grown.append(_Answers(classifier))
        answers = self.grown[-1].apply(self.X)
        self._warn_of_constant(answers)
        sums = np.zeros((self.n_answers, self.n_answers))
        np.add.at(sums, answers, wants)
        return Rule(
            answers.astype(np.uint16), sums, TIE * channels.mass, np.arange(self.n_answers), float(np.trace(sums))
        )

    def _seed(self) -> int:
        return int(self.rng.randint(np.iinfo(np.int32).max))

    def skip(self, n_rounds: int) -> None:
        for _ in range(n_rounds if self.draws else 0):
            self._seed()

    def _warn_of_constant(self, answers: np.ndarray) -> None:
        """Say once per fit that a rule tells no rows apart."""
        if not self.warned and (answers == answers[0]).all():
            self.warned = True
            warnings.warn(
                f"{type(self.estimator).__name__}, the weak learner, answers one class for all rows in round "
                f"{len(self.grown)}. If that is so from the start, its settings may be too strict for this data: "
                "lower its least leaf weight, leaf size or penalty.",
                stacklevel=2,
            )

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        return self.grown[m].apply(X)

    def rules(self, n_rounds: int) -> list[_Answers]:
        return self.grown[:n_rounds]

    def close(self) -> None:
        self.rows.close()
