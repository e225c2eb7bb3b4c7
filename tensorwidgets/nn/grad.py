"""torch.nn.grad: the gradients of convolutions, for those who write a backward pass by hand.

>>> import tensorwidgets as torch
>>> x, w = torch.randn(1, 1, 4, 4), torch.randn(2, 1, 3, 3, requires_grad=True)
>>> y = torch.nn.functional.conv2d(x, w)
>>> y.backward(torch.ones(y.shape))
>>> torch.allclose(conv2d_weight(x, w.shape, torch.ones(y.shape)), w.grad)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.ops.nn.ways_back import BACK
from ..engine.ops.nn.windows.convolutions import check_back
from ..engine.tensor.tensor import Tensor
from .modules.utils import _pair, _single, _triple

_Sizes = int | tuple[int, ...]


def conv1d_input(
    input_size: Any, weight: Tensor, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the input of `conv1d`, which has this size."""
    return _by_input(input_size, weight, grad_output, _single, stride, padding, dilation, groups)


def conv1d_weight(
    input: Tensor, weight_size: Any, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the weight of `conv1d`, which has this size."""
    return _by_weight(input, weight_size, grad_output, _single, stride, padding, dilation, groups)


def conv2d_input(
    input_size: Any, weight: Tensor, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the input of `conv2d`, which has this size."""
    return _by_input(input_size, weight, grad_output, _pair, stride, padding, dilation, groups)


def conv2d_weight(
    input: Tensor, weight_size: Any, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the weight of `conv2d`, which has this size."""
    return _by_weight(input, weight_size, grad_output, _pair, stride, padding, dilation, groups)


def conv3d_input(
    input_size: Any, weight: Tensor, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the input of `conv3d`, which has this size."""
    return _by_input(input_size, weight, grad_output, _triple, stride, padding, dilation, groups)


def conv3d_weight(
    input: Tensor, weight_size: Any, grad_output: Tensor,
    stride: _Sizes = 1, padding: _Sizes = 0, dilation: _Sizes = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The gradient of the weight of `conv3d`, which has this size."""
    return _by_weight(input, weight_size, grad_output, _triple, stride, padding, dilation, groups)


def _by_input(size: Any, weight: Tensor, grad: Tensor, each: Callable[..., Any], *how: Any) -> Tensor:
    input = grad.new_empty(1).expand(size)
    found: Tensor = _both(grad, input, weight, each, how, [True, False, False])[0]
    return found


def _by_weight(input: Tensor, size: Any, grad: Tensor, each: Callable[..., Any], *how: Any) -> Tensor:
    weight = grad.new_empty(1).expand(size)
    found: Tensor = _both(grad, input, weight, each, how, [False, True, False])[1]
    return found


def _both(
    grad: Tensor, input: Tensor, weight: Tensor, each: Callable[..., Any], how: tuple[Any, ...], wanted: list[bool]
) -> Any:
    *sizes, groups = how
    stride, padding, dilation = map(each, sizes)
    none = (0,) * len(stride)
    check_back(grad, input, weight, stride, padding, dilation, groups)
    return BACK["convolution_backward"](
        grad, input, weight, None, stride, padding, dilation, False, none, groups, wanted
    )


__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]
