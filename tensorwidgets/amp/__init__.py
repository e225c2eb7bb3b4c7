"""torch.amp: how do numbers of 16 and of 32 bits meet in one program? Losses can be scaled; autocast is off here.

>>> import tensorwidgets as torch
>>> scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
>>> with torch.amp.autocast("cpu", enabled=False):
...     scaler.scale(torch.tensor(0.5))
tensor(2.)
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
