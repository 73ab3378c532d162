"""Write loans in the layouts in which Lending Club's files circulate. Every quirk here was seen in a real file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from csboost.data.lending_club.synthetic.columns import COLUMNS, DATES
from csboost.data.lending_club.synthetic.loans import Loans

_ABSENT_145 = (
    "fico_range_low", "fico_range_high", "last_fico_range_high", "last_fico_range_low", "sec_app_fico_range_low",
    "sec_app_fico_range_high",
)  # fmt: skip
_FRACTIONAL = ("id", "member_id", "term", "emp_length")  # never written with a decimal point added


MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _mon_year(months: np.ndarray, digits: int = 4) -> np.ndarray:
    names = np.array(MONTH_NAMES, dtype=object)
    years = (months.astype("datetime64[Y]").astype(int) + 1970).astype(str).astype(object)
    if digits == 2:
        years = np.array([year[2:] for year in years], dtype=object)
    return names[months.astype(int) % 12] + "-" + years


def _iso(months: np.ndarray) -> np.ndarray:
    return np.array([f"{month}-01" for month in months.astype(str)], dtype=object)


def _slash(months: np.ndarray) -> np.ndarray:
    return np.array([f"{month[:4]}/{int(month[5:])}/1" for month in months.astype(str)], dtype=object)


@dataclass(frozen=True)
class Layout:
    """How one kind of file spells the same loans."""

    columns: tuple[str, ...] = COLUMNS
    date: Callable[[np.ndarray], np.ndarray] = _mon_year
    decimals: bool = True  # whole numbers as 5.0
    percent: str = ""  # appended to int_rate and revol_util
    percent_lead: str = ""  # put before int_rate
    no_employment: str = ""  # emp_length when unknown
    missing: str = ""
    quote_all: bool = False
    newline: str = "\n"
    title: str = ""
    row_names: bool = False
    no_ids: bool = False
    footers_inside: bool = True
    footers_padded: bool = True


_KAGGLE = Layout()
LAYOUTS = {
    "clean": Layout(date=_iso, decimals=False, footers_inside=False),
    "kaggle": _KAGGLE,
    "kaggle145": Layout(
        columns=tuple(name for name in COLUMNS if name not in _ABSENT_145),
        decimals=False,
        no_ids=True,
        no_employment="n/a",
        footers_inside=False,
    ),
    "lendingclub": Layout(
        decimals=False,
        percent="%",
        percent_lead=" ",
        no_employment="n/a",
        quote_all=True,
        title="Notes offered by Prospectus (https://www.lendingclub.com/info/prospectus.action)",
        footers_inside=False,
        footers_padded=False,
    ),
    "crlf": replace(_KAGGLE, newline="\r\n"),
    "r-export": Layout(date=_iso, decimals=False, missing="NA", quote_all=True, row_names=True, footers_inside=False),
    "mar-19": replace(_KAGGLE, date=lambda months: _mon_year(months, 2), decimals=False, percent="%"),
    "slash-dates": replace(_KAGGLE, date=_slash, no_employment="n/a"),
    "grade.1": replace(_KAGGLE, columns=(*COLUMNS, "grade.1")),
}


def header(layout: Layout) -> str:
    """Return the lines above the loans, newline included."""
    names = ["", *layout.columns] if layout.row_names else list(layout.columns)
    line = ",".join(f'"{name}"' if layout.quote_all else name for name in names)
    return (layout.title + layout.newline if layout.title else "") + line + layout.newline


def footer(layout: Layout, code: int) -> str:
    """Return one line that is no loan; Kaggle's file has such sentences in the id column, padded with empty fields."""
    text = f"Total amount funded in policy code {code}: {460_296_150 + code}"
    padding = "," * (len(layout.columns) - 1 + layout.row_names) if layout.footers_padded else ""
    return text + padding + layout.newline


def body(loans: Loans, layout: Layout) -> pa.StringArray:
    """Spell a block of loans; one string per loan, without the newline at its end."""
    fields = [_field(loans, name, layout) for name in layout.columns]
    if layout.row_names:
        fields.insert(0, _quoted(pc.cast(pa.array(loans.values["id"]), pa.string())))
    return pc.binary_join_element_wise(*fields, ",", null_handling="replace", null_replacement=layout.missing)


def _field(loans: Loans, name: str, layout: Layout) -> pa.Array:
    source = "grade" if name == "grade.1" else name
    values = loans.values.get(source)
    if values is None or (source == "id" and layout.no_ids):
        return pa.nulls(loans.size, pa.string())
    missing = loans.missing.get(source)
    if name in DATES:
        texts = _dates(values, layout, missing)
    elif values.dtype == object:
        texts = pc.cast(pa.array(values, mask=missing).dictionary_encode(), pa.string())
    else:
        texts = _number(values, name, layout, missing)
    if layout.quote_all or (values.dtype == object and name in ("desc", "emp_title")):
        texts = _quoted(texts)
    return texts


def _number(values: np.ndarray, name: str, layout: Layout, missing: np.ndarray | None) -> pa.Array:
    if name == "term":
        return pc.binary_join_element_wise("", pc.cast(pa.array(values), pa.string()), "months", " ")
    if name == "emp_length":
        spelled = [
            layout.no_employment or None,
            "< 1 year",
            "1 year",
            *[f"{n} years" for n in range(2, 10)],
            "10+ years",
        ]
        return pa.array(spelled).take(pa.array(values + 1))
    texts = pc.cast(pa.array(values, mask=missing), pa.string())
    if values.dtype == np.int64 and layout.decimals and name not in _FRACTIONAL:
        texts = pc.binary_join_element_wise(texts, ".0", "")
    if layout.percent and name in ("int_rate", "revol_util"):
        lead = layout.percent_lead if name == "int_rate" else ""
        texts = pc.binary_join_element_wise(lead, texts, layout.percent, "")
    return texts


def _dates(values: np.ndarray, layout: Layout, missing: np.ndarray | None) -> pa.Array:
    months, codes = np.unique(values, return_inverse=True)  # spell each month once
    return pa.array(layout.date(months), pa.string()).take(pa.array(codes, mask=missing))


def _quoted(texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise('"', pc.replace_substring(texts, '"', '""'), '"', "")
