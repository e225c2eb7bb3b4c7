"""torch.cuda's questions, answered truthfully: there is no GPU device here."""

from __future__ import annotations


def is_available() -> bool:
    """Whether tensors can live on a GPU. Here: no.

    >>> is_available()
    False
    """
    return False


def device_count() -> int:
    """How many GPUs tensors can live on."""
    return 0
