"""The exceptions of the data loaders, and how a message is given the reading that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class DataError(ValueError):
    """The data are missing or cannot be used; the message says which file, line or column, and what mends it.

    Examples
    --------
    >>> from csboost import data
    >>> try:
    ...     data.load_lending_club("no-such-file.csv")
    ... except data.DataError as error:
    ...     print("no-such-file.csv" in str(error))
    True
    """


class NoLoansError(DataError):
    """A text without a header of loans; beside loans in an archive it may be left out."""


class ExplainedError(DataError):
    """A message that already says what was read."""


@contextmanager
def explained_by(report: Any) -> Iterator[None]:
    """Add to a :class:`DataError` raised inside what was read, if anything was.

    Parameters
    ----------
    report : ReadReport or None
        See :class:`csboost.data.lending_club.raw.report.ReadReport`.
    """
    try:
        yield
    except DataError as error:
        if isinstance(error, ExplainedError) or report is None or not report.records:
            raise
        raise ExplainedError(f"{error} {report.summary()}") from error.__cause__


def explained(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Let the errors of a function whose first argument is a Bunch of loans say what was read (``bunch.report``)."""

    @wraps(function)
    def wrapper(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        with explained_by(getattr(args[0] if args else kwargs.get("bunch"), "report", None)):
            return function(*args, **kwargs)

    return wrapper
