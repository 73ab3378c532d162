"""What each column of Lending Club's files is: a feature known when the loan is graded, or why it is none.

A column is used only if it is listed here as a feature. So a column that nobody has thought about, such as the copy
``grade.1`` that some tools add, cannot leak the grade.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBERS = frozenset(
    """loan_amnt annual_inc dti delinq_2yrs fico_range_low fico_range_high inq_last_6mths mths_since_last_delinq
    mths_since_last_record open_acc pub_rec revol_bal revol_util total_acc collections_12_mths_ex_med
    mths_since_last_major_derog annual_inc_joint dti_joint acc_now_delinq tot_coll_amt tot_cur_bal open_acc_6m
    open_act_il open_il_6m open_il_12m open_il_24m mths_since_rcnt_il total_bal_il il_util open_rv_12m open_rv_24m
    max_bal_bc all_util total_rev_hi_lim inq_fi total_cu_tl inq_last_12m acc_open_past_24mths avg_cur_bal
    bc_open_to_buy bc_util chargeoff_within_12_mths delinq_amnt mo_sin_old_il_acct mo_sin_old_rev_tl_op
    mo_sin_rcnt_rev_tl_op mo_sin_rcnt_tl mort_acc mths_since_recent_bc mths_since_recent_bc_dlq
    mths_since_recent_inq mths_since_recent_revol_delinq num_accts_ever_120_pd num_actv_bc_tl num_actv_rev_tl
    num_bc_sats num_bc_tl num_il_tl num_op_rev_tl num_rev_accts num_rev_tl_bal_gt_0 num_sats num_tl_120dpd_2m
    num_tl_30dpd num_tl_90g_dpd_24m num_tl_op_past_12m pct_tl_nvr_dlq percent_bc_gt_75 pub_rec_bankruptcies
    tax_liens tot_hi_cred_lim total_bal_ex_mort total_bc_limit total_il_high_credit_limit revol_bal_joint
    sec_app_fico_range_low sec_app_fico_range_high sec_app_inq_last_6mths sec_app_mort_acc sec_app_open_acc
    sec_app_revol_util sec_app_open_act_il sec_app_num_rev_accts sec_app_chargeoff_within_12_mths
    sec_app_collections_12_mths_ex_med sec_app_mths_since_last_major_derog""".split()  # noqa: SIM905
)
"""Numbers from the application and the credit report; some files spell the utilisation rates with a percent sign."""

TERM = "term"
"""Months to repay, spelled " 36 months"; read as a number."""

EMPLOYMENT = "emp_length"
"""Years in employment, spelled "< 1 year" to "10+ years"; read as the ordered numbers 0 to 10."""

DATES = frozenset({"earliest_cr_line", "sec_app_earliest_cr_line"})
"""Months, turned by the preprocessing into ages at the time of issue."""

ISSUED = "issue_d"
"""The month of issue: it selects the window and is the reference of the ages, but is no feature itself."""

CATEGORIES = frozenset(
    {"home_ownership", "verification_status", "verification_status_joint", "purpose", "addr_state", "application_type"}
)

FEATURES = NUMBERS | DATES | CATEGORIES | {TERM, EMPLOYMENT}

IDENTIFIER = "identifier: says which loan it is, or the same for every loan"
TEXT = "free text or URL, written by or about the borrower"
LEAK = "gives the grade away: Lending Club sets it from the grade"
AFTER = "known only after the grade: how the loan was listed, funded, paid or ended"
REPEATED = "repeats another column"
UNKNOWN = "not in the documented list of features"

_RULES: tuple[tuple[str, str], ...] = (
    (r"grade|sub_grade|int_rate|installment|grade[._]?\d+|sub_grade[._]?\d+", LEAK),
    (r"id|member_id|policy_code|unnamed:.*|index|", IDENTIFIER),
    (r"url|desc|title|emp_title", TEXT),
    (r"issue_d", "date of issue: selects the window and is the reference of the ages"),
    (r"zip_code", "about 900 levels; addr_state says where the borrower lives"),
    (r"funded_amnt", REPEATED + " (loan_amnt)"),
    (r"funded_amnt_inv|initial_list_status|disbursement_method", AFTER),
    (r"(loan_status|pymnt_plan|recoveries|collection_recovery_fee|next_pymnt_d|payment_plan_start_date)", AFTER),
    (r"(out_prncp|total_pymnt|total_rec|last_|hardship_|debt_settlement_|settlement_).*", AFTER),
    (r"deferral_term|orig_projected_additional_accrued_interest", AFTER),
)


def why_dropped(name: str) -> str | None:
    """Return why a column of a raw file is no feature, or None if it is one.

    >>> why_dropped("int_rate")
    'gives the grade away: Lending Club sets it from the grade'
    >>> why_dropped("dti") is None
    True
    """
    if name in FEATURES:
        return None
    for pattern, reason in _RULES:
        if re.fullmatch(pattern, name):
            return reason
    return UNKNOWN


def known(names: Iterable[str]) -> set[str]:
    """Return the names that occur in Lending Club's files."""
    return {name for name in names if name and why_dropped(name) != UNKNOWN}


def split_columns(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Split the columns of a file into the features, in the file's order, and the others with the reason for each."""
    kept, dropped = [], {}
    for name in dict.fromkeys(names):
        reason = why_dropped(name)
        if reason is None:
            kept.append(name)
        else:
            dropped[name] = reason
    return kept, dropped
