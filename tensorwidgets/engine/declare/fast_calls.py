"""How do the smallest calls of pointwise ops get to NumPy with the fewest steps in between?

A call on plain tensors of one dtype needs nothing but the numbers. What is unusual in any way is left to the function
`otherwise`, before anything is computed. Where the only thing special about an operand is that it requires a gradient,
the numbers are computed here as well, and `Op.tracked` records the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.numpy.chunks import FROM
from ..backends.numpy.contiguous_ufunc import apply_contiguous
from ..backends.numpy.few_in_double import FEW, ZERO, has_loop, loop_of
from ..backends.numpy.without_warnings import run
from ..dispatch.registry import Op, watching
from ..geometry import contiguous_stride
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state, unusual_threads
from ..tensor.wrapping import _new, wrap
from ..types import dtypes
from ..types.dtypes import COMPLEX, FLOAT, float32

PLAIN: set[type] = {Tensor}
"""The classes whose results are plain tensors; `interop.parameter` adds its own."""

MISSING = object()
"""Stands for a missing argument: the row reports what is wrong with the call."""

NO_GRAD = {"enabled": False}
"""What a thread has set inside `no_grad` if nothing else is unusual."""

_ndarray = np.ndarray
_asarray = np.asarray
_BOOL = np.dtype(bool)

_LIMITS = {
    d: (int(np.iinfo(d._in_numpy).min), int(np.iinfo(d._in_numpy).max))
    for d in (dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
}
_WORD = (-(1 << 63), (1 << 64) - 1)


def _beyond(number: complex, d: dtypes.dtype | None) -> bool:
    """Whether an int lies outside a dtype: NumPy compares with the int itself, PyTorch with what it wraps to. Without a
    dtype: whether it has more than 64 bits, which PyTorch refuses.
    """
    low, high = _WORD if d is None else _LIMITS.get(d, _WORD)
    return type(number) is int and not low <= number <= high


def is_odd(a: np.ndarray) -> bool:
    """Whether the strides of an array in one piece are not those of a new one: a dimension of one element may have any.

    >>> is_odd(np.ones((4, 1))), is_odd(np.ones((4, 2))[:1].T[:, :1])
    (False, True)
    """
    return not a.flags.c_contiguous or a.strides != tuple([n * a.itemsize for n in contiguous_stride(a.shape)])


def decides(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether a result has the size and order of an array in order, whatever the strides of the other operand."""
    shape = a.shape
    rest = len(shape) - b.ndim
    if rest < 0 or not a.flags.c_contiguous or 1 in shape:
        return False
    for m, n in zip(b.shape, shape[rest:] if rest else shape, strict=True):
        if m != n and m != 1:
            return False
    return True


def in_rows(a: np.ndarray) -> bool:
    """Whether few elements lie in row-major order, with gaps, as those of a piece of a matrix do: a result has no gaps.

    >>> in_rows(np.ones((3, 4))[:, :2]), in_rows(np.ones((3, 4)).T)
    (True, False)
    """
    last = 0
    for step in a.strides[::-1]:
        if step <= last:
            return False
        last = step
    return 0 < a.size < FROM and 1 not in a.shape


def kernel_of(rule: Any) -> Callable:
    """NumPy's function for the dtypes that take the fast way."""
    if any(d._kind == COMPLEX for d in rule.fast):
        return rule.ufunc  # type: ignore[no-any-return]
    return getattr(rule.ufunc, "on_reals", rule.ufunc)


