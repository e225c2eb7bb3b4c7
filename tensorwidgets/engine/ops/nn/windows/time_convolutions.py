"""The convolution of sequences whose first dimension is time: one product of matrices for each place of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.casts import assign
from ....backends.numpy.rounded_steps import rounding
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....errors.reasons import refuse
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import BOOL, opmath
from ..declaring import nn_calls

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def steps_of(k: int, pad: int, length: int, out: int) -> tuple[slice, slice]:
    """The times of the input that a place of the window reads, and the times of the result that it adds to.

    >>> steps_of(0, 1, 5, 5), steps_of(2, 1, 5, 5)
    ((slice(0, 4, None), slice(1, 5, None)), (slice(1, 5, None), slice(0, 4, None)))
    """
    first = max(0, pad - k)
    count = max(0, min(length + pad - k, out) - first)
    start = first + k - pad
    return slice(start, start + count), slice(first, first + count)


@silent
def fill_steps(
    target: np.ndarray, x: np.ndarray, weight: np.ndarray, bias: np.ndarray, pad: int, wide: np.dtype
) -> None:
    rounded = rounding(target.dtype, wide)
    x, weight = x.astype(wide, copy=False), weight.astype(wide, copy=False)
    total: Any = np.empty_like(x, shape=target.shape, order="C")
    total[...] = rounded(bias.astype(wide))
    for k in range(len(weight)):
        read, added = steps_of(k, pad, len(x), len(target))
        if read.stop > read.start:
            total[added] = rounded(total[added] + x[read] @ weight[k])
    assign(target, total)


def _refuse(message: str, because: str) -> None:
    refuse(RuntimeError, message, because, rule="convolution.size")


@nn_calls(
    "conv_tbc", "A convolution of sequences, with the sizes (time, batch, channels).", kernel=fill_steps, out=None
)
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Answer:
    if input.dim() != 3:
        _refuse("Input must have 3 dims: time, batch, in_channel", "the channels are the last dimension")
    if weight.dim() != 3:
        words = "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        _refuse(words, "there is a matrix for each place of the window")
    if bias.dim() != 1:
        _refuse("Bias must be 1-D", "there is a number for each channel of the result")
    (length, batch, channels), (width, rows, columns) = input.shape, weight.shape
    if channels != rows:
        words = "Input dim 2 (input channels) is not == dim 1 in the weight tensor"
        _refuse(words, "the channels are multiplied with the weight's matrices")
    if len(bias) != columns:
        words = "Bias size must equal dim 2 in the weight tensor (output channels)."
        _refuse(words, "there is a number for each channel of the result")
    size = (length - width + 1 + 2 * pad, batch, columns)
    if size[0] < 0:
        words = f"Trying to create tensor with negative dimension {size[0]}: {list(size)}"
        _refuse(words, "the window is longer than the sequence")
    d, other = input._dtype, weight._dtype
    if width and size[0]:
        if other is not d:
            words = f"self and mat2 must have the same dtype, but got {d._type_name} and {other._type_name}"
            _refuse(words, "they are multiplied")
        if d._kind == BOOL:
            refuse_dtype("addmm_impl_cpu_", d)
    return Result(size, d), (input._array, weight._array, bias._array, pad, opmath(d)._in_numpy)
