"""From probabilities to answers: other tables than in the fit, other shares of the classes, costs per row, limits.

Inside, each file uses only those before it: ``probabilities`` and ``shares`` of the classes (read and checked),
``estimating`` (shares from unlabelled rows), ``priors`` (probabilities under other shares), ``expected`` (what every
answer is expected to cost), ``limits`` (how often an answer may be given), ``exchanges`` (what moving a row costs),
``shadow_prices`` (what a limit costs), ``dual_prices`` (where to begin) and ``assignment`` (the cheapest answers under
limits), ``decision`` (what comes out), ``deciding``, and the same for fitted models: ``model``, and ``mixin`` with
their method.
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
