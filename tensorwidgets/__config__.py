"""torch.__config__: what this is built of, and what computes in parallel."""

from __future__ import annotations

from .engine.backends.numpy.threads import parallel_info

__all__ = ["parallel_info", "show"]


def show() -> str:
    """What this is built of.

    >>> show().startswith("tensorwidgets built with:")
    True
    """
    from importlib.metadata import version

    parts = [f"  - {name} {version(name)}" for name in ("numpy", "scipy", "ml_dtypes")]
    return "\n".join(["tensorwidgets built with:", *parts]) + "\n"
