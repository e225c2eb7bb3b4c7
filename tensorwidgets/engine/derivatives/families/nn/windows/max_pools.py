"""Derivatives of pools that keep the largest element: each gradient goes to the place it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....ops.nn.ways_back import BACK
from ....declaring import differentiate, not_differentiable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .....tensor.tensor import Tensor


def _declare(dims: int) -> None:
    back = f"max_pool{dims}d_with_indices_backward"

    def of_input(
        grad: Tensor,
        input: Tensor,
        kernel_size: int | Sequence[int],
        result1: Tensor,
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
    ) -> Any:
        """Each gradient at the place of the element that was kept."""
        return BACK[back](grad, input, kernel_size, stride, padding, dilation, ceil_mode, result1)

    differentiate(
        f"_nn.max_pool{dims}d_with_indices", node=f"MaxPool{dims}DWithIndicesBackward0", results=(0,), input=of_input
    )
    differentiate(
        back,
        node=f"MaxPool{dims}DWithIndicesBackwardBackward0",
        grad_output=lambda grad, indices: BACK["_pool_places"](grad, indices, dims),
        input=lambda grad, input_like: input_like.new_zeros(),
    )
    differentiate(
        f"adaptive_max_pool{dims}d_backward",
        node=f"AdaptiveMaxPool{dims}DBackwardBackward0",
        grad_output=lambda grad, indices: BACK["_pool_places"](grad, indices, dims),
        input=lambda grad, input_like: input_like.new_zeros(),
    )


for each in (2, 3):
    _declare(each)

differentiate(
    "_pool_places",
    node="GatherBackward0",
    input=lambda grad, input, indices, dims: BACK[f"adaptive_max_pool{dims}d_backward"](grad, input, indices),
)


def _declare_fractional(dims: int) -> None:
    back = f"fractional_max_pool{dims}d_backward"

    def of_input(grad: Tensor, input: Tensor, kernel_size: Any, output_size: Any, result1: Tensor) -> Any:
        """Each gradient at the place of the element that was kept."""
        return BACK[back](grad, input, kernel_size, output_size, result1)

    node = f"FractionalMaxPool{dims}DBackward"
    differentiate(f"_nn.fractional_max_pool{dims}d", node=f"{node}0", results=(0,), input=of_input)
    differentiate(
        back,
        node=f"{node}Backward0",
        grad_output=lambda grad, indices: BACK["_pool_places"](grad, indices, dims),
        input=lambda grad, input_like: input_like.new_zeros(),
    )


for each in (2, 3):
    _declare_fractional(each)


not_differentiable("_nn.max_pool1d_values")  # which is called only where no gradient is wanted
