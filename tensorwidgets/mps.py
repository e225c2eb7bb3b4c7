"""torch.mps: what programs ask before they choose a device. There is no Apple GPU here.

>>> import tensorwidgets as torch
>>> "mps" if torch.mps.is_available() else "cpu"
'cpu'
"""

from __future__ import annotations

from typing import Any, NoReturn

from .engine.errors.reasons import refuse as _refuse

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed", "synchronize"]


def is_available() -> bool:
    """Whether there is such a device. Here: no."""
    return False


def device_count() -> int:
    """How many there are: none."""
    return 0


def manual_seed(seed: int) -> None:
    """Seed the random numbers of the device, of which there is none."""


def empty_cache() -> NoReturn:
    """Refuses: there is no such device."""
    _no_device("emptyCache")


def synchronize() -> NoReturn:
    """Refuses: there is no such device."""
    _no_device("deviceSynchronize")


def _no_device(called: str) -> NoReturn:
    message = f"Cannot execute {called}() without MPS backend."
    _refuse(RuntimeError, message, "there is no Apple GPU here", "torch.mps.is_available()", rule="device.absent")


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
