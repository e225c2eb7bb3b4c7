"""Pools that average each window, of a given size or into a result of a given size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, NoReturn, SupportsIndex

import numpy as np

from ....backends.numpy.layers.adaptive import averaged, spread
from ....backends.numpy.layers.pools import inside, padded, shifts
from ....backends.numpy.rounded_steps import rounding, unchanged
from ....backends.numpy.sums.ordered_sum import REGISTER
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, dtype, float32, float64, int64, opmath
from ..declaring import nn_composite, nn_row
from ..layouts import suggested_stride
from ..ways_back import way_back
from ..whole_numbers import whole_numbers
from .pool_sizes import Pool, check_room, pool_of, pooled_size, refuse_pool


@lru_cache(64)
def _counts(size: tuple[int, ...], out: tuple[int, ...], pool: Pool, include: bool) -> Any:
    """How many elements each window averages."""
    counts = []
    for n, windows, k, s, p in zip(size, out, *pool[:3], strict=True):
        start = np.arange(windows) * s - p
        end = np.minimum(start + k, n + p)
        counts.append(end - start if include else np.minimum(end, n) - np.maximum(start, 0))
    return prod(n.reshape(-1, *(1,) * (len(counts) - 1 - i)) for i, n in enumerate(counts))


def counts_of(size: tuple[int, ...], out: tuple[int, ...], pool: Pool, include: bool, like: np.ndarray) -> Any:
    """How many elements each window averages, in an array beside another one."""
    found: Any = (_counts if prod(out) <= FEW else _counts.__wrapped__)(size, out, pool, include)
    return found if type(like) is np.ndarray else np.asarray(found, like=like)


FEW = 1 << 12
"""Windows up to which these numbers are kept for the next call."""


def divided(sums: np.ndarray, size: tuple[int, ...], pool: Pool, count_include_pad: bool, override: int | None) -> None:
    """Divide the sum of each window, or its gradient, by how many elements it averages."""
    if sums.dtype.kind == "i":
        _divide_whole(sums, size, pool, count_include_pad, override)
        return
    if override is not None:
        sums /= override
        return
    counts = counts_of(size, sums.shape[-len(size) :], pool, count_include_pad, sums)
    sums /= counts.astype(sums.dtype)  # once: two divisions would round twice


def _divide_whole(sums: np.ndarray, size: tuple[int, ...], pool: Pool, include: bool, override: int | None) -> None:
    """Divide whole numbers, once and towards zero."""
    count: Any = override
    if override is None:
        count = counts_of(size, sums.shape[-len(size) :], pool, include, sums)
    np.floor_divide(abs(sums), abs(count), out=(quotient := np.empty_like(sums)))
    np.copyto(sums, quotient * np.sign(sums) * np.sign(count))


@silent
def fill_average(
    target: np.ndarray, x: np.ndarray, pool: Pool, include: bool, override: int | None, wide: np.dtype
) -> None:
    dims = len(pool.kernel)
    out = target.shape[-dims:]
    whole = padded(x, pool.padding, out, *pool[:2], pool.dilation, 0)
    sums = np.zeros_like(target, dtype=wide)
    for _, key in shifts(pool.kernel, pool.stride, pool.dilation, out):
        sums += whole[key]
    divided(sums, x.shape[-dims:], pool, include, override)
    np.copyto(target, sums, casting="unsafe")


@silent
def fill_average_back(
    target: np.ndarray, grad: np.ndarray, pool: Pool, include: bool, override: int | None, wide: np.dtype
) -> None:
    dims = len(pool.kernel)
    size, out = target.shape[-dims:], grad.shape[-dims:]
    share = grad.astype(wide)
    divided(share, size, pool, include, override)
    whole = padded(np.zeros_like(target, dtype=wide), pool.padding, out, *pool[:2], pool.dilation, 0)
    rounded = rounding(target.dtype, wide)
    share = rounded(share)
    # Backwards, so that each element is added to by one window after the other.
    for _, key in shifts(pool.kernel, pool.stride, pool.dilation, out)[::-1]:
        whole[key] = rounded(whole[key] + share)
    np.copyto(target, whole[inside(size, pool.padding)], casting="unsafe")


def _refuse_no_channels(ndim: int) -> NoReturn:
    """Refuse an input without the dimension of channels, which PyTorch reads before it checks anything."""
    told = f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}], but got -3)"
    refuse(
        IndexError,
        told if ndim else "Dimension specified as -3 but tensor has no dimensions",
        "an image has channels, rows and columns",
        "input[None]",
        rule="pool.ndim",
    )


def _can_average(d: dtype, dims: int) -> bool:
    """Whether PyTorch's kernel is there for a dtype: that of volumes takes no 16-bit floats."""
    return d is int64 or (d in (float32, float64) if dims == 3 else d._kind == FLOAT)


