"""scikit-learn's check of parameters around ``fit``, with the method's types kept: scikit-learn itself has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.base import _fit_context

Method = TypeVar("Method", bound=Callable[..., Any])


def checks_parameters(fit: Method) -> Method:
    """Let ``fit`` check the estimator's parameters against its ``_parameter_constraints`` first."""
    checked: Method = _fit_context(prefer_skip_nested_validation=True)(fit)
    return checked
