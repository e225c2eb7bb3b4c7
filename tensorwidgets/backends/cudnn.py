"""torch.backends.cudnn: there is no GPU device here, and nothing for these switches to change."""

from __future__ import annotations

enabled = benchmark = deterministic = False


def is_available() -> bool:
    """Whether the library is there. Here: no."""
    return False


def version() -> None:
    """Which version of the library is there. Here: None."""
    return None
