"""torch.ops: functions of libraries that were compiled for PyTorch. None can be loaded here.

>>> import tensorwidgets as torch
>>> hasattr(torch.ops.torchvision, "nms")
False
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import NoReturn

from .engine.errors.reasons import refuse

__all__ = ["ops"]


class _OpNamespace:
    """The functions of one library: none."""

    def __init__(self, name: str):
        self.__name__ = name

    def __getattr__(self, name: str) -> NoReturn:
        message = f"'_OpNamespace' {self.__name__!r} object has no attribute {name!r}"
        refuse(AttributeError, message, "no compiled library is loaded here", rule="name.scope")


class _Ops(ModuleType):
    """Has a namespace for every library, as in PyTorch."""

    loaded_libraries: set[str] = set()

    @staticmethod
    def load_library(path: str) -> NoReturn:
        """Raises an OSError, as PyTorch does for a file that is not a library. Callers go on without it."""
        message = f"Could not load this library: {os.path.realpath(path)}"
        refuse(OSError, message, "a compiled library calls PyTorch's own code", rule="name.scope")

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _OpNamespace(name)


ops = _Ops("torch.ops")
