"""Which statements write to no array? They need no comparison; of plain numbers alone, no look at all.

Only what is certain counts: arithmetic, and calls that are known to read alone, on plain numbers and on arrays of
NumPy, PyTorch and ours, given to names. Any other call may do anything.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

ANYTHING, READS, PLAIN = 0, 1, 2
"""What a statement may do: anything; read arrays and bind new ones to its names; only count with plain numbers."""

PYTHONS = frozenset(["range", "len", "abs", "int", "float", "bool", "round", "min", "max"])
METHODS = frozenset(
    "sum mean norm max min std var prod abs exp log sqrt sin cos tanh relu sigmoid softmax cumsum pow t reshape view "
    "clone copy transpose permute item tolist argmax argmin float double int long astype flatten ravel unsqueeze "
    "squeeze size numel dim all any matmul mm dot expand detach square".split()
)
"""Methods of arrays that write to nothing; `T` and other properties are among the attributes."""
FUNCTIONS = frozenset(
    "zeros ones empty full arange linspace eye zeros_like ones_like empty_like sum mean max min abs exp log sqrt sin "
    "cos tanh dot matmul concatenate cat stack maximum minimum where".split()
)
"""Functions of the modules that do so, if they are not given `out`."""
ATTRIBUTES = frozenset("T mT shape ndim size dtype real imag nbytes itemsize float32 float64 int32 int64".split())
KEYWORDS = frozenset("dim axis keepdim keepdims dtype".split())
_NODES = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Subscript, ast.Slice,
    ast.Tuple, ast.List, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context,
)  # fmt: skip


class Names(NamedTuple):
    """What a simple statement reads, sets and calls."""

    reads: tuple[str, ...]
    sets: tuple[str, ...]
    in_place: tuple[str, ...] = ()
    """Names that `+=` sets: it writes to an array."""
    calls: tuple[str, ...] = ()
    """Functions of Python that it calls."""
    of_names: tuple[tuple[str, str], ...] = ()
    """Names and what is called or read of them: a module's function, or an array's method."""


class _Reader:
    """Collects the names of an expression."""

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.calls: set[str] = set()
        self.of_names: set[tuple[str, str]] = set()

    def read(self, node: ast.AST) -> bool:
        """Whether the expression is of the simple sort."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in PYTHONS:
                self.calls.add(name)
                return all(map(self.read, args))
            case ast.Call(func=ast.Attribute(value=of, attr=attr), args=args, keywords=keywords):
                if not all(k.arg in KEYWORDS and self.read(k.value) for k in keywords):
                    return False
                return self._attribute(of, attr, attr in METHODS) and all(map(self.read, args))
            case ast.Attribute(value=of, attr=attr):
                return self._attribute(of, attr, attr in ATTRIBUTES)
            case ast.Name(id=name):
                self.reads.add(name)
                return True
        return isinstance(node, _NODES) and all(map(self.read, ast.iter_child_nodes(node)))

    def _attribute(self, of: ast.AST, attr: str, known: bool) -> bool:
        if isinstance(of, ast.Name):
            self.of_names.add((of.id, attr))
            return known or attr in FUNCTIONS
        return known and self.read(of)


def names_of(statement: ast.stmt) -> Names | None:
    """The names of a simple statement; of a loop or a condition, those of its head. None for any other.

    >>> names_of(ast.parse("y = x[1:].sum() * n").body[0])
    Names(reads=('n', 'x'), sets=('y',), in_place=(), calls=(), of_names=())
    >>> names_of(ast.parse("x[0] = 1").body[0]), names_of(ast.parse("y = f(x)").body[0])
    (None, None)
    """
    targets: list[ast.expr] = []
    added: list[ast.expr] = []
    match statement:
        case ast.Assign(targets=targets, value=value):
            pass
        case ast.For(target=target, iter=ast.Call(func=ast.Name(id="range")) as value):
            targets = [target]
        case ast.AugAssign(target=target, value=value):
            added = [target]
        case ast.If(test=value) | ast.While(test=value) | ast.Expr(value=value):
            pass
        case ast.Pass() | ast.Break() | ast.Continue():
            return Names((), ())
        case _:
            return None
    reader = _Reader()
    if not all(isinstance(target, ast.Name) for target in [*targets, *added]) or not reader.read(value):
        return None
    sets, in_place = (tuple(t.id for t in group if isinstance(t, ast.Name)) for group in (targets, added))
    found = (reader.reads, reader.calls, reader.of_names)
    reads, calls, of_names = (tuple(sorted(one)) for one in found)  # type: ignore[type-var]
    return Names(reads, sets, in_place, calls, of_names)  # type: ignore[arg-type]


class Harmless:
    """Judges simple statements by what their names lead to now."""

    def __init__(self) -> None:
        modules = [np, sys.modules.get("tensorwidgets"), sys.modules.get("torch")]
        self._modules = {id(module) for module in modules if module is not None}
        tensors = [getattr(module, "Tensor", None) for module in modules[1:]]
        self._arrays = {np.ndarray, *(kind for kind in tensors if isinstance(kind, type))}
        self._plain = {int, float, complex, bool, str, bytes, type(None), range}

    def judge(self, names: Names | None, space: Mapping[str, Any]) -> int:
        """What a statement may do: `ANYTHING`, `READS` or `PLAIN`."""
        if names is None:
            return ANYTHING
        result = PLAIN
        for name in names.reads:
            value = space.get(name)
            if type(value) not in self._plain and not self._is_number(value):
                if not self._is_array(value):
                    return ANYTHING
                result = READS
        for name in names.in_place:
            if not self.is_plain(space.get(name)):
                return ANYTHING
        for name in names.sets:
            value = space.get(name)
            if type(value) not in self._plain and not self._is_number(value):
                if not self._is_array(value):
                    return ANYTHING  # what is let go of may run code
                result = READS
        for name in names.calls:
            if name in space and space[name] is not getattr(builtins, name):
                return ANYTHING
        for name, attr in names.of_names:
            value = space.get(name)
            if type(value) is ModuleType:
                if id(value) not in self._modules or attr not in FUNCTIONS | ATTRIBUTES:
                    return ANYTHING
            elif not self._is_array(value) or attr not in METHODS | ATTRIBUTES:
                return ANYTHING
            result = READS
        return result

    def is_plain(self, value: Any) -> bool:
        """Whether it is a number, a text, or nothing."""
        return type(value) in self._plain or self._is_number(value)

    def all_plain(self, statements: Iterable[Names | None], space: Mapping[str, Any]) -> bool:
        """Whether simple statements only count with plain numbers, however often and in which order they run."""
        for names in statements:
            if names is None or names.of_names or self.judge(names, space) != PLAIN:
                return False
        return True

    def _is_number(self, value: Any) -> bool:
        return isinstance(value, np.number)

    def _is_array(self, value: Any) -> bool:
        """Whether it is an array whose arithmetic runs no code of a person's own, as that of objects does."""
        return type(value) in self._arrays and not (isinstance(value, np.ndarray) and value.dtype.hasobject)
