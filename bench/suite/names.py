"""Names that the command line of the suite knows. Light: it reads this before it imports anything heavy."""

from __future__ import annotations

KINDS = ("equal", "linear", "random", "published", "built")
"""Cost structures: every mistake costs 1; the distance on the scale; random; printed by the set's source; made from
figures that were printed for another purpose."""

TUNING, HELD_OUT, FURTHER = "tuning", "held-out", "further"
USUAL_PARTS = (TUNING, HELD_OUT)
PARTS = (*USUAL_PARTS, FURTHER)
"""The sets that choices may be made by, those that they may not, and a hundred more, by which some were made (the bins
of gradient boosting); these take part when asked for."""

ARMS = {
    "defaults": "Every library at its own defaults.",
    "temperature": "Fitted to four fifths of the training rows, probabilities scaled by the temperature that is best "
    "for the log loss of the other fifth; then the Bayes rule, for boosters that are trained with costs too. What has "
    "no probabilities (AdaBoost.M2) stays as it is.",
    "tuned": "Options chosen among six by threefold cross-validation on cost within the training rows, then fitted to "
    "all of them.",
}
"""Ways to treat a competitor, and what is said of them."""
