"""torch.nn: layers, models and losses."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import functional, grad, init, modules, utils
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter
from .uninitialized import UninitializedBuffer, UninitializedParameter

__all__ = [
    "Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "functional", "grad", "init", "modules",
    "utils", *modules.__all__,
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in ("_reduction", "attention"):
        return import_module(f"{__name__}.{name}")
    if name in ("parallel", "DataParallel"):  # rarely asked for, and it needs the devices
        parallel = import_module(f"{__name__}.parallel")
        return parallel if name == "parallel" else parallel.DataParallel
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)


def __dir__() -> list[str]:
    """The names without those that this file imports for itself: programs list the classes that they find here."""
    return sorted(name for name in globals() if name not in ("Any", "annotations", "import_module"))
