"""What does a formula make anew? Zeros, ones and places, each on the device of a tensor that the formula was given.

A formula that asked for `torch.zeros(size)` would get numbers in main memory, or on the default device, and they could
not meet a gradient on a GPU.
"""

from __future__ import annotations

from typing import Any

from ..types.device import this_thread
from .ops import torch


def zeros_beside(x: Any, *size: Any) -> Any:
    """Zeros of the dtype of a tensor, on its device.

    >>> zeros_beside(torch.ones(2, dtype=torch.float64), 1, 2)
    tensor([[0., 0.]], dtype=torch.float64)
    """
    return torch.zeros(*size, dtype=x.dtype, device=x.device)


def ones_beside(x: Any, *size: Any) -> Any:
    """Ones of the dtype of a tensor, on its device."""
    return torch.ones(*size, dtype=x.dtype, device=x.device)


def eye_beside(x: Any, rows: int, columns: int | None = None) -> Any:
    """A matrix with ones on its diagonal, of the dtype of a tensor and on its device."""
    return torch.eye(rows, rows if columns is None else columns, dtype=x.dtype, device=x.device)


def number_beside(x: Any, number: Any) -> Any:
    """A number as a tensor without dimensions, of the dtype of a tensor and on its device."""
    return torch.tensor(number, dtype=x.dtype, device=x.device)


def places_beside(x: Any, *bounds: int) -> Any:
    """Whole numbers as `arange` counts them, on the device of a tensor.

    >>> places_beside(torch.ones(2), 3)
    tensor([0, 1, 2])
    """
    here = x.device
    if here is this_thread.default:  # a call without a keyword is quick
        return torch.arange(*bounds)
    return torch.arange(*bounds, device=here)
