"""Load Lending Club loans: the embedded table, or raw files that the user has."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING

from csboost.data.lending_club.raw.request import check_request

if TYPE_CHECKING:
    from sklearn.utils import Bunch

_DESCR = """Lending Club loans from {files}
{line}

{kept:,} loans issued {start} to {stop}, {n_features} columns known when a loan is graded, and its grade, A (best) to G.
Loans per grade: {counts}.

How the files were read:

{report}
"""


def load_lending_club(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]] | None = None,
    *,
    start: str | None = None,
    stop: str | None = None,
    max_bad_records: int = 1000,
    progress: bool = True,
) -> Bunch:
    """Load Lending Club loans and their grades, A (best) to G.

    Parameters
    ----------
    paths : None, path or iterable of paths
        None loads the embedded table of 9,857 loans of the first quarter of 2016 (the other parameters are then
        unused). Otherwise raw CSV files, plain, gzip or zip, in any layout in which they circulate; a loan found twice,
        with the same id and the same values, counts once.
    start : str or None
        First month of issue; the paper takes "2017-01". None: no limit.
    stop : str or None
        Last month of issue, which counts too; the paper takes "2018-03". None: no limit.
    max_bad_records : int
        Records with too many or too few fields that are skipped in each file; more are an error.
    progress : bool
        Show a progress bar on stderr if that is a terminal and rich is installed.

    Returns
    -------
    Bunch
        ``data`` (DataFrame), ``target`` (Series of "A" to "G"), ``frame`` (both), ``feature_names``, ``target_names``,
        ``DESCR``, ``source`` ("embedded" or "files") and ``report``. For the embedded table ``leaks`` holds the columns
        that give the grade away. For files, ``report`` is a ``ReadReport`` that says what became of every record and
        column; ``data`` holds float64 numbers (with the term in months and the employment in years), datetime64 months
        (``issue_d`` among them, the reference of ages) and categorical text, missing values as NaN.

    Raises
    ------
    DataError
        If a file is missing or cannot be used, or no loan lies in the window.

    References
    ----------
    Kuhn, M., "modeldata: Data Sets Useful for Modeling Examples", R package, data set lending_club, MIT licence,
    https://modeldata.tidymodels.org (the embedded table).
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> loans = data.load_lending_club()
    >>> loans.data.shape, "".join(loans.target_names)
    ((9857, 20), 'ABCDEFG')
    """
    if paths is not None:
        paths, _ = check_request(paths, start, stop)  # before anything that takes long to import
    from sklearn.utils import Bunch

    from csboost.data.lending_club.table import GRADES, load_credit_table

    if paths is None:
        return load_credit_table()
    from csboost.data.lending_club.raw.reader import read_loans

    frame, report = read_loans(paths, start, stop, max_bad_records=max_bad_records, progress=progress)
    target = frame.pop("grade")
    title = f"Lending Club loans from {', '.join(report.files)}"
    return Bunch(
        data=frame,
        target=target,
        frame=frame.assign(grade=target),
        feature_names=list(frame.columns),
        target_names=list(GRADES),
        source="files",
        report=report,
        DESCR=_DESCR.format(
            files=", ".join(report.files),
            line="=" * len(title),
            kept=report.kept,
            start=start or report.first,
            stop=stop or report.last,
            n_features=len(report.features),
            counts=", ".join(f"{grade} {count:,}" for grade, count in report.per_grade.items()),
            report=report,
        ),
    )
