"""torch._dynamo.utils: the question of libraries whether a device's functions can be compiled. Here: no."""

from __future__ import annotations

from typing import Any

__all__ = ["is_compile_supported"]


def is_compile_supported(device_type: Any) -> bool:
    """Whether functions of this device can be compiled. Here: no.

    >>> import tensorwidgets as torch
    >>> from tensorwidgets._dynamo.utils import is_compile_supported
    >>> is_compile_supported("cpu")
    False
    """
    return False
