"""torch.amp: numbers of two precisions in one program. Of it, what programs and libraries write that may also run
without: `autocast` that is not enabled, and `GradScaler`.

>>> import tensorwidgets as torch
>>> with torch.amp.autocast("cpu", enabled=False):
...     torch.is_autocast_enabled("cpu")
False
"""

from __future__ import annotations

from typing import Any

from . import autocast_mode as autocast_mode
from . import grad_scaler as grad_scaler
from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
