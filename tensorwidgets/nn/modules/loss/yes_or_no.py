"""Losses of yes or no, for one question or for each class."""

from __future__ import annotations

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from .base import _Loss, _WeightedLoss


class BCELoss(_WeightedLoss):
    """The mean of minus the log-probability of the right answer, which is yes (1) or no (0).

    >>> BCELoss()
    BCELoss()
    """

    __constants__ = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """BCELoss of the sigmoid of the input, without overflow.

    >>> BCEWithLogitsLoss()
    BCEWithLogitsLoss()
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean", pos_weight: Tensor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)
        self.weight: Tensor | None
        self.pos_weight: Tensor | None

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Binary cross entropy of logits, averaged over the classes.

    >>> MultiLabelSoftMarginLoss()
    MultiLabelSoftMarginLoss()
    """

    __constants__ = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """The logarithm of 1 + exp(-target * input), for targets 1 and -1.

    >>> SoftMarginLoss()
    SoftMarginLoss()
    """

    __constants__ = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)
