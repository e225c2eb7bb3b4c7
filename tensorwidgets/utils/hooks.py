"""torch.utils.hooks: what registering a hook returns."""

from __future__ import annotations

from ..engine.autograd.hooks.on_gradients import RemovableHandle

__all__ = ["RemovableHandle"]
