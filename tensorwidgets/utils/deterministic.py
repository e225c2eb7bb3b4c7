"""torch.utils.deterministic: whether unset numbers stand out while deterministic algorithms are asked for.

>>> import tensorwidgets as torch
>>> torch.use_deterministic_algorithms(True)
>>> torch.empty(2)
tensor([nan, nan])
>>> torch.utils.deterministic.fill_uninitialized_memory
True
>>> torch.use_deterministic_algorithms(False)
"""

from __future__ import annotations

import sys
from types import ModuleType

from ..engine.tensor.unset import settings


class _Module(ModuleType):
    @property
    def fill_uninitialized_memory(self) -> bool:
        """Whether `torch.empty` and memory that `resize_` adds are written over."""
        return settings.fill

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
        settings.fill = mode


sys.modules[__name__].__class__ = _Module
