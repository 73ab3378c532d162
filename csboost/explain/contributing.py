"""What each feature adds to the difference between an answer and the next one."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from csboost._inputs.pipelines import split_pipeline
from csboost.explain.members import model_with_trees
from csboost.explain.naming import column_names
from csboost.explain.pairing import Pairs, pair
from csboost.explain.parts import Part, booster_part, mixture_parts, tree_part
from csboost.explain.results import Contributions
from csboost.mixture.fitted import FittedMixture
from csboost.mixture.pooling import DOUBT, pooled
from csboost.problem import check_features
from csboost.weak.tree import CostTree

__all__ = ["contributions"]

_NODES = 16  # of a piece of the path from the mean scores to those of a row
_PIECE = 4.0  # by how much the scores change in it at most


def contributions(
    model: Any,
    X: Any,
    background: Any,
    *,
    of: Literal["cost", "score"] | None = None,
    answer: Any = None,
    against: Any = None,
    feature_names: Any = None,
) -> Contributions:
    """What each feature adds to the difference between the answer to a row and the next best one.

    Features are credited by their Shapley values: what a feature changes, averaged over all orders in which features
    may become known. One that is not known yet takes its values from the ``background`` rows, whatever the other
    features are ("interventional" values, see Notes). They add up: with the difference that the background lets expect
    they are the difference of the row.

    Parameters
    ----------
    model : booster, CostTree, CostSensitiveClassifier, Pipeline or search
        Fitted. Of a pipeline the last step is explained, in the columns that it sees.
    X : array-like or DataFrame of shape (n, d)
        The rows to explain.
    background : array-like or DataFrame of shape (m, d)
        The rows to compare with, such as a thousand of those the model was fitted with, or the cases of last month.
    of : {"cost", "score"}, optional
        What differs. By default what decides: ``"cost"``, the expected cost, for models that answer by it (gradient
        boosting by likelihood, the mixture, ``CostTree``); ``"score"`` for boosters that give the answer of largest
        score.
    answer : label or array-like of shape (n,), optional
        The answers to explain; by default those that the model gives.
    against : label or array-like of shape (n,), optional
        What each is compared with; by default the best of the other answers.
    feature_names : list of str, optional
        Names of the columns that the model sees; by default those of ``fit``.

    Returns
    -------
    Contributions
        ``values`` (n, d), ``expected``, ``difference``, ``answers``, ``against`` (n,), with ``frame`` and ``describe``.

    Raises
    ------
    TypeError
        For a model whose scores are no sum of trees of this package.
    NotFittedError
        Before ``fit``.
    ValueError
        For features that do not fit, a background without rows, answers that the model does not have, or an ``of``
        that it has no additive scores for.

    Notes
    -----
    *What is exact.* Differences of scores, and of the expected costs of a ``CostTree``, are sums over trees; their
    contributions are exact Shapley values, computed leaf by leaf without sampling, and ``expected`` is the mean
    difference over the background (``is_exact`` is True).

    *What is not.* Where costs are expected by probabilities (gradient boosting by likelihood, the mixture), the cost is
    no sum: it is a function of class scores that are. The contributions to these scores are exact Shapley values of
    each member; all members together are carried to the cost along the straight way from the mean scores of the
    background to the scores of the row, as the Aumann-Shapley prices of what the features add to the scores. They add
    up as well, but are not the Shapley values of the cost itself, and ``expected`` is the difference at the mean scores
    of the background (``is_exact`` is False). With ``of="score"`` the margins between two classes are explained
    exactly; the mixture has none, its members do.

    *Why against a background.* The other usual choice lets a feature that is not known follow the ways that training
    rows took through the trees. That makes the values depend on how trees happen to be grown and credits features that
    the model does not use when they go along with one that it does. Here a feature that no tree splits on has a
    contribution of 0, the answer depends on the function alone, and the question "compared with whom?" has an answer
    that the user chose. The price is that combinations of values are looked at that may not occur.

    References
    ----------
    Shapley, L. S. (1953), "A value for n-person games", Contributions to the Theory of Games II, Princeton University
    Press, 307-317.
    Aumann, R. J. and Shapley, L. S. (1974), Values of Non-Atomic Games, Princeton University Press,
    doi:10.1515/9781400867080.
    Lundberg, S. M., Erion, G., Chen, H. et al. (2020), "From local explanations to global understanding with
    explainable AI for trees", Nature Machine Intelligence 2, 56-67, doi:10.1038/s42256-019-0138-9.
    Janzing, D., Minorics, L. and Blöbaum, P. (2020), "Feature relevance quantification in explainable AI: a causal
    problem", Proceedings of the 23rd International Conference on Artificial Intelligence and Statistics, PMLR 108,
    2907-2916.

    Examples
    --------
    >>> from csboost import AngleAdaBoostClassifier, data, explain
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> found = explain.contributions(AngleAdaBoostClassifier("linear", n_estimators=10).fit(X, y), X[:5], X)
    >>> found.values.shape, found.quantity
    ((5, 21), 'score')
    >>> bool(abs(found.expected + found.values.sum(axis=1) - found.difference).max() < 1e-9)
    True
    """
    if of not in (None, "cost", "score"):
        raise ValueError(f"of must be None, 'cost' or 'score', got {of!r}")
    last, rows = split_pipeline(model, X)
    if not isinstance(last, FittedMixture):
        model_with_trees(last)
    check_is_fitted(last)
    if not np.shape(background)[0]:
        raise ValueError("background has no rows: give some that X is to be compared with")
    numbers, reference = _numbers(last, rows), _numbers(last, split_pipeline(model, background)[1])
    pairs = pair(last, rows, numbers, of, answer, against)
    expected, values, is_exact = _shares(last, numbers, reference, pairs)
    return Contributions(
        values=values,
        expected=expected,
        difference=pairs.difference,
        answers=last.answers_[pairs.answer],
        against=last.answers_[pairs.against],
        feature_names=column_names(model, feature_names),
        data=_as_given(rows, numbers),
        quantity="expected cost" if pairs.quantity == "cost" else "score",
        is_exact=is_exact,
    )


def _numbers(model: Any, X: Any) -> np.ndarray:
    """Rows as the trees of a model see them (n, d)."""
    categories = getattr(model, "_categories", None)
    numbers: np.ndarray = check_features(model, X) if categories is None else categories.transform(model, X)
    return numbers


def _as_given(X: Any, numbers: np.ndarray) -> np.ndarray:
    """The rows as they were given (n, d), categories by name."""
    given = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    return given if given.shape == numbers.shape else numbers


def _shares(model: Any, X: np.ndarray, reference: np.ndarray, pairs: Pairs) -> tuple[np.ndarray, np.ndarray, bool]:
    """The expected difference (n,), the contributions (n, d), and whether they are exact."""
    if isinstance(model, CostTree):
        return *_of_scores(tree_part(model, X, reference), pairs.against, pairs.answer), True
    if pairs.quantity == "score":
        return *_of_scores(booster_part(model, X, reference), pairs.answer, pairs.against), True
    is_mixture = isinstance(model, FittedMixture)
    parts = mixture_parts(model, X, reference) if is_mixture else [booster_part(model, X, reference)]
    dearer = (model.cost_matrix_[:, pairs.against] - model.cost_matrix_[:, pairs.answer]).T
    return *_of_costs(parts, dearer), False


def _of_scores(part: Part, more: np.ndarray, less: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the difference of two scores: those numbered ``more`` (n,) less those numbered ``less`` (n,)."""
    rows = np.arange(len(more))
    return part.base[more] - part.base[less], part.values[rows, :, more] - part.values[rows, :, less]


