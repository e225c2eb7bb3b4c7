"""How is an object packed for another process? As bytes, and as file descriptors of its large parts.

Large storages and arrays are put into shared memory, and only their file descriptors are sent. Classes and functions
of a notebook or of the main program travel whole where the other process cannot import them. The tensors that a process
is started with move to shared memory themselves, so that it writes to the tensors of the one that started it.
"""

from __future__ import annotations

import io
import os
import pickle
import socket
import sys
from collections.abc import Callable, Sequence
from multiprocessing import connection, context, reduction
from typing import Any, NamedTuple

import numpy as np

from ..engine.memory.shared import CAN_SHARE, LARGE, Descriptor, mapped, segment_of, shared_array
from ..engine.tensor.moving.sharing import descriptor_of, storage_over
from ..engine.tensor.storages.untyped import UntypedStorage
from ..engine.tensor.tensor import Tensor
from ..engine.types.device import CPU
from .reductions import reduce_tensor, refuse_graph

MOST = 200
"""How many file descriptors one parcel of copies may hold; a socket takes 253 at a time."""


class Parcel(NamedTuple):
    """An object that is packed: its pickle, and the shared memory of its large parts."""

    payload: bytes
    descriptors: list[Descriptor]
    for_one: bool = False
    """Whether it holds an open connection, such as a queue's, which is duplicated for one process."""


class _Sharing:
    """What a pickler does with storages: their bytes are a buffer, which may be shared instead of written."""

    for_one = False
    moves = False
    """Whether the storages themselves move to shared memory, instead of copies of large ones."""
    graphs = False
    """Whether tensors with a graph are accepted, and arrive without it."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind is UntypedStorage and obj.device is CPU:
            if self.moves:
                descriptor_of(obj)
            return _storage, (pickle.PickleBuffer(np.ascontiguousarray(obj._bytes)),)  # type: ignore[arg-type]
        if kind is Tensor:
            if not self.graphs:
                refuse_graph(obj)
            if self.moves:
                return reduce_tensor(obj)
            if _is_small_part(obj):
                return obj.clone().__reduce_ex__(4)
        if kind in (connection.Connection, socket.socket) and context.get_spawning_popen() is not None:
            self.for_one = True
            return reduction.ForkingPickler._extra_reducers[kind](obj)  # type: ignore[attr-defined]
        return self.otherwise(obj)

    def otherwise(self, obj: Any) -> Any:
        return NotImplemented


class _Pickler(_Sharing, pickle.Pickler):
    """Writes classes and functions by their names."""


def _with_classes() -> Any:
    """A pickler that writes whole what the other process cannot import."""
    import cloudpickle

    class Whole(_Sharing, cloudpickle.Pickler):  # type: ignore[name-defined, misc]
        def otherwise(self, obj: Any) -> Any:
            return cloudpickle.Pickler.reducer_override(self, obj)

    return Whole


def _is_small_part(tensor: Tensor) -> bool:
    """Whether a tensor reads less than half of a storage that is not shared: then a copy of it is sent."""
    root = tensor if tensor._base is None else tensor._base
    if tensor._keys or (tensor._base is None and root._storage is None):
        return False
    storage = tensor.untyped_storage()
    return not storage.is_shared() and tensor.numel() * tensor.element_size() * 2 <= storage.nbytes()


def _storage(buffer: Any) -> UntypedStorage:
    values = buffer if isinstance(buffer, np.ndarray) else np.frombuffer(buffer, np.uint8)
    return storage_over(values if values.flags.writeable else values.copy())


Memory = Callable[[int], np.ndarray | None]
"""What makes shared bytes."""


def pack(
    obj: Any, names_first: bool = True, memory: Memory = shared_array, moves: bool = False, graphs: bool = False
) -> Parcel:
    """Pack an object; without `names_first`, classes of the main program travel whole from the start."""
    if names_first:
        try:
            return _packed(_Pickler, obj, memory, moves, graphs)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            first = error
    try:
        return _packed(_with_classes(), obj, memory, moves, graphs)
    except ImportError:
        if names_first:
            raise first from None
        return _packed(_Pickler, obj, memory, moves, graphs)


def _packed(pickler: Callable, obj: Any, memory: Memory, moves: bool, graphs: bool) -> Parcel:
    out = io.BytesIO()
    descriptors: list[Descriptor] = []

    def stays(buffer: pickle.PickleBuffer) -> bool:
        """Whether the bytes of a buffer are written to the pickle; if not, they are shared."""
        view = memoryview(buffer)
        segment = segment_of(view.obj)
        if not CAN_SHARE or (len(descriptors) >= MOST and not moves):
            return True
        if segment is not None and segment.descriptor is not None and len(segment) == view.nbytes:
            descriptors.append(segment.descriptor)
            return False
        values = memory(view.nbytes) if view.nbytes >= LARGE else None
        segment = segment_of(values)
        if values is None or segment is None or segment.descriptor is None:
            return True
        values[:] = np.frombuffer(buffer.raw(), np.uint8)
        descriptors.append(segment.descriptor)
        return False

    made = pickler(out, 5, buffer_callback=stays)
    made.moves, made.graphs = moves, graphs
    made.dump(obj)
    return Parcel(out.getvalue(), descriptors, made.for_one)


def kept(descriptor: Descriptor) -> np.ndarray:
    """The bytes of a file descriptor that stays open, so that the memory can be sent on."""
    return mapped(descriptor, os.fstat(descriptor.number).st_size)


def unpack(payload: Any, descriptors: Sequence[Descriptor], bytes_of: Callable[[Descriptor], np.ndarray] = kept) -> Any:
    """The object of a parcel."""
    buffers = [bytes_of(each) for each in descriptors]
    return pickle.loads(payload, buffers=buffers)


def has_a_file(program: Any) -> bool:
    """Whether a main program can be imported by another process: not a notebook, nor lines that are typed."""
    return os.path.exists(getattr(program, "__file__", None) or "")


class Carried:
    """Objects for a new process. One that is forked has them already; any other is sent them, classes included."""

    def __init__(self, *contents: Any):
        self.contents = contents
        self._parcel: Parcel | None = None

    def __reduce__(self) -> Any:
        if context.get_spawning_popen() is None:
            raise TypeError("objects are carried to a process when it starts")
        if (
            self._parcel is None or self._parcel.for_one
        ):  # kept for the next process, and until the descriptors are sent
            # A notebook is not a module that another process could import; a program is.
            self._parcel = pack(self.contents, names_first=has_a_file(sys.modules.get("__main__")), moves=True)
        return _arrived, (self._parcel.payload, [reduction.DupFd(each.number) for each in self._parcel.descriptors])


def _arrived(payload: bytes, sent: list) -> Carried:
    return Carried(*unpack(payload, [Descriptor(each.detach()) for each in sent]))
