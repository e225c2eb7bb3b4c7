"""Tensors from nothing but numbers: from data, of one value, of a size alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import device as devices
from .. import dispatch, dtypes, formats, geometry
from ..dispatch import Op, add_row
from ..dtypes import dtype
from ..inference import array_of, numpy_dtype_of
from ..reasons import Reason, refuse
from ..storage import MetaArray
from ..tensor import Tensor, size_and_stride, wrap, wrap_any
from ..views import as_shape
from .copying import copied, filled_number, fresh, stride_for


def creation_row(name: str, words: str, *aliases: str, forms: str = "function", category: str = "creation") -> Callable:
    """Declare an op that makes a tensor. Only its first argument may divert the call."""

    def declare(plain: Callable) -> Callable:
        op = add_row(Op(name, "creation", category, words, kernel=plain, aliases=aliases, forms=frozenset(forms.split())))

        def call(*args: Any, **kwargs: Any) -> Tensor:
            if dispatch.watching or args and isinstance(args[0], Tensor) and args[0]._keys:
                return dispatch.long_route(op, args, kwargs)
            return plain(*args, **kwargs)

        return dispatch.publish(op, call, plain)

    return declare


def tensor_from(data: Any, dtype: dtype | None = None) -> Tensor:
    """Python data as a fresh tensor: the internal entry of `tensor()`.

    >>> tensor_from([[1, 2], [3, 4]])._dtype
    torch.int64
    """
    if isinstance(data, Tensor):
        return copied(data, dtype or data._dtype)
    if isinstance(data, np.ndarray):
        d = numpy_dtype_of(data)
        shared = wrap(data, d)
        return copied(shared, dtype or d)
    return wrap(*array_of(data, dtype))


def with_flags(t: Tensor, device: Any, requires_grad: bool) -> Tensor:
    """The last step of creation: the place and the flag."""
    if devices.usable(device) is devices.META and type(t._array) is not MetaArray:
        t = wrap_any(fresh(*size_and_stride(t), t._dtype, True), t._dtype)
    if requires_grad:
        if t._dtype.kind < dtypes.FLOAT:
            refuse(RuntimeError, "Only Tensors of floating point and complex dtype can require gradients")
        t._requires_grad = True
    return t


@creation_row("tensor", "Numbers, copied, in a tensor of their own.")
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    return with_flags(tensor_from(data, dtype), device, requires_grad)


@creation_row("as_tensor", "Numbers as a tensor; shared, where they are in an array or a tensor already.")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    if isinstance(data, Tensor) and dtype in (None, data._dtype) and device is None:
        return data
    return with_flags(tensor_from(data, dtype), device, False)


def made(size: tuple, value: Any, d: dtype, device: Any, requires_grad: bool, memory_format: Any = None) -> Tensor:
    stride = geometry.contiguous_stride(size) if memory_format is None else stride_for(size, (), memory_format)
    meta = devices.usable(device) is devices.META
    array = fresh(size, stride, d, meta)
    if value is not None and not meta:
        array[...] = filled_number(value, d)
    t = wrap_any(array, d)
    if requires_grad:
        t.requires_grad_()
    return t


def _of(value: Any, name: str) -> None:
    words = {"zeros": "zeros", "ones": "ones", "empty": "whatever lay in memory"}[name]

    @creation_row(name, f"A tensor of {words}, of a size.")
    def create(
        *size: Any, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
        requires_grad: bool = False, pin_memory: bool = False, memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        return made(as_shape(name, size), value, dtype or dtypes.get_default_dtype(), device, requires_grad, memory_format)

    @creation_row(f"{name}_like", f"A tensor of {words}, of the size and dtype of another.")
    def like(
        input: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
        pin_memory: bool = False, memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        d = dtype or input._dtype
        meta = (devices.usable(device) if device is not None else input.device) is devices.META
        array = fresh(input._array.shape, stride_for(*size_and_stride(input), memory_format), d, meta)
        if value is not None and not meta:
            array[...] = value
        t = wrap_any(array, d)
        return t.requires_grad_() if requires_grad else t


for _name, _value in (("zeros", 0), ("ones", 1), ("empty", None)):
    _of(_value, _name)


@creation_row("full", "A tensor of one number, of a size.")
def full(
    size: Any, fill_value: Any, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()
    d = dtype or array_of(fill_value)[1]
    return made(as_shape("full", (size,)), fill_value, d, device, requires_grad)


@creation_row("arange", "Numbers from start up to, and without, end, by a step.")
def arange(
    start: Any, end: Any = None, step: Any = 1, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    if end is None:
        start, end = 0, start
    d = dtype or array_of([start, end, step])[1]
    return with_flags(wrap(np.arange(start, end, step).astype(d.numpy), d), device, requires_grad)


def refuse_reason(found: Any) -> Any:
    """What a pure function found, or its refusal raised."""
    if isinstance(found, Reason):
        found.refuse()
    return found


_ = formats
