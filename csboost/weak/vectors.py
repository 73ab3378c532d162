"""LLVM code that intrinsics share: places in arrays, and arithmetic written once for floats and integers."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

INFINITY = float("inf")
INDEX = ir.IntType(64)
WORD = 64  # bits that are loaded at once


def group_of(*kinds: Any) -> Any:
    """The type of a tuple argument whose parts have these types; Numba converts what the caller passes."""
    return types.Tuple(kinds)


def pointer_to(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    """Pointer to ``array[index]``; unlike Numba's own it does not ask whether the index is negative."""
    return builder.gep(context.make_array(array)(context, builder, value).data, [index])


def vector_at(builder: Any, pointer: Any, dtype: Any, width: int) -> tuple[Any, int]:
    """``pointer`` to a number as one to ``width`` of them, and the alignment that is promised."""
    return builder.bitcast(pointer, ir.VectorType(pointer.type.pointee, width).as_pointer()), dtype.bitwidth // 8


def word_of_indices(builder: Any, pointer: Any, bits: int) -> list[Any]:
    """The numbers of ``bits`` bits from ``pointer`` on that fill a word, as indices: one load, taken apart by shifts.
    A big-endian machine would find them in reverse order; there each one is loaded.
    """
    count = WORD // bits
    if sys.byteorder != "little":
        places = [builder.gep(pointer, [ir.Constant(INDEX, k)]) for k in range(count)]
        return [builder.zext(builder.load(place), INDEX) for place in places]
    word = builder.load(builder.bitcast(pointer, INDEX.as_pointer()), align=1)
    shifted = [builder.lshr(word, ir.Constant(INDEX, k * bits)) if k else word for k in range(count)]
    return [builder.and_(part, ir.Constant(INDEX, (1 << bits) - 1)) for part in shifted]


def prefetch(builder: Any, pointer: Any) -> None:
    """Ask for the cache line at ``pointer``, which may lie beyond the array; nothing where a machine cannot."""
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
    function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
    builder.call(function, [pointer, *(ir.Constant(number, k) for k in (0, 2, 1))])  # to read, into L2, data


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

    def multiply(self, a: Any, b: Any) -> Any:
        """``a * b``."""
        return self.builder.fmul(a, b) if self.is_float else self.builder.mul(a, b)

    def root(self, a: Any) -> Any:
        """Square root of doubles."""
        kind = ir.FunctionType(self.doubles, [self.doubles])
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.sqrt.v{self.width}f64")
        return self.builder.call(function, [a])

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
