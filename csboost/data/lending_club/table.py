"""The embedded credit table: 9,857 loans of the first quarter of 2016, from R's modeldata (MIT licence)."""

from __future__ import annotations

import gzip
import hashlib
import io
from importlib import resources

import pandas as pd
from sklearn.utils import Bunch

from csboost.data.errors import DataError

GRADES = ("A", "B", "C", "D", "E", "F", "G")

TABLE = "lending_club.csv.gz"
SHA256 = "3dbe4d83e6efc20a42c349480fdf8e710b06cc4273eedf96896d137c9771537c"
"""Checksum of the unpacked CSV (not of the .gz, which depends on the compressor); the extraction script prints it."""

LEAKS = {
    "sub_grade": "the grade is its first letter",
    "int_rate": "set from the sub-grade",
    "Class": "how the loan ended, unknown when it is graded",
}
"""Columns of the table that are no features, and why."""

_DESCR = """Lending Club loans of the first quarter of 2016
================================================

9,857 loans, 20 features known when a loan is graded, and its grade, A (best) to G: an ordered seven-class problem.
No value is missing. Loans per grade: {counts}.

Source: data set `lending_club` of the R package modeldata, MIT licence (LICENSE-lending_club.txt beside the table).
The grade is the first letter of `sub_grade`. Not features: {leaks}.
They are in the attribute `leaks`, for tests of leakage.
"""


def load_credit_table() -> Bunch:
    """Load the embedded table (see :func:`csboost.data.load_lending_club`, which calls this without paths)."""
    table = pd.read_csv(io.BytesIO(_read_verified()), keep_default_na=False)
    target = table["sub_grade"].str[0].rename("grade")
    data = table.drop(columns=list(LEAKS))
    counts = target.value_counts().reindex(GRADES)
    return Bunch(
        data=data,
        target=target,
        frame=pd.concat([data, target], axis=1),
        leaks=table[list(LEAKS)],
        feature_names=list(data.columns),
        target_names=list(GRADES),
        source="embedded",
        report=None,
        DESCR=_DESCR.format(
            counts=", ".join(f"{grade} {count:,}" for grade, count in counts.items()),
            leaks="; ".join(f"`{name}` ({why})" for name, why in LEAKS.items()),
        ),
    )


def _read_verified() -> bytes:
    packed = resources.files("csboost.data.lending_club").joinpath(TABLE)
    try:
        content = gzip.decompress(packed.read_bytes())
    except (OSError, EOFError) as error:
        raise DataError(
            f"The embedded table {TABLE} is missing or damaged ({error}). Install csboost again."
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        raise DataError(
            f"The embedded table {TABLE} has changed: its SHA-256 is {found}, expected {SHA256}. Install csboost again."
        )
    return content
