"""The names of costs on command lines: what needs no package, so that help is there at once."""

from __future__ import annotations

__all__ = ["NAMED"]

NAMED = {"equal": None, "linear": "linear", "partitioned-linear": "partitioned-linear"}
"""What each is as ``cost_matrix``."""
