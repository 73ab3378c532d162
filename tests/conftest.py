"""What holds for all tests."""

from __future__ import annotations

import pytest
from cases import COMPILES

from csboost.mixture import classifier

FEW = 3  # rounds


@pytest.fixture(autouse=True, scope="session")
def short_mixtures_where_nothing_is_compiled():
    """Plain Python boosts a thousand times more slowly, and a mixture has no parameter for its rounds."""
    if not COMPILES:
        for effort in classifier.EFFORTS.values():
            for parameters in effort.boosters.values():
                parameters["n_estimators"] = FEW
