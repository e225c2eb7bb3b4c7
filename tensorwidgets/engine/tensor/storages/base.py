"""What storages of bytes and of numbers have in common, and how what is given to them is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...errors.reasons import refuse
from ...types import dtypes
from ...types.device import META, device
from ...types.dtypes import dtype
from .mapped_files import file_of

if TYPE_CHECKING:
    from .typed import TypedStorage


def name_of(value: Any) -> str:
    """How PyTorch names the type of a value."""
    from ..type_names import type_name

    return type_name(value)


class StorageType(type):
    """Prints the class as PyTorch's, so that a lesson reads the same on both."""

    def __repr__(cls) -> str:
        room = "" if "_of" in vars(cls) and cls.__name__ != "TypedStorage" else "storage."
        return f"<class 'torch.{room}{cls.__name__}'>"

    @property
    def dtype(cls) -> dtype:
        """The dtype that the name of a class says, as in ``torch.FloatStorage.dtype``."""
        if "_of" not in vars(cls) or cls.__name__ == "TypedStorage":
            raise AttributeError(f"type object 'torch.storage.{cls.__name__}' has no attribute 'dtype'")
        named: dtype = vars(cls)["_of"]
        return named


class _StorageBase(metaclass=StorageType):
    """What storages of bytes and of numbers have in common."""

    __slots__ = ()
    is_sparse = is_sparse_csr = is_hpu = False

    @property
    def filename(self) -> str | None:
        """The file that the bytes are written to, if they were mapped from one with `from_file(…, shared=True)`."""
        return file_of(self.untyped()._bytes)  # type: ignore[attr-defined]

    def __sizeof__(self) -> int:
        return super().__sizeof__() + self.nbytes()  # type: ignore[attr-defined, no-any-return]

    def get_device(self) -> int | None:
        """The number of the GPU; None in main memory."""
        index: int | None = self._where().index
        return index

    def _where(self) -> Any:
        return self.device  # type: ignore[attr-defined]

    def _to(self, dtype: dtype) -> TypedStorage:
        """A new storage with the elements in another dtype."""
        if type(dtype) is not dtypes.dtype:
            raise TypeError(f"Argument 'dtype' must be torch.dtype, not {type(dtype)}")
        from ..wrapping import tensor_on

        return tensor_on(self).to(dtype, copy=True).storage()  # type: ignore[no-any-return, attr-defined]

    def to(self, *, device: Any, non_blocking: bool = False) -> Any:
        """The elements on another device; itself if they are there."""
        wanted = device if isinstance(device, _Device) else _Device(device)
        if wanted.type == "cuda":
            return self.cuda(wanted.index, non_blocking)  # type: ignore[attr-defined]
        if wanted.type == "meta" and self._where() is not META:
            refuse(
                AssertionError,
                "META device module is not loaded",
                "a storage on meta would have no bytes",
                "x.to('meta') moves a tensor",
                rule="storage.device",
            )
        return self.cpu() if wanted.type == "cpu" else self  # type: ignore[attr-defined]


_Device = device


def _conversion(to: dtype) -> Any:
    def convert(self: _StorageBase) -> TypedStorage:
        return self._to(to)

    convert.__doc__ = f"A new storage with the elements in {to}."
    return convert


_CONVERSIONS = {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "long": dtypes.int64,
    "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "bfloat16": dtypes.bfloat16, "complex_double": dtypes.complex128, "complex_float": dtypes.complex64,
    "float8_e5m2": dtypes.float8_e5m2, "float8_e4m3fn": dtypes.float8_e4m3fn,
    "float8_e5m2fnuz": dtypes.float8_e5m2fnuz, "float8_e4m3fnuz": dtypes.float8_e4m3fnuz,
}  # fmt: skip

for _name, _dtype in _CONVERSIONS.items():
    setattr(_StorageBase, _name, _conversion(_dtype))


