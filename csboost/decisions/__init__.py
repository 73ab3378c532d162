"""From probabilities to answers: other tables than in the fit, other shares of the classes, costs per row, limits.

Inside, each file uses only those before it: ``probabilities`` (read and checked), ``priors`` (shares of the classes),
``expected`` (what every answer is expected to cost), ``limits`` (how often an answer may be given), ``residual`` (what
moving a row costs), ``start`` and ``assignment`` (the cheapest answers under limits), ``decision`` (what comes out),
``deciding``, and the same for fitted models: ``model``, and ``mixin`` with their method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

_HOMES = {
    "Decision": "decision",
    "decide": "deciding",
    "estimate_priors": "priors",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.decisions.deciding import decide as decide
    from csboost.decisions.decision import Decision as Decision
    from csboost.decisions.priors import estimate_priors as estimate_priors
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
