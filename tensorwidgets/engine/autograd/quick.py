"""The quick way to record the smallest calls: two operands of one size, or one, and nothing special about them.

What is unusual in any way goes the general way, `recording.record`; a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from ..backends.numpy.chunks import FROM
from ..backends.numpy.without_warnings import run
from ..declare.pointwise import Pointwise
from ..derivatives import families  # noqa: F401  (imported for the table)
from ..derivatives.declaring import TABLE, Derivative
from ..dispatch.registry import OPS, Op
from ..interop.parameter import Parameter
from ..tensor.tensor import KEY_AUTOGRAD, Tensor, wrap
from ..tensor.thread_state import state
from . import writes
from .nodes import FormulaNode, Node, class_of, next_number
from .saved import ABSENT, FREED, KeptResult, Saved, _kept

_new = object.__new__
_TYPES = frozenset((Tensor, Parameter))
_ndarray = np.ndarray


def edge_or_none(t: Tensor) -> Any:
    """The edge to a tensor that is a leaf or the only result of a node; ABSENT for any other."""
    place = t._place
    if place is None:
        return t
    return place if isinstance(place, Node) else ABSENT


def _finish(cls: type[FormulaNode], edges: tuple, array: Any, dtype: Any, saved: Saved, where: Any) -> Tensor:
    """A result and its node."""
    node = _new(cls)
    node.number = next_number()
    node.edges = edges
    node.size = array.shape
    node.dtype = dtype
    node.extra = None
    node.where = where
    node.saved = saved
    t = _new(Tensor)
    t._array = array
    t._dtype = dtype
    t._base = None
    t._keys = KEY_AUTOGRAD
    t._place = node
    return t


def kept_result(t: Tensor) -> KeptResult:
    """A fresh result as its node keeps it."""
    kept = _new(KeptResult)
    kept.array, kept.dtype, kept.keys, kept.owner = t._array, t._dtype, 0, ref(t)
    return kept


def version_of(t: Tensor) -> int:
    """The version of a tensor's memory."""
    root = t if t._base is None else t._base
    if root._counter is not None:
        root = root._counter
    return root._writes


def binary(op: Op, derivative: Derivative) -> Callable[[tuple], Tensor | None]:
    """The quick way of an op of two operands."""
    rule: Any = op.rule
    ufunc, fast = rule.ufunc, rule.fast
    by_number = getattr(ufunc, "by_number", ufunc)
    cls = class_of(derivative)
    kept = {
        needed: tuple(
            [name if use else "" for name, use in zip(derivative.keeps, _kept(derivative, needed), strict=True)]
        )
        for needed in ((True, True), (True, False), (False, True))
    }

    nothing = Saved([ABSENT] * len(derivative.keeps), [None] * len(derivative.keeps), None)
    keeps_nothing = {needed: not any(name in ("input", "other", "result") for name in names)
                     for needed, names in kept.items()}  # fmt: skip

    def quick(args: tuple) -> Tensor | None:
        if len(args) != 2 or state.__dict__:
            return None
        a, b = args
        if type(a) not in _TYPES:
            return None
        d, x = a._dtype, a._array
        if d not in fast or type(x) is not _ndarray or not 0 < x.size < FROM or a._keys & ~KEY_AUTOGRAD:
            return None
        edge_a = edge_or_none(a) if a._keys else None
        if type(b) in _TYPES:
            y = b._array
            if b._dtype is not d or b._keys & ~KEY_AUTOGRAD or y.shape != x.shape or y.strides != x.strides:
                return None
            if x.ndim > 1 and not x.flags.c_contiguous:
                return None
            edge_b = edge_or_none(b) if b._keys else None
            function, tensor = ufunc, True
        elif type(b) is float or type(b) is int:
            y, edge_b, function, tensor = b, None, by_number, False
            if x.ndim > 1 and not x.flags.c_contiguous:
                return None
        else:
            return None
        if edge_a is ABSENT or edge_b is ABSENT or edge_a is edge_b is None:
            return None
        try:
            r = run(function, x, y)
        except (RuntimeError, ValueError, OverflowError):
            return None
        if type(r) is not _ndarray:
            r = np.asarray(r)
        if r.dtype != x.dtype:
            return None
        needed = edge_a is not None, edge_b is not None
        if keeps_nothing[needed]:
            return _finish(cls, (edge_a, edge_b), r, d, nothing, None)
        names = kept[needed]
        saved = _new(Saved)
        saved.values = tuple([a if name == "input" else b if name == "other" else ABSENT for name in names])
        version_b = version_of(b) if tensor else FREED
        saved.versions = tuple(
            [version_of(a) if name == "input" else version_b if name == "other" else None for name in names]
        )
        saved.lists = None
        return _finish(cls, (edge_a, edge_b), r, d, saved, writes.here(3))

    return quick


