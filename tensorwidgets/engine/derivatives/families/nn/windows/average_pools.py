"""Derivatives of pools that average."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....ops.nn.ways_back import BACK
from ....declaring import differentiate
from ....ops import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .....tensor.tensor import Tensor


def _declare(dims: int) -> None:
    called = f"avg_pool{dims}d"
    back = f"{called}_backward"

    def of_input(
        grad: Tensor,
        input: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = (),
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> Any:
        """Each gradient divided among the elements of its window."""
        return BACK[back](grad, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def of_grad(
        grad: Tensor,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: int | Sequence[int],
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: Any,
    ) -> Any:
        """The average of each window."""
        pool = getattr(torch.nn.functional, called)
        return pool(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    differentiate(f"nn.functional.{called}", node=f"AvgPool{dims}DBackward0", input=of_input)
    differentiate(
        back,
        node=f"AvgPool{dims}DBackwardBackward0",
        grad_output=of_grad,
        input=lambda grad, input_like: input_like.new_zeros(),
    )
    adaptive = f"_adaptive_avg_pool{dims}d_backward"
    differentiate(
        f"_nn.adaptive_avg_pool{dims}d",
        node=f"AdaptiveAvgPool{dims}DBackward0",
        input=lambda grad, input: BACK[adaptive](grad, input),
    )
    differentiate(
        adaptive,
        node=f"AdaptiveAvgPool{dims}DBackwardBackward0",
        grad_output=lambda grad, grad_output_shape: getattr(torch._nn, f"adaptive_avg_pool{dims}d")(
            grad, tuple(grad_output_shape[-dims:])
        ),
        input=lambda grad, input_like: input_like.new_zeros(),
    )


for each in (2, 3):
    _declare(each)
