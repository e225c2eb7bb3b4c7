"""torch.xpu: what programs ask before they choose a device. There is no Intel GPU here.

>>> import tensorwidgets as torch
>>> "xpu" if torch.xpu.is_available() else "cpu"
'cpu'
"""

from __future__ import annotations

from typing import Any

__all__ = ["device_count", "empty_cache", "is_available", "is_bf16_supported", "manual_seed", "manual_seed_all"]


def is_available() -> bool:
    """Whether there is such a device. Here: no."""
    return False


def device_count() -> int:
    """How many there are: none."""
    return 0


def is_bf16_supported() -> bool:
    """Whether one computes in bfloat16: there is none."""
    return False


def manual_seed(seed: int) -> None:
    """Seed the random numbers of the device, of which there is none."""


def manual_seed_all(seed: int) -> None:
    """Seed the random numbers of all devices, of which there are none."""


def empty_cache() -> None:
    """Give back memory that is kept, of which there is none."""


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
