"""Answers as JSON and back, with what shares memory still sharing it.

Data from a student's process is read only here: numbers, text, lists, and arrays as bytes with size and strides, which
the engine checks against their storage. None of it is executed.
"""

from __future__ import annotations

import base64
import ctypes
import json
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

import tensorwidgets
from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.sources import is_array

DTYPES = {
    name: getattr(tensorwidgets, name)
    for name in "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128".split()
}
MOST_BYTES = 8_000_000
"""The largest total size of the storages of one message; of a larger answer only the class is sent."""
DEEP, LONG = 12, 10_000
MOST_PARTS = 300_000
"""The largest number of lists, numbers and texts in one message; they take some tens of megabytes."""


def parsed(line: bytes) -> Any:
    """What a line from a student's process says. One that would take very much memory is refused with ValueError.

    >>> parsed(b'{"cell": 3}')
    {'cell': 3}
    """
    if sum(map(line.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise ValueError("a message of too many parts")
    return json.loads(line)


class Sender:
    """Writes values. Memory is sent once, under a key that both sides know it by."""

    def __init__(self, functions: dict[str, Callable] | None = None) -> None:
        self.runs: list[tuple[int, int, str]] = []
        self.kept: list[Any] = []
        self.functions = {} if functions is None else functions
        self.owners: dict[str, list[Any]] = {}
        self.room = MOST_BYTES

    def value(self, value: Any, depth: int = DEEP) -> Any:
        """A value as JSON."""
        if value is None or isinstance(value, (bool, str)):
            return value if not isinstance(value, str) or len(value) <= LONG else {"other": "str"}
        if value is ...:
            return {"dots": True}
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            value = value.item()
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, int):
            return int(value) if abs(value) < 1 << 1000 else {"other": "int"}
        if isinstance(value, float):
            return float(value)
        if isinstance(value, tensorwidgets.dtype):
            return {"named": str(value).removeprefix("torch.")}
        if isinstance(value, (list, tuple)) and depth and len(value) <= LONG:
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.value(v, depth - 1) for v in value]}
        if is_array(value):
            return self._array(value) or {"other": type(value).__name__}
        if callable(value) and not isinstance(value, type):
            key = f"f{len(self.functions)}"
            self.functions[key] = value
            return {"function": key, "called": str(getattr(value, "__name__", "your function"))[:80]}
        return {"other": type(value).__name__[:80]}

    def _array(self, array: Any) -> dict[str, Any] | None:
        try:
            layout = Layout.of(array, values=False)
        except (TypeError, RuntimeError, ValueError):
            return None
        if layout.device.startswith("cuda") and isinstance(array, tensorwidgets.Tensor):
            copy = self._array(array.cpu())
            return copy and {"there": layout.device, "copy": copy}
        if layout.dtype not in DTYPES or layout.device not in ("cpu", "meta"):
            return None
        if layout.device == "meta":
            return {"meta": layout.dtype, "size": list(layout.size), "stride": list(layout.stride)}
        owner = layout.owner
        key, start = self._key(owner.start, owner.nbytes, array)
        if key is None:
            return None
        names = array.names if isinstance(array, tensorwidgets.Tensor) and array.has_names() else None
        return {
            "array": "NumPy" if isinstance(array, np.ndarray) else "tensor",
            "names": names and list(names),
            "storage": key,
            "owner": self._owner(key, array),
            "dtype": layout.dtype,
            "size": list(layout.size),
            "byte_stride": list(layout.byte_stride),
            "byte_offset": layout.byte_offset + owner.start - start,
        }

    def _owner(self, key: str, array: Any) -> int:
        """Which of the storage objects over this memory the tensor reads: an answer may compare them by id."""
        if not isinstance(array, tensorwidgets.Tensor):
            return 0
        known, mine = self.owners.setdefault(key, []), array.untyped_storage()
        if all(one is not mine for one in known):
            known.append(mine)
        return next(k for k, one in enumerate(known) if one is mine)

    def _key(self, start: int, nbytes: int, array: Any) -> tuple[str | None, int]:
        """The key of a run of bytes, and where it begins; a part of a known run goes under that run's key."""
        for known, length, key in self.runs:
            if nbytes and known <= start and start + nbytes <= known + length:
                return key, known
        if nbytes > self.room:
            return None, 0
        self.room -= nbytes
        return self.know(start, nbytes, array), start

    def know(self, start: int, nbytes: int, array: Any, key: str = "") -> str:
        """Give a run of bytes a key; whose it is stays alive as long as this."""
        self.runs.append((start, nbytes, key or f"s{len(self.runs)}"))
        self.kept.append(array)
        return self.runs[-1][2]

    def storages(self) -> dict[str, str]:
        """The bytes of every run, as they are now."""
        return {
            key: base64.b64encode(ctypes.string_at(start, nbytes)).decode() if nbytes else ""
            for start, nbytes, key in self.runs
        }


