"""Arithmetic on LLVM vectors that is written once for floats and integers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

INFINITY = float("inf")


class Vectors:
    """Arithmetic on vectors of either floats or integers, so that a score is written once for both."""

    def __init__(self, context: Any, builder: Any, dtype: Any, width: int):
        self.builder, self.width = builder, width
        self.is_float = isinstance(dtype, types.Float)
        self.element = context.get_data_type(dtype)
        self.type = ir.VectorType(self.element, width)
        self.doubles = ir.VectorType(ir.DoubleType(), width)

    def constant(self, value: float) -> Any:
        """The same number in every lane; minus infinity is an integer type's lowest."""
        if value == -INFINITY and not self.is_float:
            value = -(2 ** (self.element.width - 1))
        return ir.Constant(self.type, [value if self.is_float else int(value)] * self.width)

    def broadcast(self, scalar: Any) -> Any:
        """The same scalar in every lane."""
        one = self.builder.insert_element(ir.Constant(self.type, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), self.width), [0] * self.width)
        return self.builder.shuffle_vector(one, ir.Constant(self.type, ir.Undefined), mask)

    def add(self, a: Any, b: Any) -> Any:
        """``a + b``."""
        return self.builder.fadd(a, b) if self.is_float else self.builder.add(a, b)

    def subtract(self, a: Any, b: Any) -> Any:
        """``a - b``."""
        return self.builder.fsub(a, b) if self.is_float else self.builder.sub(a, b)

    def greater(self, a: Any, b: Any) -> Any:
        """``a > b``."""
        return self.builder.fcmp_ordered(">", a, b) if self.is_float else self.builder.icmp_signed(">", a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        """The larger of both."""
        return self.builder.select(self.greater(a, b), a, b)

    def magnitude(self, a: Any) -> Any:
        """``abs(a)``."""
        return self.maximum(a, self.subtract(self.constant(0), a))

    def to_double(self, a: Any) -> Any:
        """As float64."""
        return a if self.is_float else self.builder.sitofp(a, self.doubles)
