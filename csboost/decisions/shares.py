"""Shares of the classes: read by label, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed, numeric
from csboost.costs.checks import label_hint
from csboost.decisions.probabilities import ROUNDED

Array = NDArray[np.float64]


def read_shares(shares: Any, classes: NDArray[Any], name: str) -> Array:
    """Shares (K,) of the classes, by label from a mapping or a Series, else in the order of ``classes``."""
    if isinstance(shares, Mapping) or (hasattr(shares, "index") and hasattr(shares, "to_dict")):
        given = dict(shares.items())
        if len(given) < len(shares):
            repeated = list(dict.fromkeys(shares.index[shares.index.duplicated()]))
            raise ValueError(f"{name} names {listed(repeated)} more than once: give each class one share")
        unknown = [label for label in given if label not in set(classes.tolist())]
        missing = [label for label in classes.tolist() if label not in given]
        if unknown or missing:
            found = f"names {listed(unknown)}, which are no classes" if unknown else f"lacks {listed(missing)}"
            hint = label_hint(classes.tolist(), unknown)
            raise ValueError(
                f"{name} {found}; the classes are {listed(list(classes))}. Give a share for each of them, 0 for one "
                f"that does not occur; shares in the order of the classes need no labels (.to_numpy()). {hint}".rstrip()
            )
        shares = [given[label] for label in classes.tolist()]
    values = numeric(shares, name)
    if values.shape != (len(classes),):
        raise ValueError(
            f"{name} has shape {values.shape}, expected ({len(classes)},): a share for each of the classes "
            f"{listed(list(classes))}"
        )
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        k = int(np.argmax(bad))
        raise ValueError(
            f"{name} gives class {listed(list(classes[k : k + 1]))} the share {values[k]:g}: shares must be finite and "
            "not negative"
        )
    if abs(values.sum() - 1.0) > ROUNDED:
        raise ValueError(f"{name} sums to {values.sum():.6g}, not to 1: divide it by its sum, if these are counts")
    return values / values.sum()


def read_train_shares(shares: Any, classes: NDArray[Any]) -> Array:
    """Training shares (K,), none of them 0."""
    values = read_shares(shares, classes, "train_priors")
    if not values.all():
        absent = list(classes[values == 0])
        raise ValueError(
            f"train_priors gives {listed(absent)} no share: probabilities of a class that training did not see cannot "
            "be reweighted. Leave the class out of proba and of the cost table, or train with rows of it."
        )
    return values
