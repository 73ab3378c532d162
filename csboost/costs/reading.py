"""Cost tables from files and from tables in memory, checked label by label and cell by cell."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import pandas as pd

from csboost._inputs.values import has_index, listed, refuse_parted
from csboost.costs.cost_lists import is_list, table_of_list
from csboost.costs.formulas import parse
from csboost.costs.roles import roles
from csboost.costs.text_tables import COMMA, NUMBER, Cells, cells_of_file, cells_of_frame, reads_as_number

__all__ = ["read_costs"]

_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_WHOLE = re.compile(r"-?(0|[1-9]\d*)")
_DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_CORNER = ("truth", "true", "actual", "class", "label", "target")  # what people call the column of truths


def read_costs(source: Any, *, formulas: bool = False) -> pd.DataFrame:
    """Read a cost table from a CSV file, with every label and cell checked.

    The file is either a table (a line per truth, whose first cell is the truth; a column per answer, whose header is
    the answer; answers need not be classes), or a list of three columns: truth, answer and cost, in any order of lines.
    A list is known by its header, in which the last name is ``cost`` or the three are ``truth``, ``answer`` and
    ``cost`` in any order; without one, by a second column that holds labels of truths. The names say which column is
    which: ``actual``, ``true label`` or ``y_true`` is the truth, ``predicted``, ``decision`` or ``y_pred`` the answer;
    names that say nothing stand in the order truth, answer. In a list a right answer may be left out and costs 0 then.

    Columns are separated by commas, semicolons or tabs. Decimal commas are taken where no cell has a point, and the
    minus of typesetters (U+2212) for that of keyboards where a number follows. What may be either, such as ``1,000``
    alone, or ``1.000`` alone where commas do not separate the columns, is refused. Blank lines, lines that begin with
    ``#``, blanks around cells and the mark at the beginning of a UTF-8 file are passed over. Labels that look like
    numbers become numbers where all truths do (``True`` and ``False`` likewise), so that they are equal to numeric
    classes; otherwise all labels stay text.

    Parameters
    ----------
    source : str, path, open file or pandas.DataFrame
        The file, or a table or list of the same form.
    formulas : bool, default=False
        Whether a cell may be a formula over columns of X, such as ``0.6 * amount``; it stays text
        (:func:`from_formulas`).

    Returns
    -------
    pandas.DataFrame of shape (K, A)
        Rows = truth, columns = answers, for ``cost_matrix=``. Of numbers, or of objects where there are formulas.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        For an empty file, lines of different lengths, missing or repeated labels, cells that are empty or no numbers
        (the truth and the answer are named), pairs that a list lacks or repeats, names of its columns that contradict
        each other.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on the form of a cost matrix).

    Examples
    --------
    >>> import io
    >>> from csboost import costs
    >>> costs.read_costs(io.StringIO("truth;good;poor;human\\ngood;0;1,5;2\\npoor;9;0;2"))
    answer  good  poor  human
    truth
    good     0.0   1.5    2.0
    poor     9.0   0.0    2.0
    """
    if has_index(source):
        refuse_parted(source.index, "the table", "index")
        refuse_parted(source.columns, "the table", "columns")
    cells = cells_of_frame(source) if has_index(source) else cells_of_file(_checked_source(source))
    if is_list(cells):
        truths, answers, costs, name = *table_of_list(cells), "truth"
    else:
        _check_labels(cells)
        truths, answers = [row[0] for row in cells.rows], cells.header[1:]
        costs, name = [row[1:] for row in cells.rows], cells.header[0] or "truth"
    values = _numbers(cells, truths, answers, costs, formulas)
    index, columns = _typed(truths, answers)
    other = None if roles(name)[:1] == ["answer"] else "answer"
    return pd.DataFrame(values, index=pd.Index(index, name=name), columns=pd.Index(columns, name=other))


def _checked_source(source: Any) -> Any:
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return source
    raise ValueError(
        f"read_costs takes the path of a file or a pandas.DataFrame, got {type(source).__name__}. Other labelled "
        "tables go to cost_matrix= as they are; an array with its labels goes into csboost.costs.CostTable."
    )


def _check_labels(cells: Cells) -> None:
    """Refuse labels that are missing or repeated."""
    name, header, truths = cells.name, cells.header, [row[0] for row in cells.rows]
    if reads_as_number(header[0]) or _lacks_truths(header, truths):
        raise ValueError(
            f"{name}: the rows have no labels, as the first column holds {listed(truths[:3])} below the header "
            f"{header[0]!r}. Put the truth of every row into a first column, under the name 'truth'."
        )
    for number, answer in enumerate(header[1:], 2):
        if answer == "":
            raise ValueError(
                f"{name}: column {number} has no label in the header; name the answer whose costs it holds."
            )
    for truth, place in zip(truths, cells.places, strict=True):
        if truth == "":
            raise ValueError(f"{name}, {place}: the row has no label; put its truth into the first cell.")
    for what, labels in (("answer", header[1:]), ("truth", truths)):
        repeated = list(dict.fromkeys(label for label in labels if labels.count(label) > 1))
        if repeated:
            where = "in the header" if what == "answer" else "at the beginning of several rows"
            raise ValueError(f"{name}: the {what} {listed(repeated)} stands {where} more than once; keep one of them.")


def _lacks_truths(header: list[Any], truths: list[Any]) -> bool:
    """Whether the first column is one of costs: numbers below text, as many rows as columns, and no name for it."""
    square = len(truths) == len(header) and not all(map(reads_as_number, header[1:]))
    corner = str(header[0]).lower()
    unnamed = corner != "" and not any(word in corner for word in _CORNER)
    return square and unnamed and all(map(reads_as_number, truths))


def _numbers(table: Cells, truths: list[Any], answers: list[Any], costs: list[list[Any]], formulas: bool) -> np.ndarray:
    """The cells (K, A) as numbers, and as text where they are formulas."""
    name, text = table.name, [cell for row in costs for cell in row if isinstance(cell, str)]
    decimal = _decimal_mark(name, text, table.separator)
    values = np.empty((len(truths), len(answers)), dtype=object)
    for j, truth in enumerate(truths):
        for a, answer in enumerate(answers):
            values[j, a] = _cost(
                costs[j][a], decimal, formulas, f"{name}: the cost of truth {truth!r}, answer {answer!r}"
            )
    return values if any(isinstance(value, str) for value in values.flat) else values.astype(np.float64)


def _decimal_mark(name: str, cells: list[str], separator: str | None) -> str:
    commas, points = (
        [cell for cell in cells if pattern.fullmatch(cell) and mark in cell]
        for pattern, mark in ((COMMA, ","), (NUMBER, "."))
    )
    if commas and points:
        raise ValueError(f"{name} has decimal commas ({commas[0]!r}) and points ({points[0]!r}): write all in one way.")
    if commas and all(_THOUSANDS.fullmatch(cell) for cell in commas):
        number = commas[0]
        raise ValueError(
            f"{name}: {number!r} may be {number.replace(',', '.')} or {number.replace(',', '')}; write one of these."
        )
    # between commas a point is a decimal one
    if points and separator != "," and all(_THOUSANDS.fullmatch(cell.replace(".", ",")) for cell in points):
        number = points[0]
        raise ValueError(f"{name}: {number!r} may be {number}0 or {number.replace('.', '')}; write one of these.")
    return "," if commas else "."


def _cost(cell: Any, decimal: str, formulas: bool, what: str) -> float | str:
    if isinstance(cell, str):
        text = cell.replace(decimal, ".")
        if text == "":
            raise ValueError(f"{what} is empty: write 0 where nothing is lost.")
        if not NUMBER.fullmatch(text):
            if formulas:
                parse(cell, what)  # refuses what is no formula
                return cell
            raise ValueError(
                f"{what} is {cell!r}, which is no number: write digits alone, with a decimal point. A formula over "
                "columns of X needs formulas=True."
            )
        return _finite(float(text), what)
    try:
        number = float(cell)
    except (TypeError, ValueError):
        raise ValueError(f"{what} is {cell!r}, which is no number.") from None
    return _finite(number, what)


def _finite(number: float, what: str) -> float:
    if not np.isfinite(number):
        raise ValueError(f"{what} is {number:g}: costs must be finite.")
    return number


def _typed(truths: list[Any], answers: list[Any]) -> tuple[list[Any], list[Any]]:
    """The labels, as numbers or booleans where all truths read as such."""
    for pattern, make in ((_WHOLE, int), (_DECIMAL, float), (re.compile("True|False"), lambda text: text == "True")):
        if all(isinstance(truth, str) and pattern.fullmatch(truth) for truth in truths):
            return [make(truth) for truth in truths], [
                make(answer) if isinstance(answer, str) and pattern.fullmatch(answer) else answer for answer in answers
            ]
    return truths, answers
