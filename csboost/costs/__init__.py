"""Cost matrices: by name, array or labelled table; validation, alignment with class labels, costs per row, Bayes rule.

Everywhere ``C[j, k]`` is the cost of predicting ``k`` when the truth is ``j``: rows = truth, columns = predicted.

Negative entries are gains. The columns of a labelled table are the answers, which need not be the classes.

Inside, each file uses only those before it: ``checks``, ``gains``, ``steps`` (their order), ``presets`` (matrices with
names), ``roles`` (what names of axes say) and ``tables`` (labelled ones), ``matrices`` (one of these as an array),
``alignment`` (answers that are not the classes), ``numbering``, ``row_tables`` (a table per sample) and ``cost_table``
(costs that know their labels), ``resolution`` and ``answers`` (any form at all), ``rows`` (costs per sample),
``named_columns`` (of probabilities) and ``bayes``. The classifier that decides so is at home in :mod:`csboost.bayes`.

From files: ``text_tables`` (cells), ``cost_lists``, ``formulas`` and ``reading``; in words: ``stated`` (a table before
anything in it is refused), ``doubting`` and ``describing``; for every row: ``formula_tables``; on command lines:
``named``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: a cost matrix must not pay for scikit-learn.
_HOMES = {
    "PRESETS": "presets",
    "Answers": "alignment",
    "BayesDecisionClassifier": ".bayes.classifier",
    "CostTable": "cost_table",
    "CostTables": "row_tables",
    "bayes_decision": "bayes",
    "cost_rows": "rows",
    "describe": "describing",
    "doubts": "doubting",
    "from_formulas": "formula_tables",
    "linear": "presets",
    "partitioned_linear": "presets",
    "read_costs": "reading",
    "resolve": "resolution",
    "resolve_answers": "answers",
    "zero_one": "presets",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.bayes.classifier import BayesDecisionClassifier as BayesDecisionClassifier
    from csboost.costs.alignment import Answers as Answers
    from csboost.costs.answers import resolve_answers as resolve_answers
    from csboost.costs.bayes import bayes_decision as bayes_decision
    from csboost.costs.cost_table import CostTable as CostTable
    from csboost.costs.describing import describe as describe
    from csboost.costs.doubting import doubts as doubts
    from csboost.costs.formula_tables import from_formulas as from_formulas
    from csboost.costs.presets import PRESETS as PRESETS
    from csboost.costs.presets import linear as linear
    from csboost.costs.presets import partitioned_linear as partitioned_linear
    from csboost.costs.presets import zero_one as zero_one
    from csboost.costs.reading import read_costs as read_costs
    from csboost.costs.resolution import resolve as resolve
    from csboost.costs.row_tables import CostTables as CostTables
    from csboost.costs.rows import cost_rows as cost_rows
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
