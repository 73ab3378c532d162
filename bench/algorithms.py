"""The competitors: name -> how to make one. This is the only file to edit to add a competitor.

Add a line to ``REGISTRY`` (:func:`register` does it from elsewhere). ``make(cost_matrix, rounds, seed)`` returns an
unfitted estimator with ``fit(X, y)`` and either ``staged_cost(X, y, sample_weight=None)``, the mean cost after each
round, or ``predict(X)``. It is called in a worker process, so it must be importable: a function at the top of a module,
or a partial of one. Libraries are imported inside the functions, because the command line reads this file before it
knows what is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import extras

if TYPE_CHECKING:
    from bench.published.booster import PublishedBooster

Maker = Callable[[Any, int, int], Any]
Dashes = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class Algorithm:
    """A competitor and how it is drawn.

    Attributes
    ----------
    make : callable
        ``make(cost_matrix, rounds, seed)`` -> unfitted estimator; ``cost_matrix`` is a (K, K) ndarray, rows = truth.
    colour, dashes, marker : str, Matplotlib line style, Matplotlib marker
        The same in every figure. Colours from Okabe and Ito (2008), then Tol's muted scheme, both safe for colour-blind
        readers; dashes and markers tell lines apart in grey.
    published : str or None
        Where the form of it that the ``published`` protocol has is: ``module.Class`` in ``bench.published``.
    requires : str or None
        The package that it needs beyond the project's own.
    booster : str or None
        Its class in ``csboost``, for those who make it with other parameters than a study's (timing, kernels).
    form : str or None
        Where the form of it is that ``bench.compare`` fits to tables with categories and missing values:
        ``module.NAME`` in ``bench.competitors``. Without one it is made as for the other studies, with costs, and sees
        categories as indicators.
    is_slow : bool
        Whether ``bench.compare`` does without it unless it is named: it takes minutes where others take seconds.
    """

    make: Maker
    colour: str
    dashes: Dashes = "-"
    marker: str = ""
    published: str | None = None
    requires: str | None = None
    booster: str | None = None
    form: str | None = None
    is_slow: bool = False


def _make_booster(class_name: str, cost_matrix: Any, rounds: int, seed: int, **options: Any) -> Any:
    booster = getattr(importlib.import_module("csboost"), class_name)
    return booster(cost_matrix=cost_matrix, n_estimators=rounds, random_state=seed, **options)


def _ours(
    class_name: str,
    colour: str,
    dashes: Dashes,
    marker: str = "",
    published: str | None = None,
    form: str | None = None,
    **options: Any,
) -> Algorithm:
    """Return a booster of ``csboost``, with the parameters in which it departs from the defaults."""
    make = partial(_make_booster, class_name, **options)
    return Algorithm(make, colour, dashes, marker, published, booster=class_name, form=form)


def _with_bayes_rule(classifier: Any, cost_matrix: Any) -> Any:
    """Let a probability classifier decide for the class of least expected cost."""
    from csboost.costs import BayesDecisionClassifier

    return BayesDecisionClassifier(classifier, cost_matrix=cost_matrix)


def _lightgbm(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from lightgbm import LGBMClassifier

    return _with_bayes_rule(LGBMClassifier(n_estimators=rounds, random_state=seed, n_jobs=1, verbose=-1), cost_matrix)


def _xgboost(cost_matrix: Any, rounds: int, seed: int, **options: Any) -> Any:
    from xgboost import XGBClassifier

    classifier = XGBClassifier(n_estimators=rounds, random_state=seed, n_jobs=1, verbosity=0, **options)
    return _with_bayes_rule(classifier, cost_matrix)


def _catboost(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from catboost import CatBoostClassifier

    settings = {"thread_count": 1, "verbose": False, "allow_writing_files": False}
    return _with_bayes_rule(CatBoostClassifier(n_estimators=rounds, random_seed=seed, **settings), cost_matrix)


def _hist_gradient_boosting(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return _with_bayes_rule(
        HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, random_state=seed), cost_matrix
    )


def _trees(class_name: str, cost_matrix: Any, rounds: int, seed: int) -> Any:
    from sklearn import ensemble

    trees = getattr(ensemble, class_name)
    return _with_bayes_rule(trees(n_estimators=rounds, random_state=seed, n_jobs=1), cost_matrix)


def _logistic_regression(cost_matrix: Any, rounds: int, seed: int) -> Any:
    """Make a logistic regression; it has no rounds and no random part, and the studies' features are scaled already."""
    from sklearn.linear_model import LogisticRegression

    return _with_bayes_rule(LogisticRegression(max_iter=1000), cost_matrix)


