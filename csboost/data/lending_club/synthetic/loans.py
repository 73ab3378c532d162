"""Invented loans with the columns of Lending Club's files; the grade depends on what is known at application.

Made in blocks of rows, each from its own seed, so that a file of any size needs little memory and the same seed gives
the same loans in every layout. No value comes from a real borrower.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from csboost.data.lending_club.synthetic.columns import COLUMNS, DATES, LEVELS, MISSING, NUMBERS, PERCENTS

BLOCK = 50_000

# Share of loans by year of issue, as in the file that covers 2007 to 2018.
_YEARS = np.arange(2007, 2019)
_YEAR_SHARE = np.array([1, 1, 2, 6, 10, 24, 60, 104, 186, 192, 196, 218], dtype=float)
_GRADE_SHARE = np.array([0.18, 0.29, 0.28, 0.14, 0.065, 0.03, 0.015])

_LEVEL_ODDS = {name: 0.6 ** np.arange(len(levels)) for name, levels in LEVELS.items()}


@dataclass
class Loans:
    """A block of loans, one array per column.

    ``values`` holds strings (object), whole numbers (int64), decimals (float64) or months (datetime64[M]); ``missing``
    the rows without a value. A column in neither is empty throughout.
    """

    values: dict[str, np.ndarray]
    missing: dict[str, np.ndarray]
    size: int


def make_loans(rows: int, first: str = "2007-06", last: str = "2018-12", seed: int = 0) -> Iterator[Loans]:
    """Invent loans issued from month ``first`` to month ``last``, in blocks of at most 50,000 rows."""
    months = np.arange(np.datetime64(first, "M"), np.datetime64(last, "M") + np.timedelta64(1, "M"))
    if len(months) == 0:
        raise ValueError(f"the first month, {first}, comes after the last, {last}.")
    years = np.clip(months.astype("datetime64[Y]").astype(int) + 1970 - _YEARS[0], 0, len(_YEARS) - 1)
    odds = _YEAR_SHARE[years] / _YEAR_SHARE[years].sum()
    for number, start in enumerate(range(0, rows, BLOCK)):
        rng = np.random.default_rng([seed, number])
        yield _make_block(
            rng, start, min(BLOCK, rows - start), rng.choice(months, size=min(BLOCK, rows - start), p=odds)
        )


def _make_block(rng: np.random.Generator, start: int, size: int, issued: np.ndarray) -> Loans:
    quality = rng.standard_normal(size)
    loans = Loans({"issue_d": issued, "id": start + 1_000_001 + np.arange(size)}, {}, size)
    for name in COLUMNS:
        if name in PERCENTS:
            centre, spread = (93.0, 8.0) if name == "pct_tl_nvr_dlq" else (50 - 9 * quality, 22)
            loans.values[name] = np.round(np.clip(centre + spread * rng.standard_normal(size), 0, 100), 1)
        elif name in LEVELS:
            odds = _LEVEL_ODDS[name] / _LEVEL_ODDS[name].sum()
            loans.values[name] = rng.choice(np.array(LEVELS[name], dtype=object), size=size, p=odds)
        elif (spec := _number_spec(name)) is not None:
            level, spread, slope = spec
            logarithm = np.log(level) - slope * quality + spread * rng.standard_normal(size)
            loans.values[name] = np.exp(logarithm).astype(np.int64)
        if name in MISSING:
            loans.missing[name] = rng.random(size) < MISSING[name]
    _add_application(loans, rng, quality)
    _add_grade(loans, rng)
    _add_later_columns(loans, rng)
    return loans


def _number_spec(name: str) -> tuple[float, float, float] | None:
    """The entry of ``NUMBERS`` with the longest name that starts ``name``."""
    fits = [key for key in NUMBERS if name.startswith(key)]
    return NUMBERS[max(fits, key=len)] if fits and name not in DATES else None


def _add_application(loans: Loans, rng: np.random.Generator, quality: np.ndarray) -> None:
    size, values = loans.size, loans.values
    values["loan_amnt"] = 25 * rng.integers(40, 1601, size)
    values["term"] = np.where(rng.random(size) < 0.28 - 0.05 * quality, 60, 36)
    values["emp_length"] = rng.integers(-1, 11, size)
    loans.missing["emp_length"] = values["emp_length"] < 0
    values["dti"] = np.round(np.clip(18 - 3 * quality + 8 * rng.standard_normal(size), 0, 60), 2)
    ages = rng.integers(37, 500, size)
    values["earliest_cr_line"] = values["issue_d"] - ages
    fico = 5 * np.round((698 + 26 * quality + 18 * rng.standard_normal(size)) / 5).astype(np.int64)
    values["fico_range_low"] = np.clip(fico, 660, 845)
    values["fico_range_high"] = values["fico_range_low"] + 4
    joint = rng.random(size) < 0.06
    values["application_type"] = np.where(joint, "Joint App", "Individual").astype(object)
    values["annual_inc_joint"] = values["annual_inc"] + 1000 * rng.integers(10, 90, size)
    values["dti_joint"] = np.round(0.8 * values["dti"], 2)
    values["verification_status_joint"] = values["verification_status"]
    values["revol_bal_joint"] = values["revol_bal"] + 5000
    values["sec_app_fico_range_low"] = 5 * rng.integers(108, 168, size)
    values["sec_app_fico_range_high"] = values["sec_app_fico_range_low"] + 4
    values["sec_app_earliest_cr_line"] = values["issue_d"] - ages[::-1]
    for name in values:
        if name.startswith("sec_app_") or name.endswith("_joint"):
            loans.missing[name] = ~joint


def _add_grade(loans: Loans, rng: np.random.Generator) -> None:
    """Rank the loans by a score of their features and some noise; cut the ranks by the shares of the grades."""
    values = loans.values
    risk: np.ndarray = (698 - values["fico_range_low"]) / 30 + (values["term"] == 60) + values["revol_util"] / 60
    risk = risk + values["dti"] / 25 + 0.4 * values["inq_last_6mths"] + 0.08 * values["acc_open_past_24mths"]
    risk -= 0.3 * np.log(np.maximum(values["annual_inc"], 1) / 70_000)
    risk += 0.7 * rng.standard_normal(loans.size)
    rank = np.empty(loans.size)
    rank[np.argsort(risk)] = (np.arange(loans.size) + 0.5) / loans.size
    bounds = np.cumsum(_GRADE_SHARE)
    grade = np.minimum(np.searchsorted(bounds, rank), 6)
    low = np.r_[0, bounds[:-1]][grade]
    sub = np.clip(((rank - low) / _GRADE_SHARE[grade] * 5).astype(int), 0, 4)
    values["grade"] = np.array(list("ABCDEFG"), dtype=object)[grade]
    values["sub_grade"] = np.array([g + str(s) for g in "ABCDEFG" for s in range(1, 6)], dtype=object)[5 * grade + sub]
    values["int_rate"] = np.round(5.32 + 3.6 * grade + 0.7 * sub, 2)
    monthly = values["int_rate"] / 1200
    amount, term = values["loan_amnt"], values["term"]
    values["installment"] = np.round(amount * monthly / (1 - (1 + monthly) ** -term.astype(float)), 2)


def _add_later_columns(loans: Loans, rng: np.random.Generator) -> None:
    """Fill what is known only after the grade, identifiers and text."""
    size, values = loans.size, loans.values
    for name in ("funded_amnt", "funded_amnt_inv"):
        values[name] = values["loan_amnt"]
    paid = np.round(values["installment"] * rng.integers(1, 36, size), 2)
    for name in ("total_pymnt", "total_pymnt_inv"):
        values[name] = paid
    values["total_rec_prncp"], values["total_rec_int"] = np.round(0.8 * paid, 2), np.round(0.2 * paid, 2)
    values["total_rec_late_fee"] = np.zeros(size, dtype=np.int64)
    values["policy_code"] = np.ones(size, dtype=np.int64)
    for name, ahead in (("last_pymnt_d", 12), ("next_pymnt_d", 13), ("last_credit_pull_d", 14)):
        values[name] = values["issue_d"] + np.timedelta64(ahead, "M")
    loans.missing["next_pymnt_d"] = rng.random(size) < 0.6
    for name in ("pymnt_plan", "hardship_flag", "debt_settlement_flag"):
        values[name] = np.where(rng.random(size) < 0.001, "y", "n").astype(object)
    values["initial_list_status"] = np.where(rng.random(size) < 0.7, "w", "f").astype(object)
    values["disbursement_method"] = np.where(rng.random(size) < 0.03, "DirectPay", "Cash").astype(object)
    values["title"] = values["purpose"]
    values["url"] = np.full(size, "https://example.com/browse/loanDetail.action?loan_id=1234567", dtype=object)
    values["desc"] = np.full(
        size, 'Invented text, first line > "quoted", with commas\n  and a second line.<br>', dtype=object
    )
    loans.missing["desc"] = rng.random(size) < 0.95
