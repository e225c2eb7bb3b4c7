"""How does a tensor get into another process? Its storage moves to shared memory, and the file descriptor is sent."""

from __future__ import annotations

from multiprocessing import reduction
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

from ..engine.errors.reasons import refuse
from ..engine.memory.shared import Descriptor, mapped
from ..engine.tensor.lookups import storage_of
from ..engine.tensor.moving.sharing import descriptor_of, storage_over
from ..engine.tensor.storages.untyped import UntypedStorage
from ..engine.tensor.tensor import Tensor
from ..engine.types.device import CPU


def reduce_storage(storage: UntypedStorage) -> Any:
    """A storage as its file descriptor; as its bytes where there is none."""
    descriptor = descriptor_of(storage) if storage.device is CPU else None
    if descriptor is None:
        return storage.__reduce__()
    return rebuild_storage, (reduction.DupFd(descriptor.number), storage.nbytes())


def rebuild_storage(sent: Any, nbytes: int) -> UntypedStorage:
    """The storage over a file descriptor that another process sent, and which that process is asked for."""
    try:
        number = sent.detach()
    except (OSError, EOFError) as error:
        error.add_note(
            "the process that sent this tensor ended before the tensor was received: only that process can hand on "
            "its memory\nInstead: let it wait until then, with an Event for example, or send x.numpy()"
        )
        raise
    return storage_over(mapped(Descriptor(number), nbytes))


def refuse_graph(tensor: Tensor) -> None:
    """Refuse a tensor with a graph, which cannot leave its process."""
    if tensor.requires_grad and not tensor.is_leaf:
        refuse(
            RuntimeError,
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support "
            "crossing process boundaries.  If you just want to transfer the data, call detach() on the tensor before "
            "serializing (e.g., putting it on the queue).",
            "the graph behind this tensor stays in this process",
            "x.detach()",
            rule="multiprocessing.graph",
        )


def reduce_tensor(tensor: Tensor) -> Any:
    """A tensor as its storage and how it looks at it."""
    refuse_graph(tensor)
    if type(tensor._array) is np.ndarray:
        descriptor_of(storage_of(tensor), tensor)
    return tensor.__reduce_ex__(2)


def register() -> None:
    """Teach the pickler of `multiprocessing` about tensors."""
    ForkingPickler.register(UntypedStorage, reduce_storage)
    ForkingPickler.register(Tensor, reduce_tensor)