def unary(op: Op, otherwise: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The wrapper of an op with one operand: `otherwise` has what is unusual, or wrong."""
    rule: Any = op.rule
    ufunc = kernel_of(rule)
    fast = rule.fast if rule.promotion in ("same", "float", "real") else frozenset()
    for_few = has_loop(ufunc.__name__)
    loop: list[Any] = []  # filled by the first call

    def compute(input: Any = MISSING, /, *rest: Any, **more: Any) -> Tensor:
        if type(input) not in PLAIN or rest or more or watching:
            return otherwise(input, *rest, **more)
        d = input._dtype
        keys = input._keys
        if d not in fast:
            return otherwise(input)
        if keys:
            record = op.tracked
            if keys != KEY_AUTOGRAD or record is None:
                return otherwise(input)
            if unusual_threads and (unusual := state.__dict__):
                if unusual != NO_GRAD:
                    return otherwise(input)
                keys = 0
        a = input._array
        n = a.size
        if not n or (a.ndim > 1 or n >= FROM) and (not a.flags.forc or 1 in a.shape and is_odd(a)):
            if not in_rows(a):
                return otherwise(input)
        try:
            if for_few and n <= FEW and d is float32:
                if not loop:
                    loop.append(loop_of(ufunc.__name__))
                r = run(loop[0], a, ZERO)
            else:
                r = run(ufunc, a) if n < FROM else apply_contiguous(ufunc, a.dtype, a)
        except RuntimeError:
            return otherwise(input)
        t = _new(Tensor)
        t._array = r if type(r) is _ndarray else _asarray(r)
        t._dtype = d
        t._base = None
        t._keys = keys
        return record(t, input) if keys else t  # type: ignore[misc, no-any-return]

    return compute


def binary(op: Op, otherwise: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The fast way of an op with two operands, of which the second may be a number."""
    rule: Any = op.rule
    ufunc, fast, kept = kernel_of(rule), rule.fast, _BOOL if rule.promotion == "bool" else None
    by_number = getattr(rule.ufunc, "by_number", ufunc)
    with_numbers = fast if rule.numbers != "none" else frozenset()
    compares = kept is not None

    def compute(input: Any, other: Any) -> Any:
        if type(input) not in PLAIN or watching:
            return otherwise(input, other)
        d = input._dtype
        keys = input._keys
        kind = type(other)
        if both := kind in PLAIN:
            keys |= other._keys
            if other._dtype is not d or d not in fast:
                return otherwise(input, other)
        elif d not in with_numbers or kind is not int and (kind is not float or d._kind < FLOAT):
            return otherwise(input, other)
        if keys:
            record = op.tracked
            if keys != KEY_AUTOGRAD or record is None and not compares:
                return otherwise(input, other)
            if unusual_threads and (unusual := state.__dict__):
                if unusual != NO_GRAD:
                    return otherwise(input, other)
                keys = 0
            elif compares:  # which passes no gradient on
                keys = 0
        a = input._array
        n = a.size
        try:
            if both:
                b = other._array
                if (
                    a.ndim < 2 and b.ndim < 2 and 0 < n < FROM and 0 < b.size < FROM
                    or n and a.strides == b.strides and a.shape == b.shape and a.flags.forc
                    and not (1 in a.shape and is_odd(a))
                ):  # fmt: skip
                    r = run(ufunc, a, b) if n < FROM else apply_contiguous(ufunc, kept or a.dtype, a, b)
                elif (
                    0 < n < FROM
                    and decides(a, b)
                    or (n and 0 < b.size < FROM and (a.flags.c_contiguous or not any(a.strides)) and decides(b, a))
                    or a.shape == b.shape
                    and in_rows(a)
                    and in_rows(b)
                ):
                    r = run(ufunc, a, b)
                else:
                    return otherwise(input, other)
            elif kind is int and not 0 <= other < 128 and _beyond(other, d if compares else None):
                return otherwise(input, other)
            elif n and (a.ndim < 2 and n < FROM or a.flags.forc and not (1 in a.shape and is_odd(a)) or in_rows(a)):
                r = run(by_number, a, other) if n < FROM else apply_contiguous(by_number, kept or a.dtype, a, other)
                if kept is None and r.dtype != a.dtype:
                    return otherwise(input, other)
            else:
                return otherwise(input, other)
        except (RuntimeError, OverflowError, ValueError, AttributeError):  # the last of NumPy's objects
            return otherwise(input, other)
        t = _new(Tensor)
        t._array = r if type(r) is _ndarray else _asarray(r)
        t._dtype = d if kept is None else dtypes.bool_
        t._base = None
        t._keys = keys
        return record(t, input, other) if keys else t  # type: ignore[misc]

    return compute


RECORDS: dict[str, Callable[[Tensor, Tensor], Any]] = {}
"""What records a number by an op with a tensor, which PyTorch records as an op of its own: filled by
`autograd/shortcuts`.
"""


def from_number(op: Op, otherwise: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The fast way of an op whose operands come in the other order, the first one a number: ``2 - x``."""
    ufunc = kernel_of(op.rule)

    def compute(other: Tensor, number: Any) -> Any:
        kind = type(number)
        if type(other) not in PLAIN or watching:
            return otherwise(other, number)
        d, a, keys = other._dtype, other._array, other._keys
        record = None
        if keys:
            unusual = state.__dict__
            if keys != KEY_AUTOGRAD or unusual and unusual != NO_GRAD:
                return otherwise(other, number)
            if not unusual:
                record = RECORDS.get(op.name)
                if record is None:
                    return otherwise(other, number)
        if (
            d in op.rule.fast
            and (kind is int and (0 <= number < 128 or not _beyond(number, None)) or kind is float and d._kind >= FLOAT)
            and 0 < a.size < FROM
            and (a.ndim < 2 or a.flags.forc and not (1 in a.shape and is_odd(a)))
        ):
            try:
                r = _asarray(run(ufunc, number, a))
            except (RuntimeError, OverflowError, AttributeError):
                return otherwise(other, number)
            if r.dtype == a.dtype:
                t = wrap(r, d)
                if record is not None:
                    t._keys = keys
                    record(t, other)
                return t
        return otherwise(other, number)

    return compute
