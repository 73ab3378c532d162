"""What is handed in: one matrix of numbers, or a column each where some hold text or categories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from csboost.exporting.graph import NUMBER, OUTPUTS, Graph

__all__ = ["Columns", "coded", "with_codes"]


class Columns:
    """The columns of a table, as one tensor or as one each.

    Attributes
    ----------
    graph : Graph
    is_text : list of bool or None
        By column; None where none is handed in, as nothing uses it.
    """

    def __init__(self, graph: Graph, tensors: Sequence[str], is_text: Sequence[bool | None]) -> None:
        self.graph, self.is_text, self._tensors = graph, list(is_text), list(tensors)

    @classmethod
    def handed_in(
        cls, graph: Graph, names: Sequence[str], is_text: Sequence[bool | None], apart: bool, dtype: Any
    ) -> Columns:
        """Declare the inputs: ``X`` (n, d), or one (n, 1) for each name. Numbers may come in single precision."""
        if not apart:
            return cls(graph, [graph.cast(graph.input("X", dtype, len(names)), NUMBER)], is_text)
        declared = [name for name, text in zip(names, is_text, strict=True) if text is not None]
        _check_names(declared)
        graph.reserve(declared)
        found = []
        for name, text in zip(names, is_text, strict=True):
            given = "" if text is None else graph.input(name, np.str_ if text else dtype, 1)
            found.append(given if text in (True, None) else graph.cast(given, NUMBER))
        return cls(graph, found, is_text)

    @classmethod
    def of_numbers(cls, graph: Graph, tensor: str, width: int) -> Columns:
        """A matrix that the graph has made."""
        return cls(graph, [tensor], [False] * width)

    def __len__(self) -> int:
        return len(self.is_text)

    def take(self, places: Iterable[Any]) -> Columns:
        """Some of the columns."""
        places = [int(place) for place in places]
        is_text = [self.is_text[place] for place in places]
        if len(self._tensors) == len(self):
            return Columns(self.graph, [self._tensors[place] for place in places], is_text)
        whole = places == list(range(len(self)))
        return Columns(self.graph, self._tensors if whole else [self.graph.take(self._tensors[0], places)], is_text)

    def tensor(self) -> str:
        """All of them side by side; they are of one kind."""
        if any(self.is_text) and not all(self.is_text):
            raise ValueError("text meets numbers where a step of the pipeline treats all columns alike")
        return self.graph.join(self._tensors)

    def each(self) -> list[Columns]:
        """One by one."""
        return [self.take([place]) for place in range(len(self))]


def _check_names(names: Sequence[str]) -> None:
    """Refuse columns whose inputs could not be told from one another or from what is handed out (ValueError)."""
    for place, name in enumerate(names):
        if name in OUTPUTS:
            raise ValueError(f"column {name!r} has the name of an output of the ONNX model: rename it before the fit")
        if not name or name in names[:place]:
            why = "has no name" if not name else "has the name of another one"
            raise ValueError(
                f"column {name!r} {why}, and in ONNX each is an input of its own: rename it before the fit"
            )


def with_codes(columns: Columns, tables: Mapping[int, Mapping[Any, float]]) -> str:
    """The tensor (n, d) of all columns, with the numbers of their categories in place of those."""
    if not tables:
        return columns.tensor()
    found = []
    for place, column in enumerate(columns.each()):
        table = tables.get(place)
        found.append(column.tensor() if table is None else coded(column, table, float(len(table)), math.nan))
    return columns.graph.join(found)


def coded(column: Columns, table: Mapping[Any, float], unknown: float, missing: float) -> str:
    """The numbers (n, 1) of the categories of a column; missing text is empty."""
    graph, domain, numbers = column.graph, "ai.onnx.ml", [float(number) for number in table.values()]
    if column.is_text[0]:
        keys = list(table)
        if "" not in table:
            keys, numbers = [*keys, ""], [*numbers, missing]
        encoded = graph.node(
            "LabelEncoder", column.tensor(), domain=domain,
            keys_strings=keys, values_floats=numbers, default_float=float(unknown),
        )  # fmt: skip
        return graph.cast(encoded, NUMBER)
    encoded = graph.node(
        "LabelEncoder", column.tensor(), domain=domain,
        keys_tensor=graph.tensor(np.array([float(value) for value in table], NUMBER)),
        values_tensor=graph.tensor(np.array(numbers, NUMBER)),
        default_tensor=graph.tensor(np.array([unknown], NUMBER)),
    )  # fmt: skip
    return graph.node("Where", graph.node("IsNaN", column.tensor()), graph.constant(missing), encoded)
