"""Norms of windows: lp_pool over places, local_response_norm over channels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, prod
from typing import Any

from ....dispatch.registry import OPS, find
from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ..declaring import nn_composite


def _function(name: str) -> Any:
    return find(f"nn.functional.{name}").function


def _sizes(kernel_size: Any, dims: int) -> tuple[Any, ...]:
    """The sizes of a window. Python itself refuses a tuple of another length, as in PyTorch."""
    sizes = kernel_size if isinstance(kernel_size, Iterable) else (kernel_size,) * dims
    if dims == 2:
        rows, columns = sizes
        return rows, columns
    layers, rows, columns = sizes
    return layers, rows, columns


def _declare(dims: int) -> None:
    @nn_composite(f"nn.functional.lp_pool{dims}d", "The p-norm of each window.")
    def lp_pool(
        input: Tensor,
        norm_type: float,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> Tensor:
        result: Tensor
        window = () if dims == 1 else _sizes(kernel_size, dims)
        if norm_type == inf:
            result = _function(f"max_pool{dims}d")(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
            return result
        if norm_type == -inf:
            result = -_function(f"max_pool{dims}d")(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
            return result
        steps = () if stride is None else stride
        mean = _function(f"avg_pool{dims}d")(input.pow(norm_type), kernel_size, steps, 0, ceil_mode)
        count: Any = kernel_size if dims == 1 else prod(window)
        result = (mean.sign() * OPS["relu"].function(mean.abs())).mul(count).pow(1.0 / norm_type)
        return result


for each in (1, 2, 3):
    _declare(each)


@nn_composite(
    "nn.functional.local_response_norm",
    "Divides each channel by a number that grows with the squares of the channels next to it.",
)
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:  # fmt: skip
    dims = input.dim()
    if dims < 3:
        gap = " " * 26
        refuse(
            ValueError,
            f"Expected 3D or higher dimensionality{gap}input (got {dims} dimensions)",
            "dimension 1 has the channels, and others follow",
            "input[None, :, None]",
            rule="lrn.ndim",
        )
    if input.numel() == 0:
        return input
    squares = input.mul(input)
    ends = (size // 2, (size - 1) // 2)
    pad = _function("pad")
    if dims == 3:
        squares = pad(squares.unsqueeze(1), (0, 0, *ends))
        mean = _function("avg_pool2d")(squares, (size, 1), stride=1).squeeze(1)
    else:
        n, c, first = input.shape[:3]
        squares = pad(squares.view(n, 1, c, first, -1), (0, 0, 0, 0, *ends))
        mean = _function("avg_pool3d")(squares, (size, 1, 1), stride=1).squeeze(1).view(input.shape)
    return input / mean.mul(alpha).add(k).pow(beta)
