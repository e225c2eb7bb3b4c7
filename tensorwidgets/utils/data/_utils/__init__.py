"""torch.utils.data._utils: where programs find the functions that make batches, by PyTorch's private names."""

from __future__ import annotations

from . import collate, pin_memory, worker

__all__ = ["collate", "pin_memory", "worker"]
