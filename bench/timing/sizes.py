"""What can be asked for: sizes, their works, and peers. Light: the command line reads this."""

from __future__ import annotations

SIZES = {"small": 8, "medium": 15, "large": 6, "sweeps": 45}
"""Sizes of ``--sizes``, and about how many minutes each takes on two idle cores."""

DEFAULT_SIZES = ("small", "medium", "large")  # the figures to reach

WORKS = {
    "small": (
        "first-fit",
        "every-first-fit",
        "import",
        "small-fit",
        "small-predict",
        "default-fit",
        "default-fit-clusters",
    ),
    "medium": ("large-round", "vector-round", "whole-fit", "two-threads", "predict", "own-predict", "credit-round"),
    "large": ("doubling", "many-classes", "vector-classes", "vector-memory", "memory", "thousand-classes"),
    "sweeps": ("sweep-n", "sweep-d", "sweep-K", "threads", "slow-round", "all-predict", "all-memory"),
}
"""Size -> names of its works, for ``--works``."""

PEERS = ("lightgbm", "xgboost", "sklearn", "catboost")
THREADS = 2  # of the large works, unless --jobs says otherwise
CLUSTER = 20  # minutes of --cluster on two idle cores
