"""What is inside a fitted model, and why it answers as it does: trees as text and pictures, contributions of features.

Inside, each file uses only those before it: ``naming`` (columns), ``members`` (the trees of a model, and what their
leaves say), ``branches`` (conditions in words) and ``text``; ``layout`` (where nodes stand), ``pictures`` (of a tree)
and ``drawing``; ``pairing`` (which answers are compared), ``shapley`` (exact values of scores that trees add up to),
``regressions`` (those of linear members), ``parts`` (the additive scores of a model), ``results`` (contributions as
numbers, tables and words) and ``contributing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

_HOMES = {
    "Contributions": "results",
    "contributions": "contributing",
    "export_text": "text",
    "plot_rounds": "drawing",
    "plot_tree": "drawing",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.explain.contributing import contributions as contributions
    from csboost.explain.drawing import plot_rounds as plot_rounds
    from csboost.explain.drawing import plot_tree as plot_tree
    from csboost.explain.results import Contributions as Contributions
    from csboost.explain.text import export_text as export_text
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
