"""What a model costs on rows that it was not fitted on, beside the best that one answer for all cases could do."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from csboost import metrics
from csboost.command.deciding import Decider
from csboost.data.errors import DataError
from csboost.metrics.sentences import percent
from csboost.tables.class_costs import Costs

FOLDS, SHARE = 5, 0.25
FEW = 1_000  # rows below which every one of them must serve
Split = tuple[np.ndarray, np.ndarray]


class Plan:
    """How rows are held out.

    Attributes
    ----------
    words : str
        The same in words; empty where none are held out. Folds are fewer where no class has so many rows, which
        ``splits`` says.
    """

    def __init__(self, n_rows: int, folds: int | None, share: float | None, seed: int) -> None:
        if folds is None and share is None and n_rows < FEW:
            folds = FOLDS
        self._folds, self._share, self._seed = folds, SHARE if share is None else share, seed
        by_share = f"{percent(self._share)} of the rows" if self._share else ""
        self.words = _of_folds(folds) if folds else by_share

    def splits(self, y: pd.Series) -> Iterator[Split]:
        """Rows to fit on and rows held out, the classes in about their shares in both."""
        if self._folds:
            folds = min(self._folds, int(y.value_counts().max()))  # more than the rows of every class are refused
            if folds < 2:
                raise DataError("no class has two rows: what is learnt from a row cannot be tested on it.")
            self.words = _of_folds(folds)
            splitter: Any = StratifiedKFold(folds, shuffle=True, random_state=self._seed)
        else:
            most = len(y) - y.nunique()  # a row of every class is learnt from
            held = max(y.nunique(), min(round(self._share * len(y)), most))
            splitter = StratifiedShuffleSplit(1, test_size=held, random_state=self._seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # classes of fewer rows than folds: some folds lack them
            yield from splitter.split(np.zeros(len(y)), y)


def _of_folds(folds: int) -> str:
    return f"each row once, in {folds} folds"


def try_out(
    make: Callable[[], Any], X: pd.DataFrame, y: pd.Series, costs: Costs, plan: Plan, say_fold: Callable[[str], None]
) -> dict[str, Any]:
    """Fit on all but the held-out rows, as often as planned; what the answers to these cost, for the model file."""
    truths, given, promised = [], [], []
    for number, (learnt, held) in enumerate(plan.splits(y), 1):
        say_fold(f"fitting to try it on held-out rows ({number})")
        decider = Decider(make().fit(X.iloc[learnt], y.iloc[learnt]))
        answered = decider.answer(X.iloc[held])
        truths.append(pd.Index(costs.classes).get_indexer(pd.Index(y.iloc[held])))
        given.append(pd.Index(costs.answers).get_indexer(pd.Index(decider.labels))[answered.places])
        if answered.expected is not None:
            promised.append(answered.expected[np.arange(len(held)), answered.places])
    truth, answers = np.concatenate(truths), np.concatenate(given)
    realised, constant = costs.matrix[truth, answers], costs.matrix[truth].mean(axis=0)
    best = int(constant.argmin())
    found = {
        "rows": len(truth),
        "how": plan.words,
        "cost": float(realised.mean()),
        "standard_error": float(realised.std() / len(truth) ** 0.5),
        "constant_answer": costs.answers[best],
        "constant_cost": float(constant[best]),
        **_saving(costs.matrix[truth, best] - realised),
    }
    if promised:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # it is in the verdict
            found["promised"] = metrics.promised_cost(
                np.array(costs.classes, dtype=object)[truth], np.array(costs.answers, dtype=object)[answers],
                np.concatenate(promised), costs.table,
            ).verdict  # fmt: skip
    return found


def _saving(saved: np.ndarray) -> dict[str, float]:
    return {"saving": float(saved.mean()), "saving_error": float(saved.std() / len(saved) ** 0.5)}
