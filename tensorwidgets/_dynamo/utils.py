"""torch._dynamo.utils: what libraries ask of a compiler and tell it. Here nothing is compiled."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

__all__ = ["disable_cache_limit", "is_compile_supported"]


@contextlib.contextmanager
def disable_cache_limit() -> Iterator[None]:
    """A block in which functions may be compiled as often as it takes.

    >>> with disable_cache_limit():
    ...     print("as often as you like")
    as often as you like
    """
    yield


def is_compile_supported(device_type: Any) -> bool:
    """Whether functions of this device can be compiled. Here: no.

    >>> import tensorwidgets as torch
    >>> from tensorwidgets._dynamo.utils import is_compile_supported
    >>> is_compile_supported("cpu")
    False
    """
    return False
