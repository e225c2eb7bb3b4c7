"""Accessors of quantized tensors (scale, zero point, integers), and `quantization_report`: what was lost?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...declare.by_parts import Made, computes
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import dtypes, formats
from .quantizers import RUNGS, Quantizer
from .tensors import (
    CARRIERS,
    channel_tensors,
    dequantized,
    in_order,
    is_quantized,
    kernel,
    per_channel,
    per_tensor,
    quantizer_of,
    scheme_of,
    values_of,
)


def all_dequantized(given: Tensor | Sequence[Tensor]) -> Any:
    """The values of one tensor, or of several, of which some may be plain."""
    if isinstance(given, Tensor):
        return dequantized(given)
    return tuple([dequantized(t) if is_quantized(t) else t.dequantize() for t in given])


@kernel("dequantize")
@computes(all_dequantized)
def dequantize(input: Any = None, tensors: Any = ()) -> Made:
    return Made(_as_it_is, (input if tensors == () else tensors,))


def _as_it_is(result: Tensor | Sequence[Tensor]) -> Any:
    return result


@kernel("int_repr")
@computes(in_order)
def int_repr(input: Tensor) -> Made:
    return Made(lambda rungs: wrap(rungs, CARRIERS[input._dtype]), (input._array, input))


@kernel("qscheme")
def qscheme(input: Tensor) -> formats.qscheme:
    return scheme_of(input)


@kernel("q_scale")
def q_scale(input: Tensor) -> float:
    return per_tensor(input).scale


@kernel("q_zero_point")
def q_zero_point(input: Tensor) -> int:
    return per_tensor(input).zero_point


@kernel("q_per_channel_scales")
@computes(channel_tensors)
def q_per_channel_scales(input: Tensor) -> Made:
    return Made(lambda both: both[0], (per_channel(input),))


@kernel("q_per_channel_zero_points")
@computes(channel_tensors)
def q_per_channel_zero_points(input: Tensor) -> Made:
    return Made(lambda both: both[1], (per_channel(input),))


@kernel("q_per_channel_axis")
def q_per_channel_axis(input: Tensor) -> int:
    return per_channel(input).axis


# -- what was lost -----------------------------------------------------------------------------------------------


class Report(NamedTuple):
    """The fate of each value: masks of those clipped `below` and `above` the range, and the `error` of each."""

    below: Tensor
    above: Tensor
    error: Tensor
    largest_error: float
    """The largest absolute error among the values that were not clipped."""

    @property
    def clipped(self) -> int:
        """How many values were clipped."""
        return int(np.count_nonzero(self.below._array) + np.count_nonzero(self.above._array))

    def __repr__(self) -> str:
        low, high = np.count_nonzero(self.below._array), np.count_nonzero(self.above._array)
        lost = np.count_nonzero(np.isnan(self.error._array))
        return (
            f"{self.clipped} of {self.error._array.size} values clipped: {low} below the ladder, {high} above"
            f"{f'; {lost} was no number' if lost else ''}\n"
            f"largest error of the others: {self.largest_error:.4g}"
        )


def compared(
    values: np.ndarray, rungs: np.ndarray, stored: np.ndarray, quantizer: Quantizer, q: Tensor
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which values lie below the ladder, which above, and what is stored less what was meant.

    A value counts as clipped where it lies beyond the last rung by more than half a step: nearer ones are rounded.
    """
    first, last = RUNGS[q._dtype]
    with np.errstate(all="ignore"):
        low, high = quantizer.ends(q._dtype, values.ndim)
        half = abs(high - low) / (last - first) / 2
        below = (rungs == first) & (values < np.minimum(low, high) - half)
        above = (rungs == last) & (values > np.maximum(low, high) + half)
        return np.array(below), np.array(above), np.array(stored - values, np.float32)


@kernel("quantization_report")
@computes(compared)
def quantization_report(input: Tensor, quantized: Tensor) -> Made:
    if input._array.shape != quantized._array.shape or not input._dtype.is_floating_point:
        refuse(
            RuntimeError,
            "quantization_report takes the values and their quantized form, which must have the same size",
            f"these are of size {list(input._array.shape)} and {list(quantized._array.shape)}",
            "torch.quantization_report(x, q)",
            rule="quantized.report",
        )
    given = (input._array, quantized._array, values_of(quantized), quantizer_of(quantized), quantized)
    return Made(_report, given)


def _report(compared: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Report:
    below, above, error = compared
    kept = np.abs(error[~(below | above) & ~np.isnan(error)])
    largest = float(kept.max()) if kept.size else 0.0
    return Report(wrap(below, dtypes.bool_), wrap(above, dtypes.bool_), wrap(error, dtypes.float32), largest)
