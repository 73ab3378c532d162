"""Tables whose columns are answers: classes, some of them, or others such as "human"."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed, refuse_parted
from csboost.costs.checks import bare_label, check_finite, check_unique, differing_labels, take_labels
from csboost.costs.gains import check_gains
from csboost.costs.tables import costs_of, read_cost_table, refuse_turned_axes

LONG_ENOUGH = 4  # letters from which on a label that nearly is another is a slip of the pen
ALIKE = 0.8  # how much of it must then be the same


class Answers(NamedTuple):
    """What every answer costs, and how the answers are called.

    Attributes
    ----------
    costs : ndarray of shape (K, A)
        In the unit of the user, gains (negative entries) included; rows = truth, in the order of the classes.
    labels : ndarray of shape (A,)
        The answers: those that are classes in the order of the classes, then the others in the order of the table. The
        array of the classes itself where they are the answers.

    References
    ----------
    Chow, C. K. (1970), "On optimum recognition error and reject tradeoff", IEEE Transactions on Information Theory 16,
    41-46, doi:10.1109/TIT.1970.1054406 (an answer that is no class: to reject).

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import costs
    >>> table = pd.DataFrame({"well": [0, 9], "sick": [2, 0], "human": [1, 1]}, index=["well", "sick"])
    >>> costs.resolve_answers(table, ["sick", "well"]).labels.tolist()
    ['sick', 'well', 'human']
    """

    costs: NDArray[np.float64]
    labels: NDArray[Any]


def are_classes(answers: NDArray[Any], classes: NDArray[Any]) -> bool:
    """Whether resolved answers are just the classes."""
    return bool(answers.tolist() == classes.tolist())


def is_rectangular(rows: Sequence[Any], columns: Sequence[Any]) -> bool:
    """Whether the answers of a table are not just the classes."""
    return set(rows) != set(columns)


def labelled_answers(
    cost_matrix: Any, classes: NDArray[Any], *, is_meant: bool = False, known: Sequence[Any] | None = None
) -> Answers | None:
    """The answers of a labelled table for some of its classes, which are those of ``known``; None where they are just
    its classes.
    """
    table = read_cost_table(cost_matrix)
    refuse_turned_axes(cost_matrix)
    if not is_rectangular(table.rows, table.columns):
        return None
    costs = costs_of(table)
    check_answers(costs, table.rows, table.columns, is_meant=is_meant)
    return align(costs, table.rows, table.columns, list(classes), classes, known=known)


def turned(rows: Sequence[Any], columns: Sequence[Any], classes: Sequence[Any], name: str) -> str | None:
    """What speaks for a table with rows and columns in each other's place, as a sentence: rows that are neither
    ``classes`` nor answers, though the columns are just the classes.
    """
    strange = [label for label in rows if label not in set(classes) and label not in set(columns)]
    if not strange or set(columns) != set(classes):
        return None
    return (
        f"{name} has rows for {listed(strange)}, which are neither classes here nor answers, and its columns are just "
        f"the classes: rows are the truth, columns the answers. Is {name}.T meant?"
    )


def check_answers(
    costs: NDArray[np.float64], rows: Sequence[Any], columns: Sequence[Any], *, is_meant: bool = False
) -> None:
    """Check a whole table (K, A) of answers by its labels; ``is_meant`` says that the answers were listed on their own,
    so that they are no slips of the pen.
    """
    name = "cost_matrix"
    check_unique(rows, name, "row")
    check_unique(columns, name, "column")
    if costs.shape != (len(rows), len(columns)):
        raise ValueError(
            f"{name} has shape {costs.shape}, but there are {len(rows)} classes ({listed(rows)}) and {len(columns)} "
            f"answers ({listed(columns)}): it needs one row per class (truth) and one column per answer."
        )
    refuse_slips(rows, columns, name, is_meant=is_meant)
    check_finite(costs, rows, columns, name)
    _refuse_twins(costs, rows, columns, name)
    check_gains(costs, rows, columns, name)


def align(
    costs: NDArray[np.float64],
    rows: Sequence[Any],
    columns: Sequence[Any],
    own: Sequence[Any],
    classes: Any,
    name: str = "cost_matrix",
    known: Sequence[Any] | None = None,
) -> Answers:
    """The part of a checked table (K, A), or of one per row (n, K, A), that is for some classes: ``own`` are their
    labels in the table, ``classes`` the same as the caller writes them, ``known`` all that there are.
    """
    doubt = turned([label for label in rows if label not in set(known or ())], columns, own, name)
    if doubt is not None:
        warnings.warn(doubt, stacklevel=2)
    places = take_labels(list(rows), own, name, "row")
    column = {label: a for a, label in enumerate(columns)}
    kept = [k for k, label in enumerate(own) if label in column]
    chosen = in_answer_order(columns, own, rows)
    others = chosen[len(kept) :]
    found = np.ascontiguousarray(costs[..., places, :][..., [column[label] for label in chosen]])
    if len(places) > 1 and not found.any():
        raise ValueError(
            f"{name} is zero everywhere for the classes {listed(list(own))}: no mistake would cost anything"
        )
    return Answers(found, _labels(label_vector(classes), kept, others))


def in_answer_order(columns: Sequence[Any], classes: Sequence[Any], rows: Iterable[Any] = ()) -> list[Any]:
    """The labels of a table's columns as answers: those that are ``classes`` in the order of these, then the others but
    for columns of truths, on its ``rows``, that are no classes here.
    """
    present, known = set(columns), {*rows, *classes}
    return [*(label for label in classes if label in present), *(label for label in columns if label not in known)]


def label_vector(labels: Any) -> NDArray[Any]:
    """Labels as an array (n,) that keeps them apart: NumPy would turn numbers beside text into text."""
    if isinstance(labels, np.ndarray):
        return labels
    values = plain_labels(labels)
    plain = np.asarray(values)
    if plain.ndim == 1 and all(_same(*pair) for pair in zip(plain.tolist(), values, strict=True)):
        return plain
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def plain_labels(labels: Iterable[Any], name: str = "labels") -> tuple[Any, ...]:
    """Labels as Python has them: NumPy's scalars unpacked."""
    plain = tuple(label.item() if isinstance(label, np.generic) else label for label in labels)
    refuse_parted(plain, name)
    return plain


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _labels(classes: NDArray[Any], kept: list[int], others: Sequence[Any]) -> NDArray[Any]:
    """The answers' labels: the classes' dtype, unless others beside them are of another kind."""
    if not others:
        return classes if kept == list(range(len(classes))) else classes[kept]
    together = label_vector([*classes[kept].tolist(), *others])
    return together.astype(object) if classes.dtype.kind == "O" else together