class Receiver:
    """Reads values. Each storage is made once, so that what shared memory shares it here."""

    def __init__(self, storages: Any, function: Callable[[str, str], Any] | None = None):
        if not isinstance(storages, dict):
            raise ValueError("storages have keys")
        self.buffers = {
            key: tensorwidgets.frombuffer(bytearray(base64.b64decode(data)), dtype=tensorwidgets.uint8)
            if data
            else tensorwidgets.empty(0, dtype=tensorwidgets.uint8)
            for key, data in storages.items()
        }
        self.function = function
        self.owners: dict[tuple[str, int], Any] = {}

    def value(self, data: Any, depth: int = DEEP) -> Any:
        """The value of JSON data; raises ValueError for anything unknown."""
        if data is None or isinstance(data, (bool, int, float)):
            return data
        if isinstance(data, str) and len(data) <= LONG:
            return data
        if not isinstance(data, dict) or not depth:
            raise ValueError("a value of an unknown form")
        match data:
            case {"dots": True}:
                return ...
            case {"complex": [int() | float() as real, int() | float() as imag]}:
                return complex(real, imag)
            case {"named": str() as name} if name in DTYPES:
                return DTYPES[name]
            case {"list": list() as items}:
                return [self.value(v, depth - 1) for v in items]
            case {"tuple": list() as items}:
                return tuple([self.value(v, depth - 1) for v in items])
            case {"there": "cuda:0", "copy": dict() as copy} if tensorwidgets.cuda.is_available():
                return self.value(copy, depth - 1).to("cuda:0")
            case {"array": str() as library}:
                return _named(self._array(data, library), data.get("names"))
            case {"meta": str() as name, "size": size, "stride": stride} if name in DTYPES:
                sizes = _whole_numbers(size), _whole_numbers(stride)
                return tensorwidgets.empty_strided(*sizes, dtype=DTYPES[name], device="meta")
            case {"function": str() as key, "called": str() as called} if self.function:
                return self.function(key, called)
            case {"other": str() as kind}:
                return type(kind if kind.isidentifier() else "object", (), {})()
        raise ValueError("a value of an unknown form")

    def _array(self, data: dict[str, Any], library: str) -> Any:
        dtype, storage = DTYPES.get(str(data.get("dtype"))), self.buffers.get(data.get("storage"))
        size, strides = _whole_numbers(data.get("size")), _whole_numbers(data.get("byte_stride"))
        (offset,) = _whole_numbers([data.get("byte_offset")])
        if dtype is None or storage is None or len(size) != len(strides) or min(size, default=0) < 0:
            raise ValueError("an array of an unknown form")
        if library == "NumPy":
            return self._numpy(storage, dtype, size, strides, offset)
        item = dtype.itemsize
        if offset % item or any(s % item for s in strides):
            raise ValueError("strides that are no whole elements")
        tensor = tensorwidgets.empty(0, dtype=dtype)
        if not prod(size):
            return tensor.reshape(size)
        return tensor.set_(self._owner(data, storage), offset // item, tuple(size), tuple(s // item for s in strides))

    def _owner(self, data: dict[str, Any], storage: Any) -> Any:
        """The storage object that a tensor reads; there can be several over one memory."""
        (which,) = _whole_numbers([data.get("owner", 0)])
        if which == 0:
            return storage.untyped_storage()
        key = (data["storage"], which)
        if key not in self.owners:
            self.owners[key] = tensorwidgets.from_numpy(storage.numpy())
        return self.owners[key].untyped_storage()

    def _numpy(self, storage: Any, dtype: Any, size: list[int], strides: list[int], offset: int) -> Any:
        own = tensorwidgets.empty(0, dtype=dtype).numpy().dtype
        if not prod(size):
            return np.empty(size, own)
        reach = [(n - 1) * s for n, s in zip(size, strides, strict=True)]
        low, high = offset + sum(r for r in reach if r < 0), offset + sum(r for r in reach if r > 0)
        if low < 0 or high + own.itemsize > storage.numel():
            raise ValueError("an array that reaches outside its storage")
        return np.ndarray(tuple(size), own, storage.numpy(), offset, tuple(strides))


def _named(array: Any, names: Any) -> Any:
    """The array with its names, where it has some."""
    if names is None:
        return array
    if not isinstance(names, list) or not all(name is None or isinstance(name, str) for name in names):
        raise ValueError("names of an unknown form")
    return array.rename(*names)


def _whole_numbers(data: Any) -> list[int]:
    """The list, if it is one of such numbers as a size or strides are made of."""
    if not isinstance(data, list) or len(data) > 64 or not all(type(n) is int and abs(n) < 1 << 40 for n in data):
        raise ValueError("an array of an unknown form")
    return data
