"""Derivatives that cannot be differentiated again: margins between classes, ctc_loss, pdist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....ops.nn.ways_back import BACK
from ....declaring import constant, differentiate, not_implemented, parts, refused
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor

constant("_nn.multi_margin_loss", "multi_margin_loss", "weight")
differentiate(
    "_nn.multi_margin_loss",
    node="MultiMarginLossBackward0",
    input=lambda grad, input, target, p=1, margin=1.0, weight=None, reduction=1: BACK["multi_margin_loss_backward"](
        grad, input, target, p, margin, weight, reduction
    ),
)
refused("multi_margin_loss_backward", "aten::multi_margin_loss_backward")

differentiate(
    "_nn.multilabel_margin_loss_forward",
    node="MultilabelMarginLossBackward0",
    results=(0,),
    input=lambda grad, input, target, reduction=1: BACK["multilabel_margin_loss_backward"](
        grad, input, target, reduction
    ),
)
refused("multilabel_margin_loss_backward", "aten::multilabel_margin_loss_backward")

differentiate(
    "_ctc_loss",
    node="CtcLossBackward0",
    results=(0,),
    log_probs=lambda grad, log_probs, targets, input_lengths, target_lengths, result, result1, blank=0,
    zero_infinity=False: BACK["_ctc_loss_backward"](
        grad, log_probs, targets, input_lengths, target_lengths, result, result1, blank, zero_infinity
    ),
)  # fmt: skip
refused("_ctc_loss_backward", "aten::_ctc_loss_backward")


@parts("pdist", when=lambda call: not call["input"].is_contiguous())
def _pdist_of_gaps(input: Tensor, p: float = 2.0) -> Any:
    """contiguous, and pdist of the copy"""
    return torch.pdist(input.contiguous(), p)


differentiate("pdist", input=lambda grad, input, result, p=2.0: BACK["_pdist_backward"](grad, input, p, result))
differentiate(
    "_pdist_backward",
    node="PdistBackwardBackward0",
    grad=lambda: not_implemented("_pdist_backward"),
    input=lambda: not_implemented("_pdist_backward"),
    distance=lambda: not_implemented("_pdist_backward"),
)
