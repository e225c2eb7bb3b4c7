"""Activations with a slope for negative elements: given, drawn at random or learned."""

from __future__ import annotations

from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ...parameter import Parameter
from ..module import Module


class LeakyReLU(Module):
    """Multiplies negative elements by a small slope.

    >>> LeakyReLU()
    LeakyReLU(negative_slope=0.01)
    """

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}{', inplace=True' if self.inplace else ''}"


class RReLU(Module):
    """Multiplies negative elements by random slopes in training, and by their mean in evaluation.

    >>> RReLU()
    RReLU(lower=0.125, upper=0.3333333333333333)
    """

    __constants__ = ["lower", "upper", "inplace"]

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"lower={self.lower}, upper={self.upper}{', inplace=True' if self.inplace else ''}"


class PReLU(Module):
    """Multiplies negative elements by a weight that is learned, one for all or one for each channel.

    >>> PReLU()
    PReLU(num_parameters=1)
    """

    __constants__ = ["num_parameters"]

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        self.num_parameters = num_parameters
        super().__init__()
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to the number that the constructor was given."""
        with torch.no_grad():
            self.weight.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"
