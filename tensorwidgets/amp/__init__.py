"""torch.amp: how do numbers of 16 and of 32 bits meet in one program?

>>> import tensorwidgets as torch
>>> w = torch.ones(2, 2, requires_grad=True)
>>> with torch.amp.autocast("cpu"):
...     y = w @ torch.ones(2)
>>> y
tensor([2., 2.], dtype=torch.bfloat16, grad_fn=<MvBackward0>)
>>> scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
>>> scaler.scale(y.sum()).backward()
>>> w.grad.dtype, w.grad[0]
(torch.float32, tensor([4., 4.]))
"""

from __future__ import annotations

from typing import Any

from . import autocast_mode, grad_scaler
from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = [
    "GradScaler",
    "autocast",
    "autocast_mode",
    "custom_bwd",
    "custom_fwd",
    "grad_scaler",
    "is_autocast_available",
]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
