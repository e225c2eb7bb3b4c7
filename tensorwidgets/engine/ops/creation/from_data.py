"""Tensors from existing data: sequences, arrays, buffers, DLPack capsules.

`tensor` copies. `from_numpy`, `frombuffer` and `from_dlpack` share. `as_tensor` and `asarray` share if possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...calling.arguments import as_dtype, as_number
from ...declare.creation import New, Target, check_pin, check_requires_grad, creation_row, resolve_device
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...interop import numpy_and_buffers
from ...interop.hdf5_datasets import is_dataset, read_dataset
from ...interop.nested_lists import array_of, infer_dtype, is_sequence, read_at_once, refuse_text, size_of
from ...memory import ON_META, place_at
from ...tensor.copying import copied
from ...tensor.lookups import size_and_stride
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.wrapping import empty_array, place_of, wrap, wrap_any
from ...types import device as devices
from ...types import dtypes
from ...types.device import device
from ...types.dtypes import dtype
from ..copies import complex_parts
from . import filled, ranges

__all__ = ["complex_parts", "filled", "ranges", "shared_with", "tensor_from"]


def tensor_from(data: Any, dtype: dtype | None = None) -> Tensor:
    """Copy Python data into a new tensor, as `tensor()` without options does.

    >>> tensor_from([[1, 2], [3, 4]])._dtype
    torch.int64
    """
    shared = shared_with(data)
    if shared is None:
        return wrap(*array_of(data, dtype))
    return copied(shared, dtype or shared._dtype)


def shared_with(data: Any) -> Tensor | None:
    """Returns a tensor that shares the memory of an array of any library; None if the data is not an array."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, np.ndarray):
        return numpy_and_buffers.from_numpy(data)
    if type(data) in (list, tuple, int, float, bool):
        return None
    if numpy_and_buffers.is_on_a_gpu(data):
        return numpy_and_buffers.from_gpu(data)
    if numpy_and_buffers.speaks_dlpack(data):
        return numpy_and_buffers.from_dlpack(data)
    if hasattr(data, "__array_interface__") and not isinstance(data, np.generic) and not is_sequence(data):
        return numpy_and_buffers.from_numpy(np.asarray(data))
    if is_dataset(data):
        return numpy_and_buffers.from_numpy(read_dataset(data))
    return None


def _check_pinned(data: Any, d: dtype | None, place: device) -> None:
    """Refuse pinned memory, after the size and dtype of the data are known."""
    if isinstance(data, (np.ndarray, Tensor)):
        source = "numpy" if isinstance(data, np.ndarray) else "a variable"
        refuse(
            RuntimeError,
            f"Can't pin tensor constructed from {source}",
            "memory is pinned so that a GPU can read it by itself, and there is no GPU here",
            "pin_memory=False",
            rule="device.pin",
        )
    _meta_from(data, d)
    check_pin(True, place)


def _place_for(data: Any, d: dtype | None, wanted: Any) -> device:
    """Returns the device for data: by default that of the tensor. Bad data is refused before an unavailable device."""
    if wanted is None and isinstance(data, Tensor) and devices.get_default_device() is devices.CPU:
        return data.device
    if wanted is not None and wanted.type not in ("cpu", "meta"):
        tensor_from(data, d)
    if wanted is None and numpy_and_buffers.is_on_a_gpu(data):
        return numpy_and_buffers.from_gpu(data).device
    return resolve_device(wanted, filled=True)


def _meta_from(data: Any, d: dtype | None) -> Tensor:
    """Returns a meta tensor with the size and dtype of the data, without reading its values."""
    shared = shared_with(data)
    if shared is not None:
        return copied(shared, d or shared._dtype, place=ON_META)
    if isinstance(data, (str, bytes)):
        refuse_text(data)
    size = size_of(data)
    return _without_numbers(size, None, d or infer_dtype(data))


def _without_numbers(size: tuple[int, ...], stride: tuple[int, ...] | None, d: dtype) -> Tensor:
    return wrap_any(empty_array(size, stride, d, ON_META), d)


def _finished(t: Tensor, place: device, requires_grad: bool) -> Tensor:
    """Finish a new tensor: convert it to meta if needed, and set requires_grad."""
    check_requires_grad(requires_grad, t._dtype)
    if place is devices.META and place_of(t).has_numbers:
        t = _without_numbers(*size_and_stride(t), t._dtype)
    if requires_grad:
        t._requires_grad = True
    return t


def _from_data(
    data: Any,
    dtype: dtype | type | None = None,
    device: str | int | device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Implements `tensor()`: copies data to a dtype and device."""
    d = None if dtype is None else as_dtype(dtype)
    place = _place_for(data, d, device)
    if pin_memory:
        _check_pinned(data, d, place)
    if place is devices.META:
        return _finished(_meta_from(data, d), place, requires_grad)
    shared = shared_with(data)
    if shared is None:
        shared = wrap(*array_of(data, d))
        if place is devices.CPU:
            return _finished(shared, place, requires_grad)
    return _finished(copied(shared, d or shared._dtype, place=place_at(place)), place, requires_grad)


_PLAIN = (list, tuple, int, float, bool)


def _at_once(data: Any = None, *more: Any) -> Tensor | None:
    """The fast path of `tensor()` for Python numbers and flat lists of them."""
    result = None if more or type(data) not in _PLAIN else read_at_once(data, None)
    return None if result is None else wrap(*result)


@creation_row(
    "tensor",
    "Makes a tensor by copying data.",
    fast=_at_once,
    decided_by="data",
)
def tensor(data: Any, **options: Any) -> Tensor:
    if isinstance(data, Tensor):
        warn_copy("torch.tensor(sourceTensor)")
    return _from_data(data, **options)


@creation_row(
    "new_tensor",
    "Makes a tensor by copying data, with the dtype and device of this tensor.",
    forms="method",
    decided_by="data",
)
def new_tensor(
    self: Tensor, data: Any, dtype: dtype | type | None = None, device: device | None = None, **options: Any
) -> Tensor:
    if isinstance(data, Tensor):
        warn_copy("tensor.new_tensor(sourceTensor)")
    place = self.device if device is None else device
    return _from_data(data, self._dtype if dtype is None else dtype, place, **options)


def warn_copy(call: str) -> None:
    """PyTorch's advice where a tensor is given as data."""
    warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {call}."
    )


