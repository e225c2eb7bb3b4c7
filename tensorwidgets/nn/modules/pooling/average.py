"""Pools that average each window."""

from __future__ import annotations

from typing import Any

from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module
from ..utils import _single


class _AvgPoolNd(NamedInit, Module):
    """Averages each window."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    _function = ""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """Averages each window of a sequence."""

    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    _function = "avg_pool1d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        del self.divisor_override
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, _single(getattr(self, name)))

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AvgPool2d(_AvgPoolNd):
    """Averages each window of an image.

    >>> AvgPool2d(2)
    AvgPool2d(kernel_size=2, stride=2, padding=0)
    """

    _function = "avg_pool2d"


class AvgPool3d(_AvgPoolNd):
    """Averages each window of a volume."""

    _function = "avg_pool3d"


class _AdaptiveAvgPoolNd(NamedInit, Module):
    """Pools into a result of a given size."""

    __constants__ = ["output_size"]
    _named_after_layer = ("forward",)
    _function = ""

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Averages a sequence into a given number of elements."""

    _function = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Averages images into a given size.

    >>> AdaptiveAvgPool2d((1, 1))
    AdaptiveAvgPool2d(output_size=(1, 1))
    """

    _function = "adaptive_avg_pool2d"


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Averages volumes into a given size."""

    _function = "adaptive_avg_pool3d"
