"""Derivatives of losses of squares."""

from __future__ import annotations

from ....declaring import differentiate
from ..loss_rows import mse_loss_backward

differentiate(
    "_nn.mse_loss",
    node="MseLossBackward0",
    input=lambda grad, input, target, reduction=1: mse_loss_backward(grad, input, target, reduction),
    target=lambda grad, input, target, reduction=1: mse_loss_backward(grad, target, input, reduction),
)
