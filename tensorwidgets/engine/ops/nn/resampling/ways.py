"""The ops that `interpolate` calls: one for each way to resample and number of dimensions, and their gradients."""

from __future__ import annotations

from math import trunc
from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.in_double import SINGLE
from ....backends.numpy.layers import rounded_resampling as rounded
from ....backends.numpy.layers.resampling import KINDS, Taps, resampled, resampled_bytes, returned
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....errors.reasons import refuse
from ....geometry import is_contiguous
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, opmath, uint8
from ..declaring import nn_row
from ..layouts import suggested_stride
from ..ways_back import way_back

if TYPE_CHECKING:
    from collections.abc import Sequence


WAYS = {
    "nearest": ("nearest", (1, 2, 3)),
    "nearest_exact": ("nearest_exact", (1, 2, 3)),
    "linear": ("linear", (1,)),
    "bilinear": ("linear", (2,)),
    "trilinear": ("linear", (3,)),
    "bicubic": ("cubic", (2,)),
}
"""The ways to resample: how each dimension is, and for how many dimensions."""
OF_BYTES = ("nearest", "nearest_exact", "bilinear", "bicubic")
"""The ways that have images of whole numbers of 8 bits, too."""


def taps(
    kind: str,
    size: tuple[int, ...],
    out: tuple[int, ...],
    align: bool,
    factors: Sequence[float] | None,
    wide: np.dtype,
    narrow: Any,
) -> list[Taps]:
    """Which elements, and how much of each, every result is made of, for each dimension."""
    given = [None] * len(size) if factors is None else factors
    found = [KINDS[kind](n, o, align, f, wide) for n, o, f in zip(size, out, given, strict=True)]
    if narrow.itemsize >= wide.itemsize or narrow.kind == "u":
        return found
    return [_of_16_bits(each, wide, narrow) for each in found]


def _of_16_bits(each: Taps, wide: np.dtype, narrow: np.dtype) -> Taps:
    """The weights of 16-bit numbers are of 16 bits, too; of two, the first is what the second leaves."""
    weights = [None if w is None else w.astype(narrow) for _, w in each]
    if len(weights) == 2 and weights[1] is not None:
        weights[0] = (1 - weights[1].astype(wide)).astype(narrow)
    return [(index, None if w is None else w.astype(wide)) for (index, _), w in zip(each, weights, strict=True)]


