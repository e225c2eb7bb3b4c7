"""Filled or uninitialized tensors: zeros, ones, full, empty, and their `_like` and `new_` forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import geometry
from ...calling.arguments import as_dtype, as_int, as_number, as_size
from ...declare.creation import (
    IN_LAYOUTS,
    New,
    Target,
    allocate,
    check_out_grad,
    check_pin,
    check_requires_grad,
    creation_row,
    fill_out,
    finished,
    format_stride,
    resolve_device,
)
from ...declare.rules import Result
from ...dispatch import registry
from ...errors.reasons import Reason, refuse
from ...memory import MAIN_MEMORY, place_at
from ...tensor import unset
from ...tensor.lookups import size_and_stride, storage_of
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import device as devices
from ...types import dtypes, formats
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import dtype
from ...types.size_limits import check_not_negative

if TYPE_CHECKING:
    from ...types.device import device
    from ...types.formats import layout, memory_format


def made(
    name: str,
    size: tuple[int, ...],
    value: int | None,
    d: dtype,
    *,
    stride: tuple[int, ...] | None = None,
    layout: layout | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    fill: Any = None,
) -> Tensor:
    """Allocate a tensor of a size, filled with a number (None: uninitialized) or by a function."""
    place = resolve_device(device)
    if layout in IN_LAYOUTS:
        return IN_LAYOUTS[layout](name, size, value, d, place, layout)
    check_pin(pin_memory, place)
    array = allocate(size, stride, d, place)
    if place_at(place).has_numbers:
        if fill is None:
            fill_value(array, value, d)
        else:
            place_at(place).fill(array, fill, name)
    check_requires_grad(requires_grad, d)
    t = finished(array, d, requires_grad)
    if pin_memory and place is devices.CPU:
        storage_of(t)._pinned = True
    return t


def _emptied(out: Tensor, size: tuple[int, ...]) -> Tensor:
    """A sparse tensor given as `out=`: of another size, without stored elements."""
    if out.layout is formats.sparse_coo:
        return registry.OPS["sparse_resize_and_clear_"].function(out, size, len(size), 0)
    return registry.OPS["zero_"].function(registry.OPS["resize_"].function(out, size))


def fill_value(target: np.ndarray, value: int | None, d: dtype) -> None:
    """Fill an array with a number; None leaves it as it is, unless unset numbers are to stand out."""
    if value is None:
        if unset.stand_out():
            unset.write_over(target, d)
        return
    if type(value) is int and value in (0, 1):
        target.fill(value)
    else:
        target[...] = fill_number(value, d, target.size)


def new_of(name: str, size: tuple[int, ...], value: Any, d: dtype, **options: Any) -> New:
    """The rule of a tensor that is filled with a number; the options are those of `made`."""
    result = Result(size, d, options.get("stride"))
    return New(result, (value, d), lambda fill: made(name, size, value, d, fill=fill, **options))


def _at_once(value: int | None) -> Callable[..., Tensor | None]:
    """Returns the fast path for a size of positive Python integers and the default dtype."""

    def fast(*size: Any) -> Tensor | None:
        if not size:
            return None
        if value is None and unset.stand_out():
            return None
        if len(size) == 1 and type(size[0]) in (tuple, list):
            size = tuple(size[0])
        for n in size:
            if type(n) is not int or n <= 0:
                return None
        d = dtypes._default
        if d._numpy is None:
            return None
        try:
            array = MAIN_MEMORY.zeros(size, d._numpy) if value == 0 else MAIN_MEMORY.empty(size, d._numpy)
        except (MemoryError, ValueError, OverflowError):
            return None
        if value == 1:
            array.fill(1)
        return wrap(array, d)

    return fast


def _declare(name: str, value: int | None, words: str) -> None:
    """Declare the rows for one fill value: by size, `_like` and `new_`."""

    @creation_row(name, f"Returns {words} with the given size.", fast=_at_once(value), kernel=fill_value)
    def of_size(
        size: Any,
        out: Tensor | None = None,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: device | None = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
        memory_format: memory_format | None = None,
    ) -> New:
        size = as_size(name, size)
        if value is None and out is not None and out._requires_grad:
            refuse(
                RuntimeError,
                "cannot resize variables that require grad",
                "requires_grad is set on out=, so its first value must stay",
                rule="out.grad",
            )
        if out is not None and memory_format is not None:
            refuse(
                RuntimeError,
                "'memory_format' argument is incompatible with 'out' tensor argument",
                "out= already has strides",
                rule="out.format",
            )
        check_out_grad(name, out)
        if value == 0 and size and min(size) < 0 and out is None and resolve_device(device) is not devices.META:
            refuse(
                RuntimeError,
                "zeros: Dimension size must be non-negative.",
                f"{min(size)} is not a size",
                rule="size.negative",
                size=size,
            )
        if out is not None and out._keys and out.layout in IN_LAYOUTS:
            if value:
                IN_LAYOUTS[out.layout](name, size, value, out._dtype, out.device, out.layout)  # raises
            return New(Result(size, out._dtype), (value, out._dtype), lambda fill: _emptied(out, size))
        if out is not None:
            numbers = None if value is None else np.asarray(value)
            make = partial(fill_out, name, out, size, numbers, requires_grad, alike=True)
            return New(Result(size, out._dtype), (value, out._dtype), lambda fill: make())
        d = dtypes.get_default_dtype() if dtype is None else as_dtype(dtype)
        if memory_format is not None:
            check_not_negative(size)
        stride = format_stride(size, memory_format)
        return new_of(
            name, size, value, d, stride=stride, layout=layout, device=device, pin_memory=pin_memory,
            requires_grad=requires_grad,
        )  # fmt: skip

    @creation_row(
        f"{name}_like",
        f"Returns {words} with the size, dtype and memory format of another tensor.",
        kernel=fill_value,
    )
    def like(input: Tensor, **options: Any) -> New:
        return like_of(f"{name}_like", input, value, **options)

    @creation_row(
        f"new_{name}",
        f"Returns {words} with the given size and the dtype and device of this tensor.",
        forms="method",
        kernel=fill_value,
    )
    def new(self: Tensor, size: Any, **options: Any) -> New:
        return new_for(f"new_{name}", self, as_size(f"new_{name}", size), value, **options)


def like_of(
    name: str,
    input: Tensor,
    value: float | None,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: device | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: memory_format | None = None,
) -> New:
    """The rule of a tensor with the size, dtype, device and memory format of another."""
    size, stride = size_and_stride(input)
    check_pin(pin_memory, resolve_device(input.device if device is None else device))
    if memory_format is None or memory_format is formats.preserve_format:
        stride = geometry.preserve_stride(size, stride)
    else:
        stride = format_stride(size, memory_format) or geometry.contiguous_stride(size)
    d = input._dtype if dtype is None else as_dtype(dtype)
    place = input.device if device is None else device
    return new_of(
        name,
        size,
        value,
        d,
        stride=stride,
        layout=layout,
        device=place,
        pin_memory=pin_memory,
        requires_grad=requires_grad,
    )


def new_for(
    name: str,
    of: Tensor,
    size: tuple[int, ...],
    value: float | None,
    *,
    dtype: dtype | None = None,
    device: device | None = None,
    **options: Any,
) -> New:
    """The rule of a tensor of a size with the dtype and device of another."""
    d = of._dtype if dtype is None else as_dtype(dtype)
    return new_of(name, size, value, d, device=of.device if device is None else device, **options)


_declare("zeros", 0, "a tensor of zeros")
_declare("ones", 1, "a tensor of ones")
_declare("empty", None, "an uninitialized tensor")


def dtype_of_fill(value: complex) -> dtype:
    """Returns the default dtype of `full` for a fill value.

    >>> dtype_of_fill(3), dtype_of_fill(True)
    (torch.int64, torch.bool)
    """
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.int64
    return dtypes.default_complex() if isinstance(value, complex) else dtypes.get_default_dtype()


@creation_row(
    "full",
    "Returns a tensor of the given size filled with one number.",
    kernel=fill_value,
)
def full(
    size: Any, fill_value: Tensor | complex, out: Tensor | None = None, dtype: dtype | None = None, **options: Any
) -> New:
    size, value = as_size("full", size), as_number(fill_value)
    if out is not None:
        check_out_grad("full", out)
        number = fill_number(value, out._dtype, geometry.numel(size))
        make = partial(fill_out, "full", out, size, number, options.get("requires_grad", False), alike=True)
        return New(Result(size, out._dtype), (value, out._dtype), lambda fill: make())
    d = dtype_of_fill(value) if dtype is None else as_dtype(dtype)
    return new_of("full", size, value, d, **options)


@creation_row(
    "full_like",
    "Returns a tensor filled with one number, with the size, dtype and memory format of another tensor.",
    kernel=fill_value,
)
def full_like(input: Tensor, fill_value: Any, **options: Any) -> New:
    return like_of("full_like", input, as_number(fill_value), **options)


@creation_row(
    "new_full",
    "Returns a tensor of the given size filled with one number, with the dtype and device of this tensor.",
    forms="method",
    kernel=fill_value,
)
def new_full(self: Tensor, size: Any, fill_value: Any, **options: Any) -> New:
    return new_for("new_full", self, as_size("new_full", size), as_number(fill_value), **options)


# -- strides of one's own ----------------------------------------------------------------------------------------


def _strides(
    name: str, size: Sequence[int], stride: Sequence[int], meta: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    size, stride = as_size(name, size), as_size(name, stride, "stride")
    check_not_negative(size)
    if len(size) != len(stride):
        refuse(
            RuntimeError,
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})",
            "each dimension has a size and a stride",
            rule="strided.dims",
            size=size,
            stride=stride,
        )
    if min(stride, default=0) < 0 and (meta or 0 in size):
        stride = _mended(size, stride)
    return size, stride


def _mended(size: tuple[int, ...], stride: tuple[int, ...]) -> tuple[int, ...]:
    """For empty tensors PyTorch replaces negative strides by row-major ones."""
    result = list(stride)
    for dim in range(len(size) - 1, -1, -1):
        if result[dim] < 0:
            result[dim] = 1 if dim == len(size) - 1 else max(size[dim + 1], 1) * result[dim + 1]
    return tuple(result)


@creation_row(
    "empty_strided",
    "Returns an uninitialized tensor with the given size and strides.",
    kernel=fill_value,
)
def empty_strided(size: Any, stride: Any, dtype: dtype | type | None = None, **options: Any) -> New:
    place = resolve_device(options.get("device"))
    check_pin(options.get("pin_memory", False), place)
    size, stride = _strides("empty_strided", size, stride, place is devices.META)
    d = dtypes.get_default_dtype() if dtype is None else as_dtype(dtype)
    return new_of("empty_strided", size, None, d, stride=stride, **options)


@creation_row(
    "new_empty_strided",
    "Returns an uninitialized tensor with the given size and strides and the dtype and device of this tensor.",
    forms="method",
    kernel=fill_value,
)
def new_empty_strided(self: Tensor, size: Sequence[int], stride: Sequence[int], **options: Any) -> New:
    place = options.get("device", self.device)
    check_pin(options.get("pin_memory", False), place)
    size, stride = _strides("new_empty_strided", size, stride, place is devices.META)
    return new_for("new_empty_strided", self, size, None, stride=stride, **options)


@creation_row(
    "empty_permuted",
    "Returns an uninitialized tensor whose dimensions lie in storage in the given order, the last one densest.",
    kernel=fill_value,
)
def empty_permuted(
    size: tuple[int, ...], physical_layout: tuple[int, ...], dtype: dtype | type | None = None, **options: Any
) -> New:
    size, order = as_size("empty_permuted", size), as_size("empty_permuted", physical_layout, "physical_layout")
    result = permuted_stride(size, order)
    if isinstance(result, Reason):
        if result.rule == "size.negative":
            check_pin(options.get("pin_memory", False), resolve_device(options.get("device")))
        result.refuse()
    d = dtypes.get_default_dtype() if dtype is None else as_dtype(dtype)
    return new_of("empty_permuted", size, None, d, stride=result, **options)


def permuted_stride(size: tuple[int, ...], order: tuple[int, ...]) -> Any:
    """Returns the strides for a physical order of dimensions, or the reason why it is not a permutation.

    >>> permuted_stride((2, 3, 4), (0, 2, 1))
    (12, 1, 3)
    """
    ndim = len(size)
    if ndim != len(order):
        return Reason(
            "permuted.dims",
            RuntimeError,
            "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = "
            f"{ndim} is not equal to len(physical_layout) = {len(order)}",
            "each dimension appears once in the order",
        )
    for place, dim in enumerate(order):
        if not 0 <= dim < ndim:
            return Reason(
                "permuted.dim",
                RuntimeError,
                f"Dimension out of range (expected to be between 0 and {ndim - 1}, but got {dim} at index {place}).  "
                "NB: "
                "negative dims not currently supported; file an issue if you want it.",
                f"{ndim} dimensions are counted from 0 to {ndim - 1}",
            )
        if dim in order[:place]:
            return Reason("permuted.twice", RuntimeError, "Duplicate dim not allowed", f"dimension {dim} appears twice")
    for n in size:
        if n < 0:
            laid = [size[dim] for dim in order]
            message = f"Trying to create tensor with negative dimension {n}: {laid}"
            return Reason("size.negative", RuntimeError, message, f"{n} is not a size")
    stride = [0] * ndim
    for dim, step in zip(order, geometry.contiguous_stride(tuple([size[dim] for dim in order])), strict=True):
        stride[dim] = step
    return tuple(stride)


# -- the diagonal ------------------------------------------------------------------------------------------------


def fill_eye(target: np.ndarray) -> None:
    target[...] = 0
    np.fill_diagonal(target[: target.shape[1]], target.dtype.type(1))


@creation_row(
    "eye",
    "Returns a matrix with ones on the diagonal and zeros elsewhere.",
    kernel=fill_eye,
)
def eye(n: int, m: int | None = None, **options: Any) -> New:
    rows = as_int(n)
    columns = rows if m is None else as_int(m)
    target = Target("eye", **options)
    for letter, count in (("n", rows), ("m", columns)):
        if count < 0:
            words = f"{letter} must be greater or equal to 0, got {count}"
            refuse(RuntimeError, words, f"{count} is not a size", rule="size.negative")
    d = target.dtype or dtypes.get_default_dtype()
    if d in dtypes.BAREBONES_UNSIGNED and not target.meta:
        refuse_dtype("eye", d, "", "dtype=torch.int64")
    return target.new((rows, columns), d, (), alike=True)


@creation_row(
    "fill",
    "Returns a copy with every element set to one number.",
)
def fill(input: Tensor, value: Tensor | float) -> Tensor:
    return registry.OPS["fill_"].function(registry.OPS["clone"].function(input), value)
