"""The one exception of the data loaders."""

from __future__ import annotations


class DataError(ValueError):
    """The data are missing or cannot be used; the message says which file, line or column, and what mends it."""
