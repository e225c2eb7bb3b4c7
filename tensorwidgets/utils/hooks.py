"""torch.utils.hooks: what removes a hook, and hooks that are not saved with their tensor."""

from __future__ import annotations

from ..engine.autograd.hooks.handles import RemovableHandle, unserializable_hook
from ..engine.interop.copy_and_pickle import warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
