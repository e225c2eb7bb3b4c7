"""How is a write counted? Tensors that share memory share a counter, which one of them keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .keys import KEY_AUTOGRAD

if TYPE_CHECKING:
    from .tensor import Tensor


def version_owner(t: Tensor) -> Tensor:
    """The tensor that keeps the version counter for this one and all that share it."""
    root = t if t._base is None else t._base
    return root if root._counter is None else root._counter


class VersionCounter:
    """Counts the writes for tensors that share memory, where one of them has a graph.

    If that tensor counted, all others would refer to it, and keep its graph alive.

    It has what is asked of the tensors that count for others.
    """

    _keys = 0
    _storage = _counter = None
    _notes = property(vars)

    def __init__(self, writes: int):
        self._writes = writes


def counter_for_alias(t: Tensor) -> Any:
    """What counts the writes for a tensor outside of the graph that shares memory with this one."""
    owner: Any = version_owner(t)
    if type(owner) is VersionCounter or "_counts_for_others" in owner._notes:
        return owner
    if not owner._keys & KEY_AUTOGRAD or owner._origin is None:  # no graph hangs on it
        owner._notes["_counts_for_others"] = True
        return owner
    counter = owner._counter = VersionCounter(owner._writes)
    if on_counter_apart is not None:
        on_counter_apart(owner, counter)
    return counter


on_counter_apart: Callable[[Tensor, VersionCounter], None] | None = None
"""Called with a tensor and what counts its writes from now on."""

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


@contextmanager
def as_one_write(t: Tensor) -> Iterator[None]:
    """Count the writes of a block as one: an op that PyTorch fills in one call may take several steps here."""
    owner = version_owner(t)
    before = owner._writes
    yield
    owner._writes = before + 1


def bump_versions(tensors: list[Tensor], times: int = 1) -> None:
    """Count several writes by one line, in each of these tensors."""
    owners = [version_owner(t) for t in tensors]
    for owner in owners:
        owner._writes += times
    if times and on_write is not None:
        on_write(*owners)
