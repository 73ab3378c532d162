"""Data: the paper's two simulations, the embedded credit table and the reader of the full Lending Club file."""

from __future__ import annotations

import importlib
from typing import Any

# Imported on first use: the simulations must not pay for pandas, nor the loaders for scipy.
_HOMES = {
    "FOUR_GAUSSIANS_COSTS": "simulations",
    "WAVEFORM_COSTS": "simulations",
    "DataError": "errors",
    "Draw": "draws",
    "bayes_cost": "simulations",
    "check_request": "raw.request",
    "credit_draw": "draws",
    "credit_split": "splits",
    "full_draw": "draws",
    "full_split": "splits",
    "grade_codes": "splits",
    "load_lending_club": "lending_club",
    "make_credit_preprocessor": "credit_features",
    "check_leakage": "leakage",
    "describe_columns": "preprocessing",
    "describe_kept": "kept",
    "four_gaussians_probabilities": "simulations",
    "make_loan_preprocessor": "preprocessing",
    "make_four_gaussians": "simulations",
    "make_waveform": "simulations",
    "paper_draw": "draws",
    "paper_split": "splits",
    "single_column_accuracy": "leakage",
    "waveform_probabilities": "simulations",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'csboost.data' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"csboost.data.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
