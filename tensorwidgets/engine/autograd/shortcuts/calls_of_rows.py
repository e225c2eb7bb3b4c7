"""How are frequent calls of ops that are not pointwise recorded with few steps in between?

Each function here gets the arguments of a call with a tensor that requires a gradient. It returns the recorded result,
or None for anything unusual, which then goes the general way, `recording.record`.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import _getframe
from typing import Any

import numpy as np

from ...backends.numpy.chunks import FROM
from ...backends.numpy.without_warnings import quietly, run
from ...declare.fast_calls import NO_GRAD, PLAIN
from ...derivatives.declaring import TABLE, Derivative
from ...dispatch.registry import OPS, Op
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.versions import version_owner
from ...tensor.wrapping import LeafOf, wrap
from ...types.dtypes import float32, float64
from .. import writes
from ..formulas import new_node
from ..origin import Output, edge_of, set_origin
from ..saved import bare, kept_result

_DTYPES = (float32, float64)
_ZEROS = {float32: np.zeros((), np.float32), float64: np.zeros(())}


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    OPS["relu"].quick = OPS["nn.functional.relu"].quick = _relu(TABLE["relu"][0])
    OPS["mean"].quick = _one(OPS["mean"], TABLE["mean"][0], _shape)


def is_simple(t: Any) -> bool:
    """Whether a tensor is a plain one of floats, except that it may require a gradient."""
    return (
        type(t) in PLAIN and t._dtype in _DTYPES and not t._keys & ~KEY_AUTOGRAD and type(t._array) is np.ndarray
    )  # fmt: skip


def record_call(derivative: Derivative, result: Tensor, edges: tuple, values: tuple, versions: tuple | None) -> Tensor:
    """Give a result its node."""
    node = new_node(derivative, edges, result._array.shape, result._dtype)
    node.values, node.versions = values, versions
    node.code, node.at = writes.here()
    set_origin(result, node)
    return result


def version_of(t: Tensor) -> int:
    """The version of a tensor that is saved."""
    return version_owner(t)._writes


def edge_if_any(t: Tensor) -> Any:
    """What receives the gradient of a tensor; None if it requires none."""
    if not t._keys:
        return None
    origin = t._origin
    if origin is None:
        return t
    return edge_of(t) if type(origin) is Output or type(origin) is LeafOf else origin


def _relu(derivative: Derivative) -> Callable[..., Tensor | None]:
    """Positive elements; also where nothing is recorded."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        unusual = state.__dict__
        if (
            len(args) != 1
            or more
            and more != {"inplace": False}
            or unusual
            and unusual != NO_GRAD
            or not is_simple(args[0])
        ):
            return None
        given = args[0]
        array, d = given._array, given._dtype
        if not array.flags.c_contiguous or 1 in array.shape or not 0 < array.size < FROM:
            return None
        edge = edge_if_any(given) if not unusual else None
        if edge is None and given._keys and not unusual:
            return None  # a view that was made under no_grad: its node leads nowhere
        zero = _ZEROS[d]
        try:
            r = run(np.maximum, zero, array)  # of two zeros the second: a zero keeps its sign
        except RuntimeError:  # another thread computes at this moment
            r = quietly(np.maximum, zero, array)
        result = wrap(r if type(r) is np.ndarray else np.asarray(r), d)
        if edge is None:
            return result
        node = new_node(derivative, (edge,), r.shape, d)
        node.values, node.versions = (kept_result(result),), (0,)
        frame = writes.outside(_getframe(1))
        node.code, node.at = frame.f_code, frame.f_lasti
        result._keys = KEY_AUTOGRAD
        result._origin = node
        return result

    assert derivative.keeps == ("result",)
    return record


def _shape(a: Tensor, result: Tensor) -> tuple[tuple, tuple | None]:
    """What a node saves whose formula reads the input's shape."""
    return (a._array.shape,), None


def _one(op: Op, derivative: Derivative, saved: Callable) -> Callable[..., Tensor | None]:
    """An op of one tensor, without further arguments."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        if len(args) != 1 or more or state.__dict__ or not is_simple(args[0]) or not args[0]._keys:
            return None
        edge = edge_of(args[0])
        if edge is None:
            return None
        result: Tensor = op.plain(bare(args[0]))
        return record_call(derivative, result, (edge,), *saved(args[0], result))

    return record
