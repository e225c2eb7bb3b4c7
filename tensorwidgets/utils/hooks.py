"""torch.utils.hooks: the handle that registering a hook returns."""

from __future__ import annotations

from ..engine.autograd.hooks.handles import RemovableHandle

__all__ = ["RemovableHandle"]
