"""torch.storage: the bytes below tensors.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2).untyped_storage(), torch.storage.UntypedStorage)
True
"""

from __future__ import annotations

from .engine.tensor.storages.typed import TypedStorage
from .engine.tensor.storages.untyped import UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]
