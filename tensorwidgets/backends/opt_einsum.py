"""torch.backends.opt_einsum: the library is not asked; einsum multiplies from left to right."""

from __future__ import annotations

enabled, strategy = False, None


def is_available() -> bool:
    """Whether the library is there. Here: no."""
    return False


def get_opt_einsum() -> None:
    """The library. Here: None."""
    return None