def _is_by_channels(x: np.ndarray, size: tuple[int, ...]) -> bool:
    """Whether PyTorch takes the kernel that has all channels of an element at once: for small images, and for channels
    that lie last.

    For nearest elements it treats once and twice the size as special cases, as all kernels do on the way back.
    """
    if x.ndim == 4 and size[2] + size[3] <= 128:
        return True
    form = {4: "channels_last", 5: "channels_last_3d"}.get(x.ndim)
    stride = tuple([s // x.itemsize for s in x.strides])
    return form is not None and x.shape[1] > 3 and is_contiguous(x.shape, stride, form)


@silent
def fill_resampled(
    target: np.ndarray, x: np.ndarray, kind: str, align: bool, factors: Sequence[float] | None, wide: np.dtype
) -> None:
    dims = x.ndim - 2
    kind = "nearest_whole" if kind == "nearest" and _is_by_channels(x, target.shape) else kind
    jointly = kind == "linear" and _is_by_channels(x, target.shape)
    found = taps(kind, x.shape[-dims:], target.shape[-dims:], align, factors, wide, wide if jointly else x.dtype)
    numbers = x.astype(wide, copy=False)
    if x.dtype.kind == "u" and kind in WEIGHTED:
        result = resampled_bytes(x, found)
    elif wide != SINGLE or kind not in WEIGHTED or type(x) is not np.ndarray:
        result = resampled(numbers, found)
    elif jointly:
        result = rounded.jointly(numbers, found, x.dtype)
    else:
        result = rounded.in_turn(numbers, found)
    np.copyto(target, result, casting="unsafe")


WEIGHTED = ("linear", "cubic")
"""The ways whose results are weighted sums."""


@silent
def fill_returned(
    target: np.ndarray, grad: np.ndarray, kind: str, align: bool, factors: Sequence[float] | None, wide: np.dtype
) -> None:
    dims = grad.ndim - 2
    size = target.shape[-dims:]
    if kind == "cubic" and grad.shape[-dims:] == size:  # PyTorch copies: 0 times what is not finite adds nothing
        target[...] = grad
        return
    back = {"nearest": "nearest_whole", "cubic": "cubic_back"}.get(kind, kind)
    found = taps(back, size, grad.shape[-dims:], align, factors, wide, wide)
    way: Any = returned
    if wide == SINGLE and type(grad) is np.ndarray and rounded.count_turns(found, size) <= TURNS:
        way = rounded.returned if kind == "linear" else rounded.returned_in_steps
    np.copyto(target, way(grad.astype(wide, copy=False), found, size), casting="unsafe")


TURNS = 1024
"""Up to how many results an element may be part of, for its shares to be rounded one after the other."""


def _refuse(message: str) -> None:
    refuse(RuntimeError, message, "the input or the result would have no elements", rule="interpolate.size")


def checked_size(input: Tensor, output_size: Any, factors: Any, dims: int) -> tuple[int, ...]:
    size = tuple(input.shape)
    if output_size is None:
        output_size = [trunc(n * f) for n, f in zip(size[2:], factors, strict=True)]
    out = tuple(output_size)
    if min(*size[2:], *out) < 1:
        sides = "DHW"[-dims:]
        given, found = (", ".join(f"{s}: {n}" for s, n in zip(sides, each, strict=True)) for each in (size[2:], out))
        link = "and output" if dims == 1 else "output"
        _refuse(f"Input and output sizes should be greater than 0, but got input ({given}) {link} ({found})")
    if 0 in size[1:]:
        _refuse(f"Non-empty {dims + 2}D data tensor expected but got a tensor with sizes {list(size)}")
    return (*size[:2], *out)


def _stub(way: str, dims: int) -> str:
    """PyTorch's name of the kernel that lacks a dtype."""
    if way == "bicubic":
        return "compute_indices_weights_cubic"
    if dims == 2:
        return f"upsample_{'bilinear' if way == 'bilinear' else 'nearest'}2d_channels_last"
    return f"compute_indices_weights_{'linear' if 'linear' in way else 'nearest'}"


def _declare(way: str, kind: str, dims: int) -> None:
    name = f"upsample_{way}{dims}d"
    aligns = kind in ("linear", "cubic")

    def rule(
        input: Tensor, output_size: Sequence[int] | None, align_corners: bool, scale_factors: Sequence[float] | None
    ) -> Answer:
        must_be_tensor(name, input)
        size = checked_size(input, output_size, scale_factors, dims)
        d = input._dtype
        if d._kind != FLOAT and not (d is uint8 and way in OF_BYTES):
            refuse_dtype(_stub(way, dims), d)
        wide = np.dtype(np.float64 if aligns else np.float32) if d is uint8 else opmath(d)._in_numpy
        return Result(size, d, suggested_stride(input, size)), (input._array, kind, align_corners, scale_factors, wide)

    words = (
        "Resamples to another size: nearest elements." if not aligns else "Resamples to another size: weighted sums."
    )
    if aligns:

        @nn_row(f"_nn.{name}", words, fill_resampled, out=None)
        def aligned(
            input: Tensor,
            output_size: Sequence[int] | None,
            align_corners: bool,
            scale_factors: Sequence[float] | None = None,
        ) -> Answer:
            return rule(input, output_size, align_corners, scale_factors)
    else:

        @nn_row(f"_nn.{name}", words, fill_resampled, out=None)
        def plain(
            input: Tensor, output_size: Sequence[int] | None, scale_factors: Sequence[float] | None = None
        ) -> Answer:
            return rule(input, output_size, False, scale_factors)

    @way_back(f"{name}_backward", "The gradient of resampling.", fill_returned)
    def back(
        grad_output: Tensor,
        output_size: Sequence[int] | None,
        input_size: tuple[int, ...],
        align_corners: bool,
        scale_factors: Sequence[float] | None,
    ) -> Answer:
        d = grad_output._dtype
        given = grad_output._array, kind, align_corners, scale_factors, opmath(d)._in_numpy
        size = tuple(input_size)
        in_rows = kind == "cubic" or dims == 3 and not aligns  # PyTorch forgets the order of these
        return Result(size, d, None if in_rows else suggested_stride(grad_output, size)), given


for each, (how, counts) in WAYS.items():
    for count in counts:
        _declare(each, how, count)
