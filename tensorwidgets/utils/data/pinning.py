"""Which batches are copied to pinned memory, so that a GPU can read them by itself?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...engine.errors.warnings import warn
from ...engine.tensor.tensor import Tensor
from ...engine.types.device import gpu_is_there
from .collate import like_mapping, like_sequence


def wants_pinning(loader: Any) -> bool:
    """Whether a loader pins its batches; warns where that has no effect."""
    if not loader.pin_memory:
        return False
    if loader.pin_memory_device:
        warn(
            "pin_memory_device is deprecated, the current accelerator will be used as the device,"
            f"ignore pin_memory_device='{loader.pin_memory_device}'."
        )
    if not gpu_is_there():
        warn(
            "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used."
        )
        return False
    return True


def pinned(data: Any) -> Any:
    """The same data with its tensors in pinned memory."""
    if isinstance(data, Tensor) or hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return like_mapping(data, {key: pinned(each) for key, each in data.items()})
    if isinstance(data, tuple):
        parts = [pinned(each) for each in data]
        return type(data)(*parts) if hasattr(data, "_fields") else type(data)(parts)
    if isinstance(data, Sequence):
        return like_sequence(data, [pinned(each) for each in data])
    return data
