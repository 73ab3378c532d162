"""Trees as pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost._inputs.values import check_whole
from csboost.explain.members import Grown, grown_in
from csboost.explain.pictures import TreePicture

__all__ = ["plot_rounds", "plot_tree"]


def plot_tree(
    model: Any,
    *,
    round_number: int = 1,
    tree_number: int = 1,
    feature_names: Any = None,
    class_names: Any = None,
    decimals: int | None = None,
    ax: Any = None,
) -> Any:
    """Draw the tree of a fitted :class:`~csboost.weak.CostTree`, or one tree of a fitted booster.

    The left way is taken by rows that meet the condition beside it. Leaves that give an answer are boxes in its colour;
    leaves that hold a value for every score are bars, in the same order and on the same scale in all leaves.

    Parameters
    ----------
    model : CostTree, booster, Pipeline or search
        Fitted. Of a pipeline the last step is shown, with the columns that it sees.
    round_number : int, default=1
        The round of a booster; the first is 1.
    tree_number : int, default=1
        Which tree of that round, where there are several: one per bag, or per class.
    feature_names : list of str, optional
        Names of the columns. By default those of ``fit``, or ``feature_0``, ``feature_1`` and so on.
    class_names : list of str, optional
        Names of the answers, as in :func:`csboost.explain.export_text`.
    decimals : int, optional
        Of thresholds; by default six digits in all.
    ax : matplotlib axes, optional
        Where to draw; a new figure of a size that fits by default.

    Returns
    -------
    matplotlib Axes
        Where the tree was drawn.

    Raises
    ------
    TypeError
        For a model without trees of this package; what to look at instead is named.
    NotFittedError
        Before ``fit``.
    ValueError
        For rounds or trees that are not there, and for another number of names than the model has.

    References
    ----------
    Buitinck, L. et al. (2013), "API design for machine learning software: experiences from the scikit-learn project",
    ECML PKDD Workshop: Languages for Data Mining and Machine Learning, 108-122 (whose ``plot_tree`` this follows).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import explain
    >>> from csboost.weak import CostTree
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> ax = explain.plot_tree(CostTree().fit(X, y), feature_names=["income"])
    >>> [text.get_text() for text in ax.texts if not text.get_text().startswith("<")]
    ['income', 'A', '> 1.5', 'B']
    """
    grown = grown_in(model, feature_names, class_names)
    picture = TreePicture(grown, _number(grown, round_number, tree_number), _decimals(decimals))
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=picture.size, layout="constrained")[1]
    picture.draw(ax)
    return ax


def plot_rounds(
    model: Any,
    *,
    n_rounds: int = 3,
    first_round: int = 1,
    tree_number: int = 1,
    feature_names: Any = None,
    class_names: Any = None,
    decimals: int | None = None,
) -> Any:
    """Draw one tree of each of the first rounds of a fitted booster, one below the other.

    Parameters
    ----------
    model : booster, Pipeline or search
        Fitted. Of a pipeline the last step is shown, with the columns that it sees.
    n_rounds : int, default=3
        How many rounds.
    first_round : int, default=1
        Where to begin; the first round is 1.
    tree_number : int, default=1
        Which tree of each round, where there are several: one per bag, or per class.
    feature_names : list of str, optional
        Names of the columns. By default those of ``fit``, or ``feature_0``, ``feature_1`` and so on.
    class_names : list of str, optional
        Names of the answers, as in :func:`csboost.explain.export_text`.
    decimals : int, optional
        Of thresholds; by default six digits in all.

    Returns
    -------
    matplotlib Figure
        With an axes per tree.

    Raises
    ------
    TypeError
        For a model without trees of this package; what to look at instead is named.
    NotFittedError
        Before ``fit``.
    ValueError
        For rounds or trees that are not there, and for another number of names than the model has.

    References
    ----------
    Buitinck, L. et al. (2013), "API design for machine learning software: experiences from the scikit-learn project",
    ECML PKDD Workshop: Languages for Data Mining and Machine Learning, 108-122.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import SAMMEClassifier, data, explain
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> figure = explain.plot_rounds(SAMMEClassifier(n_estimators=3).fit(X, y), n_rounds=2)
    >>> len(figure.axes)
    2
    """
    import matplotlib.pyplot as plt

    grown = grown_in(model, feature_names, class_names)
    first = check_whole(first_round, "first_round", 1, grown.n_rounds)
    last = min(first - 1 + check_whole(n_rounds, "n_rounds", 1, 10**9), grown.n_rounds)
    trees = [_number(grown, round_, tree_number) for round_ in range(first, last + 1)]
    pictures = [TreePicture(grown, tree, _decimals(decimals)) for tree in trees]
    sizes = np.array([picture.size for picture in pictures])
    figure, axes = plt.subplots(
        len(trees),
        squeeze=False,
        figsize=(sizes[:, 0].max(), sizes[:, 1].sum()),
        height_ratios=sizes[:, 1].tolist(),
        layout="constrained",
    )
    for picture, ax in zip(pictures, axes[:, 0], strict=True):
        picture.draw(ax)
    return figure


def _number(grown: Grown, round_number: Any, tree_number: Any) -> int:
    """The number of a tree among all."""
    round_ = check_whole(round_number, "round_number", 1, grown.n_rounds)
    tree = check_whole(tree_number, "tree_number", 1, grown.trees_per_round)
    return (round_ - 1) * grown.trees_per_round + tree - 1


def _decimals(decimals: Any) -> int | None:
    return None if decimals is None else check_whole(decimals, "decimals", 0, 15)
