"""How is a GPU simulated? `torch.cuda.simulate()` makes places over arenas of bytes, and says that it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import Any, NoReturn

import numpy as np

from ..dispatch.kinds import KINDS
from ..errors.reasons import refuse
from ..memory.places import Place, forget, register
from ..types.device import device
from .arena import Arena
from .creations import fill_there
from .simulated_array import CLASSES, SimulatedArray, is_dense, laid, placed


class SimulatedPlace(Place):
    """The memory of a simulated GPU."""

    key = KINDS["device"].key

    def __init__(self, index: int, total: int):
        self.device = device("cuda", index)
        self.arena = Arena(index, total)
        self.streams = self.arena.streams

    def empty(self, size: tuple[int, ...], dtype: np.dtype) -> SimulatedArray:
        # A size may be a tensor without dimensions, which computes here and must not while the arena is locked.
        block = self.arena.block(int(prod(size) * dtype.itemsize))
        return laid(self.arena.numbers(block, size, None, dtype, 0), block)

    def zeros(self, size: tuple[int, ...], dtype: np.dtype) -> SimulatedArray:
        array = self.empty(size, dtype)
        array._numbers.view(np.uint8 if dtype.itemsize and array.ndim else dtype).fill(0)
        return array

    def view(
        self, memory: Any, size: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype, offset: int = 0
    ) -> SimulatedArray:
        block = memory._block
        begin = self.arena.address(memory._numbers) - block.address if memory.size else 0
        return laid(self.arena.numbers(block, size, strides, dtype, begin + offset), block)

    def address(self, array: Any) -> int:
        return self.arena.address(array._numbers)

    def owner(self, array: Any) -> Any:
        return getattr(array, "_block", None)

    def record_stream(self, array: Any, number: int) -> None:
        """Note that a stream uses an array's memory."""
        self.arena.record_stream(array._block, number)

    def fetch(self, array: Any) -> np.ndarray:
        numbers = array._numbers
        self.streams.copy(numbers.nbytes)
        if not numbers.size or is_dense(numbers):
            copy = np.ndarray(numbers.shape, numbers.dtype, bytearray(max(numbers.nbytes, 1)), 0, numbers.strides)
            copy[...] = numbers
            return copy
        # Gaps and repetitions come along, so that the strides stay what they are.
        span = sum((n - 1) * s for n, s in zip(numbers.shape, numbers.strides, strict=True)) + numbers.itemsize
        whole = self.arena.numbers(
            array._block, (span,), None, np.dtype(np.uint8), self.address(array) - array._block.address
        )
        return np.ndarray(numbers.shape, numbers.dtype, bytearray(whole), 0, numbers.strides)

    def fill(self, array: np.ndarray, fill: Callable[[Any], Any], name: str) -> None:
        fill_there(self, array, fill, name)

    def bring(self, values: np.ndarray) -> SimulatedArray:
        self.streams.copy(values.nbytes)
        return placed(values, self.arena)


class SimulatedGpus:
    """Some simulated GPUs."""

    words = "simulated"

    def __init__(self, count: int, memory: int):
        self.places = [SimulatedPlace(i, memory) for i in range(count)]

    def name(self, index: int) -> str:
        return "Simulated GPU (tensorwidgets; computed by NumPy in main memory)"

    def capability(self, index: int) -> tuple[int, int]:
        return (0, 0)

    def total(self, index: int) -> int:
        return self.places[index].arena.total

    def memory(self, index: int) -> tuple[int, int]:
        """Free and total bytes."""
        arena = self.places[index].arena
        arena.live_blocks()
        return arena.driver.free_bytes, arena.total

    def taken(self, array: np.ndarray) -> NoReturn:
        """Refuse another library's array on a real GPU."""
        refuse(
            RuntimeError,
            "a simulated GPU cannot read the memory of a real one",
            "the simulation is on, and this array is on a real GPU",
            "stop the simulation first",
            rule="device.simulate",
        )

    def processors(self, index: int) -> int:
        """The number of processors that compute: none, for NumPy computes."""
        return 0

    def allocated(self, index: int) -> int:
        """How many bytes tensors occupy."""
        free, total = self.memory(index)
        return total - free

    def crossed(self) -> int:
        """How many bytes were copied between main memory and all of them."""
        return sum(place.streams.crossed for place in self.places)

    def synchronize(self, index: int) -> None:
        self.places[index].streams.synchronize()

    def live(self) -> int:
        """How many blocks are in use."""
        return sum(place.arena.live_blocks() for place in self.places)

    def enter(self) -> None:
        for i, place in enumerate(self.places):
            CLASSES[i] = type("SimulatedArray", (SimulatedArray,), {"__slots__": (), "__module__": __name__})
            register(CLASSES[i], place)

    def leave(self) -> None:
        for i, place in enumerate(self.places):
            forget(CLASSES.pop(i), place)


_UNITS = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def read_bytes(memory: str) -> int:
    """A number of bytes as users write it.

    >>> read_bytes("64 MiB"), read_bytes(4096)
    (67108864, 4096)
    """
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", memory) if isinstance(memory, str) else None
    if found is None or found[2].lower() not in _UNITS or not float(found[1]):
        refuse(
            ValueError,
            f"memory={memory!r} is not a number of bytes",
            "the memory of a simulated GPU is a whole number of bytes, or a number with a unit",
            'memory="64 MiB"',
            rule="device.simulate",
        )
    return int(float(found[1]) * _UNITS[found[2].lower()])
