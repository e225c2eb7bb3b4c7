"""gradient: slopes by differences between neighbors, as PyTorch makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import parts
from ...number_rows import div_number, mul_number
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


@parts("gradient")
def gradient(input: Tensor, *, spacing: Any = None, dim: tuple[int, ...] | None = None, edge_order: int = 1) -> Any:
    """slices, their differences and cat"""
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    listed = isinstance(spacing, (list, tuple))
    steps = list(spacing) if listed else [1.0 if spacing is None else spacing] * len(dims)
    if len(steps) != len(dims) or edge_order not in (1, 2) or any(input.shape[d] <= edge_order for d in dims):
        raise ValueError("the row itself refuses this")
    if len({d % input.dim() for d in dims}) != len(dims) or any(getattr(s, "ndim", 1) != 1 for s in steps):
        raise ValueError("the row itself refuses this")
    slopes = []
    for d, step in zip(dims, steps, strict=True):
        d = d % input.dim()
        if hasattr(step, "dim") and step.dim():
            slopes.append(_along_places(input, d, step, edge_order))
        else:
            slopes.append(_along_steps(input, d, step, edge_order))
    return tuple(slopes)


def _along_steps(x: Tensor, d: int, step: float, order: int) -> Any:
    """Slopes where all distances are equal."""
    n = x.shape[d]
    if order == 1:
        first = x.narrow(d, 1, 1) - x.narrow(d, 0, 1)
        last = x.narrow(d, n - 1, 1) - x.narrow(d, n - 2, 1)
    else:
        a, b, c = (x.narrow(d, k, 1) for k in range(3))
        first = mul_number(a, -1.5) + mul_number(b, 2) - mul_number(c, 0.5)
        a, b, c = (x.narrow(d, n - 3 + k, 1) for k in range(3))
        last = mul_number(a, 0.5) - mul_number(b, 2) + mul_number(c, 1.5)
    inner = div_number(x.narrow(d, 2, n - 2) - x.narrow(d, 0, n - 2), 2.0)
    return torch.cat([div_number(part, step) for part in (first, inner, last)], d)


def _along_places(x: Any, d: int, places: Any, order: int) -> Any:
    """Slopes where each place has a coordinate."""
    n = x.shape[d]
    steps = torch.diff(places)
    before, after = steps[:-1], steps[1:]
    size = [1] * x.dim()
    size[d] = -1
    a, b, c = (
        weight.reshape(size)
        for weight in (
            -after / (before * (before + after)),
            (after - before) / (before * after),
            before / (after * (before + after)),
        )
    )
    inner = _weighted((a, b, c), [x.narrow(d, k, n - 2) for k in range(3)])
    if order == 1:
        first = (x.narrow(d, 1, 1) - x.narrow(d, 0, 1)) / steps[0]
        last = (x.narrow(d, n - 1, 1) - x.narrow(d, n - 2, 1)) / steps[-1]
        return torch.cat([first, inner, last], d)
    h, k = steps[0], steps[1]
    a, b, c = -(2.0 * h + k) / (h * (h + k)), (h + k) / (h * k), -h / (k * (h + k))
    first = _weighted((a, b, c), [x.narrow(d, i, 1) for i in range(3)])
    h, k = steps[-2], steps[-1]
    a, b, c = k / (h * (h + k)), -(k + h) / (h * k), (2.0 * k + h) / (k * (h + k))
    last = _weighted((a, b, c), [x.narrow(d, n - i, 1) for i in (3, 2, 1)])
    return torch.cat([first, inner, last], d)


def _weighted(weights: tuple, places: list) -> Any:
    """The sum of three products, which PyTorch records from the last to the first."""
    third, second, first = [weight * part for weight, part in zip(weights[::-1], places[::-1], strict=True)]
    return first + second + third
