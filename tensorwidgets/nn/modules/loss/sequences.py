"""CTCLoss: how unlikely is a sequence of labels, if nobody says which belongs to which time?"""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from .base import _Loss


class CTCLoss(_Loss):
    """How unlikely sequences of labels are, over all ways to align them with the steps.

    >>> CTCLoss()
    CTCLoss()
    """

    __constants__ = ["blank", "reduction"]

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
