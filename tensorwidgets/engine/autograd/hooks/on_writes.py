"""`allow_mutation_on_saved_tensors`: what nodes have saved is copied before a call writes to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from ...dispatch import stations
from ...dispatch.kinds import NonStridedArray
from ...dispatch.registry import watching
from ...errors.reasons import refuse
from ...tensor.grad_mode import no_grad
from ...tensor.lookups import storage_of
from ...tensor.tensor import Tensor
from .on_saved import saved_tensors_hooks


class _Handle:
    """What a node keeps in the place of a tensor."""

    __slots__ = ("__weakref__",)


class AllowMutationOnSaved:
    """The tensors that were saved in a block, and their copies."""

    def __init__(self) -> None:
        self.cloned: MutableMapping[_Handle, Tensor] = WeakKeyDictionary()
        """Copies of what has been written to since it was saved."""
        self.original: MutableMapping[_Handle, Tensor] = WeakKeyDictionary()
        """Tensors that are still as they were saved."""
        self.tid_to_weakhandle: MutableMapping[Any, _Handle] = WeakValueDictionary()
        """The handle of each tensor in each of its versions."""
        self.sid_to_tid: dict[Any, set] = defaultdict(set)
        """The tensors on each memory in each of its versions."""

    def clear(self) -> None:
        """Forget everything."""
        self.cloned.clear()
        self.original.clear()
        self.tid_to_weakhandle.clear()
        self.sid_to_tid.clear()

    def _pack(self, t: Tensor) -> _Handle:
        tid, sid = (id(t), t._version), _memory_of(t)
        self.sid_to_tid[sid].add(tid)
        handle = self.tid_to_weakhandle.get(tid)
        if handle is None or self.original.get(handle) is not t:  # an earlier tensor may have had this id
            handle = self.tid_to_weakhandle[tid] = _Handle()
            self.original[handle] = t
        return handle

    def _unpack(self, handle: _Handle) -> Tensor:
        found = self.cloned.get(handle, self.original.get(handle)) if _open == [self] else None
        if found is None:
            refuse(
                AssertionError,
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
                "in which the graph was originally recorded.",
                "the block keeps what nodes have saved, and has forgotten it at its end",
                "loss.backward() in the block",
                rule="autograd.hooks",
            )
        return found

    def _before_write(self, t: Tensor) -> None:
        for tid in self.sid_to_tid.get(_memory_of(t), ()):
            handle = self.tid_to_weakhandle.get(tid)
            if handle is not None and handle not in self.cloned:
                with no_grad():
                    self.cloned[handle] = self.original[handle].clone()
                del self.original[handle]


_open: list[AllowMutationOnSaved] = []
"""The block that is open, if any."""


def _memory_of(t: Tensor) -> tuple[int, int]:
    """Which memory a tensor looks at, and its version."""
    return id(t if isinstance(t._array, NonStridedArray) else storage_of(t)), t._version


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[AllowMutationOnSaved]:
    """In the block, what nodes have saved may be written to: it is copied before, and gradients are those of the copy.

    The backward pass must be in the block as well.

    >>> import tensorwidgets as torch
    >>> a = torch.ones(2, requires_grad=True)
    >>> with allow_mutation_on_saved_tensors():
    ...     b = a.clone()
    ...     loss = (b ** 2).sum()
    ...     _ = b.sin_()
    ...     loss.backward()
    >>> a.grad
    tensor([2., 2.])
    """
    if _open:
        refuse(
            RuntimeError,
            "allow_mutation_on_saved_tensors contexts cannot be nested",
            "one block keeps the copies of all",
            "one block around both",
            rule="autograd.hooks",
        )
    block = AllowMutationOnSaved()
    with saved_tensors_hooks(block._pack, block._unpack):
        _open.append(block)
        watching.add(block)  # so that no call takes a way past the stations
        stations.before_write = block._before_write
        try:
            yield block
        finally:
            stations.before_write = None
            watching.discard(block)
            _open.remove(block)
            block.clear()


__all__ = ["AllowMutationOnSaved", "allow_mutation_on_saved_tensors"]
