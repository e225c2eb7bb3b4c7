"""torch.backends.cuda: there is no GPU device here."""

from __future__ import annotations


def is_built() -> bool:
    """Whether there is code for these GPUs. Here: no."""
    return False
