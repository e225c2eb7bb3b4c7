"""Pools that keep the largest element of each window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....backends.numpy.layers.pools import gather, largest, largest_alone, scatter
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.grad_mode import grad_enabled
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import BOOL, COMPLEX, FLOAT, int64
from ..declaring import nn_composite, nn_row
from ..layouts import suggested_stride
from ..ways_back import way_back
from .average_pools import check_gradient
from .pool_sizes import Pool, check_room, pool_of, pooled_size, refuse_pool, too_padded

if TYPE_CHECKING:
    import numpy as np
    from numpy import ndarray


def fill_largest(targets: tuple[Any, Any], x: np.ndarray, pool: Pool) -> None:
    largest(targets, x, *pool[:4])


def _declare_planes(dims: int) -> None:
    name = f"max_pool{dims}d_with_indices"

    @nn_row(f"_nn.{name}", "The largest element of each window, and its place in the input.", fill_largest, out=None)
    def with_indices(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
    ) -> Answer:
        called = f"max_pool{dims}d"
        pool = pool_of(called, dims, kernel_size, stride, padding, dilation, ceil_mode)
        if input.dim() not in (dims + 1, dims + 2):
            refuse_pool(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input")
        size = pooled_size(input, pool, dims)
        check_room(input, size, dims, f"{name}_out_cpu_template")
        if input._dtype._kind in (BOOL, COMPLEX):
            refuse_dtype(called, input._dtype)
        stride_of_result = suggested_stride(input, size)
        results = Result(size, input._dtype, stride_of_result), Result(size, int64, stride_of_result)
        return results, (input._array, pool)

    @nn_composite(f"max_pool{dims}d", "Keeps the largest element of each window.")
    def max_pool(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
    ) -> Tensor:
        must_be_tensor(f"max_pool{dims}d", input)
        result: Tensor = OPS[f"_nn.{name}"].function(input, kernel_size, stride, padding, dilation, ceil_mode)[0]
        return result


def _declare_functions(dims: int) -> None:
    @nn_composite(
        f"nn.functional.max_pool{dims}d", "Keeps the largest element of each window; optionally with its place."
    )
    def max_pool(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        steps = () if stride is None else stride
        if return_indices:
            must_be_tensor(f"max_pool{dims}d_with_indices", input)
            inner = "max_pool1d_with_indices" if dims == 1 else f"_nn.max_pool{dims}d_with_indices"
            return OPS[inner].function(input, kernel_size, steps, padding, dilation, ceil_mode)
        return OPS[f"max_pool{dims}d"].function(input, kernel_size, steps, padding, dilation, ceil_mode)

    @nn_composite(
        f"nn.functional.max_pool{dims}d_with_indices", "Keeps the largest element of each window, and its place."
    )
    def with_indices(
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        return max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, True)


for each in (2, 3):
    _declare_planes(each)
for each in (1, 2, 3):
    _declare_functions(each)


@nn_composite("max_pool1d_with_indices", "Keeps the largest element of each window, and its place in the input.")
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    must_be_tensor("max_pool1d", input)
    if input.dim() not in (2, 3):
        refuse_pool(
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' (while "
            "checking arguments for max_pool1d)"
        )
    pool = pool_of("max_pool1d_with_indices", 1, kernel_size, stride, padding, dilation, ceil_mode)
    squeeze, unsqueeze = OPS["squeeze"].function, OPS["unsqueeze"].function
    numbers = (1, *pool.kernel), (1, *pool.stride), (0, *pool.padding), (1, *pool.dilation)
    values, places = OPS["_nn.max_pool2d_with_indices"].function(unsqueeze(input, -2), *numbers, pool.ceil_mode)
    return squeeze(values, -2), squeeze(places, -2)


@nn_composite("max_pool1d", "Keeps the largest element of each window.")
def max_pool1d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
) -> Tensor:
    must_be_tensor("max_pool1d", input)
    _check_shape(input)
    _check_sequence(input, pool_of("max_pool1d", 1, kernel_size, stride, padding, dilation, ceil_mode))
    if input._dtype._kind != FLOAT:
        # Only the way that also returns places takes whole numbers.
        by_planes = input.requires_grad and grad_enabled()
        refuse_dtype("max_pool2d" if by_planes else "max_pool1d_impl", input._dtype)
    if input.requires_grad and grad_enabled():
        result: Tensor = max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)[0]
        return result
    # Where PyTorch needs no gradient, it does not go by planes: the result is contiguous, and no view of one.
    values: Tensor = OPS["_nn.max_pool1d_values"].function(input, kernel_size, stride, padding, dilation, ceil_mode)
    return values


def fill_values(target: ndarray, x: ndarray, pool: Pool) -> None:
    largest_alone(target, x, *pool[:4])


@nn_row("_nn.max_pool1d_values", "The largest element of each window, without its place.", fill_values, out=None)
def _max_pool1d_values(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
) -> Answer:
    pool = pool_of("max_pool1d", 1, kernel_size, stride, padding, dilation, ceil_mode)
    return Result(pooled_size(input, pool, 1), input._dtype), (input._array, pool)


def _check_shape(input: Tensor) -> None:
    size = tuple(input.shape)
    if input.dim() not in (2, 3) or 0 in size[-2:]:
        refuse_pool(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(size)}"
        )


def _check_sequence(input: Tensor, pool: Pool) -> None:
    size = tuple(input.shape)
    [(kernel, stride, padding, dilation)] = zip(*pool[:4], strict=True)
    for name, value in (("kernel_size", kernel), ("stride", stride)):
        if value <= 0:
            refuse_pool(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if padding < 0:
        refuse_pool(f"max_pool1d() padding must be non-negative, but got {padding}")
    if padding > kernel // 2:
        refuse_pool(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={padding} and "
            f"kernel_size={kernel}",
            *too_padded(kernel // 2),
        )
    if dilation <= 0:
        refuse_pool(f"max_pool1d() dilation must be greater than zero, but got {dilation}")
    room = size[-1] + 2 * padding - dilation * (kernel - 1) - 1
    found = (room + (stride - 1 if pool.ceil_mode else 0)) // stride + 1
    if found <= 0:
        refuse(RuntimeError, f"max_pool1d() Invalid computed output size: {found}", rule="pool.size")


# --- the ways back ---


def fill_gathered(target: np.ndarray, x: np.ndarray, places: np.ndarray, dims: int) -> None:
    gather(target, x, places, dims)


def fill_scattered(target: ndarray, grad: ndarray, places: ndarray, dims: int) -> None:
    scatter(target, grad, places, dims)


@way_back("_pool_places", "The elements at these places of each plane.", fill_gathered)
def pool_places(input: Tensor, indices: Tensor, dims: int) -> Answer:
    return Result(tuple(indices.shape), input._dtype), (input._array, indices._array, dims)


def _declare_back(dims: int) -> None:
    @way_back(f"max_pool{dims}d_with_indices_backward", "The gradient of a pool.", fill_scattered)
    def back(
        grad_output: Tensor,
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: int | Sequence[int],
        dilation: int | Sequence[int],
        ceil_mode: bool,
        indices: Tensor,
    ) -> Answer:
        given, size = (grad_output._array, indices._array, dims), tuple(input.shape)
        return Result(size, grad_output._dtype, suggested_stride(input, size)), given

    @way_back(f"adaptive_max_pool{dims}d_backward", "The gradient of an adaptive pool.", fill_scattered)
    def adaptive_back(grad_output: Tensor, input: Tensor, indices: Tensor) -> Answer:
        check_gradient(f"adaptive_max_pool{dims}d", grad_output)
        given, size = (grad_output._array, indices._array, dims), tuple(input.shape)
        stride = suggested_stride(input, size) if dims == 2 else None
        return Result(size, grad_output._dtype, stride), given


for each in (2, 3):
    _declare_back(each)
