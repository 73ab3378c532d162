"""Trees as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csboost._inputs.values import check_whole
from csboost.explain.branches import condition, number
from csboost.explain.members import Grown, Leaf, grown_in

__all__ = ["export_text"]


def export_text(
    model: Any,
    *,
    n_rounds: int = 3,
    first_round: int = 1,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int | None = None,
    show_gains: bool = False,
) -> str:
    """The tree of a fitted :class:`~csboost.weak.CostTree`, or the first trees of a fitted booster, as text.

    Every branch is a line with its condition, every leaf a line with what it says: the answer to which it gives the
    tree's coefficient, or the value that it adds to every score. The scores of a booster are the sums of what its trees
    say, up to what is the same for all answers and where they started.

    Parameters
    ----------
    model : CostTree, booster, Pipeline or search
        Fitted. Of a pipeline the last step is shown, with the columns that it sees.
    n_rounds : int, default=3
        How many rounds of a booster.
    first_round : int, default=1
        Where to begin; the first round is 1.
    feature_names : list of str, optional
        Names of the columns. By default those of ``fit``, or ``feature_0``, ``feature_1`` and so on.
    class_names : list of str, optional
        Names of the answers, in the order of ``answers_`` (of ``classes_`` where costs enter the decision alone); by
        default the labels themselves.
    max_depth : int, default=10
        Branches below so many splits are summarised.
    spacing : int, default=3
        Width of one step to the right, at least 1.
    decimals : int, optional
        Of all numbers; by default six digits in all, four of what leaves say.
    show_gains : bool, default=False
        Whether each split is followed by what it added to the score that its booster's trees are grown for.

    Returns
    -------
    str
        Ends with a line break. A missing value takes the branch that says so, or else the second one. Of categories,
        "any other" stands for those that were rare or absent in training.

    Raises
    ------
    TypeError
        For a model without trees of this package; what to look at instead is named.
    NotFittedError
        Before ``fit``.
    ValueError
        For rounds that are not there, and for another number of names than the model has.

    References
    ----------
    Buitinck, L. et al. (2013), "API design for machine learning software: experiences from the scikit-learn project",
    ECML PKDD Workshop: Languages for Data Mining and Machine Learning, 108-122 (whose ``export_text`` this follows).

    Examples
    --------
    >>> from csboost import explain
    >>> from csboost.weak import CostTree
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> print(explain.export_text(CostTree().fit(X, y), feature_names=["income"], spacing=1), end="")
    |- income <= 1.5 or missing
    | |- answer: A (expected cost: A 0, B 1)
    |- income > 1.5
    | |- answer: B (expected cost: A 1, B 0)
    """
    grown = grown_in(model, feature_names, class_names)
    spacing = check_whole(spacing, "spacing", 1, 80)
    max_depth = check_whole(max_depth, "max_depth", 1, 65535)
    if decimals is not None:
        decimals = check_whole(decimals, "decimals", 0, 15)
    first = check_whole(first_round, "first_round", 1, grown.n_rounds)
    last = min(first - 1 + check_whole(n_rounds, "n_rounds", 1, 10**9), grown.n_rounds)
    writer = _Writer(grown, max_depth, spacing, decimals, show_gains)
    trees = range((first - 1) * grown.trees_per_round, last * grown.trees_per_round)
    if grown.n_rounds == grown.trees_per_round == 1:
        return "\n".join(writer.lines(0)) + "\n"
    parts = [_heading(grown, first, last)]
    for tree in trees:
        parts += ["", grown.name_of(tree), *writer.lines(tree)]
    return "\n".join(parts) + "\n"


def _heading(grown: Grown, first: int, last: int) -> str:
    shown = f"round {first}" if first == last else f"rounds {first} to {last}"
    return f"{grown.title}, {shown} of {grown.n_rounds}"


class _Writer:
    """Writes trees line by line."""

    def __init__(self, grown: Grown, max_depth: int, spacing: int, decimals: int | None, show_gains: bool):
        self.grown, self.max_depth, self.decimals, self.show_gains = grown, max_depth, decimals, show_gains
        self.bar, self.branch = "|" + " " * spacing, "|" + "-" * spacing + " "

    def lines(self, tree: int) -> Iterator[str]:
        """The lines of one tree."""
        forest, pending = self.grown.forest, [(0, 0, "")]
        while pending:
            node, depth, line = pending.pop()
            if line:
                yield line
            lead = self.bar * depth + self.branch
            if forest.left[tree, node] == node:
                yield lead + self._leaf(self.grown.leaf(tree, int(forest.feature[tree, node])))
            elif depth == self.max_depth:
                yield f"{lead}truncated branch of depth {self._depth_below(tree, node)}"
            else:
                split = condition(self.grown, tree, node, self.decimals)
                gain = f" (gain {number(float(forest.gains[tree, node]), self.decimals)})" if self.show_gains else ""
                for side, child in ((split.right, forest.right), (split.left, forest.left)):  # the left one comes first
                    pending.append((int(child[tree, node]), depth + 1, f"{lead}{split.column} {side}{gain}"))

    def _leaf(self, leaf: Leaf) -> str:
        names = self.grown.scores
        values = ""
        if leaf.values is not None:
            each = zip(names, leaf.values, strict=True)
            told = ", ".join(f"{name} {number(float(value), self.decimals, digits=4)}" for name, value in each)
            values = f"{self.grown.quantity}: {told}"
        if leaf.answer is None:
            return values
        return f"answer: {names[leaf.answer]}" + (f" ({values})" if values else "")

    def _depth_below(self, tree: int, node: int) -> int:
        forest, level, depth = self.grown.forest, [node], -1
        while level:
            inner = [at for at in level if forest.left[tree, at] != at]
            level, depth = [int(child[tree, at]) for at in inner for child in (forest.left, forest.right)], depth + 1
        return depth