# -- what a storage is made of -----------------------------------------------------------------------------------


def refuse_negative(count: int) -> NoReturn:
    """Refuse a negative number of bytes."""
    refuse(
        RuntimeError,
        "[enforce fail at alloc_cpu.cpp:98] ((ptrdiff_t)nbytes) >= 0. alloc_cpu() seems to have been called with "
        f"negative number: {count % 2**64}",
        f"a storage cannot have {count} bytes",
        rule="storage.count",
    )


def checked_int(value: Any, call: str, an: str = "") -> int:
    """A byte, or a number of bytes or elements."""
    if not isinstance(value, int):
        message = f"{call} expects {an}int, but got {name_of(value)}"
        refuse(RuntimeError, message, "bytes are integers, and are counted", rule="storage.value")
    return value


def bytes_given(given: Any) -> np.ndarray:
    """The bytes of a sequence of integers, of which the last 8 bits count."""
    sequence = hasattr(type(given), "__getitem__") and hasattr(type(given), "__len__") and not isinstance(given, dict)
    if not sequence or hasattr(given, "untyped_storage"):
        refuse(
            RuntimeError,
            f"torch.UntypedStorage(): Expected a sequence type, but got {name_of(given)}",
            "a storage is made of a number of bytes, or of the bytes themselves in a list",
            "x.untyped_storage()",
            rule="storage.source",
        )
    items = list(given)
    for item in items:
        if not isinstance(item, int):
            refuse(
                RuntimeError,
                f"torch.UntypedStorage(): tried to construct a storage from a sequence ({name_of(given)}), but one of "
                f"the items was of type {name_of(item)} instead of int",
                "a byte is an integer",
                "torch.tensor(…).untyped_storage()",
                rule="storage.source",
            )
    return np.array([int(item) & 0xFF for item in items], np.uint8)


# -- indices -----------------------------------------------------------------------------------------------------


def read_place(index: Any, length: int) -> Any:
    """The place of one byte that is read, or a slice of neighbours."""
    if isinstance(index, slice):
        return neighbours(index, length)
    if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
        _refuse_index(index, TypeError)
    place = int(index) + length if index < 0 else int(index)
    if not 0 <= place < length:
        outside(place, length)
    return place


def written_place(index: Any, value: Any, length: int) -> Any:
    """The same for bytes that are written: one counts from the first one only."""
    if not isinstance(value, int):
        refuse(
            RuntimeError,
            f"can only set storage content with a int types, but got {name_of(value)} instead",
            "a byte is an integer",
            "int(value)",
            rule="storage.value",
        )
    if isinstance(index, slice):
        return neighbours(index, length)
    if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
        _refuse_index(index, RuntimeError)
    if not 0 <= index < length:
        refuse(RuntimeError, "out of bounds", f"the bytes are counted from 0 to {length - 1}", rule="storage.index")
    return int(index)


def _refuse_index(index: Any, kind: type[Exception]) -> NoReturn:
    refuse(
        kind,
        f"can't index a torch.UntypedStorage with {name_of(index)}",
        "a storage is one row of bytes: it is read by a whole number or a slice",
        rule="storage.index",
    )


def neighbours(index: slice, length: int) -> slice:
    """A slice of a storage, which is one run of bytes."""
    start, stop, step = index.indices(length)
    if step != 1:
        refuse(
            RuntimeError,
            f"Trying to slice with a step of {step}, but only a step of 1 is supported",
            "a part of a storage is a storage, and that is one run of bytes",
            rule="storage.slice",
        )
    return slice(start, max(start, stop))


def outside(place: int, length: int) -> NoReturn:
    """Refuse an index that is outside."""
    refuse(
        IndexError,
        f"index {place} out of range for storage of size {length}",
        f"a storage of {length} elements has the indices 0 to {length - 1}" if length else "this storage is empty",
        rule="storage.index",
        index=place,
        size=length,
    )