def _declare(dims: int) -> None:
    called = f"avg_pool{dims}d"

    def read(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: int | Sequence[int],
        ceil_mode: bool,
        divisor: Any,
    ) -> Pool:
        pool = pool_of(called, dims, kernel_size, stride, padding, 1, ceil_mode)
        if dims == 3 and input.dim() not in (4, 5):
            refuse_pool("non-empty 4D or 5D (batch mode) tensor expected for input")
        if divisor == 0:
            refuse_pool("divisor must be not zero")
        return pool

    @nn_row(f"nn.functional.{called}", "Averages each window.", fill_average, out=None)
    def avg_pool(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Answer:
        must_be_tensor(called, input)
        pool = read(input, kernel_size, stride, padding, ceil_mode, divisor_override)
        if dims == 2 and input.dim() < 3:
            _refuse_no_channels(input.dim())
        if dims == 2 and input.dim() > 4:
            refuse_pool(
                "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                f"{list(input.shape)}"
            )
        size = pooled_size(input, pool, dims)
        check_room(input, size, dims, called, pool if dims == 3 else None)
        if not _can_average(input._dtype, dims):
            refuse_dtype(f"{called}_out_frame" if dims == 3 else called, input._dtype)
        given = pool, count_include_pad, divisor_override, opmath(input._dtype)._in_numpy
        stride_of_result = suggested_stride(input, size) if dims == 2 else None
        return Result(size, input._dtype, stride_of_result), (input._array, *given)

    @way_back(f"{called}_backward", "The gradient of an average of windows.", fill_average_back)
    def back(
        grad_output: Tensor,
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: int | Sequence[int],
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> Answer:
        pool = read(input, kernel_size, stride, padding, ceil_mode, divisor_override)
        given = pool, count_include_pad, divisor_override, opmath(grad_output._dtype)._in_numpy
        size = tuple(input.shape)
        stride_of_result = suggested_stride(input, size) if dims == 2 else None
        return Result(size, grad_output._dtype, stride_of_result), (grad_output._array, *given)


@silent
def fill_adaptive(target: np.ndarray, x: np.ndarray, wide: np.dtype, dims: int, last: bool) -> None:
    # PyTorch keeps the sums of volumes in 16 bits, and those of images in 32.
    rounded = rounding(target.dtype, wide) if dims == 3 else unchanged
    wider, size = x.astype(wide, copy=False), target.shape[-dims:]
    block = REGISTER // wide.itemsize if last else 0  # channels that PyTorch computes at once
    np.copyto(target, averaged(wider, size, rounded, block), casting="unsafe")


@silent
def fill_spread(target: np.ndarray, grad: np.ndarray, wide: np.dtype, dims: int) -> None:
    shares = spread(grad.astype(wide, copy=False), target.shape[-dims:], rounding(target.dtype, wide))
    np.copyto(target, shares, casting="unsafe")


def adaptive_size(called: str, input: Tensor, output_size: Sequence[int] | None, dims: int) -> tuple[int, ...]:
    """The size of an adaptive pool's result; None keeps a dimension's."""
    numbers = with_default(called, output_size, input, dims)
    size, keeps_largest = tuple(input.shape), "max" in called
    if not keeps_largest:
        _check_count(called, numbers, dims)
    if not keeps_largest and any(n < 0 for n in numbers):
        listed = ", ".join(map(str, numbers[:2])) + "".join(f",{n}" for n in numbers[2:])
        refuse_pool(f"{called}: elements of output_size must be greater than or equal to 0 but received {{{listed}}}")
    if input.dim() not in (dims + 1, dims + 2):
        colon = ":" if keeps_largest else ""
        refuse_pool(f"{called}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{colon} {list(size)}")
    # PyTorch looks at channels, too, in three dimensions, unless it computes one mean of all.
    from_second = keeps_largest or called == "adaptive_avg_pool3d" and set(numbers) != {1}
    for i in range(1 if from_second else len(size) - dims, len(size)):
        if not size[i]:
            refuse_pool(
                f"{called}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                f"{list(size)} with dimension {i} being empty"
            )
    _check_count(called, numbers, dims)
    whole = (*size[:-dims], *numbers)
    if any(n < 0 for n in numbers):
        refuse_pool(f"Trying to create tensor with negative dimension {min(numbers)}: {list(whole)}")
    return whole


def _check_count(called: str, numbers: tuple[int, ...], dims: int) -> None:
    if len(numbers) != dims:
        inner = f"{called}(): internal error: output_size.size()" if "max" in called else f"{called}: output_size"
        refuse_pool(f"{inner} must be {dims}")


def check_gradient(called: str, grad_output: Tensor) -> None:
    """Refuse the gradient of a result without elements, which an adaptive pool may have."""
    size = list(grad_output.shape)
    if 0 in size[1:]:
        refuse_pool(
            f"{called}_backward(): Expected grad_output to have non-zero size for non-batch dimensions, but "
            f"grad_output has sizes {size} with dimension {size.index(0, 1)} being empty"
        )


def with_default(called: str, output_size: Any, input: Tensor, dims: int) -> tuple[int, ...]:
    """The numbers of an output size, where one stands for all dimensions, and None for the input's own."""
    if type(output_size) is int or isinstance(output_size, SupportsIndex) and not isinstance(output_size, Tensor):
        return (int(output_size),) * dims
    size, count = tuple(input.shape), len(output_size)
    if len(size) <= count:
        refuse(
            ValueError,
            f"Input dimension should be at least {count + 1}",
            "channels come before the dimensions that are pooled",
            "input[None]",
            rule="pool.ndim",
        )
    own = size[len(size) - count :]
    return whole_numbers(
        called, "output_size", 2, [n if w is None else w for n, w in zip(own, output_size, strict=True)]
    )


def _declare_adaptive(dims: int) -> None:
    called = f"adaptive_avg_pool{dims}d"

    @nn_row(f"_nn.{called}", "Averages into a result of a given size.", fill_adaptive, out=None)
    def adaptive(input: Tensor, output_size: Sequence[int] | None) -> Answer:
        size = adaptive_size(called, input, output_size, dims)
        if input._dtype._kind != FLOAT:
            refuse_dtype("adaptive_avg_pool2d" if dims == 2 else "adaptive_avg_pool3d_cpu", input._dtype)
        stride = suggested_stride(input, size) if dims == 2 else None
        given = input._array, opmath(input._dtype)._in_numpy, dims, stride is not None
        return Result(size, input._dtype, stride), given

    @way_back(f"_{called}_backward", "The gradient of an adaptive average.", fill_spread)
    def back(grad_output: Tensor, input: Tensor) -> Answer:
        check_gradient(called, grad_output)
        d, size = grad_output._dtype, tuple(input.shape)
        stride = suggested_stride(input, size) if dims == 2 else None
        return Result(size, d, stride), (grad_output._array, opmath(d)._in_numpy, dims)

    @nn_composite(f"nn.functional.{called}", "Averages into a result of a given size.")
    def function(input: Tensor, output_size: Sequence[int] | None) -> Tensor:
        must_have(input, "size", called)
        result: Tensor
        if with_default(called, output_size, input, dims) == (1,) * dims:  # a mean, of whatever size the input is
            result = OPS["mean"].function(input, list(range(-1, -dims - 1, -1)), True)
            size = tuple(result.shape)
            stride = suggested_stride(input, size) if len(size) == dims + 2 else None
            if stride is not None:
                OPS["as_strided_"].function(result, size, stride)
        else:
            size = adaptive_size(called, input, output_size, dims)
            result = OPS[f"_nn.{called}"].function(input, size[-dims:])
        return result


for each in (2, 3):
    _declare(each)
    _declare_adaptive(each)


@nn_composite("avg_pool1d", "Averages each window.", "nn.functional.avg_pool1d")
def avg_pool1d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    must_be_tensor("avg_pool1d", input)
    if input.dim() not in (2, 3):
        refuse_pool(
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' "
            "(while checking arguments for avg_pool1d)"
        )
    pool = pool_of("avg_pool1d", 1, kernel_size, stride, padding, 1, ceil_mode)
    wide = OPS["nn.functional.avg_pool2d"].function(
        OPS["unsqueeze"].function(input, -2),
        (1, *pool.kernel),
        (1, *pool.stride),
        (0, *pool.padding),
        ceil_mode,
        count_include_pad,
    )
    result: Tensor = OPS["squeeze"].function(wide, -2)
    return result


@nn_composite("adaptive_avg_pool1d", "Averages into a result of a given size.", "nn.functional.adaptive_avg_pool1d")
def adaptive_avg_pool1d(input: Tensor, output_size: Sequence[int] | None) -> Tensor:
    must_be_tensor("adaptive_avg_pool1d", input)
    numbers = whole_numbers("adaptive_avg_pool1d", "output_size", 2, output_size)
    if input.dim() not in (2, 3):
        refuse(
            RuntimeError,
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' (while "
            "checking arguments for adaptive_avg_pool1d)",
            rule="pool.ndim",
        )
    if len(numbers) != 1:
        refuse_pool(f"adaptive_avg_pool1d() argument 'output_size' should contain one int (got {len(numbers)})")
    wide = OPS["nn.functional.adaptive_avg_pool2d"].function(OPS["unsqueeze"].function(input, -2), (1, *numbers))
    result: Tensor = OPS["squeeze"].function(wide, -2)
    return result
