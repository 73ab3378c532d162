"""Files of the command line's tests: loans as people keep them, with ids, gaps, dates and decimal commas."""

from __future__ import annotations

import numpy as np
import pandas as pd

CLASSES = ["good", "fair", "poor"]
COSTS = "truth,good,fair,poor,human\ngood,0,1,3,1\nfair,2,0,1,1\npoor,9,4,0,1\n"


def cases(n, seed):
    """Loans with their grades."""
    rng = np.random.default_rng(seed)
    amount, rate = rng.normal(size=n).round(2), rng.normal(size=n).round(3)
    town = rng.choice(["Bonn", "Köln", None], n)
    score = amount + np.where(town == "Bonn", rate, -rate) + rng.normal(size=n) / 2
    return pd.DataFrame(
        {
            "id": [f"K{seed}-{place:04}" for place in range(n)],
            "amount": amount,
            "town": town,
            "rate": np.where(rng.random(n) < 0.1, np.nan, rate),
            "opened": pd.date_range("2024-01-31", periods=n, freq="3D"),
            "grade": np.array(["poor", "fair", "good"])[np.digitize(score, [-1.0, 0.4])],
        }
    )


def written(folder):
    """Write ``loans.csv``, ``new.csv`` and ``costs.csv``."""
    for name, frame in {"loans": cases(240, 0), "new": cases(90, 1)}.items():
        frame.to_csv(folder / f"{name}.csv", sep=";", decimal=",", index=False, date_format="%d.%m.%Y")
    (folder / "costs.csv").write_text(COSTS)
