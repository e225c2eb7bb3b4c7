"""Fake quantization: round plain values as quantizing and dequantizing would, for any range of integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.without_warnings import quietly
from ...declare.by_parts import Made, computes
from ...errors.reasons import refuse
from ...geometry import preserve_stride
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.wrapping import empty_array, wrap
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype

_KERNEL = "fake_quantize_tensor_cachemask_kernel_type_handling"


def _there_and_back(input: Tensor, scale: Any, zero_point: int | ndarray, first: int, last: int, name: str) -> Made:
    d = input._dtype
    if not d.is_floating_point or d in dtypes.FLOAT8:
        refuse_dtype(name, d)
    return Made(lambda values: wrap(_as_in(input, values), d), (input._array, scale, zero_point, first, last))


def _as_in(input: Tensor, values: np.ndarray) -> np.ndarray:
    """Values in the order in which those of the input lie in memory."""
    target = empty_array(input._array.shape, preserve_stride(*size_and_stride(input)), input._dtype)
    target[...] = values
    return target


def there_and_back(array: np.ndarray, scale: Any, zero_point: int | ndarray, first: int, last: int) -> np.ndarray:
    """Each value rounded to one that an integer represents."""
    steps = np.rint(quietly(np.multiply, array.astype(np.float32), quietly(np.divide, np.float32(1), scale)))
    # Of channels, steps are counted in whole numbers, among which infinity is the least.
    lost = np.isnan(steps) if np.ndim(scale) == 0 else ~(abs(steps) < 2.0**63)
    rungs = np.clip(np.where(lost, first, quietly(np.add, steps, zero_point)), first, last)
    values = quietly(np.multiply, (rungs - zero_point).astype(np.float32), scale)
    return quietly(values.astype, array.dtype)


@computes(there_and_back)
def by_tensor(input: Tensor, scale: Tensor | float, zero_point: Any, first: int, last: int) -> Made:
    """`fake_quantize_per_tensor_affine`."""
    scale, zero_point = (v.item() if isinstance(v, Tensor) else v for v in (scale, zero_point))
    _check_ends(first, last)
    if not first <= zero_point <= last:
        _refuse("`zero_point` must be between `quant_min` and `quant_max`.")
    return _there_and_back(input, np.float32(scale), int(zero_point), first, last, _KERNEL)


@computes(there_and_back)
def by_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, first: int, last: int) -> Made:
    """`fake_quantize_per_channel_affine`."""
    if scales._dtype is not dtypes.float32:
        _refuse(f"Scale must be Float, found {scales._dtype._type_name}")
    if zero_points._dtype not in (dtypes.int32, dtypes.float32, dtypes.float16):
        _refuse(f"Zero-point must be Int32, Float or Half, found {zero_points._dtype._type_name}")
    if scales._array.ndim != 1:
        _refuse("scale should be a 1-D tensor")
    if zero_points._array.ndim != 1:
        _refuse("zero point should be a 1-D tensor")
    if scales._array.size != zero_points._array.size:
        _refuse("scale and zero-point need to have the same dimensions")
    shape = input._array.shape
    if not 0 <= axis <= len(shape):
        _refuse("`axis` must be between 0 and number of dimensions of input")
    if axis == len(shape) or scales._array.size != shape[axis]:
        _refuse("dimensions of scale and zero-point are not consistent with input tensor")
    _check_ends(first, last)
    zeros = zero_points._array
    if zeros.dtype.kind == "i" and zeros.size and not (zeros.min() >= first and zeros.max() <= last):
        _refuse("`zero_point` must be between `quant_min` and `quant_max`.")
    along = [-1 if dim == axis else 1 for dim in range(len(shape))]
    name = "fake_quantize_channel_cachemask_cpu_type_handling"
    return _there_and_back(input, scales._array.reshape(along), zeros.reshape(along), first, last, name)


def _check_ends(first: int, last: int) -> None:
    if first > last:
        _refuse("`quant_min` should be less than or         equal to `quant_max`.")


def _refuse(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "scale, zero_point, quant_min and quant_max define the quantization",
        rule="quantize.fake",
    )
