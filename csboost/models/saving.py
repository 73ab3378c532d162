"""Writing a fitted model to one file."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

import csboost
from csboost.models.archive import write_archive
from csboost.models.encoding import Encoder
from csboost.models.info import checked_info

__all__ = ["save_model"]


def save_model(model: Any, path: str | os.PathLike[str], *, info: Mapping[str, Any] | None = None) -> None:
    """Write a fitted model to one file without pickle.

    The file is a zip of NumPy arrays and JSON. It holds numbers, labels and parameters, and no code, so that
    :func:`csboost.load_model` can read it without trusting where it comes from.

    Parameters
    ----------
    model : estimator
        Fitted: any classifier of this package, ``CostTree`` and ``costs.BayesDecisionClassifier`` included.
    path : str or path-like
        The file, by custom ``something.csboost``. One that is there is replaced, once the new one is complete.
    info : mapping of str, optional
        What else the file should say of the model, such as what it was fitted on: text, numbers, True, False, None,
        lists and dicts of these. :func:`csboost.load_model` puts it into ``model.info_``, and by default what is there
        is written. Nothing is made of it; give ``info={}`` for a model that was fitted again.

    Raises
    ------
    NotFittedError
        For a model before ``fit``.
    ValueError
        For a model with parts that cannot be written, such as weak learners of scikit-learn that are trees; the message
        names the part, and pickle or joblib as the other way. For an ``info`` that JSON cannot hold.
    OSError
        When the file cannot be written.

    Notes
    -----
    A loaded model predicts the same bits, on a machine without Numba too, and can be fitted again. Everything is
    written that ``fit`` has left in the model, ``oof_probabilities_`` (a row per row of training) included: where that
    is too large or not to be passed on, ``del model.oof_probabilities_`` first.

    A margin loss of your own is code, so it is not written. Scores and answers (``predict``, ``decision_function``) do
    not need it. Probabilities, expected costs and further fits do: ``load_model(path, loss=MyLoss())`` gives it back.

    References
    ----------
    Kern, R. (2007), "A simple file format for NumPy arrays", NumPy Enhancement Proposal 1,
    https://numpy.org/neps/nep-0001-npy-format.html.

    Examples
    --------
    >>> import os, tempfile
    >>> from csboost import SAMMEClassifier, load_model, save_model
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> path = os.path.join(tempfile.mkdtemp(), "toy.csboost")
    >>> save_model(SAMMEClassifier(n_estimators=3).fit(X, y), path)
    >>> load_model(path).predict([[0.4], [2.6]]).tolist()
    ['A', 'B']
    """
    if isinstance(model, type) or not isinstance(model, BaseEstimator):
        raise ValueError(f"save_model takes a fitted model of csboost, got {model!r}.")
    check_is_fitted(model)
    said = checked_info(getattr(model, "info_", {}) if info is None else info)
    encoder = Encoder()
    contents = {
        "written_by": {
            "csboost": csboost.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
            "scikit-learn": sklearn.__version__,
        },
        "model": encoder.encode(model),
        **({"info": said} if said else {}),
    }
    write_archive(Path(path), contents, encoder.arrays)
