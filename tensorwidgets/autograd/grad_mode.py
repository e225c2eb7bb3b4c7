"""torch.autograd.grad_mode: stretches of code that are recorded for gradients, or not."""

from __future__ import annotations

from ..engine.tensor.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)

__all__ = [
    "enable_grad", "enforce_grad_layout_policy", "inference_mode", "no_grad", "set_grad_enabled",
    "set_multithreading_enabled",
]  # fmt: skip
