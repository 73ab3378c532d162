"""The columns of Kaggle's accepted_2007_to_2018Q4.csv and, for the invented loans, what their values look like."""

from __future__ import annotations

COLUMNS = tuple(
    """id member_id loan_amnt funded_amnt funded_amnt_inv term int_rate installment grade sub_grade emp_title
    emp_length home_ownership annual_inc verification_status issue_d loan_status pymnt_plan url desc purpose title
    zip_code addr_state dti delinq_2yrs earliest_cr_line fico_range_low fico_range_high inq_last_6mths
    mths_since_last_delinq mths_since_last_record open_acc pub_rec revol_bal revol_util total_acc
    initial_list_status out_prncp out_prncp_inv total_pymnt total_pymnt_inv total_rec_prncp total_rec_int
    total_rec_late_fee recoveries collection_recovery_fee last_pymnt_d last_pymnt_amnt next_pymnt_d
    last_credit_pull_d last_fico_range_high last_fico_range_low collections_12_mths_ex_med
    mths_since_last_major_derog policy_code application_type annual_inc_joint dti_joint verification_status_joint
    acc_now_delinq tot_coll_amt tot_cur_bal open_acc_6m open_act_il open_il_12m open_il_24m mths_since_rcnt_il
    total_bal_il il_util open_rv_12m open_rv_24m max_bal_bc all_util total_rev_hi_lim inq_fi total_cu_tl
    inq_last_12m acc_open_past_24mths avg_cur_bal bc_open_to_buy bc_util chargeoff_within_12_mths delinq_amnt
    mo_sin_old_il_acct mo_sin_old_rev_tl_op mo_sin_rcnt_rev_tl_op mo_sin_rcnt_tl mort_acc mths_since_recent_bc
    mths_since_recent_bc_dlq mths_since_recent_inq mths_since_recent_revol_delinq num_accts_ever_120_pd
    num_actv_bc_tl num_actv_rev_tl num_bc_sats num_bc_tl num_il_tl num_op_rev_tl num_rev_accts num_rev_tl_bal_gt_0
    num_sats num_tl_120dpd_2m num_tl_30dpd num_tl_90g_dpd_24m num_tl_op_past_12m pct_tl_nvr_dlq percent_bc_gt_75
    pub_rec_bankruptcies tax_liens tot_hi_cred_lim total_bal_ex_mort total_bc_limit total_il_high_credit_limit
    revol_bal_joint sec_app_fico_range_low sec_app_fico_range_high sec_app_earliest_cr_line sec_app_inq_last_6mths
    sec_app_mort_acc sec_app_open_acc sec_app_revol_util sec_app_open_act_il sec_app_num_rev_accts
    sec_app_chargeoff_within_12_mths sec_app_collections_12_mths_ex_med sec_app_mths_since_last_major_derog
    hardship_flag hardship_type hardship_reason hardship_status deferral_term hardship_amount hardship_start_date
    hardship_end_date payment_plan_start_date hardship_length hardship_dpd hardship_loan_status
    orig_projected_additional_accrued_interest hardship_payoff_balance_amount hardship_last_payment_amount
    disbursement_method debt_settlement_flag debt_settlement_flag_date settlement_status settlement_date
    settlement_amount settlement_percentage settlement_term""".split()  # noqa: SIM905
)
"""The 151 columns, in the order of the file."""

DATES = frozenset(
    ("issue_d", "earliest_cr_line", "sec_app_earliest_cr_line", "last_pymnt_d", "next_pymnt_d", "last_credit_pull_d")
)

LEVELS = {
    "home_ownership": ("MORTGAGE", "RENT", "OWN", "ANY"),
    "verification_status": ("Source Verified", "Not Verified", "Verified"),
    "purpose": (
        "debt_consolidation", "credit_card", "home_improvement", "other", "major_purchase", "medical", "car", "moving",
    ),
    "addr_state": (
        "CA", "TX", "NY", "FL", "IL", "NJ", "PA", "OH", "GA", "VA", "NC", "MI", "AZ", "MD", "CO", "WA", "MA", "NV",
    ),
    "emp_title": ("Teacher", "Manager", "Nurse, night shift", 'Driver "long haul"', "Owner"),
    "loan_status": ("Current", "Fully Paid", "Charged Off"),
    "zip_code": ("112xx", "945xx", "750xx", "606xx", "300xx"),
}  # fmt: skip
"""Levels of the text columns, from frequent to rare."""

NUMBERS = {
    "acc_now": (0.05, 1.0, 0.2),
    "acc_open": (4, 0.6, 0.25),
    "annual_inc": (70_000, 0.5, -0.15),
    "avg_cur": (9_000, 1.0, -0.2),
    "bc_open": (7_000, 1.3, -0.6),
    "chargeoff": (0.1, 0.9, 0.2),
    "collection_recovery": (0.1, 2.0, 0.5),
    "collections": (0.2, 0.8, 0.2),
    "delinq_2yrs": (0.5, 0.9, 0.4),
    "delinq_amnt": (0.1, 2.0, 0.3),
    "inq": (0.9, 0.8, 0.35),
    "last_fico": (690, 0.08, 0.0),
    "last_pymnt": (400, 0.8, 0.0),
    "max_bal": (5_000, 0.9, -0.1),
    "mo_sin": (60, 0.9, -0.15),
    "mort": (1, 1.0, -0.2),
    "mths_since": (15, 1.0, -0.2),
    "num": (4, 0.7, 0.0),
    "open": (1.5, 0.8, 0.15),
    "open_acc": (11, 0.4, 0.0),
    "out_prncp": (6_000, 0.8, 0.0),
    "pub_rec": (0.4, 0.8, 0.3),
    "recoveries": (0.2, 2.0, 0.5),
    "revol_bal": (11_000, 0.9, 0.0),
    "sec_app": (5, 0.8, 0.1),
    "tax_liens": (0.1, 1.2, 0.2),
    "tot": (40_000, 1.1, -0.25),
    "total_acc": (22, 0.5, -0.05),
}
"""Whole numbers, by the start of the name: typical value, spread of its logarithm, how much that falls with quality."""

PERCENTS = frozenset(
    {"revol_util", "bc_util", "il_util", "all_util", "pct_tl_nvr_dlq", "percent_bc_gt_75", "sec_app_revol_util"}
)

MISSING = {
    "bc_open_to_buy": 0.011,
    "bc_util": 0.012,
    "dti": 0.001,
    "emp_title": 0.07,
    "il_util": 0.14,
    "mo_sin_old_il_acct": 0.03,
    "mths_since_last_delinq": 0.5,
    "mths_since_last_major_derog": 0.73,
    "mths_since_last_record": 0.84,
    "mths_since_rcnt_il": 0.03,
    "mths_since_recent_bc_dlq": 0.77,
    "mths_since_recent_inq": 0.1,
    "mths_since_recent_revol_delinq": 0.67,
    "revol_util": 0.001,
}
"""Share of missing values; the columns of a second applicant are missing unless the application is joint."""
