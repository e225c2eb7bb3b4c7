"""The ops that `interpolate` calls with `antialias=True`, one for each filter, and their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....backends.numpy.layers.antialias import Bands
from ....backends.numpy.layers.resampling import resampled_bytes
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....tensor.must_be_tensor import must_be_tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import float32, float64, uint8
from ..declaring import nn_row
from ..layouts import suggested_stride
from ..ways_back import way_back
from .ways import checked_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....tensor.tensor import Tensor

FILTERS = {"bilinear": "linear", "bicubic": "cubic", "lanczos": "lanczos"}
"""The modes of `interpolate` that have a filter, and how heavy it makes a pixel."""


def _bands(
    kind: str, size: Sequence[int], out: Sequence[int], align: bool, factors: Sequence[float] | None, wide: np.dtype
) -> list[Bands]:
    given = [None] * len(size) if factors is None else factors
    return [Bands.of(kind, n, o, align, f, wide) for n, o, f in zip(size, out, given, strict=True)]


@silent
def fill_averages(
    target: np.ndarray, x: np.ndarray, kind: str, align: bool, factors: Sequence[float] | None, wide: np.dtype
) -> None:
    bands = _bands(kind, x.shape[-2:], target.shape[-2:], align, factors, wide)
    if x.dtype.kind == "u":
        target[...] = resampled_bytes(x, [each.taps() for each in bands])
    else:
        for axis, each in zip((-2, -1), bands, strict=True):
            if x.shape[axis] != target.shape[axis]:  # PyTorch leaves a dimension of the same size as it is
                x = each.sums(x, axis)
        target[...] = x


@silent
def fill_back(
    target: np.ndarray, grad: np.ndarray, kind: str, align: bool, factors: Sequence[float] | None, wide: np.dtype
) -> None:
    size = target.shape[-2:]
    bands = [
        each.back(n) for each, n in zip(_bands(kind, size, grad.shape[-2:], align, factors, wide), size, strict=True)
    ]
    target[...] = bands[1].sums(bands[0].sums(grad, -2), -1)


def _declare(mode: str, kind: str) -> None:
    name = f"_upsample_{mode}2d_aa"

    @nn_row(f"_nn.{name}", "Resamples images to another size: averages.", fill_averages, out=None)
    def averages(
        input: Tensor,
        output_size: Sequence[int] | None,
        align_corners: bool,
        scale_factors: Sequence[float] | None = None,
    ) -> Answer:
        must_be_tensor(name, input)
        size, d = checked_size(input, output_size, scale_factors, 2), input._dtype
        if d not in (float32, float64, uint8):
            refuse_dtype("compute_index_ranges_weights", d)
        wide = np.dtype(np.float64) if d is uint8 else d._in_numpy
        return Result(size, d, suggested_stride(input, size)), (input._array, kind, align_corners, scale_factors, wide)

    @way_back(f"{name}_backward", "The gradient of averages.", fill_back)
    def back(
        grad_output: Tensor,
        output_size: Sequence[int] | None,
        input_size: tuple[int, ...],
        align_corners: bool,
        scale_factors: Sequence[float] | None,
    ) -> Answer:
        d = grad_output._dtype
        if d not in (float32, float64):
            refuse_dtype("compute_index_ranges_weights", d)
        size = tuple(input_size)
        stride = suggested_stride(grad_output, size) if kind == "linear" else None
        return Result(size, d, stride), (grad_output._array, kind, align_corners, scale_factors, d._in_numpy)


for each, heavy in FILTERS.items():
    _declare(each, heavy)
