"""Sliding blocks of images as columns, and images as sums of such columns: unfold and fold."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NoReturn

import numpy as np

from ....backends.numpy.layers.pools import inside, padded, shifts
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import INTEGER
from ..declaring import nn_composite, nn_row

Pair = tuple[int, ...]


def fill_columns(
    target: np.ndarray, x: np.ndarray, kernel: Pair, stride: Pair, padding: Pair, dilation: Pair, out: Pair
) -> None:
    """One row for each element of a block and channel, one column for each block."""
    whole = padded(x, padding, out, kernel, stride, dilation, 0)
    blocks = target.reshape(*x.shape[:-2], prod(kernel), *out)
    for i, (_, key) in enumerate(shifts(kernel, stride, dilation, out)):
        blocks[..., i, :, :] = whole[key]


@silent
def fill_image(
    target: np.ndarray, x: np.ndarray, kernel: Pair, stride: Pair, padding: Pair, dilation: Pair, out: Pair
) -> None:
    """Add every column where its block lies."""
    size = target.shape[-2:]
    blocks = x.reshape(*target.shape[:-2], prod(kernel), *out)
    whole = padded(np.zeros_like(target), padding, out, kernel, stride, dilation, 0)
    for i, (_, key) in enumerate(shifts(kernel, stride, dilation, out)):
        whole[key] += blocks[..., i, :, :]
    target[...] = whole[inside(size, padding)]


def _refuse(message: str) -> NoReturn:
    refuse(RuntimeError, message, "blocks slide over the last two dimensions", rule="blocks.size")


def _pair(name: str, value: int | Sequence[int]) -> Pair:
    pair = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(pair) != 2:
        _refuse(f"It is expected {name} equals to 2, but got size {len(pair)}")
    return pair  # type: ignore[return-value]


def _numbers(kernel: Pair, dilation: Pair, padding: Pair, stride: Pair) -> None:
    for words, name, pair, least in (
        ("kernel size should be greater than zero", "kernel_{}", kernel, 1),
        ("dilation should be greater than zero", "dilation_{}", dilation, 1),
        ("padding should be non-negative", "pad_{}", padding, 0),
        ("stride should be greater than zero", "stride_{}", stride, 1),
    ):
        if min(pair) < least:
            listed = " ".join(f"{name.format(side)}: {n}" for side, n in zip(("height", "width"), pair, strict=True))
            _refuse(f"{words}, but got {listed}")


def _blocks(size: Pair, kernel: Pair, dilation: Pair, padding: Pair, stride: Pair) -> Pair:
    """How many blocks there are, one below the other and side by side."""
    return tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, padding, stride, strict=True)
    )


def _shown(**pairs: Pair) -> str:
    return ", ".join(f"{name}=({pair[0]}, {pair[1]})" for name, pair in pairs.items())


def _check_dtype(name: str, input: Tensor) -> None:
    if input._dtype._kind == INTEGER:
        refuse_dtype(name, input._dtype)


@nn_row("_nn.im2col", "Sliding blocks of images, each as a column.", fill_columns, out=None)
def im2col(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int],
    padding: int | Sequence[int],
    stride: int | Sequence[int],
) -> Answer:
    kernel, spread = _pair("kernel_size", kernel_size), _pair("dilation", dilation)
    pads, steps = _pair("padding", padding), _pair("stride", stride)
    _numbers(kernel, spread, pads, steps)
    size = tuple(input.shape)
    if len(size) < 3 and 0 not in size[1:]:
        read = max(len(size), 1)  # the dimension that PyTorch reads first of those that are not there
        told = f"Dimension out of range (expected to be in range of [-{len(size)}, {len(size) - 1}], but got {read})"
        refuse(
            IndexError,
            told if size else f"Dimension specified as {read} but tensor has no dimensions",
            "an image has channels, rows and columns",
            "input[None]",
            rule="blocks.ndim",
        )
    if len(size) > 4 or 0 in size[max(len(size) - 3, 0) :]:
        _refuse(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(size)}"
        )
    out = _blocks(size[-2:], kernel, spread, pads, steps)
    if min(out) < 1:
        numbers = _shown(kernel_size=kernel, dilation=spread, padding=pads)
        _refuse(
            f"Given input with spatial size ({size[-2]}, {size[-1]}), {numbers}, calculated shape of the array of "
            f"sliding blocks as ({out[0]}, {out[1]}), but its components must be at least one."
        )
    _check_dtype("im2col_out_cpu", input)
    result = Result((*size[:-3], size[-3] * prod(kernel), prod(out)), input._dtype)
    return result, (input._array, kernel, steps, pads, spread, out)


@nn_row("_nn.col2im", "Adds up columns into images.", fill_image, out=None)
def col2im(
    input: Tensor,
    output_size: int | Sequence[int],
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int],
    padding: int | Sequence[int],
    stride: int | Sequence[int],
) -> Answer:
    image, kernel = _pair("output_size", output_size), _pair("kernel_size", kernel_size)
    spread, pads, steps = _pair("dilation", dilation), _pair("padding", padding), _pair("stride", stride)
    _numbers(kernel, spread, pads, steps)
    size = tuple(input.shape)
    if len(size) not in (2, 3) or 0 in size[len(size) - 2 :]:
        _refuse(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {list(size)}"
        )
    if size[-2] % prod(kernel):
        _refuse(
            f"Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={size[-2]} and kernel_size=({kernel[0]}, {kernel[1]})."
        )
    out = _blocks(image, kernel, spread, pads, steps)
    numbers = _shown(output_size=image, kernel_size=kernel, dilation=spread, padding=pads, stride=steps)
    if size[-1] != out[0] * out[1]:
        _refuse(
            f"Given {numbers}, expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{out[0]} * {out[1]} = {out[0] * out[1]}, but got input.size(2)={size[-1]}."
        )
    if min(out) < 1:
        _refuse(
            f"Given {numbers}, calculated shape of the array of sliding blocks as ({out[0]}, {out[1]}), which is too "
            "small (non-positive)"
        )
    _check_dtype("col2im_out_cpu", input)
    result = Result((*size[:-2], size[-2] // prod(kernel), *image), input._dtype)
    return result, (input._array, kernel, steps, pads, spread, out)


@nn_composite("nn.functional.unfold", "Sliding blocks of images, each as a column.")
def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    must_be_tensor("im2col", input)
    numbers = [n if isinstance(n, (tuple, list)) else (n, n) for n in (kernel_size, dilation, padding, stride)]
    result: Tensor = OPS["_nn.im2col"].function(input, *numbers)
    return result


@nn_composite(
    "nn.functional.fold", "Adds up columns into images: the inverse of `unfold`, except where blocks overlap."
)
def fold(
    input: Tensor, output_size: int | Sequence[int], kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1,
) -> Tensor:  # fmt: skip
    must_be_tensor("col2im", input)
    given = (output_size, kernel_size, dilation, padding, stride)
    numbers = [n if isinstance(n, (tuple, list)) else (n, n) for n in given]
    result: Tensor = OPS["_nn.col2im"].function(input, *numbers)
    return result
