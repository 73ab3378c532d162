"""Links: from the scores of a fitted booster to class probabilities and expected costs.

A link belongs to the loss that the scores lower, not to the booster that found them. Each is a small object with
:meth:`Link.estimate`, made once per fit out of plain arrays and parameters.
"""

from __future__ import annotations

from csboost.link.interface import Link
from csboost.link.likelihood import GuessAverseLink, MultinomialLink
from csboost.link.margin import MarginLink
from csboost.link.odds import OddsLink
from csboost.link.pnorm import MixtureLink
from csboost.link.softmax import SoftmaxLink

__all__ = ["GuessAverseLink", "Link", "MarginLink", "MixtureLink", "MultinomialLink", "OddsLink", "SoftmaxLink"]
