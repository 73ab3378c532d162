"""Reading a fitted model from its file."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning

import csboost
from csboost.models.archive import read_archive, refuse
from csboost.models.decoding import Decoder
from csboost.models.info import checked_info
from csboost.models.soundness import Outdated

__all__ = ["load_model"]


def load_model(path: str | os.PathLike[str], *, loss: Any = None) -> Any:
    """Read a model that :func:`csboost.save_model` has written.

    Nothing in the file can run code: it holds arrays, plain values and the names of classes from a list in this
    package, which are the only ones that are made. What the file says of itself is checked first: a digest of every
    part, and that all trees are trees.

    Parameters
    ----------
    path : str or path-like
        The file.
    loss : object, optional
        The margin loss of your own with which the model was fitted: it is code, so it is not in the file. Scores and
        answers do not need it; probabilities, expected costs and further fits do.

    Returns
    -------
    estimator
        The fitted model, of the class that was saved. Its predictions are the same bits. What the file says of it, if
        it was saved with ``info``, is the dict ``info_``.

    Raises
    ------
    ValueError
        For a file that is truncated, edited, of a later version or not from ``save_model``; the message names the file
        and says what to do.
    OSError
        When the file cannot be read.

    Warns
    -----
    InconsistentVersionWarning
        For models with parts of scikit-learn, such as ``CostSensitiveClassifier``, when its version has changed.

    Notes
    -----
    The digest tells a damaged file from a whole one. It does not tell who wrote it: a stranger's model may answer
    whatever its maker likes.

    References
    ----------
    Kern, R. (2007), "A simple file format for NumPy arrays", NumPy Enhancement Proposal 1,
    https://numpy.org/neps/nep-0001-npy-format.html.

    Examples
    --------
    >>> import os, tempfile
    >>> from csboost import AngleAdaBoostClassifier, data, load_model, save_model
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = AngleAdaBoostClassifier("linear", n_estimators=5).fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "waveform.csboost")
    >>> save_model(model, path)
    >>> bool((load_model(path).predict_expected_cost(X) == model.predict_expected_cost(X)).all())
    True
    """
    path = Path(path)
    described, arrays = read_archive(path)
    decoder = Decoder(arrays, loss)
    try:
        model = decoder.decode(described["model"])
    except Outdated as error:
        refuse(path, str(error), "Fit the model again.", error)
    except Exception as error:  # whatever contents that no model has lead to
        refuse(path, f"{_why(described['written_by'])}: {error}", "Save the model again with this version.", error)
    if not isinstance(model, BaseEstimator):
        refuse(path, "holds no model", "Give a file that csboost.save_model has written.")
    if loss is not None and not decoder.has_no_loss:
        refuse(path, "holds a model whose loss is in the file", "Leave out loss=.")
    if "info" in described:
        try:
            model.info_ = checked_info(described["info"])
        except ValueError as error:
            refuse(path, f"was edited: {error}", "Save the model again.", error)
    _compare_versions(path, described["written_by"], decoder.is_foreign)
    return model


def _why(written_by: Any) -> str:
    writer = written_by.get("csboost") if isinstance(written_by, dict) else None
    other = "" if writer == csboost.__version__ else f"was written by another csboost ({writer}) or "
    return f"{other}was edited: it holds what is no model"


def _compare_versions(path: Path, written_by: dict[str, Any], is_foreign: bool) -> None:
    written = str(written_by.get("scikit-learn"))
    if is_foreign and written.split(".")[:2] != sklearn.__version__.split(".")[:2]:
        warnings.warn(
            InconsistentVersionWarning(
                estimator_name=f"The model in {path}",
                current_sklearn_version=sklearn.__version__,
                original_sklearn_version=written,
            ),
            stacklevel=3,
        )
