"""scikit-learn's check of parameters around ``fit``, with the method's types kept: scikit-learn itself has none."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn import config_context, get_config

Method = TypeVar("Method", bound=Callable[..., Any])


def checks_parameters(fit: Method) -> Method:
    """Let ``fit`` check the estimator's parameters against its ``_parameter_constraints`` first.

    It does what ``sklearn.base._fit_context`` does without the callbacks of scikit-learn 1.9, which import a progress
    bar's library in the first fit of a process: a third of the time of a small one.
    """

    @wraps(fit)
    def checked(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        if not get_config()["skip_parameter_validation"]:
            estimator._validate_params()
        with config_context(skip_parameter_validation=True):
            return fit(estimator, *args, **kwargs)

    found: Any = checked
    return found
