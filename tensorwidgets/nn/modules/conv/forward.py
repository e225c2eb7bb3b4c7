"""Convolution layers."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from .base import Numbers, _ConvNd


class _Conv(NamedInit, _ConvNd):
    """A convolution layer."""

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Numbers, stride: Numbers = 1,
        padding: Numbers | str = 0, dilation: Numbers = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set_up(
            in_channels, out_channels, kernel_size, stride, padding, dilation, False, 0, groups, bias, padding_mode,
            device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = 0
        run = getattr(F, f"conv{self._dims}d")
        result: Tensor = run(input, weight, bias, self.stride, padding, self.dilation, self.groups)
        return result


class Conv1d(_Conv):
    """Slides filters over sequences.

    >>> Conv1d(4, 8, 3)
    Conv1d(4, 8, kernel_size=(3,), stride=(1,))
    """

    _dims = 1


class Conv2d(_Conv):
    """Slides filters over images.

    >>> Conv2d(1, 6, 5, padding=2)
    Conv2d(1, 6, kernel_size=(5, 5), stride=(1, 1), padding=(2, 2))
    """

    _dims = 2


class Conv3d(_Conv):
    """Slides filters over volumes.

    >>> Conv3d(1, 2, 3)
    Conv3d(1, 2, kernel_size=(3, 3, 3), stride=(1, 1, 1))
    """

    _dims = 3
