"""Storages read as one kind of number.

There is one `TypedStorage` for each storage and dtype, however often it is asked for, so that
``a.storage() is a.t().storage()`` is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors.reasons import refuse
from ...types import dtypes
from ...types.device import META, device
from ...types.dtypes import dtype
from .base import StorageType, _StorageBase, checked_int, name_of, outside
from .untyped import UntypedStorage, is_a_whole_number


class TypedStorage(_StorageBase):
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

    def __init__(
        self, *args: Any, dtype: dtype | None = None, device: Any = None, wrap_storage: UntypedStorage | None = None
    ):
        self._check_arguments(args, dtype, device, wrap_storage)
        self.dtype = dtype or (self._of if type(self) is not TypedStorage else dtypes.get_default_dtype())
        size = args[0] if args else 0
        if wrap_storage is not None:
            self._untyped_storage = wrap_storage
        elif isinstance(size, (int, np.integer)) or is_a_whole_number(size):
            self._untyped_storage = UntypedStorage(int(size) * self.dtype.itemsize, device=device)
        else:
            from ..wrapping import tensor_on

            like: Any = tensor_on(UntypedStorage(0, device=device), self.dtype)
            self._untyped_storage = like.new_tensor(list(size) if isinstance(size, range) else size).untyped_storage()
        self._untyped_storage._typed.setdefault(self.dtype, self)

    def _check_arguments(self, args: tuple, dtype: Any, device: Any, wrap_storage: Any) -> None:
        """Refuse what no storage is made of."""
        named = type(self) is not TypedStorage
        if dtype is not None and type(dtype) is not dtypes.dtype:
            raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
        known = (
            not args or isinstance(args[0], (int, np.integer)) or _is_sequence(args[0]) or is_a_whole_number(args[0])
        )
        kind: type[Exception] = RuntimeError
        if len(args) > 1 or (wrap_storage is not None and (args or device is not None)):
            why = "too many arguments"
        elif named and (dtype is not None or device is not None):
            why = "the name says the dtype, and the device"
        elif wrap_storage is not None and not named and dtype is None:
            why = "bytes alone do not say what they are read as"
        elif wrap_storage is not None and not isinstance(wrap_storage, UntypedStorage):
            kind, why = TypeError, "wrap_storage is a torch.UntypedStorage"
        elif not known:
            kind, why = TypeError, f"{name_of(args[0])} is neither a number of elements nor a sequence of them"
        else:
            return
        head = f"<class 'torch.{type(self).__name__}'>.__new__" if named else "TypedStorage.__init__"
        refuse(
            kind,
            f"{head} received an invalid combination of arguments. Expected one of:",
            why,
            "torch.tensor(…).storage()",
            rule="storage.arguments",
        )

    @classmethod
    def from_buffer(cls, *args: Any, **named: Any) -> TypedStorage:
        """The elements of a buffer, copied: `from_buffer(buffer, byte_order, count=-1, offset=0)`.

        >>> FloatStorage.from_buffer(bytearray([0x40, 0x10, 0, 0]), "big").tolist()
        [2.25]
        """
        from .from_buffer import bytes_of

        wanted = cls._of
        if cls is TypedStorage:
            wanted = named.pop("dtype", None) or dtypes.get_default_dtype()
            named.pop("device", None)
        for word in ("dtype", "device"):
            if word in named:
                message = (
                    f"from_buffer: '{word}' can only be specified in UntypedStorage.from_buffer and "
                    "TypedStorage.from_buffer"
                )
                refuse(RuntimeError, message, "the class says it", rule="storage.buffer")
        return typed(bytes_of(wanted, *args, **named), wanted)

    def _tensor(self) -> Any:
        """A tensor of all elements."""
        from ..wrapping import tensor_on

        return tensor_on(self)

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
        values = self._values()
        if isinstance(index, slice):
            refuse(
                RuntimeError,
                "slices are only supported in UntypedStorage.__getitem__",
                "a storage of numbers is read one by one",
                "storage.tolist()[a:b]",
                "x[a:b] is a tensor",
                rule="storage.slice",
            )
        if isinstance(index, bool):
            raise TypeError(f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}")
        _must_be_index(index)
        length = len(self)
        if not -length <= index < length:
            outside(index, length)
        return values[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        _must_be_index(index)
        if isinstance(value, _StorageBase):
            raise RuntimeError(f"cannot set item with value type <class 'torch.storage.{_class_name(value)}'>")
        self._tensor()[index] = value

    def fill_(self, value: Any) -> TypedStorage:
        """Set every element."""
        self[0 : len(self)] = value
        return self

    def resizable(self) -> bool:
        """Whether the elements can move, because nothing else refers to their memory."""
        return self._untyped_storage.resizable()

    def resize_(self, size: int) -> None:
        """Change the number of elements. Tensors on the storage keep their sizes."""
        self._untyped_storage.resize_(checked_int(size, "resize_", "an ") * self.dtype.itemsize)

    def clone(self) -> TypedStorage:
        """A copy of the elements, with an identity of its own."""
        return typed(self._untyped_storage.clone(), self.dtype)

    def copy_(self, source: Any, non_blocking: bool | None = None) -> TypedStorage:
        """Copy the bytes of another storage, which are not converted."""
        self._untyped_storage.copy_(source, non_blocking)
        return self

    def cuda(self, device: Any = None, non_blocking: bool = False) -> TypedStorage:
        """The elements on a GPU, the current one if none is named; itself if they are there."""
        below = self._untyped_storage.cuda(device)
        return self if below is self._untyped_storage else typed(below, self.dtype)

    def pickle_storage_type(self) -> str:
        """The name by which a file says what the elements are."""
        return f"{self.dtype._type_name}Storage"

    @property
    def _cdata(self) -> int:
        return self._untyped_storage._cdata

    @classmethod
    def _new_shared(cls, size: int, *, device: Any = "cpu") -> TypedStorage:
        """A new storage that other processes can read and write."""
        below = UntypedStorage._new_shared(size * cls._of.itemsize, device="cpu" if device is None else device)
        return typed(below, cls._of)

    @classmethod
    def from_file(cls, filename: str, shared: bool, size: int) -> TypedStorage:
        """The first elements of a file, mapped into memory."""
        if cls is TypedStorage:
            raise RuntimeError("from_file can only be called on derived classes")
        return typed(UntypedStorage.from_file(filename, shared, size * cls._of.itemsize), cls._of)

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

    # Names by which PyTorch's own code, and what was copied from it, calls the same without a warning.
    _size, _nbytes, _element_size, _data_ptr = size, nbytes, element_size, data_ptr
    _is_shared, _share_memory_, _resize_, _pickle_storage_type = is_shared, share_memory_, resize_, pickle_storage_type

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


def _class_name(storage: _StorageBase) -> str:
    return "TypedStorage" if isinstance(storage, TypedStorage) else "UntypedStorage"


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple, str, bytes, range))


def _must_be_index(index: Any) -> None:
    if not isinstance(index, (int, slice)):
        refuse(
            RuntimeError,
            f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}",
            "a storage is one row of elements: it is read by a whole number",
            rule="storage.index",
        )


_CLASSES: dict[dtype, Any] = {}


def storage_class(of: dtype) -> type[TypedStorage]:
    """The class of storages of one dtype: FloatStorage, LongStorage …

    >>> storage_class(dtypes.int64).__name__
    'LongStorage'
    """
    result: Any = _CLASSES.get(of)
    if result is None:
        package = __name__.partition(".")[0]
        result = _CLASSES[of] = StorageType(
            f"{of._type_name}Storage", (TypedStorage,), {"_of": of, "__slots__": (), "__module__": package}
        )
    return result


FloatStorage = storage_class(dtypes.float32)


def typed(storage: UntypedStorage, of: dtype) -> TypedStorage:
    """The one object that reads this storage as this dtype."""
    result = storage._typed.get(of)
    if result is None:
        named = not storage.is_cuda
        result = storage_class(of)(wrap_storage=storage) if named else TypedStorage(dtype=of, wrap_storage=storage)
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
