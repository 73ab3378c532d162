"""The names of costs on command lines: in a file that imports nothing, so that help is there at once."""

from __future__ import annotations

__all__ = ["COST_NAMES"]

COST_NAMES = ("equal", "linear", "partitioned-linear")
"""Those of the presets, in their order."""
