"""``csboost show``: what a model file holds."""

from __future__ import annotations

import argparse

from csboost.command.card import card_lines
from csboost.command.opening import open_model
from csboost.command.printing import print_result


def conduct_show(options: argparse.Namespace) -> None:
    """Do what ``csboost show`` was asked for."""
    print_result("\n".join(card_lines(open_model(options.model), options.model)))