def refuse_slips(
    rows: Sequence[Any],
    columns: Sequence[Any],
    name: str,
    *,
    is_meant: bool = False,
    say_so: str = "say so: csboost.costs.CostTable(cost_matrix, answers=[...])",
) -> None:
    """Refuse answers that are nearly classes, as by a typo in the head of a file; ``say_so`` is what to do where they
    are meant.
    """
    bare, known, found = {bare_label(label): label for label in rows}, set(rows), set(columns)
    lost = {str(label): label for label in rows if label not in found and len(str(label)) >= LONG_ENOUGH}
    for label in columns:
        if label in known:
            continue
        twin = bare.get(bare_label(label))
        if twin is not None:
            raise ValueError(
                f"{differing_labels(columns, rows, name)} {listed([label, twin])} differ in upper case, spaces or type "
                "alone: give both the same label."
            )
        close = difflib.get_close_matches(str(label), lost, n=1, cutoff=ALIKE) if not is_meant else []
        if close and len(str(label)) >= LONG_ENOUGH:
            raise ValueError(
                f"{differing_labels(columns, rows, name)} If {listed([label])} is meant as an answer of its own beside "
                f"the class {listed([lost[close[0]]])}, {say_so}."
            )


def _refuse_twins(costs: NDArray[np.float64], rows: Sequence[Any], columns: Sequence[Any], name: str) -> None:
    """Columns that are equal, one of them no class: nothing could tell these answers apart."""
    refuse_equal([(costs[:, a] + 0.0).tobytes() for a in range(len(columns))], rows, columns, name)  # -0.0 is 0.0


def refuse_equal(contents: Sequence[Any], rows: Sequence[Any], columns: Sequence[Any], name: str) -> None:
    """The same by what the columns hold."""
    known, first = set(rows), dict[Any, Any]()
    for content, label in zip(contents, columns, strict=True):
        twin = first.setdefault(content, label)
        if twin is not label and not {label, twin} <= known:
            raise ValueError(
                f"{name} has equal columns for the answers {listed([twin, label])}: nothing tells them apart. Leave "
                "one of them out, or give them costs that differ."
            )
