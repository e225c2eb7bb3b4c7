"""Programs for the allocator: how one is run, how one is made up, and what must always hold.

A program is a list of lines: `a NAME BYTES STREAM` allocates, `f NAME` frees, `r NAME STREAM` notes a use by a stream,
`e` empties the cache, `m FRACTION` bounds the memory, `w 0` leaves the work of other streams unfinished, `w 1` ends it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from tensorwidgets.engine.memory.caching import (
    Block,
    CachingAllocator,
    OutOfMemoryError,
    SimulatedDriver,
    read_settings,
)

Event = list[str | int]
SETTINGS = (
    "", "max_split_size_mb:21", "roundup_power2_divisions:4", "garbage_collection_threshold:0.6",
    "large_segment_size_mb:40", "roundup_power2_divisions:[2:1,8:4,>:2],max_non_split_rounding_mb:30",
)  # fmt: skip


class Run:
    """An allocator on a simulated driver, and what it did at the latest line."""

    def __init__(self, total: int, settings: str) -> None:
        self.driver = SimulatedDriver(total)
        self.allocator = CachingAllocator(self.driver, read_settings(settings))
        self.events: list[Event] = []
        self.held: dict[str, Block] = {}
        self.allocator.record = lambda *event: self.events.append(list(event[:4]))

    def step(self, line: str) -> str | None:
        """Run one line; the message of an error, if there was one."""
        self.events.clear()
        op, *words = line.split()
        if op == "a":
            try:
                self.held[words[0]] = self.allocator.allocate(int(words[1]), int(words[2]))
            except OutOfMemoryError as error:
                return str(error)
        elif op == "f":
            if words[0] in self.held:
                self.allocator.free(self.held.pop(words[0]))
        elif op == "r":
            if words[0] in self.held:
                self.allocator.record_stream(self.held[words[0]], int(words[1]))
        elif op == "e":
            self.allocator.empty_cache()
        elif op == "m":
            self.allocator.allow(float(words[0]))
        elif op == "w":
            self.driver.work_is_done = words[0] == "1"
        else:
            raise ValueError(line)
        return None


def segments(allocator: CachingAllocator) -> list[list[object]]:
    """The segments as the reference has them, in the order of addresses."""
    found: list[list[object]] = []
    for row in allocator.blocks():
        active = [block for block in row if block.state != "inactive"]
        found.append([
            row[0].address, sum(b.size for b in row), row[0].pool.name, row[0].stream,
            sum(b.size for b in row if b.allocated), sum(b.size for b in active), sum(b.requested for b in active),
            [[b.size, b.requested, b.state] for b in row],
        ])  # fmt: skip
    return sorted(found, key=lambda segment: str(segment[0]))


def made_up(seed: int) -> tuple[int, str, Iterator[str]]:
    """A program: the memory's size, the settings, and the lines."""
    rng = random.Random(seed)
    total = rng.choice((44, 64, 200, 1024)) << 20
    return total, rng.choice(SETTINGS), _lines(rng, rng.choice((1, 1, 2, 3)))


def _lines(rng: random.Random, streams: int) -> Iterator[str]:
    alive: list[int] = []
    for number in range(rng.randrange(20, 100)):
        chance = rng.random()
        if chance < 0.5 or not alive:
            alive.append(number)
            yield f"a {number} {_size(rng)} {rng.randrange(streams)}"
        elif chance < 0.9:
            yield f"f {alive.pop(rng.randrange(len(alive)))}"
        elif chance < 0.94:
            yield f"r {rng.choice(alive)} {rng.randrange(streams)}"
        elif chance < 0.97:
            yield "e"
        elif chance < 0.985:
            yield f"m {rng.choice((0.5, 0.9, 1.0))}"
        else:
            yield f"w {rng.randrange(2)}"


def _size(rng: random.Random) -> int:
    edges = (0, 1, 511, 512, 513, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (10 << 20) - 511, 10 << 20, (20 << 20) + 1)
    top = rng.choice((2 << 10, 1 << 20, 16 << 20, 16 << 20, 80 << 20))
    return rng.choice(edges) if rng.random() < 0.2 else rng.randrange(1, top)


def broken_rules(run: Run) -> list[str]:
    """What does not hold of an allocator; nothing, if it is right."""
    allocator, wrong = run.allocator, []
    rows = list(allocator.blocks())
    free = {id(block) for pool in (allocator.small, allocator.large) for block in pool}
    for row in rows:
        for left, right in pairwise(row):
            if left.address + left.size != right.address or right.before is not left:
                wrong.append(f"{left} and {right} do not touch")
            if left.state == right.state == "inactive":
                wrong.append(f"{left} and {right} are free neighbors")
        if row[0].before is not None or {b.pool.name for b in row} != {row[0].pool.name}:
            wrong.append(f"{row[0]} does not begin a segment")
    blocks = [block for row in rows for block in row]
    if free != {id(block) for block in blocks if block.state == "inactive"}:
        wrong.append("the pools do not hold exactly the free blocks")
    if any(block.size % 512 or block.size <= 0 for block in blocks):
        wrong.append("a size is not a multiple of 512")
    wrong += _wrong_sums(run, rows)
    spans = sorted((row[0].address, row[-1].address + row[-1].size) for row in rows)
    if any(a[1] > b[0] for a, b in pairwise(spans)):
        wrong.append("segments overlap")
    held = sorted((b.address, b.address + b.requested) for b in run.held.values() if b.size)
    if any(a[1] > b[0] for a, b in pairwise(held)):
        wrong.append("two tensors have bytes in common")
    return wrong


def _wrong_sums(run: Run, rows: list[list[Block]]) -> list[str]:
    """The statistics that are not the sums over the blocks."""
    wrong, statistics = [], run.allocator.statistics.stats()
    for pool in ("all", "small_pool", "large_pool"):
        mine = [row for row in rows if pool in ("all", f"{row[0].pool.name}_pool")]
        blocks = [block for row in mine for block in row]
        used = [block for block in blocks if block.allocated]
        active = [block for block in blocks if block.state != "inactive"]
        split = [block for block in blocks if block.state == "inactive" and not block.is_whole]
        sums = {
            "segment": len(mine), "reserved_bytes": sum(b.size for b in blocks),
            "allocation": len(used), "allocated_bytes": sum(b.size for b in used),
            "active": len(active), "active_bytes": sum(b.size for b in active),
            "requested_bytes": sum(b.requested for b in active),
            "inactive_split": len(split), "inactive_split_bytes": sum(b.size for b in split),
        }  # fmt: skip
        for group, wanted in sums.items():
            stat = statistics[f"{group}.{pool}"]
            if stat.current != wanted or stat.allocated - stat.freed != wanted or stat.peak < wanted:
                wrong.append(f"{group}.{pool} is {stat.current}, the blocks say {wanted}")
    if run.driver.total - run.driver.free_bytes != run.allocator.reserved:
        wrong.append("the driver and the allocator differ")
    return wrong