def _competitor(form: str, cost_matrix: Any, rounds: int, seed: int) -> Any:
    """Make the form that ``bench.compare`` fits at its own defaults, whatever the study's rounds."""
    module, _, name = form.partition(".")
    found = getattr(importlib.import_module(f"bench.competitors.{module}"), name)
    return _with_bayes_rule(found.make(seed), cost_matrix)


REGISTRY: dict[str, Algorithm] = {
    # The paper's six, in the order of its tables.
    "AdaBoost.MH": _ours("AdaBoostMHClassifier", "#E69F00", (0, (5, 1.5)), "s", "mh.AdaBoostMH"),
    "SAMME": _ours("SAMMEClassifier", "#56B4E9", (0, (6, 1.5, 1, 1.5)), "^", "baselines.Samme"),
    "AdaBoost.M2": _ours("AdaBoostM2Classifier", "#009E73", (0, (1, 1.2)), "o", "baselines.AdaBoostM2"),
    "p-norm": _ours("PNormBoostClassifier", "#CC79A7", (0, (2.5, 1)), "D", "baselines.PNorm"),
    "Angle AdaBoost": _ours("AngleAdaBoostClassifier", "#0072B2", "-", "", "angle.AngleAdaBoost"),
    "Angle LogitBoost": _ours("AngleLogitBoostClassifier", "#D55E00", (0, (10, 1.5)), "v", "angle.AngleLogitBoost"),
    # The paper's future work.
    "Angle LUM": _ours("AngleBoostClassifier", "#000000", (0, (8, 1.5, 1, 1.5, 1, 1.5)), "P", loss="lum"),
    # The paper's two with small steps, which overfit less (docs/guide.md).
    "Angle AdaBoost 0.1": _ours("AngleAdaBoostClassifier", "#44AA99", (0, (4, 1, 1, 1)), "d", learning_rate=0.1),
    "Angle LogitBoost 0.1": _ours("AngleLogitBoostClassifier", "#CC6677", (0, (2, 2)), "h", learning_rate=0.1),
    # Vector leaves, and the mixture of such a booster with a linear model: costs enter at the decision.
    "Angle Gradient": _ours(
        "AngleGradientBoostingClassifier", "#1B6CA8", (0, (12, 2)), "p", form="ours.ANGLE_GRADIENT"
    ),
    "CostSensitive": Algorithm(
        partial(_competitor, "ours.COST_SENSITIVE"), "#B5179E", (0, (9, 1.5, 3, 1.5)), "H",
        booster="CostSensitiveClassifier", form="ours.COST_SENSITIVE",
    ),
    # Peers from other libraries, each followed by the Bayes rule on its probabilities.
    "LightGBM": Algorithm(_lightgbm, "#332288", (0, (3, 3)), "x", requires="lightgbm", form="boosting.LIGHTGBM"),
    "LightGBM mixture": Algorithm(
        partial(_competitor, "mixture.LIGHTGBM_MIXTURE"), "#6A4FBF", (0, (7, 2, 2, 2)), "X",
        requires="lightgbm", form="mixture.LIGHTGBM_MIXTURE",
    ),
    "XGBoost": Algorithm(_xgboost, "#117733", (0, (1, 3)), "+", requires="xgboost", form="boosting.XGBOOST"),
    "XGBoost vector": Algorithm(
        partial(_xgboost, multi_strategy="multi_output_tree"), "#5DA832", (0, (1, 2, 4, 2)), "1",
        requires="xgboost", form="boosting.XGBOOST_VECTOR",
    ),
    "CatBoost": Algorithm(
        _catboost, "#BC8F00", (0, (5, 2, 1, 2, 1, 2)), "2", requires="catboost", form="boosting.CATBOOST", is_slow=True
    ),
    "ChimeraBoost": Algorithm(
        partial(_competitor, "boosting.CHIMERABOOST"), "#7A5230", (0, (2, 4)), "3",
        requires="chimeraboost", form="boosting.CHIMERABOOST",
    ),
    "HistGradientBoosting": Algorithm(
        _hist_gradient_boosting, "#882255", (0, (6, 3)), "*", form="boosting.HIST_GRADIENT_BOOSTING"
    ),
    "RandomForest": Algorithm(
        partial(_trees, "RandomForestClassifier"), "#999933", (0, (6, 3, 1, 3)), "<", form="others.RANDOM_FOREST"
    ),
    "ExtraTrees": Algorithm(
        partial(_trees, "ExtraTreesClassifier"), "#5B7F95", (0, (4, 4)), "4", form="others.EXTRA_TREES"
    ),
    "LogisticRegression": Algorithm(
        _logistic_regression, "#AA4499", (0, (3, 3, 1, 3)), ">", form="others.LOGISTIC_REGRESSION"
    ),
    "EBM": Algorithm(
        partial(_competitor, "others.EBM"), "#E05780", (0, (8, 3, 1, 3)), "8",
        requires="interpret", form="others.EBM", is_slow=True,
    ),
}  # fmt: skip

