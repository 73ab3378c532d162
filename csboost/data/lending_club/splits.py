"""Which loans train and which test: samples with as many loans of each grade, by seed."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils import Bunch

from csboost.data.errors import DataError, explained


def grade_codes(bunch: Bunch) -> np.ndarray:
    """Return the grades as codes.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.

    Returns
    -------
    ndarray of shape (n,), int64
        Places in ``bunch.target_names``: A is 0, G is 6.

    References
    ----------
    Kuhn, M., "modeldata: Data Sets Useful for Modeling Examples", R package, data set lending_club, MIT licence,
    https://modeldata.tidymodels.org.

    Examples
    --------
    >>> import numpy as np
    >>> from csboost import data
    >>> np.bincount(data.grade_codes(data.load_lending_club()))
    array([1945, 2954, 2657, 1240,  720,  266,   75])
    """
    names = list(bunch.target_names)
    codes = bunch.target.map({name: code for code, name in enumerate(names)})
    return codes.to_numpy(dtype=np.int64)


def pick_per_grade(codes: np.ndarray, names: list[str], count: int, spare: int, seed: int) -> list[np.ndarray]:
    """Draw ``count`` rows of each grade without replacement.

    Parameters
    ----------
    codes : ndarray of shape (n,)
    names : list of str, length K
    count : int
        Rows per grade.
    spare : int
        Rows that each grade must have left over.
    seed : int

    Returns
    -------
    list of K ndarrays of shape (count,)
        Row numbers, in random order.

    Raises
    ------
    DataError
        If a grade has too few loans; it names the grade, its count and the option ``--per-grade``.
    """
    if count < 1:
        raise DataError(f"per_grade must be at least 1, got {count} (option --per-grade).")
    sizes = np.bincount(codes, minlength=len(names))
    short = [f"{name} has {size:,}" for name, size in zip(names, sizes, strict=True) if size < count + spare]
    if short:
        most = max(int(sizes.min()) - spare, 0)
        advice = f"use --per-grade {most} or less" if most else "use other files or a wider window"
        left = f" and {spare} to test on" if spare else ""
        raise DataError(
            f"Too few loans: {count:,} per grade are asked for{left}, but grade {'; grade '.join(short)}; {advice}."
        )
    rng = np.random.default_rng(seed)
    return [rng.choice(np.flatnonzero(codes == code), size=count, replace=False) for code in range(len(names))]


@explained
def credit_split(bunch: Bunch, seed: int, per_grade: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Choose the training loans of one replication on the embedded table; every other loan is for testing.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication: the same seed gives the same rows.
    per_grade : int
        Training loans of each grade; 60 gives the paper's 420 (4 % of 10,500).

    Returns
    -------
    train : ndarray of int64
        Row numbers, ascending.
    test : ndarray of int64
        The others, ascending.
    test_weight : ndarray of float64, shape (len(test),)
        Gives each grade the same total weight; the mean is 1.

    Raises
    ------
    DataError
        If a grade has too few loans to train and test on.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> train, test, test_weight = data.credit_split(data.load_lending_club(), seed=0)
    >>> len(train), len(test)
    (420, 9437)
    """
    codes = grade_codes(bunch)
    picked = pick_per_grade(codes, list(bunch.target_names), per_grade, spare=1, seed=seed)
    train = np.sort(np.concatenate(picked))
    rest = np.ones(len(codes), dtype=bool)
    rest[train] = False
    test = np.flatnonzero(rest)
    sizes = np.bincount(codes[test])
    return train, test, len(test) / (len(sizes) * sizes[codes[test]])


@explained
def paper_split(bunch: Bunch, seed: int, per_grade: int, train_fraction: float) -> tuple[np.ndarray, np.ndarray]:
    """Draw the subsample of one replication of the paper's credit example and divide it.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication: the same seed gives the same rows.
    per_grade : int
        Loans of each grade in the subsample.
    train_fraction : float
        Share of the subsample that trains, of each grade alike.

    Returns
    -------
    train : ndarray of int64
        Row numbers, ascending.
    test : ndarray of int64
        Row numbers, ascending.

    Raises
    ------
    DataError
        If a grade has fewer than ``per_grade`` loans, or the fraction leaves a grade without a row on one side.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> train, test = data.paper_split(data.load_lending_club(), seed=0, per_grade=50, train_fraction=0.4)
    >>> len(train), len(test)
    (140, 210)
    """
    picked = pick_per_grade(grade_codes(bunch), list(bunch.target_names), per_grade, spare=0, seed=seed)
    n_train = round(per_grade * train_fraction)
    if not 1 <= n_train < per_grade:
        raise DataError(
            f"A train fraction of {train_fraction} leaves {n_train} of {per_grade} loans of a grade for training"
            " (options --train-fraction and --per-grade)."
        )
    train = np.sort(np.concatenate([rows[:n_train] for rows in picked]))
    test = np.sort(np.concatenate([rows[n_train:] for rows in picked]))
    return train, test


@explained
def full_split(bunch: Bunch, seed: int, test_size: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Choose training and test rows among all loans, with the same shares of the grades in both.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication: the same seed gives the same rows.
    test_size : float
        Share of the loans that test.

    Returns
    -------
    train : ndarray of int64
        Row numbers, ascending.
    test : ndarray of int64
        Row numbers, ascending.

    Raises
    ------
    DataError
        If a grade is absent or has too few loans to be split.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> train, test = data.full_split(data.load_lending_club(), seed=0)
    >>> len(train), len(test)
    (7885, 1972)
    """
    codes, names = grade_codes(bunch), list(bunch.target_names)
    sizes = np.bincount(codes, minlength=len(names))
    few = [f"{name} has {size or 'none'}" for name, size in zip(names, sizes.tolist(), strict=True) if size < 2]
    if few:
        held = f" (they hold loans issued {bunch.report.first} to {bunch.report.last})" if bunch.report else ""
        raise DataError(
            f"Too few loans to train and test on all grades: grade {'; grade '.join(few)}, and each needs 2; choose a "
            f"wider window with --from and --to, or other files{held}."
        )
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))  # takes seeds of any size
    try:
        train, test = train_test_split(np.arange(len(codes)), test_size=test_size, random_state=random, stratify=codes)
    except ValueError as error:
        counts = dict(zip(names, sizes.tolist(), strict=True))
        raise DataError(
            f"The loans cannot be split with a test share of {test_size}: {error} Loans: {counts}."
        ) from error
    return np.sort(train), np.sort(test)
