"""Activations whose curve is fixed: ReLU, Tanh, Sigmoid, GELU and more."""

from __future__ import annotations

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module


class _InPlace(NamedInit, Module):
    """An activation without numbers that may write over its input."""

    __constants__ = ["inplace"]
    inplace: bool

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class ReLU(_InPlace):
    """Sets negative elements to 0.

    >>> ReLU()
    ReLU()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)


class SELU(_InPlace):
    """An elu whose constants keep mean 0 and variance 1 from layer to layer.

    >>> SELU()
    SELU()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, inplace=self.inplace)


class SiLU(_InPlace):
    """Multiplies each element by its sigmoid.

    >>> SiLU()
    SiLU()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, inplace=self.inplace)


class Mish(_InPlace):
    """Multiplies each element by the tanh of its softplus.

    >>> Mish()
    Mish()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, inplace=self.inplace)


class Hardsigmoid(_InPlace):
    """A sigmoid of three straight lines.

    >>> Hardsigmoid()
    Hardsigmoid()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, inplace=self.inplace)

    def extra_repr(self) -> str:
        return ""  # PyTorch does not print `inplace` here.


class Hardswish(_InPlace):
    """Multiplies each element by its hardsigmoid.

    >>> Hardswish()
    Hardswish()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, inplace=self.inplace)

    def extra_repr(self) -> str:
        return ""  # PyTorch does not print `inplace` here.


class Sigmoid(Module):
    """Computes 1 / (1 + exp(-x)) of each element.

    >>> Sigmoid()
    Sigmoid()
    """

    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class Tanh(Module):
    """Computes the hyperbolic tangent of each element.

    >>> Tanh()
    Tanh()
    """

    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class LogSigmoid(Module):
    """Computes the logarithm of the sigmoid.

    >>> LogSigmoid()
    LogSigmoid()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softsign(Module):
    """Computes x / (1 + |x|) of each element.

    >>> Softsign()
    Softsign()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """Computes x - tanh(x) of each element.

    >>> Tanhshrink()
    Tanhshrink()
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class GELU(Module):
    """Multiplies each element by the share of a normal distribution below it.

    >>> GELU()
    GELU(approximate='none')
    """

    __constants__ = ["approximate"]

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"