PAPER = tuple(name for name, algorithm in REGISTRY.items() if algorithm.published)
"""The paper's six algorithms in the order of its tables."""


def register(name: str, algorithm: Algorithm) -> None:
    """Add a competitor, or replace one of the same name."""
    REGISTRY[name] = algorithm


def unavailable(names: Iterable[str]) -> dict[str, str]:
    """Return algorithm -> why it cannot be made: its package is not installed, or csboost has no such class."""
    import csboost

    names = list(names)
    reasons = {name: f"needs the package {package}" for name, package in missing_packages(names).items()}
    for name in names:
        booster = REGISTRY[name].booster
        if booster is not None and booster not in csboost.__all__:
            reasons[name] = f"csboost {csboost.__version__} has no {booster}"
    return reasons


def missing_packages(names: list[str]) -> dict[str, str]:
    """Return algorithm -> package for those whose package is not installed."""
    needs = {name: REGISTRY[name].requires for name in names}
    return {name: package for name, package in needs.items() if package and not extras.is_installed(package)}


def maker(name: str, protocol: str) -> Maker:
    """Return the factory of an algorithm under a protocol, ready to be sent to a worker."""
    return REGISTRY[name].make if protocol == "faithful" else partial(make_published, name)


def make_published(name: str, cost_matrix: Any, rounds: int, seed: int) -> Any:
    """Make the ``published`` form of an algorithm."""
    return published_factory(name)(cost_matrix, rounds, seed)


def published_factory(name: str) -> type[PublishedBooster]:
    """Return the class that makes the published form of an algorithm.

    Parameters
    ----------
    name : str
        A name of ``published.csv``.

    Returns
    -------
    type
        Called as ``(cost_matrix, rounds, seed)``, it gives an object with ``fit(X, y)``, ``predict(X)``,
        ``staged_cost(X, y, sample_weight=None)`` and ``n_iter_``.

    Raises
    ------
    ValueError
        If the algorithm has no published form.
    """
    home = REGISTRY[name].published if name in REGISTRY else None
    if home is None:
        raise ValueError(f"The published protocol has no {name!r}; it has {', '.join(PAPER)}.")
    module, _, attribute = home.partition(".")
    booster: type[PublishedBooster] = getattr(importlib.import_module(f"bench.published.{module}"), attribute)
    return booster


def booster_class(name: str) -> type[Any]:
    """Return the class of ``csboost`` that an algorithm is made of."""
    found: type[Any] = getattr(importlib.import_module("csboost"), str(REGISTRY[name].booster))
    return found
