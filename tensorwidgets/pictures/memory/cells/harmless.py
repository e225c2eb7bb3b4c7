"""Which statements write to no array? They need no comparison; of plain numbers alone, no look at all.

Only what is certain counts: arithmetic on numbers and arrays that is given to a name. A call may do anything.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

PLAIN = (int, float, complex, bool, str, bytes, type(None), range)
_NODES = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Subscript, ast.Slice,
    ast.Tuple, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context,
)  # fmt: skip
_PYTHONS = {"range": range, "len": len, "abs": abs, "min": min, "max": max, "int": int, "float": float}


class Names(NamedTuple):
    """What a statement reads and sets, if it is of the simple sort."""

    reads: tuple[str, ...]
    sets: tuple[str, ...]
    in_place: tuple[str, ...]
    """Names that `+=` sets: it writes to an array."""
    calls: tuple[str, ...]


def names_of(statement: ast.stmt) -> Names | None:
    """The names of a simple statement; of a loop or a condition, those of its head. None for any other.

    >>> names_of(ast.parse("y = x[1:] * n").body[0])
    Names(reads=('n', 'x'), sets=('y',), in_place=(), calls=())
    >>> names_of(ast.parse("x[0] = 1").body[0]), names_of(ast.parse("y = f(x)").body[0])
    (None, None)
    """
    targets: list[ast.expr] = []
    added: list[ast.expr] = []
    match statement:
        case ast.Assign(targets=targets, value=value):
            pass
        case ast.For(target=target, iter=value):
            targets = [target]
        case ast.AugAssign(target=target, value=value):
            added = [target]
        case ast.If(test=value) | ast.While(test=value) | ast.Expr(value=value):
            pass
        case ast.Pass() | ast.Break() | ast.Continue():
            return Names((), (), (), ())
        case _:
            return None
    if not all(isinstance(target, ast.Name) for target in [*targets, *added]):
        return None
    reads: set[str] = set()
    calls: set[str] = set()
    if not _collect(value, reads, calls):
        return None
    names = [tuple(t.id for t in group if isinstance(t, ast.Name)) for group in (targets, added)]
    if isinstance(statement, ast.For) and "range" not in calls:
        return None  # what is iterated over may run code
    return Names(tuple(sorted(reads)), names[0], names[1], tuple(sorted(calls)))


def _collect(node: ast.AST, reads: set[str], calls: set[str]) -> bool:
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in _PYTHONS or node.keywords:
            return False
        calls.add(node.func.id)
        return all(_collect(part, reads, calls) for part in node.args)
    if not isinstance(node, _NODES):
        return False
    if isinstance(node, ast.Name):
        reads.add(node.id)
    return all(_collect(part, reads, calls) for part in ast.iter_child_nodes(node))


class Harmless:
    """Judges simple statements by what their names lead to now."""

    def __init__(self) -> None:
        ours, torch = sys.modules.get("tensorwidgets"), sys.modules.get("torch")
        tensors = [getattr(module, "Tensor", None) for module in (ours, torch)]
        self._plain = {*PLAIN}
        self._arrays = {np.ndarray, *(kind for kind in tensors if isinstance(kind, type))}

    def judge(self, names: Names | None, space: Mapping[str, Any]) -> int:
        """2: it touches plain numbers alone. 1: it writes to no array. 0: it may do anything."""
        if names is None:
            return 0
        for name in names.calls:
            if name in space:
                return 0
        least = 2
        for name in (*names.reads, *names.in_place):
            value = space.get(name)
            kind = type(value)
            if kind not in self._plain and not issubclass(kind, np.number):
                if kind not in self._arrays or name in names.in_place or _runs_code(value):
                    return 0
                least = 1
        for name in names.sets:
            kind = type(space.get(name))
            if kind not in self._plain and not issubclass(kind, np.number):
                least = min(least, 1)
                if kind not in self._arrays:
                    return 0  # what is let go of may run code
        return least


def _runs_code(array: Any) -> bool:
    """Whether arithmetic on an array runs the methods of its elements."""
    return isinstance(array, np.ndarray) and array.dtype.hasobject