def _of_costs(parts: list[Part], dearer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the expected difference of two costs, which is ``dearer`` (n, K) by class: Aumann-Shapley prices."""
    moves = [part.values.sum(axis=1) for part in parts]
    slopes = [np.zeros_like(move) for move in moves]
    far = sum(part.weight * np.ptp(move, axis=1).max(initial=0.0) for part, move in zip(parts, moves, strict=True))
    pieces, (nodes, weights) = max(1, int(np.ceil(far / _PIECE))), leggauss(_NODES)
    for piece in range(pieces):
        for node, weight in zip((nodes + 1.0) / 2.0, weights / 2.0, strict=True):
            way = (piece + node) / pieces
            each = [part.base + way * move for part, move in zip(parts, moves, strict=True)]
            own = [_probabilities(part, scores, dearer.shape[1]) for part, scores in zip(parts, each, strict=True)]
            P = _of_model(parts, own)
            lean = weight / pieces * P * (dearer - (P * dearer).sum(axis=1, keepdims=True))
            for part, shares, slope in zip(parts, own, slopes, strict=True):
                slope += _back(part, shares, lean, is_pool=len(parts) > 1)
    start = [_probabilities(part, part.base[None], dearer.shape[1]) for part in parts]
    prices = [np.einsum("nds,ns->nd", part.values, slope) for part, slope in zip(parts, slopes, strict=True)]
    return dearer @ _of_model(parts, start)[0], np.sum(prices, axis=0)


def _probabilities(part: Part, scores: np.ndarray, n_classes: int) -> np.ndarray:
    """Those (n, K) of a part, from its scores (n, S)."""
    found = np.zeros((len(scores), n_classes))
    found[:, part.scores] = softmax(scores, axis=1)
    return found


def _of_model(parts: list[Part], own: list[np.ndarray]) -> np.ndarray:
    """Those of the model (n, K), from those of its parts."""
    return own[0] if len(parts) == 1 else pooled(own, np.array([part.weight for part in parts]))


def _back(part: Part, shares: np.ndarray, lean: np.ndarray, *, is_pool: bool) -> np.ndarray:
    """Slopes in the scores (n, S) of a part with probabilities ``shares`` (n, K), from those in its logarithms or, in
    a model of one part, in its scores: ``lean`` (n, K).
    """
    if not is_pool:
        return lean[:, part.scores]
    sure = (1.0 - DOUBT) * shares
    through = part.weight * lean * sure / (sure + DOUBT / shares.shape[1])
    back: np.ndarray = (through - shares * through.sum(axis=1, keepdims=True))[:, part.scores]
    return back
