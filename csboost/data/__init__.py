"""Data: the paper's two simulations, the embedded credit table and the reader of the full Lending Club file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: the simulations must not pay for pandas, nor the loaders for scipy.
if TYPE_CHECKING:
    from csboost.data.credit_features import make_credit_preprocessor as make_credit_preprocessor
    from csboost.data.draws import Draw as Draw
    from csboost.data.draws import credit_draw as credit_draw
    from csboost.data.draws import full_draw as full_draw
    from csboost.data.draws import paper_draw as paper_draw
    from csboost.data.errors import DataError as DataError
    from csboost.data.kept import describe_kept as describe_kept
    from csboost.data.leakage import check_leakage as check_leakage
    from csboost.data.leakage import single_column_accuracy as single_column_accuracy
    from csboost.data.lending_club import load_lending_club as load_lending_club
    from csboost.data.preprocessing import describe_columns as describe_columns
    from csboost.data.preprocessing import make_loan_preprocessor as make_loan_preprocessor
    from csboost.data.probabilities import bayes_cost as bayes_cost
    from csboost.data.probabilities import four_gaussians_probabilities as four_gaussians_probabilities
    from csboost.data.probabilities import waveform_probabilities as waveform_probabilities
    from csboost.data.raw.request import check_request as check_request
    from csboost.data.simulations import FOUR_GAUSSIANS_COSTS as FOUR_GAUSSIANS_COSTS
    from csboost.data.simulations import WAVEFORM_COSTS as WAVEFORM_COSTS
    from csboost.data.simulations import make_four_gaussians as make_four_gaussians
    from csboost.data.simulations import make_waveform as make_waveform
    from csboost.data.splits import credit_split as credit_split
    from csboost.data.splits import full_split as full_split
    from csboost.data.splits import grade_codes as grade_codes
    from csboost.data.splits import paper_split as paper_split

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazily(__name__)
