"""scikit-learn's base classes, as mypy is to see them.

scikit-learn has no types, and to mypy a class with an unknown base takes any argument: it would not notice
``n_estimatorz=5``. Other checkers bring their own descriptions of scikit-learn and are shown the classes themselves.
"""

from __future__ import annotations

from typing import Any, Self

__all__ = ["BaseEstimator", "ClassifierMixin"]

MYPY = False  # mypy, and no other, takes a name like this for true

if MYPY:

    class BaseEstimator:
        """What users call of ``sklearn.base.BaseEstimator``."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The parameters by name."""

        def set_params(self, **params: Any) -> Self:
            """Set parameters by name."""

        def set_fit_request(
            self, *, sample_weight: bool | str | None = None, sample_cost: bool | str | None = None
        ) -> Self:
            """What a meta-estimator shall pass to ``fit``."""

        def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
            """What a meta-estimator shall pass to ``score``."""

        def get_metadata_routing(self) -> Any:
            """What is passed."""

        def _validate_params(self) -> None:
            """Check the parameters against ``_parameter_constraints``."""

        def __sklearn_tags__(self) -> Any:
            """What scikit-learn's checks ask for."""

    class ClassifierMixin:
        """What users call of ``sklearn.base.ClassifierMixin``."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Mean accuracy."""

else:
    from sklearn.base import BaseEstimator, ClassifierMixin
