"""torch.cuda.amp: the names of torch.amp as they were for GPUs alone. They warn that they are old, as in PyTorch."""

from __future__ import annotations

from typing import Any

from ...engine.compat.amp import autocast_mode as _autocast_mode
from ...engine.compat.amp import grad_scaler as _grad_scaler
from ...engine.errors.warnings import warn as _warn
from ...engine.types import dtypes as _dtypes

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def _deprecated(name: str, arguments: str, instead: str) -> None:
    _warn(
        f"`torch.cuda.amp.{name}({arguments})` is deprecated. Please use `torch.amp.{name}({instead})` instead.",
        FutureWarning,
    )


class GradScaler(_grad_scaler.GradScaler):
    """`torch.amp.GradScaler("cuda")`."""

    def __init__(
        self, init_scale: float = 2.0**16, growth_factor: float = 2.0, backoff_factor: float = 0.5,
        growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        _deprecated("GradScaler", "args...", "'cuda', args...")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


class autocast(_autocast_mode.autocast):  # noqa: N801
    """`torch.amp.autocast("cuda")`."""

    def __init__(self, enabled: bool = True, dtype: Any = _dtypes.float16, cache_enabled: bool = True) -> None:
        _deprecated("autocast", "args...", "'cuda', args...")
        super().__init__("cuda", dtype, enabled, cache_enabled)


def custom_fwd(fwd: Any = None, *, cast_inputs: Any = None) -> Any:
    """`torch.amp.custom_fwd(device_type="cuda")`."""
    _deprecated("custom_fwd", "args...", "args..., device_type='cuda'")
    return _autocast_mode.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """`torch.amp.custom_bwd(device_type="cuda")`."""
    _deprecated("custom_bwd", "args...", "args..., device_type='cuda'")
    return _autocast_mode.custom_bwd(bwd, device_type="cuda")
