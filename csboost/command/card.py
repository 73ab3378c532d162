"""What a model file says of its model: gathered by ``csboost fit``, shown by ``csboost show``."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn

import csboost
from csboost import costs as cost_tables
from csboost._inputs.pipelines import last_step
from csboost.command.features import columns_to_info
from csboost.command.printing import in_list
from csboost.data.errors import DataError
from csboost.metrics.sentences import percent, rounded
from csboost.tables.class_costs import Costs, with_numbers
from csboost.tables.reading import Table

_FEATURES, _LISTED = 10, 20


def make_card(table: Table, target: str, costs: Costs, held_out: dict[str, Any] | None) -> dict[str, Any]:
    """The facts of a fit that the model itself does not hold."""
    assert table.y is not None
    counts = table.y.value_counts()
    return {
        "fitted": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "file": table.name,
        "target": target,
        "rows": len(table.y),
        "class_counts": {name: int(counts.get(name, 0)) for name in costs.classes},
        "costs_name": costs.name,
        "columns": columns_to_info(table.columns),
        "notes": list(table.notes),
        "held_out": held_out,
        "versions": {
            "csboost": csboost.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scikit-learn": sklearn.__version__,
        },
    }


def card_lines(model: Any, path: Path) -> list[str]:
    """What there is to say of a model, line by line.

    Raises
    ------
    DataError
        For a file that says what cannot be.
    """
    last = last_step(model)
    info = getattr(model, "info_", {})
    try:
        return [
            *_heading(last, info, path),
            *_classes(last, info),
            "",
            *_costs(last),
            "",
            *_made_of(last),
            *(held_out_lines(info["held_out"]) if info.get("held_out") else ["Cost on held-out rows: not measured."]),
            *_features(model, last),
            *map(str, info.get("notes", [])),
            *_versions(info),
        ]
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:  # whatever was edited
        raise DataError(f"{path} says what no model file says ({error}): fit the model again.") from error


def held_out_lines(held: dict[str, Any]) -> list[str]:
    """Say what the model costs on rows that it was not fitted on, and whether that is less than any single answer."""
    error, saving, constant = held["standard_error"], held["saving"], held["constant_cost"]
    figures = rounded(held["cost"], error, constant, width=4 * error)
    if saving <= 0:
        verdict = "the model costs no less: do not use it for these costs"
    elif saving < 2 * held["saving_error"]:
        verdict = "the model costs less, but it takes more rows to be sure"
    else:
        verdict = f"the model costs {percent(saving / abs(constant))} less" if constant else "the model costs less"
    lines = [
        f"Cost on held-out rows ({held['how']}): {figures[0]} per case, standard error {figures[1]}, {held['rows']:,} "
        "rows.",
        f"Best single answer for all of them: {held['constant_answer']}, {figures[2]} per case; {verdict}.",
    ]
    return [*lines, *([f"Its expected costs there: {held['promised']}."] if held.get("promised") else [])]


def _heading(last: Any, info: dict[str, Any], path: Path) -> list[str]:
    fitted = ""
    if info.get("file"):
        fitted = f", fitted {info['fitted']} on {info['file']} ({info['rows']:,} rows, target {info['target']})"
    return [f"{path}: {type(last).__name__}{fitted}."]


def _classes(last: Any, info: dict[str, Any]) -> list[str]:
    counts, total = info.get("class_counts", {}), info.get("rows", 0)
    each = [
        f"{in_list(label)} {counts[str(label)]:,} ({percent(counts[str(label)] / total)})"
        if str(label) in counts
        else in_list(label)
        for label in last.classes_.tolist()
    ]
    return [f"Classes: {_listed(each)}.", f"Answers: {_listed([in_list(label) for label in _answers(last)])}."]


def _answers(last: Any) -> list[Any]:
    return list(getattr(last, "answers_", last.classes_).tolist())


def _costs(last: Any) -> list[str]:
    table = pd.DataFrame(last.cost_matrix_, index=last.classes_.tolist(), columns=_answers(last))
    return cost_tables.describe(with_numbers(table)).splitlines()


def _made_of(last: Any) -> list[str]:
    if hasattr(last, "members_"):
        parts = zip(last.members_.items(), last.weights_, strict=True)
        each = ", ".join(f"{name} {percent(weight)}{_rounds(part)}" for (name, part), weight in parts)
        return [f"Members: {each}; temperature {last.temperature_:.2f}."]
    rounds = _rounds(last).strip(" ()")
    return [f"Made of: {rounds}."] if rounds else []


def _rounds(part: Any) -> str:
    rounds = getattr(part, "n_iter_", None)
    if not isinstance(rounds, int | np.integer):
        return ""
    bags = getattr(part, "n_bags", 1)
    return f" ({rounds} round{'' if rounds == 1 else 's'}{f' of {bags} trees' if bags > 1 else ''})"


def _features(model: Any, last: Any) -> list[str]:
    """The features that count most: shares of the gains of splits, of members by their weights."""
    members, weights = [last], np.ones(1)
    if hasattr(last, "members_"):
        members, weights = list(last.members_.values()), last.weights_
    known = [
        (part, weight) for part, weight in zip(members, weights, strict=True) if hasattr(part, "feature_importances_")
    ]
    if not known:
        return []
    shares = sum(weight * part.feature_importances_ for part, weight in known)
    shares = shares / (shares.sum() or 1.0)
    names = getattr(last, "feature_names_in_", [f"column {place}" for place in range(1, len(shares) + 1)])
    order = [place for place in np.argsort(-shares, kind="stable")[:_FEATURES] if shares[place] > 0]
    each = [f"{names[place]} {percent(shares[place])}" for place in order]
    return [f"Features that count most (shares of the gains of all splits): {', '.join(each)}."] if each else []


def _versions(info: dict[str, Any]) -> list[str]:
    each = [f"{name} {version}" for name, version in info.get("versions", {}).items()]
    return [f"Versions: {', '.join(each)}."] if each else []


def _listed(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - _LISTED} more" if len(labels) > _LISTED else ""
    return ", ".join(labels[:_LISTED]) + more
