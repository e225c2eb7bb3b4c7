"""torch.cpu: what code that is written for any device asks of the CPU.

>>> import tensorwidgets as torch
>>> torch.cpu.device_count(), torch.cpu.current_device()
(1, 'cpu')
>>> torch.cpu.synchronize()
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from . import amp

__all__ = [
    "Event", "Stream", "StreamContext", "amp", "current_device", "current_stream", "device_count", "is_available",
    "is_initialized", "set_device", "stream", "synchronize",
]  # fmt: skip


class Stream:
    """A stream that does nothing: the CPU computes every call at once."""

    def __init__(self, priority: int = -1):
        pass

    def wait_stream(self, stream: Any) -> None:
        """Does nothing."""

    def record_event(self) -> None:
        """Does nothing."""

    def wait_event(self, event: Any) -> None:
        """Does nothing."""


class Event:
    """An event that is always done."""

    def __init__(self, enable_timing: bool = False):
        pass

    def query(self) -> bool:
        """Returns True."""
        return True

    def record(self, stream: Any = None) -> None:
        """Does nothing."""

    def synchronize(self) -> None:
        """Does nothing."""

    def wait(self, stream: Any = None) -> None:
        """Does nothing."""


StreamContext = nullcontext


def stream(stream: Any) -> AbstractContextManager:
    """Returns a block that changes nothing."""
    return nullcontext()


def current_stream(device: Any = None) -> Stream:
    """Returns the stream of the CPU."""
    return Stream()


def is_available() -> bool:
    """Returns True."""
    return True


def is_initialized() -> bool:
    """Returns True."""
    return True


def device_count() -> int:
    """Returns 1."""
    return 1


def current_device() -> str:
    """Returns 'cpu'."""
    return "cpu"


def set_device(device: Any) -> None:
    """Does nothing."""


def synchronize(device: Any = None) -> None:
    """Does nothing: every call is done when it returns."""
