"""Moving a storage to memory that other processes can read and write."""

from __future__ import annotations

import numpy as np

from ...memory.shared import Descriptor, segment_of, shared_array
from ...types.device import CPU
from ..lookups import geometry_of
from ..storages.untyped import UntypedStorage
from ..tensor import Tensor
from .resizing import place, tensors_of


def share(storage: UntypedStorage, known: Tensor | None = None) -> None:
    """Move the bytes of a storage to shared memory, and with them all tensors on it, of which one may be known.

    An array of NumPy that looks at the old bytes is left behind, as it is by PyTorch.
    """
    if storage._shared:
        return
    values = shared_array(storage._nbytes) if storage.device is CPU else None
    if values is not None:
        sharing = [(t, geometry_of(t)) for t in tensors_of(storage, known)]
        values[:] = storage._bytes
        storage._bytes = values
        for t, g in sharing:
            place(t, g)
    storage._shared = storage._lent = True  # lent: other processes see these bytes, so they cannot move again


def descriptor_of(storage: UntypedStorage, known: Tensor | None = None) -> Descriptor | None:
    """The file descriptor of a storage's memory, which is moved to shared memory if need be; None if it has none."""
    share(storage, known)
    segment = segment_of(storage._bytes)
    if segment is not None and segment.descriptor is None:  # it came from another process and was mapped only
        storage._shared = False
        share(storage, known)
        segment = segment_of(storage._bytes)
    return None if segment is None or len(segment) != storage._nbytes else segment.descriptor


def storage_over(values: np.ndarray) -> UntypedStorage:
    """A storage of bytes that are there, in shared memory or not."""
    storage = UntypedStorage(values)
    if segment_of(values) is not None:
        storage._shared = storage._lent = True
    return storage
