"""Load Lending Club loans: the embedded table, or raw files that the user has."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from sklearn.utils import Bunch

from csboost.data.credit_table import load_credit_table


def load_lending_club(paths: str | PathLike[str] | Iterable[str | PathLike[str]] | None = None) -> Bunch:
    """Load Lending Club loans and their grades, A (best) to G.

    Parameters
    ----------
    paths : None, path or list of paths
        None loads the embedded table of 9,857 loans.

    Returns
    -------
    Bunch
        ``data`` (DataFrame of features), ``target`` (Series of "A" to "G"), ``frame`` (both), ``feature_names``,
        ``target_names``, ``DESCR``; for the embedded table also ``leaks``, the columns that give the grade away.
    """
    return load_credit_table()
