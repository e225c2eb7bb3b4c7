"""Padding as modules: a number, or elements of the border, around the last dimensions."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .base.named_init import NamedInit
from .module import Module
from .utils import _ntuple


class _Pad(NamedInit, Module):
    """Adds elements around the last dimensions."""

    __constants__ = ["padding"]
    _named_after_layer = ("__init__",)
    _dims, _mode = 0, "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _ntuple(2 * self._dims)(padding)

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pad(input, self.padding, self._mode)
        return result

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadNd(_Pad):
    """Adds a number around the last dimensions."""

    __constants__ = ["padding", "value"]

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pad(input, self.padding, "constant", self.value)
        return result

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPadNd):
    """Adds zeros around the last dimensions."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad1d(_ConstantPadNd):
    """Adds a number around the last dimension."""

    _dims = 1


class ConstantPad2d(_ConstantPadNd):
    """Adds a number around the last two dimensions."""

    _dims = 2


class ConstantPad3d(_ConstantPadNd):
    """Adds a number around the last three dimensions."""

    _dims = 3


class ZeroPad1d(_ZeroPad):
    """Adds zeros around the last dimension."""

    _dims = 1


class ZeroPad2d(_ZeroPad):
    """Adds zeros around the last two dimensions."""

    _dims = 2


class ZeroPad3d(_ZeroPad):
    """Adds zeros around the last three dimensions."""

    _dims = 3


class _ReflectionPadNd(_Pad):
    """Adds what a mirror at the border shows around the last dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pad(input, self.padding, "reflect")
        return result


class ReflectionPad1d(_ReflectionPadNd):
    """Adds what a mirror at the border shows around the last dimension."""

    _dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Adds what a mirror at the border shows around the last two dimensions."""

    _dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Adds what a mirror at the border shows around the last three dimensions."""

    _dims = 3


class _ReplicationPadNd(_Pad):
    """Adds the border again around the last dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pad(input, self.padding, "replicate")
        return result


class ReplicationPad1d(_ReplicationPadNd):
    """Repeats the border around the last dimension."""

    _dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Repeats the border around the last two dimensions."""

    _dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Repeats the border around the last three dimensions."""

    _dims = 3


class _CircularPadNd(_Pad):
    """Adds the elements of the other side around, to an input of the right number of dimensions."""

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        least = self._dims + 1
        if input.dim() not in (least, least + 1):
            raise ValueError(f"expected {least}D or {least + 1}D input (got {input.dim()}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """Adds the elements of the other side around the last dimension."""

    _dims = 1


class CircularPad2d(_CircularPadNd):
    """Adds the elements of the other side around the last two dimensions."""

    _dims = 2


class CircularPad3d(_CircularPadNd):
    """Adds the elements of the other side around the last three dimensions."""

    _dims = 3
