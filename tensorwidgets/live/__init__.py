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
    "TrainingExplorer": "training",
    "SurfaceExplorer": "surface",
}
"""The explorers, and the file that each lives in."""

OTHERS = {"TrainingLog": "training_log"}
"""What is not an explorer, and its file."""

__all__ = ["EXPLORERS", *EXPLORERS, *OTHERS]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    file = EXPLORERS.get(name) or OTHERS.get(name)
    if file is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = getattr(import_module(f"{__name__}.{file}"), name)
    globals()[name] = result
    return result
