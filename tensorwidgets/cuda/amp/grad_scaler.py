"""The old name of `torch.amp.GradScaler`."""

from __future__ import annotations

from ...amp import grad_scaler as _new
from .autocast_mode import warn_of

__all__ = ["GradScaler"]


class GradScaler(_new.GradScaler):
    """`torch.amp.GradScaler("cuda")` by its old name."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        warn_of("GradScaler")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
