"""torch.backends.mps: there is no GPU device here."""

from __future__ import annotations

from .cuda import is_built


def is_available() -> bool:
    """Whether tensors can live on this GPU. Here: no."""
    return False


__all__ = ["is_available", "is_built"]
