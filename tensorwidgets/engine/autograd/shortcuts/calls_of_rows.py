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
from ...backends.numpy.softmax import softmax
from ...backends.numpy.without_warnings import quietly, run
from ...declare.fast_calls import NO_GRAD, PLAIN
from ...derivatives.declaring import TABLE, Derivative
from ...dispatch.registry import OPS, Op
from ...geometry import contiguous_stride
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.versions import version_owner
from ...tensor.wrapping import LeafOf, empty_array, wrap
from ...types.dtypes import float32, float64
from .. import writes
from ..formulas import new_node
from ..origin import Output, edge_of, set_origin
from ..saved import ABSENT, bare, kept_result

_DTYPES = (float32, float64)
_ZEROS = {float32: np.zeros((), np.float32), float64: np.zeros(())}


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    OPS["relu"].quick = OPS["nn.functional.relu"].quick = _relu(TABLE["relu"][0])
    for name in ("sum", "mean"):
        OPS[name].quick = _reduced(OPS[name], *TABLE[name])
    for name in ("softmax", "log_softmax"):
        quickly = _softmax(next(one for one in TABLE[name] if one.formulas), name == "log_softmax")
        for op in (OPS[name], OPS[f"nn.functional.{name}"]):
            op.quick = op.quick_plain = quickly


def is_simple(t: Any) -> bool:
    """Whether a tensor is a plain one of floats, except that it may require a gradient."""
    return (
        type(t) in PLAIN and t._dtype in _DTYPES and not t._keys & ~KEY_AUTOGRAD and type(t._array) is np.ndarray
    )  # fmt: skip


def record_call(derivative: Derivative, result: Tensor, edges: tuple, values: tuple, versions: tuple | None) -> Tensor:
    """Give a result its node."""
    node = new_node(derivative, edges, result._array.shape, result._dtype)
    node.values, node.versions = values, versions
    return finished(result, node)


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


FEW = 64
"""Up to this many numbers Python looks at them faster than NumPy."""


def are_below(numbers: np.ndarray, count: int) -> bool:
    """Whether every element of int64 is the number of a row, 0 to count - 1."""
    if 0 < numbers.size <= FEW:
        found = numbers.ravel().tolist()
        return min(found) >= 0 and max(found) < count
    return bool(np.maximum.reduce(numbers.view(np.uint64), None) < count)  # a negative number is a very large one


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
        frame = writes.outside(_getframe(2))  # `long_route` and its caller are ours
        node.code, node.at = frame.f_code, frame.f_lasti
        result._keys = KEY_AUTOGRAD
        result._origin = node
        return result

    assert derivative.keeps == ("result",)
    return record


def _softmax(derivative: Derivative, logarithm: bool) -> Callable[..., Tensor | None]:
    """Softmax along a dimension, or its logarithm; also where nothing is recorded."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        unusual = state.__dict__
        if unusual and unusual != NO_GRAD or not args or not is_simple(args[0]):
            return None
        if len(args) == 2 and not more:
            dim = args[1]
        elif len(args) == 1 and len(more) == 1:
            dim = more.get("dim")
        else:
            return None
        input = args[0]
        x, d = input._array, input._dtype
        if type(dim) is not int or not -x.ndim <= dim < x.ndim or not x.size or not x.flags.c_contiguous:
            return None
        edge = edge_if_any(input) if not unusual else None
        if edge is None and input._keys and not unusual:
            return None  # a view that was made under no_grad: its node leads nowhere
        out = np.empty(x.shape, x.dtype) if x.size < FROM else empty_array(x.shape, contiguous_stride(x.shape), d)
        softmax(x, dim % x.ndim, logarithm, out)
        result = wrap(out, d)
        if edge is None:
            return result
        return record_call(derivative, result, (edge,), (kept_result(result), dim), (0, None))

    assert derivative.keeps == ("result", "dim")
    return record


def finished(result: Tensor, node: Any) -> Tensor:
    """A result with its node, which learns the line of the call."""
    frame = writes.outside(_getframe(3))  # who calls this, `long_route`, and its caller are ours
    node.code, node.at = frame.f_code, frame.f_lasti
    set_origin(result, node)
    return result


def _reduced(op: Op, of_all: Derivative, of_some: Derivative) -> Callable[..., Tensor | None]:
    """A sum or a mean, of all elements or along dimensions; also where nothing is recorded."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        unusual = state.__dict__
        if not args or len(args) > 3 or unusual and unusual != NO_GRAD or not is_simple(args[0]) or not args[0]._keys:
            return None
        input = args[0]
        edge = edge_if_any(input) if not unusual else None
        if edge is None and not unusual:
            return None
        derivative, values = of_all, (input._array.shape,)
        if len(args) > 1 or more:
            dim = args[1] if len(args) > 1 else more.get("dim")
            keep = args[2] if len(args) > 2 else more.get("keepdim", ABSENT)
            if type(dim) is not int and (type(dim) is not tuple or not dim or not all([type(d) is int for d in dim])):
                return None
            if len(args) - 1 + len(more) != 1 + (keep is not ABSENT) or keep is not ABSENT and type(keep) is not bool:
                return None
            derivative, values = of_some, (input._array.shape, dim, keep)  # type: ignore[assignment]
        try:
            result: Tensor
            if len(args) == 1 and not more:
                result = op.function(bare(input))
            else:
                result = op.plain(bare(input), *args[1:], **more)
        except Exception:  # whatever is wrong, the general way says so
            return None
        if edge is None:
            return result
        node = new_node(derivative, (edge,), result._array.shape, result._dtype)
        node.values = values
        return finished(result, node)

    assert of_all.keeps == ("input_shape",) and of_some.keeps == ("input_shape", "dim", "keepdim")
    return record
