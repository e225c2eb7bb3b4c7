"""Derivatives of sliding blocks, of unpools and of adaptive pools that keep the largest element."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from .....ops.nn.ways_back import BACK
from .....tensor.grad_mode import grad_enabled
from ....declaring import differentiate
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


_nn = torch._nn

differentiate(
    "_nn.im2col",
    node="Im2ColBackward0",
    input=lambda grad, input_shape, kernel_size, dilation, padding, stride: _nn.col2im(
        grad, tuple(input_shape[-2:]), kernel_size, dilation, padding, stride
    ),
)
differentiate(
    "_nn.col2im",
    node="Col2ImBackward0",
    input=lambda grad, kernel_size, dilation, padding, stride: _nn.im2col(grad, kernel_size, dilation, padding, stride),
)


def _declare(dims: int) -> None:
    def of_unpooled(grad: Tensor, indices: Any) -> Any:
        """The gradient at each place: in a graph gathered from planes laid flat, as in PyTorch's."""
        if grad_enabled():
            lead = indices.dim() - dims  # and sizes, not -1, which an empty batch leaves open
            flat, places = (t.reshape((*t.shape[:lead], prod(t.shape[lead:]))) for t in (grad, indices))
            return flat.gather(-1, places).view(tuple(indices.shape))
        return BACK["_pool_places"](grad, indices, dims)

    def of_adaptive(grad: Tensor, input: Tensor, result1: Tensor) -> Any:
        """Each gradient at the place of the element that was kept."""
        return BACK[f"adaptive_max_pool{dims}d_backward"](grad, input, result1)

    differentiate(f"_nn.max_unpool{dims}d", node=f"MaxUnpool{dims}DBackward0", input=of_unpooled)
    differentiate(
        f"_nn.adaptive_max_pool{dims}d", node=f"AdaptiveMaxPool{dims}DBackward0", results=(0,), input=of_adaptive
    )


for each in (2, 3):
    _declare(each)
