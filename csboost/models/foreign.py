"""What scikit-learn's objects must be like before they are used: their sparse arrays would be filled out of bounds, and
a pipeline's memory would read pickles.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

__all__ = ["FOREIGN_CHECKS"]


def check_one_hot(encoder: Any) -> None:
    """Refuse categories, groups of rare ones and dropped ones that would lead beyond the columns of the result.

    Raises
    ------
    ValueError
    """
    if "categories_" not in vars(encoder):
        return  # not fitted
    rare = getattr(encoder, "_infrequent_enabled", False)
    dropped = getattr(encoder, "_drop_idx_after_grouping", None)
    widths = []
    for place, categories in enumerate(encoder.categories_):
        _require(isinstance(categories, np.ndarray) and categories.ndim == 1 and _is_sorted(categories))
        width = len(categories)
        if rare:
            width = _after_grouping(encoder, place, width)
        if dropped is not None and dropped[place] is not None:
            _require(0 <= int(dropped[place]) < width)
            width -= 1
        widths.append(width)
    _require(list(encoder._n_features_outs) == widths)


def _after_grouping(encoder: Any, place: int, width: int) -> int:
    """How many columns a feature has once its rare categories share one."""
    indices, mapping = encoder._infrequent_indices[place], encoder._default_to_infrequent_mappings[place]
    _require((indices is None) == (mapping is None))
    if indices is None:
        return width
    _require(len(indices) > 0 and int(np.min(indices)) >= 0 and int(np.max(indices)) < width)
    groups = width - len(indices) + 1
    _require(mapping.shape == (width,) and int(np.min(mapping)) >= 0 and int(np.max(mapping)) < groups)
    return groups


def _is_sorted(categories: np.ndarray) -> bool:
    """Numbers are found by halving, which leads beyond the end where they are not in order."""
    if categories.dtype.kind in "OUS":
        return True
    known = categories[categories == categories]
    return bool((known[1:] > known[:-1]).all() and (known == categories[: len(known)]).all())


def check_pipeline(pipeline: Any) -> None:
    """Refuse a memory, which names a folder of pickles.

    Raises
    ------
    ValueError
    """
    _require(pipeline.memory is None)


def check_products(products: Any) -> None:
    """Refuse a width that is not that of the products, which would leave columns of anything in the result.

    Raises
    ------
    ValueError
    """
    if "_n_out_full" not in vars(products):
        return  # not fitted
    n, most = products.n_features_in_, products._max_degree
    _require(type(n) is int and type(most) is int and n >= 0 and most >= 0)
    each = [comb(n, d) if products.interaction_only else comb(n + d - 1, d) for d in range(1, most + 1)]
    _require(products._n_out_full == sum(each) + bool(products.include_bias))
    left_out = sum(each[: max(0, products._min_degree - 1)])
    _require(products.n_output_features_ == products._n_out_full - left_out)


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError("parts of scikit-learn that cannot be right")


FOREIGN_CHECKS = {"OneHotEncoder": check_one_hot, "Pipeline": check_pipeline, "PolynomialFeatures": check_products}
