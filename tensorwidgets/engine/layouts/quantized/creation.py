"""Create quantized tensors, and check scales and zero points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...declare.by_parts import Made, computes
from ...errors.reasons import refuse
from ...memory import MetaArray
from ...tensor.keys import KEY_META
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.wrapping import empty_array, wrap
from ...types import dtypes
from ...types.dtypes import dtype
from .quantizers import RUNGS, PerChannel, PerTensor
from .tensors import CARRIERS, in_order, quantized, refuse_backend, result_stride

if TYPE_CHECKING:
    from ...types.device import device


SMALLEST_SCALE = float(np.float32(6.1e-5))
"""The smallest scale that `quantize_per_tensor_dynamic` chooses."""


def climbed(quantizer: Any, values: np.ndarray, d: dtype) -> np.ndarray:
    """The integers that represent values."""
    return quantizer.quantize(values, d)


def _of(input: Tensor, quantizer: Any, d: dtype) -> Made:
    """The result of quantizing a tensor."""
    return Made(lambda rungs: quantized(in_order(rungs, input), d, quantizer), (quantizer, input._array, d))


@computes(climbed)
def per_tensor(input: Tensor, scale: float, zero_point: int, d: dtype) -> Any:
    """`quantize_per_tensor` of one tensor."""
    if type(input._array) is MetaArray:
        return _without_bytes(input)
    ladder = PerTensor(float(_number(scale)), int(_number(zero_point)))
    if input._dtype is not dtypes.float32:
        refuse(
            RuntimeError,
            f"Quantize only works on Float Tensor, got {input._dtype._type_name}",
            "PyTorch quantizes only float32",
            "x.float()",
            rule="quantize.input",
        )
    _check_dtype(d)
    _check_zero_point("quantize_tensor_per_tensor_affine", ladder.zero_point, d)
    return _of(input, ladder, d)


def _number(value: float) -> Any:
    return value.item() if isinstance(value, Tensor) else value


def _without_bytes(input: Tensor) -> Tensor:
    """PyTorch's result for a meta tensor: a plain meta tensor."""
    size, stride = size_and_stride(input)
    d = input._dtype
    result = wrap(MetaArray(size, tuple([s * d.itemsize for s in result_stride(size, stride)]), d._in_numpy), d)
    result._keys = KEY_META
    return result


@computes(climbed)
def per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, d: dtype) -> Made:
    """`quantize_per_channel`."""
    ladder = by_channel(scales, zero_points, axis)
    name = "quantize_tensor_per_channel_affine"
    start = "Quantize only works on" if ladder.fractional else f"{name} expects a"
    _check_dtype(d)
    if input._dtype is not dtypes.float32:
        refuse(
            RuntimeError,
            f"{start} Float Tensor, got {input._dtype._type_name}",
            "PyTorch quantizes only float32",
            "x.float()",
            rule="quantize.input",
        )
    _check_axis(ladder, input._array.shape)
    if not ladder.fractional:
        for zero_point in ladder.zero_points:
            _check_zero_point(name, int(zero_point), d)
    return _of(input, ladder, d)


def by_channel(scales: Tensor, zero_points: Tensor, axis: int) -> PerChannel:
    """The per-channel quantizer; refuses invalid scales and zero points."""
    for what, t in (("scale", scales), ("zero_points", zero_points)):
        if t._array.ndim != 1:
            message = f"{what} tensor must have dimension 1"
            refuse(
                RuntimeError,
                message,
                "there is one element for each channel",
                f"{what}.reshape(-1)",
                rule="quantize.scales",
            )
    if scales._array.size != zero_points._array.size:
        refuse(
            RuntimeError,
            "number of elements in scales and zero_points must match",
            f"{scales._array.size} scales and {zero_points._array.size} zero points",
            rule="quantize.scales",
        )
    if not scales._dtype.is_floating_point:
        message = "scale tensor must be floating point"
        refuse(RuntimeError, message, f"these are {scales._dtype}", "scales.float()", rule="quantize.scales")
    numbers = (np.float32, np.float32) if zero_points._dtype.is_floating_point else (np.float64, np.int64)
    return PerChannel(scales._array.astype(numbers[0]), zero_points._array.astype(numbers[1]), axis)


def _check_axis(ladder: PerChannel, shape: tuple[int, ...]) -> None:
    kind = "float qparams" if ladder.fractional else "affine"
    if not 0 <= ladder.axis < len(shape):
        refuse(
            RuntimeError,
            f"Channel axis out of range in per channel {kind} quantization. Got: {ladder.axis}Expected: "
            f"[0, {len(shape)})",
            f"the channels lie along one of the {len(shape)} dimensions, counted from 0",
            rule="quantize.axis",
            axis=ladder.axis,
        )
    if len(ladder.scales) != shape[ladder.axis]:
        refuse(
            RuntimeError,
            f"length of scales must equal to channel, expected {shape[ladder.axis]} got, {len(ladder.scales)}",
            f"dimension {ladder.axis} has {shape[ladder.axis]} channels, and there are {len(ladder.scales)} scales",
            rule="quantize.axis",
            axis=ladder.axis,
        )


