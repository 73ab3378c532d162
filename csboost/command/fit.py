"""``csboost fit``: a model from a file and a table of costs."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import Any

import pandas as pd

from csboost import costs as cost_tables
from csboost import save_model, tables
from csboost.command.card import held_out_lines, make_card
from csboost.command.files import check_output
from csboost.command.mishaps import UsageError
from csboost.command.models import DEFAULT, make_model
from csboost.command.printing import Progress, print_result, say
from csboost.command.trial import Plan, try_out
from csboost.costs.named import COST_NAMES
from csboost.tables.class_costs import (
    Costs,
    OrderError,
    check_classes,
    cost_words,
    costs_of_name,
    read_cost_file,
    with_numbers,
)
from csboost.tables.reading import Table


def conduct_fit(options: argparse.Namespace) -> None:
    """Do what ``csboost fit`` was asked for."""
    by_name = options.costs in COST_NAMES
    _check(options, by_name)
    given = None if by_name else _cost_file(options.costs)
    table = tables.read_table(
        options.file, target=options.target, drop=options.drop, keep=options.keep, categories=options.categories,
        labels=() if given is None else {*given.classes, *given.answers}, sheet=options.sheet,
    )  # fmt: skip
    assert table.y is not None
    costs = _checked_costs(options, given, table.y)
    for line in (*table.notes, *cost_words(costs)):
        say(line)
    say(f"\n{cost_tables.describe(with_numbers(costs.table))}\n")
    model, held_out = _fitted(options, table, costs)
    save_model(model, options.out, info=make_card(table, options.target, costs, held_out))
    for line in (*(held_out_lines(held_out) if held_out else []), f"The model is in {options.out}."):
        print_result(line)


def _check(options: argparse.Namespace, by_name: bool) -> None:
    """Refuse what can be refused before anything is read (UsageError, OSError)."""
    if options.effort is not None and options.model != DEFAULT:
        raise UsageError(f"--effort is one of {DEFAULT} alone, not of {options.model}.")
    if options.order is not None and not by_name:
        raise UsageError(f"--order is for costs by steps ({', '.join(COST_NAMES[1:])}): a table needs none.")
    check_output(options.out, [options.file, *([] if by_name else [Path(options.costs)])])


def _cost_file(name: str) -> Costs:
    if not Path(name).exists():
        known = ", ".join(COST_NAMES)
        raise FileNotFoundError(f"--costs {name}: there is no such file, and it is none of the names {known}.")
    return read_cost_file(Path(name))


def _checked_costs(options: argparse.Namespace, given: Costs | None, labels: pd.Series) -> Costs:
    try:
        costs = given or costs_of_name(options.costs, labels, options.order, options.target)
    except OrderError as error:
        raise UsageError(str(error)) from None
    check_classes(costs, labels, options.target, None if given is None else Path(options.costs))
    return costs


def _fitted(options: argparse.Namespace, table: Table, costs: Costs) -> tuple[Any, dict[str, Any] | None]:
    """The model of all rows, and what it costs on rows that it was not fitted on."""
    assert table.y is not None
    y = table.y.astype(object)

    def make() -> Any:
        return make_model(options.model, costs.table, options.seed, options.effort)

    plan = Plan(len(y), options.folds, options.held_out, options.seed)
    with contextlib.closing(Progress()) as progress:
        held_out = try_out(make, table.X, y, costs, plan, progress.show) if plan.words else None
        progress.show(f"fitting to all {len(y):,} rows")
        model = make().fit(table.X, y)
    for part in (model, *getattr(model, "members_", {}).values()):
        if "oof_probabilities_" in vars(part):
            del part.oof_probabilities_  # of every row of the training, which a file need not pass on
    return model, held_out
