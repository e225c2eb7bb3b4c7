"""The normalization of a channel by its neighbors, as a function with a gradient of its own."""

from __future__ import annotations

from typing import Any

from ...autograd import Function
from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor


def _sums(squares: Tensor, size: int) -> Any:
    """For each channel the sum over a window of channels around it, each made of the one before.

    As in PyTorch, the first channel is never taken out again.
    """
    channels, reach = squares.size(1), int((size - 1) / 2 + 1)
    sums = torch.zeros_like(squares)
    for c in range(min(reach, channels)):
        sums[:, 0] += squares[:, c]
    for c in range(1, channels):
        sums[:, c] = sums[:, c - 1]
        if c < channels - reach + 1:
            sums[:, c] += squares[:, c + reach - 1]
        if c > reach:
            sums[:, c] -= squares[:, c - reach]
    return sums


class CrossMapLRN2d(Function):
    """Divides each channel by a power of the sum of squares around it."""

    @staticmethod
    def forward(ctx: Any, input: Tensor, size: int, alpha: float, beta: float, k: float) -> Tensor:  # type: ignore[override]
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        ctx.size, ctx.alpha, ctx.beta = size, alpha, beta
        ctx.scale = _sums(input.pow(2), size).mul_(alpha / size).add_(k)
        output: Tensor = torch.pow(ctx.scale, -beta, out=torch.empty_like(input)).mul_(input)
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple:  # type: ignore[override]
        input, output = ctx.saved_tensors
        channels, before = input.size(1), int(ctx.size - (ctx.size - 1) / 2)
        grad = ctx.scale.pow(-ctx.beta).mul_(grad_output)
        ratios = input.new_zeros((input.size(0), channels + ctx.size - 1, *input.shape[2:]))
        middle = ratios.narrow(1, before, channels)
        torch.mul(grad_output, output, out=middle)  # PyTorch does so, and refuses a second order
        middle.div_(ctx.scale)
        total = ratios.narrow(1, 0, ctx.size - 1).sum(1)
        for c in range(channels):
            total.add_(ratios[:, c + ctx.size - 1])
            grad[:, c].addcmul_(input[:, c], total, value=-2 * ctx.alpha * ctx.beta / ctx.size)
            total.sub_(ratios[:, c])
        return grad, None, None, None, None
