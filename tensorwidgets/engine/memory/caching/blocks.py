"""What is a block, and which free block does a request take?

A segment is what the driver handed out in one piece. Blocks tile it from its first byte to its last. A block knows its
neighbours, so that it can merge with them when it is free.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import Any

Key = tuple[int, int, int, int]
"""The order of free blocks: stream, size, the segment's number, address."""


class Block:
    """A run of bytes within one segment."""

    __slots__ = ("address", "size", "requested", "stream", "pool", "segment", "allocated", "before", "after",
                 "used_by", "waits_for", "age", "where")  # fmt: skip

    def __init__(self, address: int, size: int, stream: int, pool: FreeBlocks, segment: int) -> None:
        self.address, self.size, self.stream, self.pool = address, size, stream, pool
        self.requested = 0
        """The bytes that were last requested from it; a rest keeps the number of the block that it was split from."""
        self.segment = segment
        """The number of its segment; later segments have larger numbers."""
        self.allocated = False
        self.before: Block | None = None
        self.after: Block | None = None
        self.used_by: set[int] | None = None
        """Streams besides its own that use it."""
        self.waits_for = 0
        """How many streams must finish before it is free."""
        self.age = 0
        """The number of searches in its pool when it became free."""
        self.where: Any = None
        """The call that it was allocated by, if history is recorded."""

    @property
    def key(self) -> Key:
        return self.stream, self.size, self.segment, self.address

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole segment."""
        return self.before is None and self.after is None

    @property
    def state(self) -> str:
        """PyTorch's word for what it is doing."""
        if self.allocated:
            return "active_allocated"
        return "active_awaiting_free" if self.waits_for else "inactive"

    def __repr__(self) -> str:
        return f"<Block of {self.size} bytes at {self.address:#x}, {self.state}>"


class FreeBlocks:
    """The free blocks of one pool, in the order in which they are preferred.

    >>> pool = FreeBlocks("small")
    >>> pool.add(Block(4096, 1024, 0, pool, segment=1))
    >>> pool.add(Block(0, 2048, 0, pool, segment=0))
    >>> pool.best(0, 600), pool.best(0, 1025), pool.best(1, 600)
    (<Block of 1024 bytes at 0x1000, inactive>, <Block of 2048 bytes at 0x0, inactive>, None)
    """

    def __init__(self, name: str) -> None:
        self.name = name
        """`small` or `large`."""
        self.searches = 0
        self._keys: list[Key] = []
        self._blocks: dict[int, Block] = {}

    def __iter__(self) -> Iterator[Block]:
        blocks = self._blocks
        return iter([blocks[key[3]] for key in self._keys])

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, block: Block) -> None:
        """Add a block that became free."""
        block.age = self.searches
        insort(self._keys, block.key)
        self._blocks[block.address] = block

    def remove(self, block: Block) -> None:
        """Remove a block that is here."""
        del self._keys[bisect_left(self._keys, block.key)]
        del self._blocks[block.address]

    def best(self, stream: int, size: int) -> Block | None:
        """The smallest block of a stream that holds `size` bytes; of equal ones, the one in the oldest segment."""
        at = bisect_left(self._keys, (stream, size))  # type: ignore[arg-type]
        if at == len(self._keys) or self._keys[at][0] != stream:
            return None
        return self._blocks[self._keys[at][3]]

    def of_stream(self, stream: int) -> list[Block]:
        """The free blocks of one stream, the smallest first."""
        return [block for block in self if block.stream == stream]
