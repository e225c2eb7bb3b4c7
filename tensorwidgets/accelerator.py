"""torch.accelerator's questions, answered truthfully: tensors live in main memory here."""

from __future__ import annotations


def is_available() -> bool:
    """Whether tensors can live on an accelerator. Here: no."""
    return False


def device_count() -> int:
    """How many accelerators tensors can live on."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """The accelerator in use. Here: None."""
    return None
