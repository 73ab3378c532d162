"""The exceptions of the data loaders, and how a message is given the reading that explains it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class DataError(ValueError):
    """The data are missing or cannot be used; the message says which file, line or column, and what mends it."""


class NoLoansError(DataError):
    """A text without a header of loans; beside loans in an archive it may be left out."""


@contextmanager
def explained_by(report: Any) -> Iterator[None]:
    """Add to a :class:`DataError` raised inside what was read, if anything was.

    Parameters
    ----------
    report : ReadReport or None
        See :class:`csboost.data.raw.report.ReadReport`.
    """
    try:
        yield
    except DataError as error:
        if report is None or not report.records:
            raise
        raise DataError(f"{error} {report.summary()}") from error.__cause__
