"""Fitted pipelines and searches as what they are made of: the model at their end, and the rows that it sees."""

from __future__ import annotations

from typing import Any

__all__ = ["last_step", "split_pipeline"]


def split_pipeline(model: Any, X: Any) -> tuple[Any, Any]:
    """The last step of a fitted pipeline, and rows as that step sees them.

    A pipeline hands on what all of scikit-learn's classifiers have; the rest, such as ``staged_predict``,
    ``predict_expected_cost`` and ``decide``, belongs to its last step, on rows that went through the other ones. The
    displays of :mod:`csboost.plots` do this themselves.

    Parameters
    ----------
    model : classifier, Pipeline or search
        Fitted. A search such as ``GridSearchCV`` stands for its ``best_estimator_``; a model of one piece stays as it
        is.
    X : array-like of shape (n, d)
        Features, as ``model`` takes them.

    Returns
    -------
    last : classifier
        The last step.
    X : array-like of shape (n, d')
        The rows after all steps but the last.

    Raises
    ------
    NotFittedError, ValueError
        Where the steps before the last are not fitted or cannot take X.

    References
    ----------
    Buitinck, L. et al. (2013), "API design for machine learning software: experiences from the scikit-learn project",
    ECML PKDD Workshop: Languages for Data Mining and Machine Learning, 108-122, arXiv:1309.0238 (pipelines).

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from csboost import SAMMEClassifier, data, split_pipeline
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> pipeline = make_pipeline(StandardScaler(), SAMMEClassifier(n_estimators=3)).fit(X, y)
    >>> booster, scaled = split_pipeline(pipeline, X)
    >>> len(list(booster.staged_predict(scaled)))
    3
    """
    while (inner := _within(model)) is not None:
        if _is_pipeline(model) and len(model.steps) > 1:
            X = model[:-1].transform(X)
        model = inner
    return model, X


def last_step(model: Any) -> Any:
    """The last step alone."""
    while (inner := _within(model)) is not None:
        model = inner
    return model


def _within(model: Any) -> Any:
    """What a search found, or the last step of a pipeline; None for a model of one piece."""
    if hasattr(model, "best_estimator_"):
        return model.best_estimator_
    return model[-1] if _is_pipeline(model) else None


def _is_pipeline(model: Any) -> bool:
    return hasattr(model, "steps") and hasattr(model, "named_steps")
