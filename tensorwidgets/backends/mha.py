"""torch.backends.mha: whether attention layers may take a fast path, which is stored and changes nothing here."""

from __future__ import annotations

_fastpath = True


def get_fastpath_enabled() -> bool:
    """Whether the fast path is on."""
    return _fastpath


def set_fastpath_enabled(value: bool) -> None:
    """Turn the fast path on or off."""
    global _fastpath
    _fastpath = value
