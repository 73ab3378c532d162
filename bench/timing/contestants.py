"""Who is timed: the six boosters and their peers, matched in leaves, bins, rounds and threads; a tree of vector leaves
beside theirs; and whole fits at the defaults.

``build(rounds, threads, tick)`` returns an unfitted estimator and the keyword arguments of its ``fit``; with a
``tick``, the fit calls it once a round. Libraries are imported inside the functions: that is itself measured.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.algorithms import PAPER, booster_class
from bench.timing.work import DEFAULTS, MATCHED, VECTORS

if TYPE_CHECKING:
    from bench.timing.ticking import Tick

LEAVES, BINS = 4, 255
VECTOR_LEAVES = 8  # of trees whose leaves hold a vector, and of those that they are timed beside
REFERENCE = "Angle AdaBoost"  # what every ratio is relative to
EARLIER = "Angle AdaBoost (earlier code)"  # of the checkout that --against names, in a process of its own

Build = Callable[[int, int, "Tick | None"], tuple[Any, dict[str, Any]]]


@dataclass(frozen=True)
class Contestant:
    """A library's classifier.

    Attributes
    ----------
    build : callable
    peer : str or None
        Its name at ``--peers``; None for the package's own boosters.
    ticks : bool
        Whether it can tell its rounds apart; otherwise a round is timed as the difference between two fits.
    ticks_after : bool
        Whether a tick ends a round; otherwise it begins one.
    rounds_at_most : int or None
        How many rounds of it are timed where others show more: for the slow.
    protocol : str
        ``matched`` in leaves, bins, rounds and threads; ``vector leaves``, which is that with more leaves; or
        ``defaults``, as its users have it. Works are about one of them alone.
    """

    build: Build
    peer: str | None = None
    ticks: bool = True
    ticks_after: bool = True
    rounds_at_most: int | None = None
    protocol: str = MATCHED


def _booster(name: str, rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    learner = None  # a CostTree of 4 leaves
    if tick is not None:
        from bench.timing.ticking import ticking_tree

        learner = ticking_tree(LEAVES, tick)
    return booster_class(name)(n_estimators=rounds, weak_learner=learner, n_jobs=threads), {}


def _lightgbm(leaves: int, rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_estimators=rounds, num_leaves=leaves, max_bin=BINS, n_jobs=threads, verbose=-1)
    return model, {} if tick is None else {"callbacks": [lambda _: tick()]}


def _xgboost(strategy: str, leaves: int, rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    from xgboost import XGBClassifier

    callbacks = None
    if tick is not None:
        from bench.timing.ticking import xgboost_callback

        callbacks = [xgboost_callback(tick)]
    matched = {"max_leaves": leaves, "max_depth": 0, "grow_policy": "lossguide", "max_bin": BINS}
    return XGBClassifier(
        n_estimators=rounds, tree_method="hist", multi_strategy=strategy, n_jobs=threads, verbosity=0,
        callbacks=callbacks, **matched,
    ), {}  # fmt: skip


def _hist_gradient_boosting(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    """Make it; its threads are those that OpenMP is limited to while it runs."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=rounds, max_leaf_nodes=LEAVES, max_bins=BINS, early_stopping=False
    ), {}


