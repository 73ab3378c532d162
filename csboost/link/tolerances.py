"""What the links take for rounding: each number is used for one question only, wherever it comes up."""

from __future__ import annotations

NO_COST = 1e-15  # share of the largest cost below which a cost is 0
NEGATIVE = -1e-12  # a probability below it is no rounding error
TIED_COSTS = 1e-10  # expected costs nearer than that, relative to them, are tied
LEAD = 1e-9  # a lead over another answer below it, relative to the costs, is none; and the room of an equation
EQUATION_MISS = 1e-8  # how far the nearest point may miss an equation, relative to the costs
WORST_CONDITION = 1e10  # a cost matrix beyond it counts as singular
CONSISTENT = 1e-7  # how far a solution of more answers than classes may miss a proportion, relative to it
