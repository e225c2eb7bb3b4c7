"""Live pictures: static pictures with controls. Each class is imported when it is first used."""

from __future__ import annotations

from typing import Any

EXPLORERS = {
    "StorageExplorer": "storage",
    "BroadcastExplorer": "broadcast",
    "EinsumExplorer": "einsum",
    "NamedDimsExplorer": "names",
    "DtypeExplorer": "dtype",
    "StepsExplorer": "steps",
    "BackwardExplorer": "backward",
    "AllocatorExplorer": "allocator",
}
"""The explorers, and the file that each lives in."""

__all__ = ["EXPLORERS", *EXPLORERS]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in EXPLORERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = getattr(import_module(f"{__name__}.{EXPLORERS[name]}"), name)
    globals()[name] = result
    return result
