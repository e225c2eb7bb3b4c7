"""Unpools: the way back of pools that keep the largest elements, with zeros where nothing was kept."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.deterministic import alert
from ....tensor.keys import KEY_META
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT
from ..declaring import nn_composite, nn_row
from ..layouts import suggested_stride


def _refuse(message: str, error: type[Exception] = RuntimeError) -> None:
    refuse(
        error, message, "each element goes to the place that a pool took it from",
        "values, indices = torch.nn.functional.max_pool2d(x, 2, return_indices=True)", rule="unpool.argument",
    )  # fmt: skip


def fill_unpooled(target: np.ndarray, x: np.ndarray, places: np.ndarray, dims: int) -> None:
    """Write each element at its place of its plane."""
    target[...] = 0
    planes, size = prod(target.shape[:-dims]), target.shape[-dims:]
    if not x.size or not target.size:
        return
    flat = places.reshape(planes, -1)
    wrong = (flat < 0) | (flat >= prod(size))
    if wrong.any():
        index, shown = int(flat[wrong][-1]), "x".join(map(str, size))
        _refuse(f"Found an invalid max index: {index} (output volumes are of size {shown})")
    whole = target.reshape(planes, -1)  # a copy where the channels of the result lie last
    np.put_along_axis(whole, flat, x.reshape(planes, -1), 1)
    if not np.may_share_memory(whole, target):
        target[...] = whole.reshape(target.shape)


def _counted(name: str, value: Any, dims: int, colon: str = "") -> None:
    """Refuse numbers that are too few or too many."""
    if value is not None and len(value) != dims:
        each = "two elements (height, width)" if dims == 2 else "three elements (depth, height, width)"
        _refuse(f"There should be exactly {each} in {name}, but got{colon} {len(value)} elements.")


def _checked(input: Tensor, indices: Tensor, dims: int, output_size: Any, stride: Any, padding: Any) -> None:
    d, size = indices._dtype, tuple(input.shape)
    if d is not dtypes.int64:
        _refuse("elements in indices should be type int64" + ("" if dims == 3 else f" but got: {d._type_name}"))
    if dims == 2:
        _counted("output_size", output_size, dims)
    if len(size) not in (dims + 1, dims + 2):
        _refuse(
            f"Input to max_unpooling{dims}d should be a {dims + 1}d or {dims + 2}d Tensor, but got a tensor with "
            f"{len(size)} dimensions."
        )
    if dims == 3:
        _counted("output_size", output_size, dims)
        _counted("stride", stride, dims, ":")
        _counted("padding", padding, dims, ":")
    if size != tuple(indices.shape):
        _refuse(
            f"Expected shape of indices to be same as that of the input tensor ({list(size)}) but got indices tensor "
            f"with shape: {list(indices.shape)}"
        )
    for i in range(1, len(size)):
        if not size[i]:
            _refuse(
                f"max_unpooling{dims}d_forward_out_cpu(): Expected input to have non-zero size for non-batch "
                f"dimensions, but got {list(size)} with dimension {i} being empty."
            )
    if input._dtype._kind != FLOAT:
        refuse_dtype(f"max_unpool{dims}d", input._dtype)


def _declare(dims: int) -> None:
    @nn_row(f"_nn.max_unpool{dims}d", "Puts each element at its place of a larger plane.", fill_unpooled, out=None)
    def unpool(
        input: Tensor, indices: Tensor, output_size: Any, stride: Any = None, padding: int | Sequence[int] | None = None
    ) -> Answer:
        alert(f"max_unpooling{dims}d_forward_out")
        _checked(input, indices, dims, output_size, stride, padding)
        if stride is not None and any(s <= 0 for s in stride):
            _refuse(f"strides should be greater than zero, but got stride: {list(stride)}")
        size = (*input.shape[:-dims], *output_size)
        on_meta = input._keys & KEY_META  # where PyTorch's result is contiguous
        stride = suggested_stride(input, size) if dims == 2 and not on_meta else None
        return Result(size, input._dtype, stride), (input._array, indices._array, dims)

    @nn_composite(f"nn.functional.max_unpool{dims}d", "The inverse of a max pool: zeros where nothing was kept.")
    def function(
        input: Tensor,
        indices: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        output_size: Sequence[int] | None = None,
    ) -> Tensor:
        kernel = _several(kernel_size, dims)
        steps, pads = kernel if stride is None else _several(stride, dims), _several(padding, dims)
        size = _unpooled_size(input, kernel, steps, pads, output_size)
        must_be_tensor(f"max_unpool{dims}d", indices, "indices", 2)
        numbers = (size,) if dims == 2 else (size, steps, pads)
        result: Tensor = OPS[f"_nn.max_unpool{dims}d"].function(input, indices, *numbers)
        return result


def _several(value: Any, dims: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * dims


def _unpooled_size(
    input: Tensor, kernel: tuple[int, ...], stride: tuple[int, ...], padding: tuple[int, ...], asked: Any
) -> tuple[int, ...]:
    """The size that the pool had, which is not certain: the one asked for, if it is near enough."""
    dims, size = len(kernel), tuple(input.size())
    default = [(size[i - dims] - 1) * stride[i] + kernel[i] - 2 * padding[i] for i in range(dims)]
    found = default
    if asked is not None:
        found = asked[2:] if len(asked) == dims + 2 else asked
        if len(found) != dims:
            _refuse(
                f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of "
                f"'{len(found)}'",
                ValueError,
            )
        for i, (n, s, w) in enumerate(zip(default, stride, found, strict=True)):
            if not n - s < w < n + s:
                _refuse(f'invalid output_size "{found}" (dim {i} must be between {n - s} and {n + s})', ValueError)
    for i, n in enumerate(found):
        if n < 0:
            _refuse(
                "max_unpooling: output_size must contain non-negative spatial dimensions, but got "
                f"output_size[{i}]={n}",
                ValueError,
            )
    return tuple(found)


for each in (2, 3):
    _declare(each)


@nn_composite("nn.functional.max_unpool1d", "The inverse of a max pool of sequences: zeros where nothing was kept.")
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    kernel = _several(kernel_size, 1)
    steps = kernel if stride is None else _several(stride, 1)
    size = _unpooled_size(input, kernel, steps, _several(padding, 1), output_size)
    wide = OPS["_nn.max_unpool2d"].function(input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1))
    result: Tensor = wide.squeeze(-1)
    return result
