"""How does the allocator refuse? PyTorch's message to the character, and where the free bytes are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ...errors.out_of_memory import OutOfMemoryError
from ...errors.reasons import refuse

if TYPE_CHECKING:
    from .allocator import CachingAllocator
    from .blocks import Block


def in_units(nbytes: int) -> str:
    """A number of bytes in PyTorch's words.

    >>> in_units(100), in_units(2048), in_units(10 << 20), in_units(3 << 30)
    ('100 bytes', '2.00 KiB', '10.00 MiB', '3.00 GiB')
    """
    if nbytes <= 1 << 10:
        return f"{nbytes} bytes"
    for shift, unit in ((10, "KiB"), (20, "MiB")):
        if nbytes <= 1 << shift + 10:
            return f"{nbytes / (1 << shift):.2f} {unit}"
    return f"{nbytes / (1 << 30):.2f} GiB"


def out_of_memory_message(allocator: CachingAllocator, nbytes: int) -> str:
    """PyTorch's message; `nbytes` is the size of the segment that the driver refused."""
    driver, allowed = allocator.driver, allocator.allowed
    bound = f"{in_units(allowed)} allowed; " if allowed is not None else ""
    return (
        f"CUDA out of memory. Tried to allocate {in_units(nbytes)}. GPU {allocator.device} has a total capacity of "
        f"{in_units(driver.total)} of which {in_units(driver.free_bytes)} is free. {bound}Of the allocated memory "
        f"{in_units(allocator.allocated)} is allocated by PyTorch, and "
        f"{in_units(allocator.reserved - allocator.allocated)} is reserved by PyTorch but unallocated. If reserved but "
        "unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid "
        "fragmentation.  See documentation for Memory Management  "
        "(https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)"
    )


def refuse_out_of_memory(allocator: CachingAllocator, nbytes: int, size: int, stream: int) -> NoReturn:
    """Raise PyTorch's error, with the largest hole and the blocks whose end would make room."""
    hole, ends = largest_hole(allocator, stream), ends_that_help(allocator, size, stream)
    unreserved = allocator.driver.free_bytes
    because = (
        f"{in_units(size)} must lie in one run: the largest free block holds {in_units(hole)}, and "
        f"{in_units(unreserved)} of the device are not reserved"
    )
    ways = [f"free {_described(block)}: a run of {in_units(run)} becomes free" for block, run in ends[:3]]
    if not ways:
        ways = ["smaller tensors, or free more than one: no single block makes enough room"]
    refuse(
        OutOfMemoryError, out_of_memory_message(allocator, nbytes), because, *ways,
        rule="allocator.out_of_memory", size=size, largest_hole=hole, unreserved=unreserved,
        makes_room=tuple(block.address for block, _ in ends),
    )  # fmt: skip


def largest_hole(allocator: CachingAllocator, stream: int = 0) -> int:
    """The size of the largest free block of a stream."""
    return max((b.size for pool in (allocator.small, allocator.large) for b in pool.of_stream(stream)), default=0)


def ends_that_help(allocator: CachingAllocator, size: int, stream: int) -> list[tuple[Block, int]]:
    """The blocks in use that leave a run of at least `size` bytes if they are freed, with that run; smallest first."""
    found = []
    for row in allocator.blocks():
        for block in row:
            if block.allocated and not block.used_by and block.stream == stream:
                around = [n.size for n in (block.before, block.after) if n is not None and n.state == "inactive"]
                if block.size + sum(around) >= size:
                    found.append((block, block.size + sum(around)))
    return sorted(found, key=lambda pair: pair[0].size)


def _described(block: Block) -> str:
    where = f" that {block.where} allocated" if block.where is not None else f" at {block.address:#x}"
    return f"the block of {in_units(block.size)}{where}"
