"""Activations as modules."""

from __future__ import annotations

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class ReLU(Module):
    """Sets negative elements to 0.

    >>> ReLU()
    ReLU()
    """

    __constants__ = ["inplace"]

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""
