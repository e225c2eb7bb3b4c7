"""A module that stands in for CuPy where there is no GPU: its names and refusals, over main memory.

It is no GPU, and it proves nothing about one. It shows that our code calls what CuPy has, with the arguments that CuPy
takes, and that no array is converted on the way: like CuPy's, its arrays refuse that.
"""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np

from tensorwidgets.engine.devices.limits import NotOnDevice, check_function, check_method, check_ufunc


class UnownedMemory:
    """Memory at an address, which its owner keeps."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1):
        self.ptr, self.size, self.owner, self.device_id = ptr, size, owner, device_id


class MemoryPointer:
    """A place in some memory."""

    def __init__(self, mem: UnownedMemory, offset: int):
        self.mem, self.ptr = mem, mem.ptr + offset

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr + offset - self.mem.ptr)


def _memory(nbytes: int) -> MemoryPointer:
    owner = ctypes.create_string_buffer(max(nbytes, 1) + 512)
    address = ctypes.addressof(owner)
    return MemoryPointer(UnownedMemory(address, nbytes + 512, owner), -address % 512)


class ndarray:  # noqa: N801
    """An array that NumPy's protocols carry, and nothing else."""

    def __init__(self, shape: Any, dtype: Any = float, memptr: MemoryPointer | None = None, strides: Any = None):
        shape, dtype = tuple(shape), np.dtype(dtype)
        self.data = memptr or _memory(int(np.prod(shape)) * dtype.itemsize)
        nbytes = 0
        if 0 not in shape:
            steps = strides or np.empty(shape, dtype).strides
            nbytes = sum((n - 1) * s for n, s in zip(shape, steps, strict=True)) + dtype.itemsize
        room = (ctypes.c_ubyte * nbytes).from_address(self.data.ptr) if nbytes else bytearray(dtype.itemsize)
        self._numbers = np.ndarray(shape, dtype, room, 0, strides)

    device = SimpleNamespace(id=0)
    shape = property(lambda self: self._numbers.shape)
    strides = property(lambda self: self._numbers.strides)
    dtype = property(lambda self: self._numbers.dtype)
    ndim = property(lambda self: self._numbers.ndim)
    size = property(lambda self: self._numbers.size)
    itemsize = property(lambda self: self._numbers.itemsize)
    nbytes = property(lambda self: self._numbers.nbytes)
    flags = property(lambda self: self._numbers.flags)

    def get(self) -> np.ndarray:
        return self._numbers.copy()

    def set(self, array: np.ndarray) -> None:
        assert type(array) is np.ndarray and array.dtype == self.dtype and array.shape == self.shape
        self._numbers[...] = array

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        about = self._numbers.__array_interface__
        return {
            "typestr": about["typestr"], "shape": self.shape, "strides": about["strides"], "version": 3,
            "data": (self.data.ptr, False), "descr": about["descr"], "stream": 1,
        }  # fmt: skip

    def __dlpack__(self, stream: Any = None, **named: Any) -> Any:
        return "a capsule of CuPy", stream

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def __index__(self) -> int:
        return self._numbers.__index__()

    def __float__(self) -> float:
        return float(self._numbers)

    def __array__(self, *args: Any, **named: Any) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()`")

    def __getitem__(self, key: Any) -> Any:
        return _outside(self._numbers[_inside(key)], (self,))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._numbers[_inside(key)] = _inside(value)

    def __getattr__(self, name: str) -> Any:
        check_method(name, (), {})
        member = getattr(self._numbers, name)
        if not callable(member):
            return _outside(member, (self,))

        def call(*args: Any, **named: Any) -> Any:
            check_method(name, args, named)
            result = member(*map(_inside, args), **{key: _inside(value) for key, value in named.items()})
            return named["out"] if named.get("out") is not None else _outside(result, (self,))

        return call

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        check_ufunc(ufunc.__name__, method, named)
        return self._called(getattr(ufunc, method), inputs, named)

    def __array_function__(self, function: Any, types: Any, args: Any, named: dict[str, Any]) -> Any:
        check_function(function, args, named)
        return self._called(function, args, named)

    def _called(self, function: Any, args: Any, named: dict[str, Any]) -> Any:
        out = named.get("out")
        result = function(*map(_inside, args), **{key: _inside(value) for key, value in named.items()})
        if out is not None:
            return out[0] if isinstance(out, tuple) and len(out) == 1 else out
        return _outside(result, args)


_OPERATORS = "add radd sub rsub mul rmul truediv rtruediv pow gt lt ge le eq ne and or neg invert matmul"
for _name in _OPERATORS.split():
    setattr(
        ndarray,
        f"__{_name}__",
        lambda self, *other, _name=_name: _outside(getattr(self._numbers, f"__{_name}__")(*map(_inside, other)), ()),
    )


def _inside(value: Any) -> Any:
    if isinstance(value, ndarray):
        return value._numbers
    if isinstance(value, (tuple, list)):
        return type(value)(map(_inside, value))
    if isinstance(value, np.ndarray) and value.ndim:
        raise NotOnDevice("a NumPy array among the operands")
    return value


def _outside(found: Any, sources: Any) -> Any:
    """A result as an array: over the memory of a source that it is a view of, or over new memory."""
    if isinstance(found, (tuple, list)):
        return type(found)([_outside(part, sources) for part in found])
    if not isinstance(found, (np.ndarray, np.generic)):
        return found
    values = np.asarray(found)
    address = values.__array_interface__["data"][0]
    for source in sources:
        if isinstance(source, ndarray) and values.size and np.may_share_memory(values, source._numbers):
            return ndarray(values.shape, values.dtype, source.data + (address - source.data.ptr), values.strides)
    result = ndarray(values.shape, values.dtype)
    result._numbers[...] = values
    return result


def empty(shape: Any, dtype: Any = float) -> ndarray:
    return ndarray(shape, dtype)


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    result = ndarray(shape, dtype)
    result._numbers[...] = 0
    return result


def from_dlpack(array: Any) -> ndarray:
    assert array.__dlpack_device__() == (2, 0)
    return ndarray(array.shape, array.dtype, array.data, array.strides)


def asarray(array: Any) -> ndarray:
    about = array.__cuda_array_interface__
    pointer = MemoryPointer(UnownedMemory(about["data"][0], 0, array), 0)
    return ndarray(about["shape"], about["typestr"], pointer, about["strides"])


def get_default_memory_pool() -> Any:
    return SimpleNamespace(used_bytes=lambda: 0)


class Device:
    """A GPU, as a `with` block."""

    def __init__(self, device: int):
        assert device == 0

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def synchronize(self) -> None:
        pass


class Stream:
    """A stream that has nothing to do."""

    null: Any = SimpleNamespace(ptr=0, use=lambda: _current.append(0), wait_event=lambda event: None)

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: Any = None):
        self.ptr = id(self)

    def use(self) -> Stream:
        _current.append(self.ptr)
        return self

    def wait_event(self, event: Any) -> None:
        assert isinstance(event, Event)


_current = [0]


class Event:
    """An event that is done."""

    done = True

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False):
        pass

    def record(self, stream: Any = None) -> None:
        pass

    def synchronize(self) -> None:
        pass


class CUDARuntimeError(RuntimeError):
    pass


runtime = SimpleNamespace(
    CUDARuntimeError=CUDARuntimeError,
    driverGetVersion=lambda: 12080,
    getDeviceCount=lambda: 1,
    memGetInfo=lambda: (3 << 30, 4 << 30),
    getDeviceProperties=lambda index: {
        "name": b"A stand-in", "major": 9, "minor": 0, "totalGlobalMem": 4 << 30, "multiProcessorCount": 132,
    },
)  # fmt: skip
cuda = SimpleNamespace(
    Device=Device, Stream=Stream, Event=Event, ExternalStream=lambda ptr, device_id=-1: Stream(), runtime=runtime,
    get_current_stream=lambda: SimpleNamespace(ptr=_current[-1]), get_elapsed_time=lambda begin, end: 1.5,
    memory=SimpleNamespace(MemoryPointer=MemoryPointer, UnownedMemory=UnownedMemory), stream=nullcontext,
)  # fmt: skip
