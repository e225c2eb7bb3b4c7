"""How is a write counted? Tensors that share memory share a counter, which one of them keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tensor import Tensor


def version_owner(t: Tensor) -> Tensor:
    """The tensor that keeps the version counter for this one and all that share it."""
    root = t if t._base is None else t._base
    return root if root._counter is None else root._counter


on_write: Callable[..., None] | None = None
"""Called with the owners of counters after each write, once there are gradients: it records the line of the write."""


def bump_version(t: Tensor) -> None:
    """Count a write: every tensor that shares the counter sees it."""
    root = t if t._base is None else t._base
    if root._counter is not None:
        root = root._counter
    root._writes += 1
    if on_write is not None:
        if t._base is not None:
            t._made_at = root._writes - 1  # a view that joins a graph later is read again, as it was written to
        on_write(root)


def bump_versions(tensors: list[Tensor], times: int = 1) -> None:
    """Count several writes by one line, in each of these tensors."""
    owners = [version_owner(t) for t in tensors]
    for owner in owners:
        owner._writes += times
    if times and on_write is not None:
        on_write(*owners)
