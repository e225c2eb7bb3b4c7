"""The old names of `torch.amp.autocast` and of its marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...amp import autocast_mode as _new
from ...engine.errors.warnings import warn
from ...engine.types.dtypes import dtype, float16

__all__ = ["autocast", "custom_bwd", "custom_fwd"]


def warn_of(name: str) -> None:
    """Warn that a name is old."""
    warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cuda', args...)` instead.",
        FutureWarning,
    )


class autocast(_new.autocast):
    """`torch.amp.autocast("cuda")` by its old name."""

    def __init__(self, enabled: bool = True, dtype: dtype = float16, cache_enabled: bool = True) -> None:
        warn_of("autocast")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


def custom_fwd(fwd: Callable | None = None, *, cast_inputs: dtype | None = None) -> Callable:
    """`torch.amp.custom_fwd` by its old name."""
    _warn_of_mark("custom_fwd")
    return _new.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Callable:
    """`torch.amp.custom_bwd` by its old name."""
    _warn_of_mark("custom_bwd")
    return _new.custom_bwd(bwd, device_type="cuda")


def _warn_of_mark(name: str) -> None:
    warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. "
        f"Please use `torch.amp.{name}(args..., device_type='cuda')` instead.",
        FutureWarning,
    )
