"""torch.ops: functions of libraries that were compiled for PyTorch. None can be loaded here.

>>> import tensorwidgets as torch
>>> hasattr(torch.ops.torchvision, "nms")
False
"""

from __future__ import annotations

import os
from typing import NoReturn

from .engine.errors.reasons import refuse

__all__ = ["load_library", "loaded_libraries"]

loaded_libraries: set[str] = set()


def load_library(path: str) -> NoReturn:
    """Raises an OSError, as PyTorch does for a file that is no library. Callers go on without it."""
    message = f"Could not load this library: {os.path.realpath(path)}"
    refuse(OSError, message, "a compiled library calls PyTorch's own code", rule="name.scope")


class _OpNamespace:
    """The functions of one library: none."""

    def __init__(self, name: str):
        self.__name__ = f"torch.ops.{name}"

    def __getattr__(self, name: str) -> NoReturn:
        library = self.__name__.rpartition(".")[2]
        message = f"'_OpNamespace' {library!r} object has no attribute {name!r}"
        refuse(AttributeError, message, "no compiled library is loaded here", f"torch.{name}", rule="name.scope")


def __getattr__(name: str) -> _OpNamespace:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _OpNamespace(name)
