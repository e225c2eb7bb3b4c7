"""What does `torch.cuda.memory_summary()` print? The table of an allocator's statistics, to the character."""

from __future__ import annotations

from collections.abc import Mapping

WIDTH = 75
SIZES = ("B  ", "KiB", "MiB", "GiB", "TiB", "PiB")
COUNTS = (" ", "K", "M")
PARTS = ("current", "peak", "allocated", "freed")
HEAD = "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  "
BYTES = (
    ("allocated_bytes", "Allocated memory"),
    ("active_bytes", "Active memory"),
    ("requested_bytes", "Requested memory"),
    ("reserved_bytes", "GPU reserved memory"),
    ("inactive_split_bytes", "Non-releasable memory"),
)
PIECES = (
    ("allocation", "Allocations"),
    ("active", "Active allocs"),
    ("segment", "GPU reserved segments"),
    ("inactive_split", "Non-releasable allocs"),
)
OVERSIZE = (("oversize_allocations", "Oversize allocations"), ("oversize_segments", "Oversize GPU segments"))


def summary(stats: Mapping[str, int], device: int, abbreviated: bool = False) -> str:
    """The table of the statistics of one device.

    >>> from .statistics import Statistics
    >>> print(summary(Statistics().flat(), 0).splitlines()[1].rstrip())
    |                  PyTorch CUDA memory summary, device ID 0                 |
    """
    pools = [("all", "")]
    if not abbreviated:
        pools += [("large_pool", "      from large pool"), ("small_pool", "      from small pool")]
    thick, thin = "=" * WIDTH, "-" * WIDTH
    lines = [
        thick, f" {'':16} PyTorch CUDA memory summary, device ID {device:<17d} ",
        thin, f"  {'':9} CUDA OOMs: {stats['num_ooms']:<12d} | {'':6} "
        f"cudaMalloc retries: {stats['num_alloc_retries']:<8d}  ",
        thick, HEAD,
    ]  # fmt: skip
    for group, title in (*BYTES, *PIECES):
        lines.append(thin)
        scale = [stats[f"{group}.all.{part}"] for part in PARTS]  # all rows of a group have the units of its first
        for pool, name in pools:
            numbers = [stats[f"{group}.{pool}.{part}"] for part in PARTS]
            lines.append(_row(name or title, numbers, scale, "bytes" in group))
    for group, title in OVERSIZE:
        numbers = [stats[f"{group}.{part}"] for part in PARTS]
        lines += [thin, _row(title, numbers, numbers, False)]
    lines.append(thick)
    return "".join(f"|{line}|\n" for line in lines)


def _row(name: str, numbers: list[int], scale: list[int], in_bytes: bool) -> str:
    form = _size if in_bytes else _count
    cells = [form(number, by) for number, by in zip(numbers, scale, strict=True)]
    return f" {name:<21} | {' | '.join(cells)} "


def _size(number: int, scale: int) -> str:
    """A number of bytes in the unit that suits `scale`, rounded down."""
    unit = _steps(scale, 768 * 1024, 1024, len(SIZES))
    return f"{number // 1024**unit:6d} {SIZES[unit]}"


def _count(number: int, scale: int) -> str:
    """A number of pieces in ones, thousands or millions, rounded down."""
    unit = _steps(scale, 750 * 1000, 1000, len(COUNTS))
    return f"{number // 1000**unit:7d} {COUNTS[unit]} "


def _steps(scale: float, limit: int, factor: int, units: int) -> int:
    """How often a number is divided by a factor until it is below a limit."""
    steps = 0
    while scale >= limit and steps < units - 1:
        scale, steps = scale / factor, steps + 1
    return steps
