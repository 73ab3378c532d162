"""What the first fit of a process does beside fitting."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sklearn import config_context

from csboost import SAMMEClassifier

X, Y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]


def test_it_loads_no_progress_bar():
    code = (
        f"import sys; from csboost import SAMMEClassifier; SAMMEClassifier(n_estimators=2).fit({X}, {Y})\n"
        "print([name for name in ('rich', 'tqdm') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_checks_parameters_unless_scikit_learn_is_told_not_to():
    with pytest.raises(ValueError, match="'verbose' parameter"):
        SAMMEClassifier(n_estimators=2, verbose=-1).fit(X, Y)
    with config_context(skip_parameter_validation=True):
        SAMMEClassifier(n_estimators=2, verbose=-1).fit(X, Y)
