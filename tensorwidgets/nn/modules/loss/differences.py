"""Losses of differences between a result and what was wanted."""

from __future__ import annotations

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from .base import _Loss


class MSELoss(_Loss):
    """The mean of the squared differences.

    >>> MSELoss()
    MSELoss()
    """

    __constants__ = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """The mean of the absolute differences.

    >>> L1Loss()
    L1Loss()
    """

    __constants__ = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Grows like the square of differences below beta, and like the absolute value above.

    >>> SmoothL1Loss()
    SmoothL1Loss()
    """

    __constants__ = ["reduction"]

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean", beta: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Grows like the square of differences below delta, and in a straight line above.

    >>> HuberLoss()
    HuberLoss()
    """

    __constants__ = ["reduction", "delta"]

    def __init__(
        self,
        reduction: str = "mean",
        delta: float = 1.0,
    ) -> None:
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(None, None, reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)
