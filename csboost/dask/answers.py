"""Answers to rows of a Dask collection: lazy ones, partition by partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dask.base import is_dask_collection
from sklearn.utils.metaestimators import available_if

__all__ = ["LazyAnswers"]


def _linked(method: str) -> Callable[[Any], bool]:
    """Whether a booster has a method; an AttributeError says why it has not."""

    def has(model: Any) -> bool:
        return callable(getattr(super(LazyAnswers, model), method))

    return has


class LazyAnswers:
    """Predictions in the kind of what comes in: a Dask Array gives a lazy one, a Dask DataFrame a lazy Series or
    DataFrame, and what is in memory is answered at once, as by the class without Dask.
    """

    classes_: np.ndarray
    answers_: np.ndarray

    def to_local(self) -> Any:
        """The model that answers."""
        raise NotImplementedError

    def predict(self, X: Any) -> Any:
        """Answers, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)

        Returns
        -------
        dask.array.Array, dask.dataframe.Series or ndarray, of shape (n,)
            Labels: entries of ``answers_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit, when they are computed.

        Examples
        --------
        >>> model.predict(X).compute()  # doctest: +SKIP
        """
        return self._answered("predict", X, self.answers_.dtype if hasattr(self, "answers_") else None)

    def decision_function(self, X: Any) -> Any:
        """Margins or scores, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)

        Returns
        -------
        dask.array.Array, dask.dataframe.DataFrame or ndarray
            As of the class without Dask.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit, when they are computed.

        Examples
        --------
        >>> model.decision_function(X).compute()  # doctest: +SKIP
        """
        return self._answered("decision_function", X, np.dtype(float), "answers_")

    @available_if(_linked("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Class probabilities, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)

        Returns
        -------
        dask.array.Array, dask.dataframe.DataFrame or ndarray, of shape (n, K)
            In the order of ``classes_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit, when they are computed.

        Examples
        --------
        >>> model.predict_proba(X).compute()  # doctest: +SKIP
        """
        return self._answered("predict_proba", X, np.dtype(float), "classes_")

    @available_if(_linked("predict_expected_cost"))
    def predict_expected_cost(self, X: Any) -> Any:
        """Expected cost of each answer, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)

        Returns
        -------
        dask.array.Array, dask.dataframe.DataFrame or ndarray, of shape (n, A)
            In the order of ``answers_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit, when they are computed.

        Examples
        --------
        >>> model.predict_expected_cost(X).compute()  # doctest: +SKIP
        """
        return self._answered("predict_expected_cost", X, np.dtype(float), "answers_")

    @available_if(_linked("decide"))
    def decide(
        self, X: Any, cost_matrix: Any = None, sample_cost: Any = None, priors: Any = None, limits: Any = None
    ) -> Any:
        """Answers under other costs or shares, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
        cost_matrix, sample_cost, priors, limits : object, optional
            As of the class without Dask. ``sample_cost``, ``limits`` and ``priors="estimate"`` look at all rows
            together: they need rows in memory.

        Returns
        -------
        dask.array.Array, dask.dataframe.Series or Decision
            Answers; a Decision, which also has their costs, for rows in memory.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit, and what needs rows in memory.

        Examples
        --------
        >>> model.decide(X, other_costs).compute()  # doctest: +SKIP
        """
        local = self.to_local()
        if not is_dask_collection(X):
            return local.decide(X, cost_matrix, sample_cost, priors, limits)
        together = {"sample_cost": sample_cost is not None, "limits": limits is not None}
        together['priors="estimate"'] = isinstance(priors, str)
        for name, given in together.items():
            if given:
                raise ValueError(
                    f"{name} looks at all rows together, which a lazy collection does not have: compute the rows, or "
                    "give csboost.decisions.decide the computed predict_proba(X)."
                )
        return _mapped(_Decided(local, cost_matrix, priors), X, self.answers_.dtype, None)

    def _answered(self, method: str, X: Any, dtype: Any, columns: str | None = None) -> Any:
        if not is_dask_collection(X):
            return getattr(super(), method)(X)
        labels = None if columns is None else getattr(self.to_local(), columns).tolist()
        return _mapped(_Called(self.to_local(), method), X, dtype, labels)


class _Called:
    """A method of a model, to be called where rows lie."""

    def __init__(self, model: Any, method: str):
        self.model, self.method = model, method

    def __call__(self, rows: Any) -> np.ndarray:
        found: np.ndarray = np.asarray(getattr(self.model, self.method)(rows))
        return found


class _Decided:
    """A decision of a model, to be made where rows lie."""

    def __init__(self, model: Any, cost_matrix: Any, priors: Any):
        self.model, self.cost_matrix, self.priors = model, cost_matrix, priors

    def __call__(self, rows: Any) -> np.ndarray:
        found: np.ndarray = np.asarray(self.model.decide(rows, self.cost_matrix, priors=self.priors))
        return found


def _mapped(answer: Callable[[Any], np.ndarray], X: Any, dtype: Any, labels: list[Any] | None) -> Any:
    """``answer`` of every partition; ``labels`` are those of its columns, None where it has one value per row."""
    if hasattr(X, "map_partitions"):
        import pandas as pd

        meta: Any = pd.Series(np.empty(0, dtype)) if labels is None else pd.DataFrame(columns=labels, dtype=dtype)
        return X.map_partitions(_of_frame, answer, labels, dtype, meta=meta)
    X = X.rechunk({1: -1})
    shape: dict[str, Any] = {"drop_axis": 1} if labels is None else {"chunks": (X.chunks[0], (len(labels),))}
    meta = np.empty((0,) if labels is None else (0, len(labels)), dtype)
    return X.map_blocks(_of_array, answer, None if labels is None else len(labels), dtype, meta=meta, **shape)


def _of_array(rows: np.ndarray, answer: Callable[[Any], np.ndarray], width: int | None, dtype: Any) -> np.ndarray:
    if len(rows) == 0:
        return np.empty((0,) if width is None else (0, width), dtype)
    return answer(rows)


def _of_frame(rows: Any, answer: Callable[[Any], np.ndarray], labels: list[Any] | None, dtype: Any) -> Any:
    import pandas as pd

    found = _of_array(rows, answer, None if labels is None else len(labels), dtype)
    if labels is None:
        return pd.Series(found, index=rows.index)
    return pd.DataFrame(found, index=rows.index, columns=labels)
