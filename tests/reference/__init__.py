"""Slow, plain NumPy versions of every booster, written from the formulas and apart from the package's kernels.

Nothing here is imported from ``csboost``: each test compares the two. Read `tree.py` first, then `angle.py` (the
paper's own algorithms), `baselines.py` (the four it compares with) and `population.py` (its two theorems).
`published.py` stands apart: the stumps and boosters of the published protocol.
"""

from .angle import (
    angle_adaboost,
    angle_general,
    angle_logitboost,
    largest_step,
    line_search_bfgs,
    line_search_root,
)
from .baselines import adaboost_m2, adaboost_mh, pnorm, samme
from .boosted import Boosted
from .population import LUM, Exponential, Logistic, gram, link, population_risk_minimizer, simplex_vertices
from .tree import Tree, grow_tree, label_output, set_output, votes_output

__all__ = [
    "LUM",
    "Boosted",
    "Exponential",
    "Logistic",
    "Tree",
    "adaboost_m2",
    "adaboost_mh",
    "angle_adaboost",
    "angle_general",
    "angle_logitboost",
    "gram",
    "grow_tree",
    "label_output",
    "largest_step",
    "line_search_bfgs",
    "line_search_root",
    "link",
    "pnorm",
    "population_risk_minimizer",
    "samme",
    "set_output",
    "simplex_vertices",
    "votes_output",
]
