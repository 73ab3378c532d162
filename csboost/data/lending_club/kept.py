"""Say which columns the models of a study get: what each replication's preprocessing keeps, and why not the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import mean

from sklearn.pipeline import Pipeline

from csboost.data.lending_club.preprocessing import ColumnScreen


def describe_kept(preprocessors: Sequence[Pipeline]) -> list[str]:
    """Say which columns remain after the screen, and why the others do not.

    Parameters
    ----------
    preprocessors : sequence of Pipeline
        From :func:`csboost.data.make_loan_preprocessor`, each fitted on the training rows of one replication. Every
        replication screens its own training rows, so they need not keep the same columns.

    Returns
    -------
    list of str
        Sentences: the columns that are kept always, those that are kept in some replications (and in how many), the
        number of features that the models get, and the columns that are dropped always, by reason.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import data
    >>> loans = pd.DataFrame({"loan_amnt": [5.0, 9.0, 7.0, 8.0], "inquiries": [0.0, 0.0, 1.0, 0.0]})
    >>> parts = [data.make_loan_preprocessor().fit(rows) for rows in (loans[:2], loans[2:])]
    >>> for line in data.describe_kept(parts):
    ...     print(line)
    Kept 1 columns in each of 2 replications, 1 to 2 features with the dummies of categories: loan_amnt.
    Kept 1 columns in some of the replications: inquiries (1).
    """
    screens: list[ColumnScreen] = [preprocessor.named_steps["screen"] for preprocessor in preprocessors]
    times = Counter(name for screen in screens for name in screen.kept_)
    names = list(screens[0].missing_)
    always = [name for name in names if times[name] == len(screens)]
    sometimes = [f"{name} ({times[name]})" for name in names if 0 < times[name] < len(screens)]
    where = f" in each of {len(screens)} replications" if sometimes else ""
    lines = [f"Kept {len(always)} columns{where}, {_features(preprocessors)}: {', '.join(always)}."]
    if sometimes:
        lines.append(f"Kept {len(sometimes)} columns in some of the replications: {', '.join(sometimes)}.")
    return [*lines, *_dropped(screens, [name for name in names if not times[name]])]


def _features(preprocessors: Sequence[Pipeline]) -> str:
    counts = [len(preprocessor.get_feature_names_out()) for preprocessor in preprocessors]
    some = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    return f"{some} features with the dummies of categories"


def _dropped(screens: Sequence[ColumnScreen], names: Sequence[str]) -> list[str]:
    limit = screens[0].max_missing
    share = {name: mean(screen.missing_[name] for screen in screens) for name in names}
    sparse = [f"{name} {share[name]:.0%}" for name in names if share[name] > limit]
    constant = [name for name in names if share[name] <= limit]
    reasons = {f"more than {limit:.0%} missing in the training rows": sparse, "constant in the training rows": constant}
    return [f"Dropped ({reason}): {', '.join(dropped)}." for reason, dropped in reasons.items() if dropped]
