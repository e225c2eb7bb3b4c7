"""Activations that read all elements along a dimension: Softmax and its kin, GLU."""

from __future__ import annotations

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module


class _AlongDim(NamedInit, Module):
    """A kind of softmax along a dimension."""

    __constants__ = ["dim"]
    dim: int | None

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        if not hasattr(self, "dim"):
            self.dim = None

    def forward(self, input: Tensor) -> Tensor:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """Positive numbers that add up to 1 along a dimension.

    >>> Softmax(dim=1)
    Softmax(dim=1)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """The logarithm of softmax along a dimension, without overflow.

    >>> LogSoftmax(dim=1)
    LogSoftmax(dim=1)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """The softmax of minus the elements.

    >>> Softmin(dim=1)
    Softmin(dim=1)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """The softmax over the channels of images.

    >>> Softmax2d()
    Softmax2d()
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


class GLU(Module):
    """Multiplies one half of a dimension by the sigmoid of the other half.

    >>> GLU()
    GLU(dim=-1)
    """

    __constants__ = ["dim"]

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"
