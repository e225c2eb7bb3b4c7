"""Layers that change the size alone: Flatten, Unflatten."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from .module import Module


class Flatten(Module):
    """Joins dimensions into one; the first, the batch, stays.

    >>> import tensorwidgets as torch
    >>> Flatten()(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    __constants__ = ["start_dim", "end_dim"]

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = input.flatten(self.start_dim, self.end_dim)
        return result

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits one dimension into several.

    >>> import tensorwidgets as torch
    >>> Unflatten(1, (3, 4))(torch.zeros(2, 12)).shape
    torch.Size([2, 3, 4])
    """

    __constants__ = ["dim", "unflattened_size"]

    def __init__(self, dim: Any, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        # A dimension with a name becomes some with names, which PyTorch has no more.
        wanted = tuple if isinstance(dim, str) and isinstance(next(iter(unflattened_size), 0), tuple) else int
        for i, each in enumerate(unflattened_size):
            if not isinstance(each, wanted):
                raise TypeError(
                    f"unflattened_size must be tuple of {wanted.__name__}s, but found element of type "
                    f"{type(each).__name__} at pos {i}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = input.unflatten(self.dim, self.unflattened_size)
        return result

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
