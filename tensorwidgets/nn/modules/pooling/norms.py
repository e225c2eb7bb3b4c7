"""Pools that take the p-norm of each window."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module


class _LPPoolNd(NamedInit, Module):
    """The p-norm of each window."""

    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]
    _function = ""

    _named_after_layer = ("forward",)

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Tensor) -> Any:
        run = getattr(F, self._function)
        return run(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """The p-norm of each window of a sequence."""

    _function = "lp_pool1d"


class LPPool2d(_LPPoolNd):
    """The p-norm of each window of an image.

    >>> LPPool2d(2, 3)
    LPPool2d(norm_type=2, kernel_size=3, stride=None, ceil_mode=False)
    """

    _function = "lp_pool2d"


class LPPool3d(_LPPoolNd):
    """The p-norm of each window of a volume."""

    _function = "lp_pool3d"
