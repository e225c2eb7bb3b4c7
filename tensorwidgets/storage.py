"""torch.storage: the bytes below tensors.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2).untyped_storage(), torch.storage.UntypedStorage)
True
"""

from __future__ import annotations

from .engine.tensor.storage import UntypedStorage
from .engine.tensor.typed_storage import TypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]
