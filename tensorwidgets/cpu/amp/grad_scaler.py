"""torch.cpu.amp.grad_scaler: `torch.amp.GradScaler("cpu")` by its old name."""

from __future__ import annotations

from ...engine.compat.amp import grad_scaler as _grad_scaler
from ...engine.errors.warnings import warn as _warn

__all__ = ["GradScaler"]


class GradScaler(_grad_scaler.GradScaler):
    """`torch.amp.GradScaler("cpu")`."""

    def __init__(
        self, init_scale: float = 2.0**16, growth_factor: float = 2.0, backoff_factor: float = 0.5,
        growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        _warn(
            "`torch.cpu.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cpu', args...)` "
            "instead.",
            FutureWarning,
        )
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
