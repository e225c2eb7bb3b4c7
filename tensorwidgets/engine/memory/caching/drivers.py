"""Where do segments come from? The simulated GPU's addresses, or main memory."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Protocol

from ..interface import Memory, start_of, system_memory

FIRST_ADDRESS = 0x7000_0000_0000
GRAIN = 2 << 20


class Driver(Protocol):
    """What an allocator needs from the memory underneath."""

    @property
    def total(self) -> int:
        """All bytes."""

    @property
    def free_bytes(self) -> int:
        """Bytes that are not handed out."""

    def malloc(self, nbytes: int) -> int:
        """The address of a new run of bytes; raises `MemoryError` if there is none."""

    def free(self, address: int) -> None:
        """Take a run back."""

    def is_done(self, stream: int) -> bool:
        """Whether the work of a stream is done, so that blocks that it used may be handed out again."""

    def synchronize(self) -> None:
        """Wait for all streams."""


class SimulatedDriver:
    """Addresses of a GPU that does not exist: multiples of 2 MiB, the lowest that are free.

    >>> driver = SimulatedDriver(total=8 << 20)
    >>> [hex(driver.malloc(n)) for n in (2 << 20, 4 << 20)], driver.free_bytes >> 20
    (['0x700000000000', '0x700000200000'], 2)
    """

    def __init__(self, total: int, first_address: int = FIRST_ADDRESS) -> None:
        self.total, self.free_bytes = total, total
        self.work_is_done = True
        """False for work that other streams have not finished."""
        self.first = first_address
        self._sizes: dict[int, int] = {}
        self._in_order: list[int] = []

    def malloc(self, nbytes: int) -> int:
        size = -(-nbytes // GRAIN) * GRAIN
        if size > self.free_bytes:
            raise MemoryError
        address = self.first  # addresses go on without end: as on a GPU, only the number of bytes is limited
        for taken in self._in_order:
            if address + size <= taken:
                break
            address = taken + self._sizes[taken]
        insort(self._in_order, address)
        self._sizes[address] = size
        self.free_bytes -= size
        return address

    def free(self, address: int) -> None:
        self.free_bytes += self._sizes.pop(address)
        del self._in_order[bisect_left(self._in_order, address)]

    def is_done(self, stream: int) -> bool:
        return self.work_is_done

    def synchronize(self) -> None:
        """Nothing to wait for."""


class MainMemoryDriver:
    """Segments of main memory, at multiples of 64 bytes, `total` bytes in all.

    >>> driver = MainMemoryDriver(total=4 << 20)
    >>> address = driver.malloc(2 << 20)
    >>> address % 64, driver.free_bytes >> 20, driver.memory_at(address).nbytes >= 2 << 20
    (0, 2, True)
    """

    def __init__(self, total: int) -> None:
        self.total, self.free_bytes = total, total
        self._memories: dict[int, tuple[Memory, int]] = {}

    def malloc(self, nbytes: int) -> int:
        if nbytes > self.free_bytes:
            raise MemoryError
        memory = system_memory(nbytes)
        address = memory.ctypes.data + start_of(memory)
        self._memories[address] = memory, nbytes
        self.free_bytes -= nbytes
        return address

    def free(self, address: int) -> None:
        self.free_bytes += self._memories.pop(address)[1]

    def is_done(self, stream: int) -> bool:
        return True

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def memory_at(self, address: int) -> Memory:
        """The bytes of the segment that begins at an address."""
        return self._memories[address][0]
