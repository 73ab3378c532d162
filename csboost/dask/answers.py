"""Answers to rows of a Dask collection: lazy ones, partition by partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dask import delayed
from dask.base import is_dask_collection
from distributed import Client
from sklearn.utils.metaestimators import available_if

from csboost.dask._docs import with_model
from csboost.dask.mapping import Called, Decided, mapped, right
from csboost.dask.reading import partitions
from csboost.dask.waiting import gathered

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

    @property
    def client_(self) -> Client:
        """The client in use."""
        raise NotImplementedError

    def to_local(self) -> Any:
        """The model that answers."""
        raise NotImplementedError

    @with_model
    def predict(self, X: Any) -> Any:
        """Answers, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> model.predict(X).compute().shape
        (300,)
        """
        return self._answered("predict", X)

    @with_model
    def decision_function(self, X: Any) -> Any:
        """Margins or scores, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> model.decision_function(X)
        dask.array<..., shape=(300, 3), dtype=float64, ...>
        """
        return self._answered("decision_function", X, "answers_")

    @available_if(_linked("predict_proba"))
    @with_model
    def predict_proba(self, X: Any) -> Any:
        """Class probabilities, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> model.predict_proba(X).sum().compute().round(9)
        np.float64(300.0)
        """
        return self._answered("predict_proba", X, "classes_")

    @available_if(_linked("predict_expected_cost"))
    @with_model
    def predict_expected_cost(self, X: Any) -> Any:
        """Expected cost of each answer, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> model.predict_expected_cost(X).compute().shape
        (300, 3)
        """
        return self._answered("predict_expected_cost", X, "answers_")

    @available_if(_linked("decide"))
    @with_model
    def decide(
        self, X: Any, cost_matrix: Any = None, sample_cost: Any = None, priors: Any = None, limits: Any = None
    ) -> Any:
        """Answers under other costs or shares, lazy for Dask collections: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.
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
        >>> bool((model.decide(X, data.WAVEFORM_COSTS) == y).mean().compute() > 0.5)
        True
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
        return mapped(Decided(local, cost_matrix, priors), local, X)

    @with_model
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy, worked out where the rows lie: see the class without Dask.

        Parameters
        ----------
        X : Dask collection or array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.
        y : Dask collection or array-like of shape (n,)
            True labels, in as many partitions as X.
        sample_weight : Dask collection or array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        NotFittedError, TypeError, ValueError
            Before ``fit``; for features, labels or weights that do not fit.

        Examples
        --------
        >>> model.score(X, y) > 0.5
        True
        """
        local = self.to_local()
        if not is_dask_collection(X):
            found: float = local.score(X, y, sample_weight)
            return found
        columns = partitions(X=X, y=y, sample_weight=sample_weight)
        judged, model = delayed(right, pure=False), delayed(local, pure=False)
        tasks = [judged(model, place, *rows) for place, rows in enumerate(zip(*columns, strict=True))]
        client = self.client_
        with client.as_current():
            sums = np.array(gathered(client, client.compute(tasks))).sum(axis=0)
        return float(sums[0] / sums[1])

    def _answered(self, method: str, X: Any, columns: str | None = None) -> Any:
        if not is_dask_collection(X):
            return getattr(super(), method)(X)
        local = self.to_local()
        labels = None if columns is None else getattr(local, columns).tolist()
        return mapped(Called(local, method), local, X, labels)

    def _check_X(self, X: Any) -> np.ndarray:
        """Everything else takes rows in memory."""
        if is_dask_collection(X):
            raise TypeError(
                "lazy rows are taken by predict, decision_function, predict_proba, predict_expected_cost, decide and "
                "score; all else needs rows in memory: X.compute(), of a part where X is large."
            )
        checked: np.ndarray = super()._check_X(X)  # type: ignore[misc]
        return checked
