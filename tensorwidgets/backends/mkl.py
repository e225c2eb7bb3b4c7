"""torch.backends.mkl: the library is not here; NumPy computes."""

from __future__ import annotations


def is_available() -> bool:
    """Whether the library is there. Here: no."""
    return False
