"""Arrays of any library, told apart without importing one.

`explain` and the walker take our tensors, NumPy's arrays and PyTorch's tensors alike; this is what they ask of them.
"""

from __future__ import annotations

import sys
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..geometry import Geometry
from ..tensor.storages.typed import TypedStorage
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.tensor import Tensor
from ..types.dtypes import dtype

OURS, TORCH, NUMPY, CUPY = "tensorwidgets", "torch", "numpy", "cupy"


def class_of(module: str, name: str) -> type | None:
    """A class of a library; None if the program has not imported the library."""
    result = getattr(sys.modules.get(module), name, None)
    return result if isinstance(result, type) else None


def library_of(x: Any) -> str | None:
    """Whose array this is; None for anything else.

    >>> library_of(np.ones(3)), library_of([1, 2])
    ('numpy', None)
    """
    if isinstance(x, Tensor):
        return OURS
    if isinstance(x, (np.ndarray, np.generic)):
        return NUMPY
    for module, name in ((TORCH, "Tensor"), (CUPY, "ndarray")):
        known = class_of(module, name)
        if known is not None and isinstance(x, known):
            return module
    return None


def is_array(x: Any) -> bool:
    """Whether this is an array or a tensor of a known library."""
    return library_of(x) is not None


def is_storage(x: Any) -> bool:
    """Whether this is a storage, ours or PyTorch's."""
    if isinstance(x, (TypedStorage, UntypedStorage)):
        return True
    return any(
        isinstance(x, known)
        for known in (class_of("torch", "UntypedStorage"), class_of("torch", "TypedStorage"))
        if known is not None
    )


def is_dtype(x: Any) -> bool:
    """Whether this is a dtype, ours, NumPy's or PyTorch's."""
    theirs = class_of("torch", "dtype")
    return isinstance(x, (dtype, np.dtype)) or theirs is not None and isinstance(x, theirs)


def known_libraries() -> list[Any]:
    """The modules of those known libraries that the program has imported."""
    return [m for m in map(sys.modules.get, (OURS, TORCH, NUMPY, CUPY)) if m is not None]


def is_library(x: Any) -> bool:
    """Whether this is the module of a known library itself, not one that pretends."""
    return any(x is module for module in known_libraries())


def shape_of(x: Any) -> tuple[int, ...]:
    """The sizes of an array of any library."""
    return tuple(int(n) for n in x.shape)


class Facts(NamedTuple):
    """Where an array's elements lie, in numbers."""

    library: str
    geometry: Geometry
    itemsize: int
    dtype: str
    start: int
    """The address of the storage; 0 if it has no bytes."""
    storage_nbytes: int
    identity: int
    names: tuple[str | None, ...] = ()
    """The names of the dimensions, where one of them has a name."""

    @property
    def nbytes(self) -> int:
        """Bytes of all elements, as if none were shared."""
        return self.itemsize * prod(self.geometry.size)

    def shares(self, other: Facts) -> bool:
        """Whether both look at one storage, whichever library made them."""
        if not (self.start and other.start):
            return self.identity == other.identity
        return self.start < other.start + other.storage_nbytes and other.start < self.start + self.storage_nbytes


def facts_of(x: Tensor | np.ndarray) -> Facts | None:
    """The facts about an array; None for anything else, or if it has no strided memory.

    >>> facts_of(np.arange(6).reshape(2, 3)[:, 1:]).geometry
    Geometry(size=(2, 2), stride=(3, 1), offset=1)
    """
    library = library_of(x)
    if library is None or getattr(x, "is_nested", False):
        return None
    try:
        return _facts_of_tensor(library, x) if library in (OURS, TORCH) else _facts_of_array(library, x)
    except (RuntimeError, NotImplementedError):
        return None  # sparse and other layouts have no strides


def _facts_of_tensor(library: str, x: Any) -> Facts:
    storage = x.untyped_storage()
    meta = str(x.device) == "meta"
    # PyTorch makes a new Python object for each call, so its storage is known by the object below it.
    identity = id(storage) if library == OURS else storage._cdata
    geometry = Geometry(shape_of(x), tuple(int(s) for s in x.stride()), int(x.storage_offset()))
    start = 0 if meta else storage.data_ptr()
    names = tuple(x.names) if library == OURS and x.has_names() else ()
    return Facts(library, geometry, x.element_size(), short_dtype(x), start, storage.nbytes(), identity, names)


def _facts_of_array(library: str, x: Any) -> Facts:
    if isinstance(x, np.generic):
        x = np.asarray(x)
    owner = x
    while isinstance(getattr(owner, "base", None), type(x) if library == CUPY else np.ndarray):
        owner = owner.base
    item = x.itemsize or 1
    if library == CUPY:
        start, first, nbytes = owner.data.ptr, x.data.ptr, owner.nbytes
    else:
        start, end = np.lib.array_utils.byte_bounds(owner)
        nbytes, first = end - start, x.__array_interface__["data"][0]
    geometry = Geometry(shape_of(x), tuple(s // item for s in x.strides), (first - start) // item if x.size else 0)
    return Facts(library, geometry, item, short_dtype(x), start if nbytes else 0, nbytes, id(owner))


def short_dtype(x: Tensor | np.ndarray) -> str:
    """The name of an array's dtype, the same for all libraries.

    >>> short_dtype(np.ones(1))
    'float64'
    """
    return getattr(x.dtype, "name", None) or str(x.dtype).rpartition(".")[2]
