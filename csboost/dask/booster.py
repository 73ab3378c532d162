"""What the boosters on Dask collections share: the fit, and its way back to a single machine."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from distributed import Client, default_client
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from csboost import _numba
from csboost._bases import BaseEstimator
from csboost._checked import checks_parameters
from csboost.angle.gradient import AngleGradientBoostingClassifier
from csboost.booster import Booster
from csboost.dask._docs import with_model
from csboost.dask.answers import LazyAnswers
from csboost.dask.course import Course
from csboost.dask.holding import hold_out
from csboost.dask.memory import bytes_per_row, tell
from csboost.dask.parts import Shared
from csboost.dask.reading import read_table
from csboost.dask.waiting import beside_the_queue, released
from csboost.weak.tree import CostTree

__all__ = ["DaskBooster"]

_OF_THE_CLUSTER = ("n_exchanges_", "bytes_sent_", "_metadata_request")  # or of the arguments of its fit


class DaskBooster(LazyAnswers, BaseEstimator):
    """The half of a booster that fits on a cluster; the other half is the booster itself."""

    client: Client | None
    _plain: type[Any]  # the booster for one machine
    feature_names_in_: np.ndarray
    random_state: Any
    verbose: int
    warm_start: bool
    _metadata_request: Any  # of scikit-learn

    @property
    def client_(self) -> Client:
        """The client in use: ``client``, or the default one of this process."""
        client = self.client
        if client is None:
            try:
                return default_client()
            except ValueError:
                raise ValueError("no Dask client: create distributed.Client(...) first, or pass client=") from None
        if not isinstance(client, Client):
            raise ValueError(f"client must be a distributed.Client, got {client!r}: distributed.Client({client!r})?")
        if client.status == "closed":
            raise ValueError("the client is closed: create distributed.Client(...) again, or set client=None")
        return client

    @checks_parameters
    @with_model
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None, sample_cost: Any = None, classes: Any = None) -> Self:
        """Fit the booster where the rows lie; the model is that of a single machine, bit by bit.

        Parameters
        ----------
        X : dask.array.Array or dask.dataframe.DataFrame of shape (n, d)
            Numbers; NaN is a missing value. float32 is kept as it is, everything else becomes float64. Partitions may
            be of any size, and empty.
        y : dask.array.Array or dask.dataframe.Series of shape (n,)
            Class labels, in as many partitions as X, row by row.
        sample_weight : dask.array.Array or dask.dataframe.Series of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : dask.array.Array or dask.dataframe.DataFrame of shape (n, A), optional
            What each answer costs for each row, in the order of the sorted classes (and then of other answers), or a
            table with the answers as columns.
        classes : array-like of shape (K,), optional
            The classes that are expected; others, and missing ones, are an error.

        Returns
        -------
        self
            The fitted booster.

        Raises
        ------
        TypeError
            For what is no Dask collection.
        ValueError
            For costs, weights or data that cannot be used, with the partition, and for parameters that need all rows on
            one machine.
        RuntimeError
            When the cluster has no workers, or loses them again and again.

        Examples
        --------
        >>> model.fit(X, y, sample_weight=da.ones(300, chunks=100)).n_iter_
        3
        """
        _numba.require()
        self._refuse_what_needs_one_machine()
        client, model = self.client_, self._plain_one()
        if client.asynchronous:
            raise ValueError("client must not be asynchronous: create distributed.Client(...) in a thread of its own")
        tasks: list[Any] = []
        with client.as_current(), beside_the_queue(), released(tasks):
            given = X, y, sample_weight, sample_cost, classes
            table = read_table(client, model, *given, self._tell_memory, tasks)
            model.n_features_in_ = self.n_features_in_ = table.problem.X.shape[1]
            for estimator in (model, self):
                vars(estimator).pop("feature_names_in_", None)
                if table.names is not None:
                    estimator.feature_names_in_ = np.array(table.names, dtype=object)
            rng, held = check_random_state(self.random_state), None
            if self._holds_out():
                held = hold_out(client, table, model.validation_fraction, rng)
                tasks += held.masks
            course = Course(client, model, table, held, rng.get_state(), type(self).__name__, self.verbose)
            report = course.run()
        rng.set_state(report.state)  # a generator that was given goes on from here, as after a fit on one machine
        self._take_over(report.model)
        self.n_exchanges_, self.bytes_sent_ = report.n_exchanges, report.n_bytes
        return self

    def _holds_out(self) -> bool:
        """Whether rows are held out before the fit, and not by folds."""
        return issubclass(self._plain, Booster) and self.get_params(deep=False)["n_iter_no_change"] is not None

    def _tell_memory(self, n_rows: int, n_features: int, shared: Shared) -> None:
        counts = len(shared.classes), len(shared.answers)
        per_row = bytes_per_row(n_features, shared.dtype.itemsize, *counts, holds_out=self._holds_out())
        tell(self.client_, type(self).__name__, n_rows, per_row, self.verbose)

    def _refuse_what_needs_one_machine(self) -> None:
        weak = getattr(self, "weak_learner", None)
        if not (weak is None or isinstance(weak, CostTree)):
            raise ValueError(
                f"weak_learner must be a CostTree on a cluster, got {weak!r}: other learners need all rows at once."
            )
        if self.warm_start:
            raise ValueError(
                "warm_start goes on with rows in memory; on a cluster set warm_start=False and fit all rounds at once."
            )

    def _plain_one(self) -> Any:
        """A booster of the same parameters for one machine, not fitted."""
        parameters = {name: clone(value, safe=False) for name, value in self._parameters().items()}
        return self._plain(**{**parameters, "verbose": 0})

    def _parameters(self) -> dict[str, Any]:
        return {name: value for name, value in self.get_params(deep=False).items() if name != "client"}

    def _take_over(self, fitted: Any) -> None:
        """What a machine has fitted."""
        given = set(fitted.get_params(deep=False))
        for name, value in vars(fitted).items():
            if name not in given:
                setattr(self, name, value)
        left: dict[str, Any] = {"evals_result_": {}, "_random_state": None}
        if issubclass(self._plain, AngleGradientBoostingClassifier):  # those of the rows stay where the rows are
            left["oof_probabilities_"] = np.empty((0, len(self.classes_)))
        vars(self).update(left)

    @with_model
    def to_local(self) -> Any:
        """The fitted model as the booster for one machine, which needs neither Dask nor the cluster.

        Returns
        -------
        estimator
            An instance of the class without Dask; it predicts the same bits.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> model.to_local()
        SAMMEClassifier(n_estimators=3)
        """
        check_is_fitted(self, "_ensemble")
        local = self._plain(**self._parameters())
        for name, value in vars(self).items():
            if name not in self.get_params(deep=False) and name not in _OF_THE_CLUSTER:
                setattr(local, name, value)
        return local

    def __getstate__(self) -> dict[str, Any]:
        """The client stays here: it is of this process."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        state["client"] = None
        return state

    def __copy__(self) -> Self:
        return self._copied(vars(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._copied({**copy.deepcopy({**vars(self), "client": None}, memo), "client": self.client})

    def _copied(self, state: dict[str, Any]) -> Self:
        """A client is shared, not copied."""
        found = type(self).__new__(type(self))
        vars(found).update(state)
        return found

    def __sklearn_clone__(self) -> Self:
        found = type(self)(**{name: clone(value, safe=False) for name, value in self._parameters().items()})
        found.client = self.client
        if hasattr(self, "_metadata_request"):
            found._metadata_request = copy.deepcopy(self._metadata_request)
        return found
