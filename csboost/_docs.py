"""What the docstrings of all boosters have in common, written once.

A class docstring names a block in braces on a line of its own, as ``{shared_parameters}``; :func:`documented` puts the
block there, less what the docstring describes itself.
"""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

Class = TypeVar("Class", bound=type)

COST_MATRIX = """
cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, default=None
    What an answer costs: ``C[j, a]`` where the truth is class j and the answer a (rows = truth), finite, in any unit;
    negative entries are gains. None: every mistake costs 1. A name: ``"equal"``, ``"linear"`` or
    ``"partitioned-linear"``. An array is in the order of the sorted classes, which are then the answers. A
    pandas.DataFrame or another labelled table is aligned by its labels; its columns are the answers: the classes, some
    of them, or others such as "human" (:func:`csboost.costs.resolve_answers`).
"""

N_JOBS = """
n_jobs : int or None, default=None
    Threads; None is one, -1 all. The result does not depend on it.
"""

SHARED_PARAMETERS = f"""
{COST_MATRIX.strip()}
n_estimators : int, default=200
    Rounds at most; each adds one weak rule.
learning_rate : float, default=1.0
    Multiplies every step. The default is the full step of the algorithm, which overfits small noisy samples: take 0.1
    there, or set ``n_iter_no_change``.
weak_learner : None, CostTree, SklearnWeakLearner or classifier, default=None
    None is ``CostTree(max_leaf_nodes=4)``. A scikit-learn classifier must take ``sample_weight``.
n_iter_no_change : int or None, default=None
    Stop when held-out rows have not become cheaper for so many rounds, neither by the answers nor by answers that
    are drawn with the softmax of the scores over their spread, and keep the rounds up to the least sum of the two mean
    costs. None: no early stopping.
validation_fraction : float, default=0.1
    Share of the rows of every class that early stopping holds out, where ``fit`` is given no ``eval_set``.
{N_JOBS.strip()}
warm_start : bool, default=False
    Whether a further ``fit``, on the same data, goes on with the rounds that are there, to ``n_estimators`` rounds,
    which are those of one long fit.
random_state : int, RandomState or None, default=None
    Draws the held-out rows, and the seeds of a scikit-learn weak learner.
verbose : int, default=0
    Above 0, progress goes to stderr.
"""

SHARED_ATTRIBUTES = """
classes_ : ndarray of shape (K,)
    The class labels, sorted.
answers_ : ndarray of shape (A,)
    What may be answered: ``classes_``, unless ``cost_matrix`` is a table with other columns.
cost_matrix_ : ndarray of shape (K, A)
    The costs as given, in the order of ``classes_`` and ``answers_``.
class_prior_ : ndarray of shape (K,)
    Shares of the classes in the rows of ``fit``, weights included.
n_iter_ : int
    Rounds kept.
best_iteration_ : int
    The number of rounds that is best by the rows that early stopping watched: ``n_iter_``.
validation_curve_ : dict of str to ndarray
    ``"cost"`` and ``"drawn_cost"``: means over the rows that early stopping watched after each round that was tried,
    of the answers and of answers drawn with the softmax of the scores over their spread; empty without such rows.
evals_result_ : dict
    ``{"valid_0": {"cost": ndarray, "drawn_cost": ndarray}, ...}``, one entry for each of ``eval_set``: the same
    means after each round that is kept.
estimators_ : list of length n_iter_
    The weak rules, in order.
estimator_weights_ : ndarray of shape (n_iter_,)
    Their coefficients, learning rate included.
estimator_errors_ : ndarray of shape (n_iter_,)
    The algorithm's own measure of each weak rule.
feature_importances_ : ndarray of shape (d,)
    Share of each feature in the gains of all splits; sums to 1, or all 0 when nothing was split.
n_features_in_ : int
    Number of features seen in ``fit``, d.
feature_names_in_ : ndarray of shape (d,)
    Their names, when X had string column names.
"""

REFERENCES = {
    "yang_2021": """
Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 ("the paper").
""",
    "zhang_liu_2014": """
Zhang, C. and Liu, Y. (2014), "Multicategory angle-based large-margin classification", Biometrika 101, 625-640,
doi:10.1093/biomet/asu017.
""",
    "liu_2011": """
Liu, Y., Zhang, H. H. and Wu, Y. (2011), "Hard or soft classification? Large-margin unified machines", Journal of the
American Statistical Association 106, 166-177, doi:10.1198/jasa.2011.tm10319.
""",
    "friedman_2000": """
Friedman, J., Hastie, T. and Tibshirani, R. (2000), "Additive logistic regression: a statistical view of boosting", The
Annals of Statistics 28, 337-407, doi:10.1214/aos/1016218223.
""",
    "freund_schapire_1997": """
Freund, Y. and Schapire, R. E. (1997), "A decision-theoretic generalization of on-line learning and an application to
boosting", Journal of Computer and System Sciences 55, 119-139, doi:10.1006/jcss.1997.1504.
""",
    "schapire_singer_1999": """
Schapire, R. E. and Singer, Y. (1999), "Improved boosting algorithms using confidence-rated predictions", Machine
Learning 37, 297-336, doi:10.1023/A:1007614523901.
""",
    "zhu_2009": """
Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009), "Multi-class AdaBoost", Statistics and Its Interface 2, 349-360,
doi:10.4310/SII.2009.v2.n3.a8.
""",
    "lozano_abe_2008": """
Lozano, A. C. and Abe, N. (2008), "Multi-class cost-sensitive boosting with p-norm loss functions", Proceedings of the
14th ACM SIGKDD International Conference on Knowledge Discovery and Data Mining, 506-514, doi:10.1145/1401890.1401953.
""",
}

BLOCKS = {
    "cost_matrix": COST_MATRIX,
    "n_jobs": N_JOBS,
    "shared_parameters": SHARED_PARAMETERS,
    "shared_attributes": SHARED_ATTRIBUTES,
    **REFERENCES,
}

_PLACEHOLDER = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) :.*\n(?:(?: +.*)?\n?)*", re.MULTILINE)


def documented(cls: Class) -> Class:
    """Fill the blocks in a class's docstring.

    Parameters
    ----------
    cls : type
        A class with a docstring of its own; without one, as under ``python -OO``, nothing is done.

    Returns
    -------
    type
        The class itself.
    """
    text = vars(cls).get("__doc__")
    if text:
        cls.__doc__ = filled(inspect.cleandoc(text))
    return cls


def filled(text: str) -> str:
    """``text`` with the blocks that it names in the place of their names; other words in braces stay."""
    own = {name for entry in _ENTRY.finditer(text) for name in entry[1].split(", ")}

    def block(match: re.Match[str]) -> str:
        content = BLOCKS.get(match[2])
        return match[0] if content is None else _without(content.strip("\n"), own)

    return _PLACEHOLDER.sub(block, text)


def _without(block: str, names: set[str]) -> str:
    """A block of entries less those of some names."""
    return _ENTRY.sub(lambda entry: "" if entry[1] in names else entry[0], block).rstrip("\n")
