"""Check what a reading is asked for, files and months, with nothing but the standard library: before long imports."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from csboost.data.errors import DataError
from csboost.data.lending_club.raw.dates import NO_MONTH, month_number
from csboost.data.lending_club.raw.files import check_path


def check_request(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], start: str | None = None, stop: str | None = None
) -> tuple[list[Path], tuple[int, int] | None]:
    """Check the files and the window of a reading.

    Parameters
    ----------
    paths : path or iterable of paths
        The files.
    start : str or None
        First month of issue, as "2017-01"; None for no limit.
    stop : str or None
        Last month of issue, which counts too.

    Returns
    -------
    files : list of Path
        The files as paths.
    window : (int, int) or None
        First and last month, counted in months; None for no window.

    Raises
    ------
    DataError
        For a file that is not there, an impossible month or an empty window; it names the offender.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application": the window of
    the loans).

    Examples
    --------
    >>> import tempfile
    >>> from csboost import data
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("grade,issue_d", file=file, flush=True)
    ...     files, (first, last) = data.check_request(file.name, "2017-01", "2018-03")
    >>> len(files), last - first
    (1, 14)
    """
    window = _window(start, stop)
    files = [check_path(path) for path in ([paths] if isinstance(paths, (str, PathLike)) else paths)]
    if not files:
        raise DataError("No file is named.")
    return files, window


def _window(start: str | None, stop: str | None) -> tuple[int, int] | None:
    if start is None and stop is None:
        return None
    ends = []
    for text, default in ((start, NO_MONTH + 1), (stop, -NO_MONTH - 1)):
        number = default if text is None else month_number(text)
        if number == NO_MONTH:
            raise DataError(f"{text!r} is no month: write it as 2017-01 (options --from and --to).")
        ends.append(number)
    if ends[0] > ends[1]:
        raise DataError(f"The window is empty: it starts in {start} and stops in {stop} (options --from and --to).")
    return ends[0], ends[1]
