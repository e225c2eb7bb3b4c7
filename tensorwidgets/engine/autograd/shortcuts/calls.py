"""How are the smallest calls recorded with the fewest steps in between?

The fast wrappers (`declare/fast_calls.py`) have computed the result and give it here, with its operands. All that is
missing is the node. What is unusual in any way goes the general way, `recording.record`; a test holds the two against
each other. The functions spell the same steps out, because a call that they share would cost as much as three of them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from sys import _getframe
from typing import Any

from ...declare.fast_calls import PLAIN, RECORDS
from ...declare.pointwise import Pointwise
from ...derivatives import families  # noqa: F401  (imported for the table)
from ...derivatives.declaring import TABLE, Derivative
from ...dispatch.registry import OPS, Op
from ...dispatch.stations import by_keys as long_way
from ...tensor.tensor import Tensor
from ...tensor.versions import version_owner
from ...tensor.wrapping import LeafOf
from .. import writes
from ..formulas import class_of, new_node
from ..nodes import FREED, next_number
from ..origin import Output, edge_of
from ..saved import ABSENT, KeptResult, kept_names

_users = writes.USERS


def unary(derivative: Derivative) -> Callable[[Tensor, Tensor], Tensor]:
    """Records calls of an op with one operand, of which it keeps the operand, or nothing."""
    cls: Any = class_of(derivative)
    keeps = derivative.keeps
    unsaved = (ABSENT,) * len(keeps)
    last: Any = None  # the user's code that called last

    def record(result: Tensor, a: Tensor) -> Tensor:
        nonlocal last
        edge = a._origin
        if edge is None:
            edge = a
        elif type(edge) is Output or type(edge) is LeafOf:
            edge = edge_of(a)  # None for a view that was made under no_grad
        node = cls()
        node.number = next_number()
        node.edges = (edge,)
        node.size = result._array.shape
        node.dtype = result._dtype
        node.extra = node.lists = None
        result._origin = node
        if not keeps:
            node.values, node.versions, node.code = unsaved, None, None
            return result
        root = a if a._base is None else a._base
        if root._counter is not None:
            root = root._counter
        version = root._writes
        node.values, node.versions = (a,), (version,) if version else _ZERO
        frame = _getframe(2)
        code = frame.f_code
        if code is not last:
            if code.co_filename not in _users:
                frame = writes.outside(frame)
                code = frame.f_code
            last = code
        node.code = code
        node.at = frame.f_lasti
        return result

    return record


def unary_with_result(derivative: Derivative) -> Callable[[Tensor, Tensor], Tensor]:
    """Records calls of an op with one operand, of which it keeps the result."""
    cls: Any = class_of(derivative)
    last: Any = None  # the user's code that called last

    def record(result: Tensor, a: Tensor) -> Tensor:
        nonlocal last
        edge = a._origin
        if edge is None:
            edge = a
        elif type(edge) is Output or type(edge) is LeafOf:
            edge = edge_of(a)
        kept = KeptResult(result)
        kept.array = array = result._array
        kept.keys = 0
        node = result._origin = cls()
        node.number = next_number()
        node.edges = (edge,)
        node.size = array.shape
        node.dtype = kept.dtype = result._dtype
        node.extra = node.lists = None
        node.values, node.versions = (kept,), _ZERO
        frame = _getframe(2)
        code = frame.f_code
        if code is not last:
            if code.co_filename not in _users:
                frame = writes.outside(frame)
                code = frame.f_code
            last = code
        node.code = code
        node.at = frame.f_lasti
        return result

    return record


_ZERO = (0,)


def binary(derivative: Derivative) -> Callable[[Tensor, Any, Any], Tensor]:
    """Records calls of an op with two operands, of which the second may be a number."""
    cls: Any = class_of(derivative)
    unsaved = (ABSENT,) * len(derivative.keeps)
    ways = {needed: _Way(derivative, needed) for needed in ((True, True), (True, False), (False, True), (False, False))}
    both, first, second, neither = ways.values()
    last: Any = None  # the user's code that called last

    def record(result: Tensor, a: Tensor, b: Any) -> Tensor:
        nonlocal last
        if a._keys:
            edge_a = a._origin
            if edge_a is None:
                edge_a = a
            elif type(edge_a) is Output or type(edge_a) is LeafOf:
                edge_a = edge_of(a)
        else:
            edge_a = None
        is_tensor = type(b) in PLAIN
        if is_tensor and b._keys:
            edge_b = b._origin
            if edge_b is None:
                edge_b = b
            elif type(edge_b) is Output or type(edge_b) is LeafOf:
                edge_b = edge_of(b)
        else:
            edge_b = None
        if edge_b is None:
            way = first if edge_a is not None else neither  # of views that were made under no_grad
        else:
            way = both if edge_a is not None else second
        node = cls()
        node.number = next_number()
        node.edges = (edge_a, edge_b)
        node.size = result._array.shape
        node.dtype = result._dtype
        node.extra = node.lists = None
        result._origin = node
        if way.pick is None:
            node.values, node.versions, node.code = unsaved, None, None
            return result
        node.values = (b, a) if way.crosses else way.pick((ABSENT, a, b))
        version_a = version_b = 0
        if way.keeps_a:
            root = a._base
            if root is None:
                root = a
            counter = root._counter
            version_a = root._writes if counter is None else counter._writes
        if way.keeps_b:
            if is_tensor:
                root = b._base
                if root is None:
                    root = b
                counter = root._counter
                version_b = root._writes if counter is None else counter._writes
            else:
                version_b = FREED
        node.versions = way.pick((None, version_a, version_b)) if version_a or version_b else way.zeros
        frame = _getframe(2)
        code = frame.f_code
        if code is not last:
            if code.co_filename not in _users:
                frame = writes.outside(frame)
                code = frame.f_code
            last = code
        node.code = code
        node.at = frame.f_lasti
        return result

    return record


def power(op: Op, rows: list[Derivative]) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """Records powers with a number as the exponent; those with a tensor take the general way."""
    derivative = next(one for one in rows if one.node == "PowBackward0")
    assert derivative.keeps == ("input", "exponent")

    def record(result: Tensor, a: Tensor, exponent: Tensor | float) -> Tensor:
        edge = edge_of(a) if type(exponent) not in PLAIN else None
        if edge is None:
            return long_way(op, (a, exponent), {})  # type: ignore[no-any-return]
        node = new_node(derivative, (edge,), result._array.shape, result._dtype)
        node.values, node.versions = (a, exponent), (version_owner(a)._writes, None)
        node.code, node.at = writes.here()
        result._origin = node
        return result

    return record


class _Way:
    """What a node of two operands keeps, by which of them needs a gradient."""

    __slots__ = ("pick", "zeros", "keeps_a", "keeps_b", "crosses")

    def __init__(self, derivative: Derivative, needed: tuple[bool, bool]):
        numbers = {"input": 1, "other": 2}
        used = zip(derivative.keeps, kept_names(derivative, needed), strict=True)
        chosen = [numbers.get(name, 0) if use else 0 for name, use in used]
        self.keeps_a, self.keeps_b = 1 in chosen, 2 in chosen
        self.crosses = chosen == [2, 1]  # as a product's: each for the gradient of the other
        self.pick: Any = None
        self.zeros: Any = None
        if any(chosen):
            self.pick = itemgetter(*chosen) if len(chosen) > 1 else lambda given: (given[chosen[0]],)
            self.zeros = self.pick((None, 0, 0))


BINARY = ("add", "sub", "mul", "div")
UNARY = ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "neg", "reciprocal", "square", "abs", "relu")


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    writes.watch()
    for name in BINARY:
        OPS[name].tracked = binary(TABLE[name][-1])
    OPS["pow"].tracked = power(OPS["pow"], TABLE["pow"])
    RECORDS["sub"] = unary(TABLE["rsub_number"][0])
    for name in UNARY:
        rows = TABLE.get(name)
        if rows is not None and len(rows) == 1 and rows[0].formulas and isinstance(OPS[name].rule, Pointwise):
            if rows[0].keeps in ((), ("input",), ("result",)):
                way = unary_with_result if rows[0].keeps == ("result",) else unary
                OPS[name].tracked = way(rows[0])
