"""Storage: one run of bytes with an identity, that any number of tensors may look at.

An `UntypedStorage` is the bytes; a `TypedStorage` reads them as one kind of number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...errors.reasons import refuse
from ...memory import MAIN_MEMORY, ON_META, MetaArray, address_of, moved, place_at, place_of
from ...memory.places import empty
from ...types import dtypes
from ...types.device import CPU, META, device, gpu_is_there, usable
from ...types.dtypes import dtype
from .base import (
    _StorageBase,
    bytes_given,
    checked_int,
    name_of,
    read_place,
    refuse_negative,
    written_place,
)
from .mapped_files import map_file

if TYPE_CHECKING:
    from ..tensor import Tensor
    from .typed import TypedStorage


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


class UntypedStorage(_StorageBase):
    """A run of bytes on a device. Tensors are views of it.

    >>> s = UntypedStorage(4)
    >>> s[0] = 7
    >>> len(s), s[0], s.device
    (4, 7, device(type='cpu'))
    """

    __slots__ = ("_bytes", "_nbytes", "_beyond", "_typed", "_lent", "_shared", "_pinned", "device", "__weakref__")

    def __init__(self, size: Any = 0, *, device: Any = None):
        self._typed: dict[dtype, TypedStorage] = {}
        # Whether another library refers to this memory, so that it cannot move.
        self._lent = self._shared = self._pinned = False
        self._beyond: Any = None
        """The memory of tensors that reach beyond the end, after it was cut off."""
        self.device: device = CPU
        if isinstance(size, np.ndarray) and size.dtype == _BYTE:
            self._bytes: Any = size
        elif not isinstance(size, (int, list, tuple)) and not (place := place_of(size)).in_main_memory:
            self._bytes, self.device = size, place.device
        else:
            self._make(size, CPU if device is None else usable(device))
            return
        self._nbytes = self._bytes.nbytes

    def _make(self, size: Any, where: device) -> None:
        """Make the bytes: so many, or those of a list."""
        self.device = where
        counted = isinstance(size, (int, np.integer)) and not isinstance(size, bool)
        if not counted and is_a_whole_number(size):
            counted, size = True, size.item()
        if not counted:
            values = bytes_given(size)
            self._bytes, self._nbytes = values, values.nbytes
        elif size < 0:
            refuse_negative(size)
        elif size >= 2**63:
            raise ValueError("Overflow when unpacking long long")
        else:
            self._nbytes = int(size)
        if where is META:
            self._bytes = MAIN_MEMORY.zeros((0,), _BYTE)
        elif counted:
            self._bytes = place_at(where).zeros((self._nbytes,), _BYTE)
        elif where is not CPU:
            self._bytes = place_at(where).bring(values)

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """The first bytes of a file, mapped into memory: read when they are used. Writes reach it if it is shared.

        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "bytes"
        >>> path.write_bytes(b"abc")
        3
        >>> s = UntypedStorage.from_file(str(path), shared=True, nbytes=3)
        >>> s[0] = 65
        >>> path.read_bytes(), s.filename == str(path)
        (b'Abc', True)
        """
        storage = cls(map_file(filename, shared, nbytes))
        storage._shared = storage._lent = True
        return storage

    @classmethod
    def _meta(cls, nbytes: int) -> UntypedStorage:
        storage = cls(0)
        storage._nbytes, storage.device = nbytes, META
        return storage

    @classmethod
    def _around(cls, array: Any) -> UntypedStorage:
        """The storage of an array that is not a view: from its first element to its last."""
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
        return address_of(self._bytes if self._beyond is None else self._beyond)

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._nbytes

    size = nbytes
    __len__ = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte; 0 if there are no bytes."""
        return 0 if self.device is META or not self._nbytes else self._address()

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
                "Not available for 'meta' device type",
                "a meta tensor has a shape and no bytes",
                rule="meta.bytes",
            )
        return place_of(self._bytes).fetch(self._bytes)

    def _written(self) -> Any:
        """The bytes where they are, to be written to."""
        return self._readable() if self.device is META else _writable(self._bytes)

    def __getitem__(self, index: Any) -> Any:
        memory = self._bytes if self.device is not META else self._readable()
        place = read_place(index, self._nbytes)
        if not isinstance(place, slice):
            return int(memory[place])
        part = UntypedStorage(memory[place])
        part._lent = True  # the whole storage holds this memory, too
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        place = written_place(index, value, self._nbytes)
        self._written()[place] = value & 0xFF

    def fill_(self, value: int) -> UntypedStorage:
        """Set every byte."""
        byte = checked_int(value, "fill_") & 0xFF
        if self.device is not META:
            self._written()[...] = byte
        return self

    def new(self) -> UntypedStorage:
        """An empty storage."""
        return UntypedStorage()

    def resizable(self) -> bool:
        """Whether the bytes can move, because nothing else refers to them."""
        return not self._lent

    def resize_(self, size: int) -> UntypedStorage:
        """Change the number of bytes. Tensors on the storage keep their sizes, even if they reach beyond its end.

        >>> s = UntypedStorage([1, 2])
        >>> s.resize_(1).tolist()
        [1]
        """
        from ..moving.resizing import resize_storage

        checked_int(size, "resize_", "an ")
        if size < 0:
            refuse_negative(size)
        resize_storage(self, size)
        return self

    def type(self) -> str:
        """The name of the class."""
        return "torch.storage.UntypedStorage"

    @property
    def _cdata(self) -> int:
        return id(self)

    def byteswap(self, dtype: dtype) -> None:
        """Reverse the bytes of each element that they are read as; those of a complex number in each part."""
        if type(dtype) is not dtypes.dtype:
            raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
        width = dtype.itemsize // (2 if dtype.is_complex else 1)
        memory = self._written()
        memory[...] = memory.reshape(-1, width)[:, ::-1].reshape(-1)

    @classmethod
    def _new_shared(cls, size: int, *, device: Any = "cpu") -> UntypedStorage:
        """A new storage that other processes can read and write."""
        return cls(size, device=device).share_memory_() if size else cls(size, device=device)

    def copy_(self, source: Any, non_blocking: bool | None = None) -> UntypedStorage:
        """Copy the bytes of another storage of the same length."""
        if not isinstance(source, _StorageBase):
            refuse(
                TypeError,
                f"copy_(): argument 'src' (position 1) must be torch.Storage, not {name_of(source)}",
                "bytes are copied from a storage",
                "x.untyped_storage()",
                rule="storage.copy",
            )
        other = source.untyped()  # type: ignore[attr-defined]
        if other.nbytes() != self._nbytes:
            refuse(
                RuntimeError,
                f"size does not match, self was {self._nbytes} bytes but src was {other.nbytes()} bytes",
                "a storage is copied whole",
            )
        if self.device is META:
            return self
        if other.device is META:
            _refuse_meta()
        target = self._written()
        target[...] = moved(other._bytes, place_of(target))
        return self

    def clone(self) -> UntypedStorage:
        """A copy of the bytes, with an identity of its own."""
        return UntypedStorage._meta(self._nbytes) if self.device is META else UntypedStorage(self._bytes.copy())

    def cpu(self) -> UntypedStorage:
        """The bytes in main memory; itself if they are there."""
        if self.device is META:
            _refuse_meta()
        return self if self.device is CPU else UntypedStorage(self._readable())

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
        """Whether other processes can read and write the bytes; those on a GPU always can."""
        return self._shared or self.is_cuda

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
        from ..moving.sharing import share

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
        return " " + "\n ".join(map(str, self.tolist())) + "\n" + kind

    def __copy__(self) -> UntypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> UntypedStorage:
        result = memo.get(id(self))
        if result is None:
            result = memo[id(self)] = self.clone()
        return result

    def __reduce__(self) -> tuple:
        if self.device is META:
            return (UntypedStorage._meta, (self._nbytes,))
        if self.device is not CPU:
            return (_storage_of_bytes, (self._readable().tobytes(), str(self.device)))
        return (_storage_of_bytes, (self._bytes.tobytes(),))


def _refuse_meta() -> NoReturn:
    refuse(
        NotImplementedError,
        "Cannot copy out of meta tensor; no data!",
        "a storage on meta has a size and no bytes",
        rule="meta.bytes",
    )


def _storage_of_bytes(data: bytes, where: str = "cpu") -> UntypedStorage:
    values = np.frombuffer(bytearray(data), _BYTE)
    return UntypedStorage(values if where == "cpu" else place_at(usable(where)).bring(values))


def _span(shape: tuple, strides: tuple, itemsize: int) -> int:
    """Bytes from the first element to the end of the last, for strides that are not negative."""
    if 0 in shape:
        return 0
    return sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + itemsize


def is_a_whole_number(value: Any) -> bool:
    """Whether a tensor is one integer."""
    return hasattr(value, "untyped_storage") and value.dim() == 0 and not value.is_floating_point()


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
