"""What has the allocator counted? PyTorch's `memory_stats()`, name by name."""

from __future__ import annotations

from collections import OrderedDict

POOLS = ("all", "small_pool", "large_pool")
GROUPS = (
    "allocation", "segment", "active", "inactive_split",
    "allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes", "requested_bytes",
)  # fmt: skip
"""What is counted for each pool; names with `bytes` count bytes, the others pieces."""
EVENTS = (
    "num_alloc_retries", "num_ooms", "num_oom_rejections", "num_sync_all_streams", "num_device_alloc",
    "num_device_free",
)  # fmt: skip


class Stat:
    """A number that goes up and down: now, at its highest, all that was added, all that was taken away.

    >>> held = Stat()
    >>> held.up(5); held.down(2)
    >>> held.current, held.peak, held.allocated, held.freed
    (3, 5, 5, 2)
    """

    __slots__ = ("current", "peak", "allocated", "freed")

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = 0

    def up(self, amount: int) -> None:
        """Add to it."""
        self.current = current = self.current + amount
        self.allocated += amount
        if current > self.peak:
            self.peak = current

    def down(self, amount: int) -> None:
        """Take away from it."""
        self.current -= amount
        self.freed += amount

    def changed(self, amount: int) -> None:
        """Add a number that may be negative."""
        if amount > 0:
            self.up(amount)
        elif amount:
            self.down(-amount)


class Counts:
    """One `Stat` for each group, of one pool or of all."""

    __slots__ = GROUPS
    allocation: Stat
    segment: Stat
    active: Stat
    inactive_split: Stat
    allocated_bytes: Stat
    reserved_bytes: Stat
    active_bytes: Stat
    inactive_split_bytes: Stat
    requested_bytes: Stat

    def __init__(self) -> None:
        for group in GROUPS:
            setattr(self, group, Stat())


class Statistics:
    """Everything that one allocator counts."""

    def __init__(self) -> None:
        self.all, self.small_pool, self.large_pool = Counts(), Counts(), Counts()
        self.oversize_allocations, self.oversize_segments = Stat(), Stat()
        self.num_alloc_retries = self.num_ooms = self.num_sync_all_streams = 0
        self.num_device_alloc = self.num_device_free = 0
        self.num_oom_rejections = 0
        """Always 0: no setting here refuses a request before the driver does."""
        self.max_split_size = -1

    def stats(self) -> dict[str, Stat]:
        """All that go up and down, by their names."""
        named = {f"{group}.{pool}": getattr(getattr(self, pool), group) for group in GROUPS for pool in POOLS}
        return {**named, "oversize_allocations": self.oversize_allocations, "oversize_segments": self.oversize_segments}

    def flat(self) -> OrderedDict[str, int]:
        """What `torch.cuda.memory_stats()` returns: flat names, sorted.

        >>> Statistics().flat()["allocated_bytes.all.peak"]
        0
        """
        values: dict[str, int] = {name: getattr(self, name) for name in (*EVENTS, "max_split_size")}
        for name, stat in self.stats().items():
            values.update({f"{name}.{part}": getattr(stat, part) for part in Stat.__slots__})
        return OrderedDict(sorted(values.items()))

    def nested(self) -> dict[str, object]:
        """What `torch.cuda.memory_stats_as_nested_dict()` returns."""
        result: dict[str, object] = {name: getattr(self, name) for name in (*EVENTS, "max_split_size")}
        for name, stat in self.stats().items():
            group, _, pool = name.partition(".")
            numbers = {part: getattr(stat, part) for part in Stat.__slots__}
            if pool:
                result.setdefault(group, {})[pool] = numbers  # type: ignore[index]
            else:
                result[name] = numbers
        return result

    def reset_peak(self) -> None:
        """Begin the highest values again at the current ones."""
        for stat in self.stats().values():
            stat.peak = stat.current

    def reset_accumulated(self) -> None:
        """Set what was added, taken away and counted to 0."""
        for stat in self.stats().values():
            stat.allocated = stat.freed = 0
        self.num_alloc_retries = self.num_ooms = 0
        self.num_sync_all_streams = self.num_device_alloc = self.num_device_free = 0
