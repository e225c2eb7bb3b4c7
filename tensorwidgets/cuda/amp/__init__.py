"""torch.cuda.amp: the old names of `torch.amp` for GPUs."""

from __future__ import annotations

from typing import Any

from .autocast_mode import autocast, custom_bwd, custom_fwd
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def __getattr__(name: str) -> Any:
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
