"""A graph of ONNX nodes, written one call per node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["NUMBER", "OPSET", "OPSET_TREES", "OUTPUTS", "Graph"]

OPSET, OPSET_TREES = 18, 5  # the second is the lowest that adds up trees in double precision
NUMBER = np.float64
OUTPUTS = ("answer", "scores", "expected_cost")


class Graph:
    """Nodes, constants, inputs and outputs; a tensor is known by its name."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy_helper = helper, numpy_helper
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._last = 0
        self._taken: set[str] = set()

    def tensor(self, array: Any) -> Any:
        """An array in ONNX's form."""
        return self._numpy_helper.from_array(np.ascontiguousarray(array))

    def constant(self, values: Any, dtype: Any = NUMBER) -> str:
        """A constant: numbers in double precision, or of another type."""
        array = np.ascontiguousarray(np.asarray(values, dtype)) if np.ndim(values) else np.asarray(values, dtype)
        name = self._new("constant")
        found = self._numpy_helper.from_array(array, name)
        self._constants.append(found)
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", name: str | None = None, **attributes: Any) -> str:
        """A node of one output, by its name."""
        output = self._new(kind) if name is None else name
        self._nodes.append(self._helper.make_node(kind, list(inputs), [output], domain=domain, **attributes))
        return output

    def cast(self, tensor: str, dtype: Any) -> str:
        """The tensor in another type."""
        return self.node("Cast", tensor, to=self._type(dtype))

    def take(self, tensor: str, places: Any) -> str:
        """Some columns."""
        return self.node("Gather", tensor, self.constant(places, np.int64), axis=1)

    def join(self, tensors: list[str]) -> str:
        """Columns side by side."""
        return tensors[0] if len(tensors) == 1 else self.node("Concat", *tensors, axis=1)

    def reserve(self, names: Iterable[str]) -> None:
        """Keep names of inputs from tensors inside."""
        self._taken |= set(names)

    def input(self, name: str, dtype: Any, width: int) -> str:
        """What is handed in: ``width`` columns."""
        self._inputs.append(self._helper.make_tensor_value_info(name, self._type(dtype), [None, width]))
        return name

    def output(self, name: str, tensor: str, dtype: Any, width: int | None) -> None:
        """What is handed out: ``width`` columns, or one number per row."""
        self.node("Identity", tensor, name=name)
        shape = [None] if width is None else [None, width]
        self._outputs.append(self._helper.make_tensor_value_info(name, self._type(dtype), shape))

    def model(self, name: str, version: str, facts: dict[str, str]) -> Any:
        """The whole graph as a model, checked, with ``facts`` as its metadata."""
        import onnx

        make_id = self._helper.make_opsetid
        versions = [make_id("", OPSET), make_id("ai.onnx.ml", OPSET_TREES)]
        graph = self._helper.make_graph(self._nodes, name, self._inputs, self._outputs, self._constants)
        model = self._helper.make_model(
            graph,
            opset_imports=versions,
            ir_version=self._helper.find_min_ir_version_for(versions),
            producer_name="csboost",
            producer_version=version,
        )
        self._helper.set_model_props(model, facts)
        onnx.checker.check_model(model)
        return model

    def _type(self, dtype: Any) -> int:
        dtype = np.dtype(object if np.dtype(dtype).kind in "US" else dtype)
        return int(self._helper.np_dtype_to_tensor_dtype(dtype))

    def _new(self, kind: str) -> str:
        self._last += 1
        name = f"{kind}_{self._last}"
        return name if name not in self._taken else self._new(kind)
