"""Pools that keep the largest element of each window."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module


class _MaxPoolNd(NamedInit, Module):
    """Keeps the largest element of each window."""

    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    _named_after_layer = ("forward",)
    _function = ""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(
            input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """Keeps the largest element of each window of a sequence."""

    _function = "max_pool1d"


class MaxPool2d(_MaxPoolNd):
    """Keeps the largest element of each window of an image.

    >>> MaxPool2d(2)
    MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)
    """

    _function = "max_pool2d"


class MaxPool3d(_MaxPoolNd):
    """Keeps the largest element of each window of a volume."""

    _function = "max_pool3d"


class _AdaptiveMaxPoolNd(NamedInit, Module):
    """Keeps the largest elements, into a result of a given size."""

    __constants__ = ["output_size", "return_indices"]
    _named_after_layer = ("forward",)
    _function = ""

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self._function)(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Reduces a sequence to a given length by keeping the largest elements."""

    _function = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Reduces images to a given size by keeping the largest elements.

    >>> AdaptiveMaxPool2d((5, 7))
    AdaptiveMaxPool2d(output_size=(5, 7))
    """

    _function = "adaptive_max_pool2d"


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Reduces volumes to a given size by keeping the largest elements."""

    _function = "adaptive_max_pool3d"