def _adaboost(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    """Make it; it sorts the values instead of binning them, and has one thread."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES)
    if tick is not None:
        from bench.timing.ticking import ticking_decision_tree

        tree = ticking_decision_tree(LEAVES, tick)
    return AdaBoostClassifier(tree, n_estimators=rounds, random_state=0), {}


def _first_model(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    from csboost import CostSensitiveClassifier

    return CostSensitiveClassifier(n_jobs=threads, random_state=0), {}


def _one_bag(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    """Make it; it has as many rounds as LightGBM's defaults."""
    from csboost import AngleGradientBoostingClassifier

    model = AngleGradientBoostingClassifier(
        n_bags=1, n_iter_no_change=None, n_estimators=100, n_jobs=threads, random_state=0
    )
    return model, {}


def _vectors(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    """Make it, with the columns and thresholds of its defaults; it does not tell its rounds apart."""
    from csboost import AngleGradientBoostingClassifier

    model = AngleGradientBoostingClassifier(
        n_bags=1, n_iter_no_change=None, n_estimators=rounds, max_leaf_nodes=VECTOR_LEAVES, max_bins=BINS,
        n_jobs=threads, random_state=0,
    )  # fmt: skip
    return model, {}


def _lightgbm_defaults(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=threads, verbose=-1), {}


def _catboost_defaults(rounds: int, threads: int, tick: Tick | None) -> tuple[Any, dict[str, Any]]:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(thread_count=threads, verbose=False, allow_writing_files=False), {}


SKLEARN_ADABOOST = "AdaBoost (scikit-learn)"
XGBOOST_VECTORS = "XGBoost multi_output_tree"  # one tree a round, with a vector in each leaf
FIRST_MODEL, ONE_BAG = "CostSensitive, defaults", "Angle Gradient, one bag of 100 rounds"
VECTORS_MODEL, LIGHTGBM_EIGHT = "Angle Gradient, 8 leaves", "LightGBM, 8 leaves"
XGBOOST_VECTORS_EIGHT = "XGBoost multi_output_tree, 8 leaves"
LIGHTGBM_DEFAULTS, CATBOOST_DEFAULTS = "LightGBM, defaults", "CatBoost, defaults"

CONTESTANTS: dict[str, Contestant] = {
    **{name: Contestant(partial(_booster, name), ticks_after=False) for name in PAPER},
    EARLIER: Contestant(partial(_booster, REFERENCE), "earlier", ticks_after=False),
    "LightGBM": Contestant(partial(_lightgbm, LEAVES), "lightgbm"),
    "XGBoost": Contestant(partial(_xgboost, "one_output_per_tree", LEAVES), "xgboost"),
    XGBOOST_VECTORS: Contestant(partial(_xgboost, "multi_output_tree", LEAVES), "xgboost"),
    "HistGradientBoosting": Contestant(_hist_gradient_boosting, "sklearn", ticks=False),
    SKLEARN_ADABOOST: Contestant(_adaboost, "sklearn", ticks_after=False, rounds_at_most=3),
    VECTORS_MODEL: Contestant(_vectors, ticks=False, protocol=VECTORS),
    LIGHTGBM_EIGHT: Contestant(partial(_lightgbm, VECTOR_LEAVES), "lightgbm", protocol=VECTORS),
    XGBOOST_VECTORS_EIGHT: Contestant(
        partial(_xgboost, "multi_output_tree", VECTOR_LEAVES), "xgboost", protocol=VECTORS
    ),
    FIRST_MODEL: Contestant(_first_model, protocol=DEFAULTS),
    ONE_BAG: Contestant(_one_bag, protocol=DEFAULTS),
    LIGHTGBM_DEFAULTS: Contestant(_lightgbm_defaults, "lightgbm", protocol=DEFAULTS),
    CATBOOST_DEFAULTS: Contestant(_catboost_defaults, "catboost", protocol=DEFAULTS),
}


def installed(peers: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split peers into those whose package is installed and those that must be skipped."""
    peers = list(peers)
    there = [peer for peer in peers if importlib.util.find_spec(peer) is not None]
    return there, [peer for peer in peers if peer not in there]


def names_of(boosters: Iterable[str], peers: Iterable[str]) -> list[str]:
    """Return the contestants' names in the order of the tables; the reference is always among them, and so are the
    package's own of other protocols.
    """
    boosters, peers = {*boosters, REFERENCE}, set(peers)
    return [
        name
        for name, contestant in CONTESTANTS.items()
        if (name in boosters or contestant.protocol != MATCHED if contestant.peer is None else contestant.peer in peers)
    ]
