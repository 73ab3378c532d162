"""What ``python -m bench.experiments`` varies, theme by theme: names of variants and what makes them."""

from __future__ import annotations

from typing import Any, NamedTuple

from bench.algorithms import PAPER

Options = dict[str, Any]

DEFAULTS, WEIGHTED, DIVIDED = "defaults", "rows weighted by their costs", "the same, weights divided out"
_WEIGHTED_MEAN = "likelihood and weighted rows, mean"

BOOSTER: dict[str, Options] = {
    DEFAULTS: {},
    **{f"rate {rate:g}": {"learning_rate": rate} for rate in (0.05, 0.1, 0.2, 0.3)},
    **{f"{bins} bins": {"max_bins": bins} for bins in (63, 127, 255)},
    **{f"{kind} thresholds": {"thresholds": kind} for kind in ("exact", "random")},
    **{f"{leaves} leaves": {"max_leaf_nodes": leaves} for leaves in (4, 16)},
    **{f"{rows} rows a leaf": {"min_samples_leaf": rows} for rows in (1, 20)},
    **{f"lambda {reg:g}": {"reg_lambda": reg} for reg in (0.0, 1.0, 3.0)},
    **{f"{share:.0%} of the rows": {"subsample": share} for share in (0.5, 0.8)},
    **{f"{share:.0%} of the columns": {"max_features": share} for share in (0.3, 1.0)},
    **{f"{bags} bags": {"n_bags": bags} for bags in (1, 10)},
    "no refits": {"refit": False},
    **{f"patience {rounds}": {"n_iter_no_change": rounds} for rounds in (10, 50)},
    "no folds, 200 rounds": {"n_iter_no_change": None, "n_estimators": 200},
}
"""The booster by likelihood with one parameter changed: costs enter the decision alone."""

LOSSES = ("exponential", "logistic", "lum", "guess-averse")
SEES_COSTS: dict[str, Options] = {
    **{f"{loss} loss": {"loss": loss} for loss in LOSSES},
    WEIGHTED: {},
    DIVIDED: {},
}
"""Boosters that see costs while they learn: in the loss, or as weights of the rows."""

MEANS: dict[str, str] = {
    **{f"likelihood and {loss}, mean": f"{loss} loss" for loss in LOSSES},
    _WEIGHTED_MEAN: DIVIDED,
}
"""The answer of least mean expected cost, the mean taken over the defaults and the booster named."""


EQUAL, POOL = "equal weights", "pool"
MIXTURES: dict[str, int | None] = {
    "no regression": 0,
    "no products": 1,
    EQUAL: None,
    POOL: None,
    f"{POOL}, no regression": 0,
    f"{POOL}, no products": 1,
    f"{POOL}, {EQUAL}": None,
}
"""The default booster in other mixtures: how many of the regressions take part (None: all).

Everything else is mixed as these studies began: by a weighted mean of probabilities. What became of it, a pool of their
logarithms, is one of these.
"""


class Step(NamedTuple):
    """A booster of the registry with options, and the variant that it is compared with."""

    booster: str
    options: Options
    against: str


_SMALL = {"learning_rate": 0.1, "max_leaf_nodes": 8}
ONE_CLASS: dict[str, Step] = {
    f"one class a leaf, {loss} loss": Step(name, _SMALL, DEFAULTS)
    for loss, name in (("exponential", "Angle AdaBoost"), ("logistic", "Angle LogitBoost"))
}
"""Label-valued leaves, as large trees and with small steps: what vectors in the leaves are worth."""


def _changes(booster: str) -> dict[str, Options]:
    """Return what is changed of one of the six, by its words."""
    changed: dict[str, Options] = {"rate 1": {}}
    if booster != "p-norm":  # without a fixed step its learning rate is not used
        changed |= {f"rate {rate:g}": {"learning_rate": rate} for rate in (0.3, 0.1)}
    steps = {"p-norm": (0.1, 0.03, 0.01), "AdaBoost.M2": (1.0, 0.1)}.get(booster, ())
    changed |= {f"step {step:g}": {"step": step} for step in steps}
    changed["stopped early"] = {"n_iter_no_change": 25}
    leaves: dict[str, dict[str, Options]] = {
        "AdaBoost.MH": {"real votes": {"votes": "real"}},
        "AdaBoost.M2": {"one class a leaf": {"hypothesis": "label"}},
        "p-norm": {"sets in leaves": {"hypothesis": "set"}},
    }
    return changed | leaves.get(booster, {})


STEPS: dict[str, Step] = {
    f"{name}, {words}": Step(name, options, f"{name}, rate 1")
    for name in PAPER
    for words, options in _changes(name).items()
}
"""The paper's six boosters, each beside itself with full steps."""

PLAIN = {**ONE_CLASS, **STEPS}
"""Variants without rows held out: they are not mixed."""

VARIANTS = (*BOOSTER, *MIXTURES, *SEES_COSTS, *MEANS, *PLAIN)
"""All names, in the order of the table."""


def against(variant: str) -> str:
    """Return the variant that one is compared with."""
    return PLAIN[variant].against if variant in PLAIN else DEFAULTS