def ends(values: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest value."""
    return float(values.min()), float(values.max())


@computes(ends)
def dynamic(input: Tensor, d: dtype, reduce_range: bool) -> Made:
    """`quantize_per_tensor_dynamic`."""
    if d not in (dtypes.quint8, dtypes.qint8):
        message = f"dtype {d._type_name}not supported"
        refuse(RuntimeError, message, "a scale is chosen only for 8-bit dtypes", "torch.quint8", rule="quantize.dtype")
    if not input._array.size:
        input.min()  # raises, because there is no element

    def make(found: tuple[float, float]) -> Tensor:
        low, high = found
        if not low <= high:
            message = "In ChooseQuantizationParams, min should be less than or equal to max"
            refuse(RuntimeError, message, "the values contain nan", "x.nan_to_num()", rule="quantize.nan")
        if high - low == math.inf:
            _check_zero_point("quantize_tensor_per_tensor_affine", -(2**31), d)
        return per_tensor(input, *chosen(low, high, *RUNGS[d], reduce_range), d)

    return Made(make, (input._array,))


def chosen(low: float, high: float, first: int, last: int, reduce_range: bool) -> tuple[float, int]:
    """The scale and zero point whose range just covers two bounds; 0 is always represented exactly.

    >>> chosen(-1.0, 1.0, 0, 255, False)
    (0.00784313725490196, 128)
    """
    if reduce_range:
        first, last = int(first / 2), last // 2
    low, high = min(low, 0.0), max(high, 0.0)
    scale = (high - low) / (last - first)
    if scale < 2.0**-128:  # in float32 it has no reciprocal
        scale = 0.1
    if scale < SMALLEST_SCALE:
        stretched = SMALLEST_SCALE / scale
        scale = SMALLEST_SCALE
        low, high = (float(np.float32(end * np.float32(stretched))) for end in (low, high))
    from_low, from_high = first - low / scale, last - high / scale
    nearer_low = abs(first) - abs(low / scale) < abs(last) - abs(high / scale)
    zero_point = np.clip(np.rint(from_low if nearer_low else from_high), first, last)
    return scale, int(zero_point)


# -- from integers -----------------------------------------------------------------------------------------------


@computes(in_order)
def of_rungs(input: Tensor, scale: float, zero_point: int) -> Made:
    """`_make_per_tensor_quantized_tensor`."""
    d, ladder = _carried(input), PerTensor(float(scale), int(zero_point))
    return Made(lambda rungs: quantized(rungs, d, ladder), (input._array, input))


@computes(in_order)
def of_rungs_by_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int) -> Made:
    """`_make_per_channel_quantized_tensor`."""
    d, ladder = _carried(input), by_channel(scales, zero_points, axis)
    _check_axis(ladder, input._array.shape)
    return Made(lambda rungs: quantized(rungs, d, ladder), (input._array, input))


def _carried(input: Tensor) -> dtype:
    for d, carrier in CARRIERS.items():
        if input._dtype is carrier:
            return d
    _refuse_dtype(f"no quantized dtype stores its integers as {input._dtype}")


def _zeros(size: tuple[int, ...], d: np.dtype) -> np.ndarray:
    result = empty_array(size, None, dtypes.FROM_NUMPY[d])
    result[...] = 0
    return result


@computes(_zeros)
def empty(
    size: tuple[int, ...], d: dtype | None, device: str | int | device | None, scale: float, zero_point: int
) -> Made:
    """`_empty_affine_quantized`."""
    if device is not None and str(device) == "meta":
        refuse_backend("_empty_affine_quantized", "QuantizedMeta", "a meta tensor has no data to quantize")
    if d is None:
        _refuse_dtype("a quantized tensor needs a quantized dtype")
    _check_dtype(d)
    quantizer = PerTensor(float(scale), int(zero_point))
    return Made(lambda rungs: quantized(rungs, d, quantizer), (size, d._in_numpy))


@computes(_zeros)
def empty_by_channel(size: tuple[int, ...], scales: Tensor, zero_points: Tensor, axis: int, d: dtype) -> Made:
    """`_empty_per_channel_affine_quantized`."""
    if d is None:
        _refuse_dtype("a quantized tensor needs a quantized dtype")
    _check_dtype(d)
    ladder = by_channel(scales, zero_points, axis)
    _check_axis(ladder, size)
    return Made(lambda rungs: quantized(rungs, d, ladder), (size, d._in_numpy))


# -- refusals ----------------------------------------------------------------------------------------------------


def _check_dtype(d: dtype) -> None:
    if d not in CARRIERS:
        _refuse_packed(d)
        refuse(
            RuntimeError,
            f"ScalarType {d._type_name} is not supported in new_qtensor.",
            f"{d} is a plain dtype; the quantized ones are {', '.join(map(repr, CARRIERS))}",
            "torch.quint8",
            rule="quantize.dtype",
            dtype=d,
        )


def _refuse_packed(d: dtype) -> None:
    if d._is_quantized:
        _ = d._in_numpy  # refuses: several of them share a byte


def _check_zero_point(name: str, zero_point: int, d: dtype) -> None:
    first, last = RUNGS[d]
    if not first <= zero_point <= last:
        side = "above upper" if zero_point > last else "below lower"
        refuse(
            RuntimeError,
            f"{name} zero_point {zero_point} is {side} bound.",
            f"0 must be representable, and the integers of {d} are {first} to {last}",
            rule="quantize.zero_point",
            zero_point=zero_point,
        )


def _refuse_dtype(because: str) -> NoReturn:
    refuse(
        RuntimeError,
        "Creation of quantized tensor requires quantized dtype like torch.quint8",
        because,
        "torch.quint8",
        rule="quantize.dtype",
    )
