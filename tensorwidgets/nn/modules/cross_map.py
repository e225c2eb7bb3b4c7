"""The normalization of a channel by its neighbors as Lua Torch had it: a layer that PyTorch still has."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from ._functions import CrossMapLRN2d as _cross_map_lrn2d
from .module import Module


class CrossMapLRN2d(Module):
    """Divides each channel of images by a power of the sum of squares of the channels around it.

    >>> import tensorwidgets as torch
    >>> CrossMapLRN2d(3, alpha=0.5)
    CrossMapLRN2d(3, alpha=0.5, beta=0.75, k=1)
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Any:
        return _cross_map_lrn2d.apply(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
