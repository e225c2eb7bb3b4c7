"""torch.backends.cpu: which vector instructions the kernels were written for. NumPy chooses its own."""

from __future__ import annotations

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """The instructions that the kernels count on: the usual ones. Libraries choose a way by it.

    >>> get_cpu_capability()
    'DEFAULT'
    """
    return "DEFAULT"