def unary(op: Op, derivative: Derivative) -> Callable[[tuple], Tensor | None]:
    """The quick way of an op of one operand."""
    rule: Any = op.rule
    ufunc, fast = rule.ufunc, rule.fast
    cls = class_of(derivative)
    keeps = derivative.keeps
    known = set(keeps) <= {"input", "result"}
    nothing = Saved([], [], None)

    def quick(args: tuple) -> Tensor | None:
        if len(args) != 1 or not known or state.__dict__:
            return None
        a = args[0]
        if type(a) not in _TYPES or a._keys != KEY_AUTOGRAD:
            return None
        d, x = a._dtype, a._array
        if d not in fast or type(x) is not _ndarray or not 0 < x.size < FROM:
            return None
        if x.ndim > 1 and not x.flags.c_contiguous:
            return None
        edge = edge_or_none(a)
        if edge is ABSENT:
            return None
        try:
            r = run(ufunc, x)
        except RuntimeError:
            return None
        if type(r) is not _ndarray:
            r = np.asarray(r)
        if r.dtype != x.dtype:
            return None
        if not keeps:
            return _finish(cls, (edge,), r, d, nothing, None)
        saved = _new(Saved)
        saved.lists = None
        result = _finish(cls, (edge,), r, d, saved, writes.here(3))
        saved.values = tuple([kept_result(result) if name == "result" else a for name in keeps])
        saved.versions = tuple([0 if name == "result" else version_of(a) for name in keeps])
        return result

    return quick


BINARY = ("add", "sub", "mul", "div")
UNARY = ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "neg", "reciprocal", "square", "abs")


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    writes.watch()
    for name in BINARY:
        OPS[name].tracked = binary(OPS[name], TABLE[name][-1])
    for name in UNARY:
        rows = TABLE.get(name)
        if rows is not None and len(rows) == 1 and rows[0].formulas and isinstance(OPS[name].rule, Pointwise):
            OPS[name].tracked = unary(OPS[name], rows[0])


# -- backward on arrays ------------------------------------------------------------------------------------------

SHORTCUTS: dict[str, Callable[[Any, Any, tuple], list | None]] = {}
"""Gradients on arrays, by the name of the row: called with the node, the gradient's array and what was saved."""


def shortcut(name: str) -> Callable[[Callable], Callable]:
    """Declare the gradients of a row on arrays; used where no second order is asked for."""

    def declare(function: Callable) -> Callable:
        for derivative in TABLE.get(name, ()):
            SHORTCUTS[derivative.node] = function
            class_of(derivative).shortcut = staticmethod(function)  # type: ignore[assignment]
        return function

    return declare


def _factor(value: Any, node: Node) -> Any:
    """A saved tensor or number as a factor for arrays; None where it needs the formula."""
    if type(value) in _TYPES:
        array = value._array
        same = value._dtype is node.dtype and array.shape == node.size and not value._keys & ~KEY_AUTOGRAD
        return array if same and type(array) is _ndarray else None
    return value if type(value) is float or type(value) is int else None


def _conjugate(factor: Any) -> Any:
    """The conjugate of an array or a number, which is itself where it is real."""
    return factor.conjugate() if type(factor) is _ndarray and factor.dtype.kind == "c" else factor


@shortcut("add")
def _add(node: Node, grad: Tensor, values: tuple) -> list | None:
    return [grad, grad] if not values or values[0] is ABSENT or values[0] == 1 else None


@shortcut("sub")
def _sub(node: Node, grad: Tensor, values: tuple) -> list | None:
    if values and values[0] is not ABSENT and values[0] != 1:
        return None
    return [grad, wrap(np.asarray(np.negative(grad._array)), grad._dtype) if node.edges[1] is not None else None]


@shortcut("mul")
def _mul(node: Node, grad: Tensor, values: tuple) -> list | None:
    results: list[Any] = [None, None]
    for place in (0, 1):
        if node.edges[place] is not None:
            factor = _factor(values[place], node)
            if factor is None:
                return None
            results[place] = wrap(np.asarray(grad._array * _conjugate(factor)), grad._dtype)
            if results[place]._array.dtype != grad._array.dtype:
                return None
    return results


@shortcut("neg")
def _neg(node: Node, grad: Tensor, values: tuple) -> list | None:
    return [wrap(np.asarray(np.negative(grad._array)), grad._dtype)]


@shortcut("exp")
def _exp(node: Node, grad: Tensor, values: tuple) -> list | None:
    kept = values[0]
    if type(kept) is not KeptResult or kept.array.shape != grad._array.shape:
        return None
    return [wrap(np.asarray(grad._array * _conjugate(kept.array)), grad._dtype)]
