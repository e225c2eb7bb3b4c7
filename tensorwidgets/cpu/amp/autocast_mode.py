"""torch.cpu.amp.autocast_mode: `torch.amp.autocast("cpu")` by its old name."""

from __future__ import annotations

from ...engine.compat.amp import autocast_mode as _autocast_mode
from ...engine.errors.warnings import warn as _warn
from ...engine.types import dtypes as _dtypes

__all__ = ["autocast"]


class autocast(_autocast_mode.autocast):  # noqa: N801
    """`torch.amp.autocast("cpu")`."""

    def __init__(
        self, enabled: bool = True, dtype: _dtypes.dtype = _dtypes.bfloat16, cache_enabled: bool = True
    ) -> None:
        _warn(
            "`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cpu", dtype, enabled, cache_enabled)
