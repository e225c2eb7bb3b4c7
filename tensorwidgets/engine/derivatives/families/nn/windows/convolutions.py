"""Derivatives of convolutions. All is linear in each input, so every gradient is a convolution again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....ops.nn.ways_back import BACK
from .....ops.nn.windows.time_convolutions import steps_of
from ....declaring import differentiate
from ....ops import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .....tensor.tensor import Tensor


def gradients(
    grad: Tensor,
    input: Tensor,
    weight: Tensor | None,
    bias_shape: tuple[int, ...],
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
    needed: dict[str, Any],
) -> tuple:
    """The gradients of input, weight and bias."""
    mask = [needed[name] for name in ("input", "weight", "bias")]
    found = BACK["convolution_backward"](
        grad, input, weight, bias_shape, stride, padding, dilation, transposed, output_padding, groups, mask
    )
    return tuple(g if m else None for g, m in zip(found, mask, strict=True))


def second_gradients(
    grads: tuple,
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
    output_mask: Any,
    needed: Any,
) -> tuple:
    """The gradients of the gradients of a convolution."""
    how = (stride, padding, dilation, transposed, output_padding, groups)
    of_input, of_weight, of_bias = (g if m else None for g, m in zip(grads, output_mask, strict=True))
    terms: Any = []
    if of_input is not None:
        terms.append(torch.convolution(of_input, weight, None, *how))
    if of_weight is not None:
        terms.append(torch.convolution(input, of_weight, None, *how))
    if of_bias is not None:
        terms.append(of_bias.reshape(-1, *(1,) * (grad_output.dim() - 2)).expand(grad_output.shape))
    by_grad = sum(terms[1:], terms[0]) if terms else None
    by_input = by_weight = None
    if of_weight is not None and needed["input"]:
        by_input = BACK["convolution_backward"](grad_output, input, of_weight, None, *how, [True, False, False])[0]
    if of_input is not None and needed["weight"]:
        by_weight = BACK["convolution_backward"](grad_output, of_input, weight, None, *how, [False, True, False])[1]
    return by_grad, by_input, by_weight


differentiate("convolution", node="ConvolutionBackward0", together=("input weight bias", gradients))
differentiate(
    "convolution_backward",
    node="ConvolutionBackwardBackward0",
    together=("grad_output input weight", second_gradients),
)


def _of_weight(grad: Tensor, input: Tensor, weight_shape: tuple[int, ...], pad: int = 0) -> Any:
    """For each place of the window, the times that it read with the gradients of the times that it added to."""
    slopes = []
    for k in range(weight_shape[0]):
        read, added = steps_of(k, pad, len(input), len(grad))
        x, g = (t.flatten(0, 1) for t in (input[read], grad[added]))
        slopes.append(x.t() @ g)
    return torch.stack(slopes) if slopes else grad.new_zeros(tuple(weight_shape))


differentiate(
    "conv_tbc",
    input=lambda grad, weight, pad=0: torch.conv_tbc(
        grad, weight.flip(0).transpose(1, 2), grad.new_zeros((weight.shape[1],)), len(weight) - 1 - pad
    ),
    weight=_of_weight,
    bias=lambda grad: grad.sum((0, 1)),
)
