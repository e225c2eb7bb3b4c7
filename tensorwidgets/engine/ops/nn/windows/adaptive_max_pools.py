"""Pools that keep the largest element of each window, into a result of a given size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.layers.adaptive import largest
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, int64
from ..declaring import nn_composite, nn_row
from ..layouts import suggested_stride
from ..whole_numbers import whole_numbers
from .average_pools import adaptive_size
from .pool_sizes import refuse_pool

if TYPE_CHECKING:
    from collections.abc import Sequence


def fill_largest(targets: tuple[Any, Any], x: np.ndarray, dims: int) -> None:
    values, places = largest(x, targets[0].shape[-dims:])
    np.copyto(targets[0], values)
    np.copyto(targets[1], places)


def _declare(dims: int) -> None:
    called = f"adaptive_max_pool{dims}d"

    @nn_row(f"_nn.{called}", "The largest element of each window, and its place.", fill_largest, out=None)
    def adaptive(input: Tensor, output_size: Sequence[int] | None) -> Answer:
        size = adaptive_size(called, input, output_size, dims)
        if input._dtype._kind != FLOAT:
            refuse_dtype(called if dims == 2 else f"{called}_cpu", input._dtype)
        stride = suggested_stride(input, size) if dims == 2 else None
        return (Result(size, input._dtype, stride), Result(size, int64, stride)), (input._array, dims)


def _declare_functions(dims: int) -> None:
    name = f"adaptive_max_pool{dims}d"

    def pooled(input: Tensor, output_size: Sequence[int] | None) -> tuple[Tensor, Tensor]:
        if dims == 1:
            return adaptive_max_pool1d(input, output_size)
        must_have(input, "size", name)
        found: tuple[Tensor, Tensor] = OPS[f"_nn.{name}"].function(input, output_size)
        return found

    @nn_composite(
        f"nn.functional.{name}",
        "Keeps the largest elements, in a result of a given size; optionally with their places.",
    )
    def function(input: Tensor, output_size: Sequence[int] | None, return_indices: bool = False) -> Any:
        both = pooled(input, output_size)
        return both if return_indices else both[0]

    @nn_composite(
        f"nn.functional.{name}_with_indices",
        "Keeps the largest elements, in a result of a given size, and their places.",
    )
    def with_indices(
        input: Tensor, output_size: Sequence[int] | None, return_indices: bool = False
    ) -> tuple[Tensor, Tensor]:
        return pooled(input, output_size)


@nn_composite(
    "adaptive_max_pool1d", "Keeps the largest elements of a sequence, into a given number of them, and their places."
)
def adaptive_max_pool1d(input: Tensor, output_size: Sequence[int] | None) -> tuple[Tensor, Tensor]:
    must_be_tensor("adaptive_max_pool1d", input)
    numbers = whole_numbers("adaptive_max_pool1d", "output_size", 2, output_size)
    if input.dim() not in (2, 3):
        refuse_pool(
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' (while "
            "checking arguments for adaptive_max_pool1d)"
        )
    if len(numbers) != 1:
        refuse_pool(f"adaptive_max_pool1d() argument 'output_size' should contain one int (got {len(numbers)})")
    size = list(input.shape)
    if 0 in size[1:]:
        refuse_pool(
            "adaptive_max_pool1d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
            f"{size} with dimension {size.index(0, 1)} being empty"
        )
    squeeze, unsqueeze = OPS["squeeze"].function, OPS["unsqueeze"].function
    values, places = OPS["_nn.adaptive_max_pool2d"].function(unsqueeze(input, -2), (1, *numbers))
    return squeeze(values, -2), squeeze(places, -2)


for each in (2, 3):
    _declare(each)
for each in (1, 2, 3):
    _declare_functions(each)
