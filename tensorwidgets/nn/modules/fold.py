"""Sliding blocks as columns, and back, as modules: Unfold and Fold."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class Unfold(Module):
    """Sliding blocks of images, each as a column.

    >>> import tensorwidgets as torch
    >>> Unfold(2)(torch.zeros(1, 3, 4, 4)).shape
    torch.Size([1, 12, 9])
    """

    __constants__ = ["kernel_size", "dilation", "padding", "stride"]

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
        return result

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class Fold(Module):
    """Adds up columns into images.

    >>> Fold((4, 4), 2)
    Fold(output_size=(4, 4), kernel_size=2, dilation=1, padding=0, stride=1)
    """

    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size, self.kernel_size, self.dilation = output_size, kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Tensor) -> Tensor:
        numbers = self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        result: Tensor = F.fold(input, *numbers)
        return result

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )
