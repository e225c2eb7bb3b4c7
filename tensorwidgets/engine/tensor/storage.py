"""Storage: one run of bytes with an identity, that any number of tensors may look at.

An `UntypedStorage` is the bytes; a `TypedStorage` reads them as one kind of number. There is one typed storage for
each storage and dtype, however often it is asked for, so that ``a.storage() is a.t().storage()`` is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..errors.reasons import refuse
from ..memory import MAIN_MEMORY, ON_META, MetaArray, address_of, moved, place_at, place_of
from ..memory.places import empty
from ..types import dtypes
from ..types.device import CPU, META, device, gpu_is_there, usable
from ..types.dtypes import dtype

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


_BYTE = np.dtype(np.uint8)


def refuse_pinning(meta_of: str) -> NoReturn:
    """Refuse to pin bytes for a GPU; `meta_of` is the dtype if there are no bytes either."""
    refuse(
        RuntimeError,
        f"cannot pin 'Meta{meta_of}Type' only dense CPU tensors can be pinned"
        if meta_of
        else "Cannot access accelerator device when none is available.",
        "memory is pinned so that a GPU can read it, and there is no GPU here",
        "x",
        rule="storage.pin",
    )


class StorageType(type):
    """Prints the class as PyTorch's, so that a lesson reads the same on both."""

    def __repr__(cls) -> str:
        room = "" if "_of" in vars(cls) and cls.__bases__ != (object,) else "storage."
        return f"<class 'torch.{room}{cls.__name__}'>"


class UntypedStorage(metaclass=StorageType):
    """A run of bytes on a device. Tensors are views of it.

    >>> s = UntypedStorage(4)
    >>> s[0] = 7
    >>> len(s), s[0], s.device
    (4, 7, device(type='cpu'))
    """

    __slots__ = ("_bytes", "_nbytes", "_typed", "_lent", "_shared", "_pinned", "device", "__weakref__")

    def __init__(self, source: Any = 0, *, device: Any = None):
        self._typed: dict[dtype, TypedStorage] = {}
        # Whether another library refers to this memory, so that it cannot move.
        self._lent = self._shared = self._pinned = False
        self.device: device = CPU
        if isinstance(source, np.ndarray):
            self._bytes: Any = source
        elif not isinstance(source, (int, list, tuple)) and not (place := place_of(source)).in_main_memory:
            self._bytes, self.device = source, place.device
        elif isinstance(source, int):
            self._bytes = MAIN_MEMORY.zeros((source,), _BYTE)
        else:
            self._bytes = np.array(list(source), _BYTE)
        self._nbytes = self._bytes.nbytes

    @classmethod
    def _meta(cls, nbytes: int) -> UntypedStorage:
        storage = cls(0)
        storage._nbytes, storage.device = nbytes, META
        return storage

    @classmethod
    def _around(cls, array: Any) -> UntypedStorage:
        """The storage of an array that is no view: from its first element to its last."""
        if type(array) is MetaArray:
            return cls._meta(_span(array.shape, array.strides, array.itemsize))
        if array.size == 0:
            return cls(empty((0,), _BYTE, array))
        if type(array) is not np.ndarray and not (place := place_of(array)).in_main_memory:
            nbytes = _span(array.shape, array.strides, array.itemsize)
            return cls(place.view(array, (nbytes,), (1,), _BYTE))
        if array.flags.c_contiguous:
            return cls(array.reshape(-1).view(_BYTE))
        nbytes = _span(array.shape, array.strides, array.itemsize)
        if array.dtype.isbuiltin != 1:
            array = array.view(f"u{array.itemsize}")  # NumPy lays no strides over types that it does not know
        whole = np.lib.stride_tricks.as_strided(array, (nbytes // array.itemsize,), (array.itemsize,))
        return cls(whole.view(_BYTE))

    def _array(self, size: tuple, stride: tuple, offset: int, numpy_dtype: np.dtype) -> Any:
        """The array that reads these bytes by size, stride and offset (in elements)."""
        itemsize = numpy_dtype.itemsize
        strides = tuple([s * itemsize for s in stride])
        place = ON_META if self.device is META else place_of(self._bytes)
        return place.view(self._bytes, size, strides, numpy_dtype, offset * itemsize)

    def _address(self) -> int:
        return address_of(self._bytes) if self._nbytes else 0

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._nbytes

    size = nbytes
    __len__ = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte; 0 if there are no bytes."""
        return 0 if self.device is META else self._address()

    def element_size(self) -> int:
        return 1

    def tolist(self) -> list[int]:
        """The bytes as Python numbers."""
        found: list[int] = self._readable().tolist()
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def _readable(self) -> np.ndarray:
        if self.device is META:
            refuse(
                NotImplementedError,
                "Not available for 'meta' device",
                "a meta tensor has a shape and no bytes",
                rule="meta.bytes",
            )
        return place_of(self._bytes).fetch(self._bytes)

    def _written(self) -> Any:
        """The bytes where they are, to be written to."""
        return self._readable() if self.device is META else _writable(self._bytes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return UntypedStorage(self._bytes[index] if self.device is not META else self._readable())
        index = _checked(index, self._nbytes)
        return int((self._bytes if self.device is not META else self._readable())[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            index = _checked(index, self._nbytes)
        self._written()[index] = value

    def fill_(self, value: int) -> UntypedStorage:
        """Set every byte."""
        self._written()[...] = value
        return self

    def copy_(self, source: Any) -> UntypedStorage:
        """Copy the bytes of another storage of the same length."""
        other = source._untyped_storage if isinstance(source, TypedStorage) else source
        if other.nbytes() != self._nbytes:
            refuse(
                RuntimeError,
                f"size does not match, self was {self._nbytes} bytes but src was {other.nbytes()} bytes",
                "a storage is copied whole",
            )
        target = self._written()
        source = other._readable() if other.device is META else other._bytes
        target[...] = moved(source, place_of(target))
        return self

    def clone(self) -> UntypedStorage:
        """A copy of the bytes, with an identity of its own."""
        return UntypedStorage(self._readable().copy() if self.device is META else self._bytes.copy())

    def cpu(self) -> UntypedStorage:
        """The bytes in main memory; itself if they are there."""
        return self if self.device in (CPU, META) else UntypedStorage(self._readable())

    def cuda(self, device: str | int | device | None = None, non_blocking: bool = False) -> UntypedStorage:
        """The bytes on a GPU, the current one if none is named; itself if they are there."""
        wanted = usable("cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)
        return self if self.device == wanted else UntypedStorage(moved(self._bytes, place_at(wanted)))

    @property
    def is_cuda(self) -> bool:
        """Whether the bytes are on a GPU."""
        return self.device.type == "cuda"

    def untyped(self) -> UntypedStorage:
        return self

    def is_shared(self) -> bool:
        return self._shared

    def share_memory_(self) -> UntypedStorage:
        """Move the bytes to memory that other processes can read and write."""
        self._share()
        return self

    def _share(self, known: Tensor | None = None) -> None:
        """The same, where one tensor on the storage is known."""
        if self.device is META:
            refuse(
                RuntimeError,
                "_share_fd_: only available on CPU",
                "a storage on meta has no bytes to share",
                rule="storage.share",
            )
        from .moving.sharing import share

        share(self, known)

    def is_pinned(self, device: str | int | device | None = None) -> bool:
        """Whether the bytes are pinned for a GPU."""
        return self._pinned

    def pin_memory(self, device: Any = None) -> UntypedStorage:
        """A copy that is pinned for a GPU; itself if it is."""
        if self._pinned:
            return self
        if not gpu_is_there():
            refuse_pinning("")
        copy = self.clone()
        copy._pinned = True
        return copy

    def __repr__(self) -> str:
        kind = f"[torch.storage.UntypedStorage(device={self.device}) of size {self._nbytes}]"
        if self.device is META:
            return "...\n" + kind
        return "\n".join([f" {b}" for b in self.tolist()] + [kind])

    def __copy__(self) -> UntypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> UntypedStorage:
        result = memo.get(id(self))
        if result is None:
            result = memo[id(self)] = self.clone() if self.device is not META else UntypedStorage._meta(self._nbytes)
        return result

    def __reduce__(self) -> tuple:
        if self.device is META:
            return (UntypedStorage._meta, (self._nbytes,))
        if self.device is not CPU:
            return (_storage_of_bytes, (self._readable().tobytes(), str(self.device)))
        return (_storage_of_bytes, (self._bytes.tobytes(),))


def _storage_of_bytes(data: bytes, where: str = "cpu") -> UntypedStorage:
    values = np.frombuffer(bytearray(data), _BYTE)
    return UntypedStorage(values if where == "cpu" else place_at(usable(where)).bring(values))


def _span(shape: tuple, strides: tuple, itemsize: int) -> int:
    """Bytes from the first element to the end of the last, for strides that are not negative."""
    if 0 in shape:
        return 0
    return sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + itemsize


def _checked(index: Any, length: int) -> int:
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        refuse(
            RuntimeError,
            f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}",
            "a storage is one row of elements: it is read by a whole number or a slice",
            rule="storage.index",
        )
    position = index.__index__()
    if not -length <= position < length:
        refuse(
            IndexError,
            f"index {position} out of range for storage of size {length}",
            f"a storage of {length} elements has the indices 0 to {length - 1}" if length else "this storage is empty",
            rule="storage.index",
            index=position,
            size=length,
        )
    return position + length if position < 0 else position


def _writable(array: np.ndarray) -> Any:
    if type(array) is np.ndarray and not array.flags.writeable:
        refuse_read_only()
    return array


def refuse_read_only() -> None:
    """The one refusal of writes to memory that its owner lent for reading."""
    refuse(
        RuntimeError,
        "the memory of this tensor is read-only",
        "it was lent by an array or buffer that does not allow writing",
        "x.clone()",
        rule="storage.read_only",
    )


class TypedStorage(metaclass=StorageType):
    """A storage read as one kind of number.

    >>> s = FloatStorage([4.0, 1.0])
    >>> s[0] = 2.0
    >>> print(s)
     2.0
     1.0
    [torch.FloatStorage of size 2]
    """

    __slots__ = ("_untyped_storage", "dtype", "__weakref__")
    _of: dtype = dtypes.float32

    def __init__(self, source: Any = 0, *, dtype: dtype | None = None, wrap_storage: UntypedStorage | None = None):
        self.dtype = dtype or type(self)._of
        if wrap_storage is not None:
            self._untyped_storage = wrap_storage
        elif isinstance(source, int):
            self._untyped_storage = UntypedStorage(source * self.dtype.itemsize)
        else:
            values = np.array(list(source)).astype(self.dtype._in_numpy)
            self._untyped_storage = UntypedStorage(values.reshape(-1).view(_BYTE))
        self._untyped_storage._typed.setdefault(self.dtype, self)

    def untyped(self) -> UntypedStorage:
        """The bytes below."""
        return self._untyped_storage

    @property
    def device(self) -> device:
        return self._untyped_storage.device

    def _values(self) -> np.ndarray:
        whole = len(self) * self.dtype.itemsize
        return self._untyped_storage._readable()[:whole].view(self.dtype._in_numpy)

    def __len__(self) -> int:
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def size(self) -> int:
        """How many elements there are."""
        return len(self)

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._untyped_storage.nbytes()

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._untyped_storage.data_ptr()

    def tolist(self) -> list:
        """The elements as Python numbers."""
        return self._values().tolist()

    def __iter__(self) -> Iterator:
        return iter(self.tolist())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._values()[index].tolist()
        return self._values()[_checked(index, len(self))].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            index = _checked(index, len(self))
        self._written()[index] = value

    def _written(self) -> Any:
        whole = len(self) * self.dtype.itemsize
        return self._untyped_storage._written()[:whole].view(self.dtype._in_numpy)

    def fill_(self, value: Any) -> TypedStorage:
        """Set every element."""
        self[:] = value
        return self

    def clone(self) -> TypedStorage:
        """A copy of the elements, with an identity of its own."""
        return typed(self._untyped_storage.clone(), self.dtype)

    def copy_(self, source: Any) -> TypedStorage:
        """Copy the elements of another storage, converting them."""
        target = self._written()
        target[:] = moved(source._values().astype(self.dtype._in_numpy), place_of(target))
        return self

    def type(self) -> str:
        return f"torch.{'cuda.' * self.is_cuda}{self.dtype._type_name}Storage"

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a GPU."""
        return self._untyped_storage.is_cuda

    def is_shared(self) -> bool:
        return self._untyped_storage.is_shared()

    def share_memory_(self) -> TypedStorage:
        """Move the elements to memory that other processes can read and write."""
        self._untyped_storage.share_memory_()
        return self

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the elements are pinned for a GPU."""
        return self._untyped_storage.is_pinned()

    def pin_memory(self, device: Any = None) -> TypedStorage:
        """A copy that is pinned for a GPU; itself if it is."""
        return typed(self._untyped_storage.pin_memory(), self.dtype)

    def cpu(self) -> TypedStorage:
        """The elements in main memory; itself if they are there."""
        below = self._untyped_storage.cpu()
        return self if below is self._untyped_storage else typed(below, self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypedStorage) and self.dtype is other.dtype and self.data_ptr() == other.data_ptr()

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        if self.device is META:
            return f"...\n[torch.{self.dtype._type_name}Storage of size {len(self)}]"
        if self.is_cuda:
            kind = f"[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}]"
            return "\n ".join([" " * bool(len(self)) + "\n ".join(map(str, self.tolist()))]) + "\n" + kind
        return storage_repr(self._values(), f"{self.dtype._type_name}Storage")

    def __copy__(self) -> TypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> TypedStorage:
        return typed(self._untyped_storage.__deepcopy__(memo), self.dtype)

    def __reduce__(self) -> tuple:
        return (typed, (self._untyped_storage, self.dtype))


_CLASSES: dict[dtype, Any] = {}


def storage_class(of: dtype) -> type[TypedStorage]:
    """The class of storages of one dtype: FloatStorage, LongStorage …

    >>> storage_class(dtypes.int64).__name__
    'LongStorage'
    """
    result: Any = _CLASSES.get(of)
    if result is None:
        result = _CLASSES[of] = StorageType(
            f"{of._type_name}Storage", (TypedStorage,), {"_of": of, "__slots__": (), "__module__": __name__}
        )
    return result


FloatStorage = storage_class(dtypes.float32)


def typed(storage: UntypedStorage, of: dtype) -> TypedStorage:
    """The one object that reads this storage as this dtype."""
    result = storage._typed.get(of)
    if result is None:
        kind = TypedStorage if storage.is_cuda else storage_class(of)
        result = kind(dtype=of, wrap_storage=storage)
    return result


def storage_repr(values: np.ndarray, type_name: str) -> str:
    """A storage: one element a line in Python's own notation, then what it is.

    >>> print(storage_repr(np.array([4, 0.5]), "DoubleStorage"))
     4.0
     0.5
    [torch.DoubleStorage of size 2]
    """
    elements = "\n ".join(map(str, values.tolist()))
    return f" {elements}\n[torch.{type_name} of size {values.size}]"
