"""Formulas as costs: arithmetic on names of columns, checked before it is evaluated. No code runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Formula", "evaluate", "parse"]

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.UAdd: "+",
    ast.USub: "-",
}
_KINDS: Mapping[type[ast.AST], str] = {
    ast.Call: "a call",
    ast.Attribute: "an attribute",
    ast.Subscript: "a subscript",
    ast.Compare: "a comparison",
    ast.BoolOp: "a logical operator",
    ast.IfExp: "a condition",
    ast.Lambda: "a function",
    ast.Tuple: "a comma",
}
_MOST, _DEEPEST = 500, 100  # characters, parentheses in parentheses: more exhausts the parser
_ALLOWED = "Only numbers, names of columns, + - * / ** and parentheses are taken."


class Formula(NamedTuple):
    """A formula in a form that pandas evaluates: every number a float, every column under a name of its own."""

    expression: str
    columns: dict[str, str]  # name in the expression -> column of X


def parse(text: str, what: str) -> Formula:
    """The formula that ``text`` states; names with blanks and other signs stand in backticks.

    Raises
    ------
    ValueError
        For what is no arithmetic on numbers and names; ``what`` begins the message.
    """
    if len(text) > _MOST:
        raise ValueError(
            f"{what} is a formula of {len(text)} characters, more than {_MOST}: compute it as a column of X."
        )
    *parts, last = re.split(r"`([^`]*)`", text)
    if "`" in last:
        raise ValueError(f"{what} is {text!r}, where a backtick is not closed.")
    quoted = {f"backtick{place}_": name for place, name in enumerate(parts[1::2])}
    source = "".join(before + name for before, name in zip(parts[::2], quoted, strict=True)) + last
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(
            f"{what} is {text!r}, which is neither a number nor a formula. {_ALLOWED} Put names of columns with blanks "
            "or other signs into backticks: `loan amount`."
        ) from None
    columns: dict[str, str] = {}
    try:
        expression = _rewritten(tree, quoted, columns)
        if max(accumulate((sign == "(") - (sign == ")") for sign in expression)) > _DEEPEST:
            raise _RefusedError("too many terms")
    except _RefusedError as refused:
        raise ValueError(
            f"{what} is {text!r}, which holds {refused}. {_ALLOWED} Compute the rest as a column of X."
        ) from None
    return Formula(expression, columns)


class _RefusedError(Exception):
    """What a formula may not hold."""


def _rewritten(node: ast.expr, quoted: Mapping[str, str], columns: dict[str, str]) -> str:
    """The expression with parentheses everywhere; ``columns`` are filled in."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not np.isfinite(float(number)):
                raise _RefusedError("a number that is too large")
            return repr(float(number))
        case ast.Name(id=name):
            return columns.setdefault(quoted.get(name, name), f"column{len(columns)}")
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _OPERATORS:
            return f"({_OPERATORS[type(sign)]}{_rewritten(operand, quoted, columns)})"
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            parts = _rewritten(left, quoted, columns), _rewritten(right, quoted, columns)
            return f"({parts[0]} {_OPERATORS[type(sign)]} {parts[1]})"
        case ast.Constant():
            raise _RefusedError(f"{node.value!r}, which is no number")
    raise _RefusedError(_KINDS.get(type(node), "something else than arithmetic"))


def evaluate(formula: Formula, columns: Mapping[str, NDArray[np.float64]], n_rows: int) -> NDArray[np.float64]:
    """The values (n_rows,) of a formula, given its columns by their names in X; NaN where there is none."""
    import pandas as pd

    names = {short: columns[name] for name, short in formula.columns.items()}
    values: Any = np.nan
    try:
        with np.errstate(all="ignore"):
            values = pd.eval(formula.expression, engine="python", local_dict=names, global_dict={})
    except (OverflowError, ZeroDivisionError):  # of numbers alone
        pass
    if np.iscomplexobj(values):
        values = np.nan
    return np.array(np.broadcast_to(np.asarray(values, dtype=np.float64), n_rows))
