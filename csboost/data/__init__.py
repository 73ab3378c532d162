"""Data: the paper's two simulations, the embedded credit table and the reader of the full Lending Club file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: the simulations must not pay for pandas, nor the loaders for scipy.
_HOMES = {
    "FOUR_GAUSSIANS_COSTS": "simulations",
    "WAVEFORM_COSTS": "simulations",
    "DataError": "errors",
    "Draw": "lending_club.draws",
    "bayes_cost": "probabilities",
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
    "four_gaussians_probabilities": "probabilities",
    "make_loan_preprocessor": "lending_club.preprocessing",
    "make_four_gaussians": "simulations",
    "make_waveform": "simulations",
    "paper_draw": "lending_club.draws",
    "paper_split": "lending_club.splits",
    "single_column_accuracy": "lending_club.leakage",
    "waveform_probabilities": "probabilities",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.data.errors import DataError as DataError
    from csboost.data.lending_club.draws import Draw as Draw
    from csboost.data.lending_club.draws import credit_draw as credit_draw
    from csboost.data.lending_club.draws import full_draw as full_draw
    from csboost.data.lending_club.draws import paper_draw as paper_draw
    from csboost.data.lending_club.features import make_credit_preprocessor as make_credit_preprocessor
    from csboost.data.lending_club.kept import describe_kept as describe_kept
    from csboost.data.lending_club.leakage import check_leakage as check_leakage
    from csboost.data.lending_club.leakage import single_column_accuracy as single_column_accuracy
    from csboost.data.lending_club.loading import load_lending_club as load_lending_club
    from csboost.data.lending_club.preprocessing import describe_columns as describe_columns
    from csboost.data.lending_club.preprocessing import make_loan_preprocessor as make_loan_preprocessor
    from csboost.data.lending_club.raw.request import check_request as check_request
    from csboost.data.lending_club.splits import credit_split as credit_split
    from csboost.data.lending_club.splits import full_split as full_split
    from csboost.data.lending_club.splits import grade_codes as grade_codes
    from csboost.data.lending_club.splits import paper_split as paper_split
    from csboost.data.probabilities import bayes_cost as bayes_cost
    from csboost.data.probabilities import four_gaussians_probabilities as four_gaussians_probabilities
    from csboost.data.probabilities import waveform_probabilities as waveform_probabilities
    from csboost.data.simulations import FOUR_GAUSSIANS_COSTS as FOUR_GAUSSIANS_COSTS
    from csboost.data.simulations import WAVEFORM_COSTS as WAVEFORM_COSTS
    from csboost.data.simulations import make_four_gaussians as make_four_gaussians
    from csboost.data.simulations import make_waveform as make_waveform
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
