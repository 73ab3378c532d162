"""Data: the paper's two simulations, the embedded credit table and the reader of the full Lending Club file."""

from __future__ import annotations

import importlib
from typing import Any

# Imported on first use: the simulations must not pay for pandas, nor the loaders for scipy.
_HOMES = {
    "FOUR_GAUSSIANS_COSTS": "simulations",
    "WAVEFORM_COSTS": "simulations",
    "DataError": "errors",
    "Draw": "lending_club.draws",
    "bayes_cost": "simulations",
    "check_request": "lending_club.raw.request",
    "credit_draw": "lending_club.draws",
    "credit_split": "lending_club.splits",
    "full_draw": "lending_club.draws",
    "full_split": "lending_club.splits",
    "grade_codes": "lending_club.splits",
    "load_lending_club": "lending_club.loading",
    "make_credit_preprocessor": "lending_club.features",
    "check_leakage": "lending_club.leakage",
    "describe_columns": "lending_club.preprocessing",
    "describe_kept": "lending_club.kept",
    "four_gaussians_probabilities": "simulations",
    "make_loan_preprocessor": "lending_club.preprocessing",
    "make_four_gaussians": "simulations",
    "make_waveform": "simulations",
    "paper_draw": "lending_club.draws",
    "paper_split": "lending_club.splits",
    "single_column_accuracy": "lending_club.leakage",
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