@creation_row(
    "as_tensor",
    "Makes a tensor from data; shares the memory of an array or a tensor where possible.",
    decided_by="data",
)
def as_tensor(data: Any, dtype: dtype | type | None = None, device: device | None = None) -> Tensor:
    if isinstance(data, (str, bytes)):
        refuse_text(data)
    shared = shared_with(data)
    d = None if dtype is None else as_dtype(dtype)
    if shared is None:
        return _from_data(data, dtype, device)
    return _moved(shared, d or shared._dtype, _place_for(data, d, device), False)


def _moved(t: Tensor, d: dtype, place: device, copy: bool) -> Tensor:
    """Convert a tensor to a dtype and device; returns it unchanged if nothing changes and no copy is requested."""
    if not copy and d is t._dtype and place is t.device:
        return t
    return copied(t, d, place=place_at(place))


@creation_row(
    "asarray",
    "Makes a tensor from data; shares the memory of an array, a tensor or a buffer where possible.",
    decided_by="data",
)
def asarray(
    obj: Any,
    dtype: dtype | type | None = None,
    device: device | None = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    if copy is False and isinstance(obj, np.generic):
        refuse(
            RuntimeError,
            "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. ",
            "a NumPy scalar does not expose its memory",
            "np.asarray(x)",
            rule="asarray.alias",
        )
    d = None if dtype is None else as_dtype(dtype)
    shared = numpy_and_buffers.from_numpy(np.asarray(obj)) if isinstance(obj, np.generic) else shared_with(obj)
    if shared is None and _shows_memory(obj):
        shared = numpy_and_buffers.from_buffer(obj, d or dtypes.get_default_dtype())
    if shared is None:
        if copy is False:
            refuse(
                ValueError,
                "can't alias arbitrary sequence into a tensor.",
                "a list has no contiguous buffer",
                "copy=None",
                rule="asarray.alias",
            )
        return _from_data(obj, dtype, device, bool(requires_grad))
    d = d or shared._dtype
    place = _place_for(obj, d, device)
    if copy is False:
        _check_alias(shared, d, place)
    result = _moved(shared, d, place, bool(copy) or isinstance(obj, np.generic))
    if requires_grad is None:
        requires_grad = isinstance(obj, Tensor) and obj._requires_grad
        if requires_grad:
            warn_grad()
    check_requires_grad(requires_grad, d)
    if result._requires_grad != requires_grad:
        result._requires_grad = requires_grad
    return result


def _shows_memory(obj: Any) -> bool:
    if isinstance(obj, (str, list, tuple, int, float, complex)):
        return False
    try:
        memoryview(obj)
    except TypeError:
        return False
    return True


def _check_alias(t: Tensor, d: dtype, place: device) -> None:
    if place is not t.device:
        message = f"can't alias tensor from device '{t.device}' to '{place}'."
    elif d is not t._dtype:
        message = f"can't alias tensor with dtype '{t._dtype._type_name}' into dtype '{d._type_name}'."
    else:
        return
    refuse(
        ValueError,
        message,
        "copy=False requires shared memory, and this data needs a copy",
        "copy=None",
        rule="asarray.alias",
    )


def warn_grad() -> None:
    warn(
        "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass "
        "requires_grad=False "
        "explicitly to get the old behavior and silence this warning.",
        once=True,
    )


# -- shared memory -----------------------------------------------------------------------------------------------


@creation_row(
    "from_numpy", "Makes a tensor that shares the memory of a NumPy array.", "PyObject* ndarray", decided_by="data"
)
def from_numpy(ndarray: ndarray) -> Tensor:
    return numpy_and_buffers.from_numpy(ndarray)


@creation_row(
    "frombuffer",
    "Makes a one-dimensional tensor that shares the memory of an object with the buffer protocol.",
    decided_by="data",
)
def frombuffer(buffer: Any, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    result = numpy_and_buffers.from_buffer(buffer, dtype, count, offset)
    return _finished(result, devices.CPU, requires_grad)


@creation_row(
    "from_dlpack",
    "Makes a tensor that shares the memory of another library's array, through DLPack.",
    "PyObject* ext_tensor, *, Device? device=None, bool? copy=None",
    decided_by="data",
)
def from_dlpack(ext_tensor: Any, device: device | None = None, copy: bool | None = None) -> Tensor:
    return numpy_and_buffers.from_dlpack(ext_tensor, device, copy)


# -- one number --------------------------------------------------------------------------------------------------


def fill_number_in(target: np.ndarray, value: complex, d: dtype) -> None:
    target[...] = fill_number(value, d, 1)


@creation_row("scalar_tensor", "Makes a zero-dimensional tensor from one number.", kernel=fill_number_in)
def scalar_tensor(s: Any, **options: Any) -> New:
    value = as_number(s)
    target = Target("scalar_tensor", **options)
    d = target.dtype or dtypes.get_default_dtype()
    return target.new((), d, (value, d))
