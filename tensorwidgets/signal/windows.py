"""torch.signal.windows: windows for short-time transforms."""

from __future__ import annotations

from ..engine.compat.modules import members

globals().update(members("signal.windows"))
__all__ = sorted(members("signal.windows"))
