"""torch.utils.data._utils: where programs find the functions that make batches, by PyTorch's private names."""

from __future__ import annotations

from ....engine.errors.elsewhere import ExceptionWrapper
from . import collate, pin_memory, worker

__all__ = ["ExceptionWrapper", "collate", "pin_memory", "worker"]
