"""Padding as modules: a number, or elements of the border, around the last dimensions."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class _Pad(Module):
    """Adds elements around the last dimensions."""

    __constants__ = ["padding"]
    _dims, _mode = 0, "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * (2 * self._dims)

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pad(input, self.padding, self._mode)
        return result

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
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


class _ZeroPad(_ConstantPad):
    """Adds zeros around the last dimensions."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad1d(_ConstantPad):
    """Adds a number around the last dimension."""

    _dims = 1


class ConstantPad2d(_ConstantPad):
    """Adds a number around the last two dimensions."""

    _dims = 2


class ConstantPad3d(_ConstantPad):
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


class ReflectionPad1d(_Pad):
    """Adds what a mirror at the border shows around the last dimension."""

    _dims, _mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """Adds what a mirror at the border shows around the last two dimensions."""

    _dims, _mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """Adds what a mirror at the border shows around the last three dimensions."""

    _dims, _mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """Repeats the border around the last dimension."""

    _dims, _mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """Repeats the border around the last two dimensions."""

    _dims, _mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """Repeats the border around the last three dimensions."""

    _dims, _mode = 3, "replicate"


class _CircularPad(_Pad):
    """Adds the elements of the other side around, to an input of the right number of dimensions."""

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        least = self._dims + 1
        if input.dim() not in (least, least + 1):
            raise ValueError(f"expected {least}D or {least + 1}D input (got {input.dim()}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPad):
    """Adds the elements of the other side around the last dimension."""

    _dims = 1


class CircularPad2d(_CircularPad):
    """Adds the elements of the other side around the last two dimensions."""

    _dims = 2


class CircularPad3d(_CircularPad):
    """Adds the elements of the other side around the last three dimensions."""

    _dims = 3
