"""The rules one by one: sizes of blocks and segments, the refusal with its way out, settings."""

from __future__ import annotations

import pytest

from tensorwidgets.engine.memory.caching import (
    CachingAllocator,
    MainMemoryDriver,
    OutOfMemoryError,
    Settings,
    SimulatedDriver,
    read_settings,
)
from tensorwidgets.engine.memory.caching.summary import summary

MIB = 1 << 20


def gpu(total: int = 1 << 30, settings: str = "") -> CachingAllocator:
    return CachingAllocator(SimulatedDriver(total), read_settings(settings))


@pytest.mark.parametrize(
    ("request_size", "segment", "blocks"),
    [
        (1, 2 * MIB, [512, 2_096_640]),
        (513, 2 * MIB, [1024, 2_096_128]),
        (MIB, 2 * MIB, [MIB, MIB]),
        (MIB + 1, 20 * MIB, [1_049_088, 19_922_432]),
        (10 * MIB - 511, 10 * MIB, [10 * MIB]),
        (19 * MIB, 20 * MIB, [20 * MIB]),
        (20 * MIB + 1, 22 * MIB, [20_972_032, 2_096_640]),
    ],
)
def test_sizes(request_size: int, segment: int, blocks: list[int]) -> None:
    allocator = gpu()
    allocator.allocate(request_size)
    assert allocator.reserved == segment
    assert [[block.size for block in row] for row in allocator.blocks()] == [blocks]


def test_nothing_is_allocated_for_no_bytes() -> None:
    allocator = gpu()
    block = allocator.allocate(0)
    allocator.free(block)
    assert (block.address, allocator.reserved, allocator.statistics.flat()["allocation.all.allocated"]) == (0, 0, 0)


def test_ties_go_to_the_older_segment() -> None:
    allocator = gpu()
    first = allocator.allocate(10 * MIB)
    second = allocator.allocate(10 * MIB)
    allocator.free(first)
    allocator.empty_cache()
    third = allocator.allocate(10 * MIB)  # at the lowest address, in the newest segment
    assert third.address < second.address
    allocator.free(third)
    allocator.free(second)
    assert allocator.allocate(10 * MIB).address == second.address


def test_out_of_memory_with_memory_to_spare() -> None:
    allocator = gpu(44 * MIB)
    a, b, c, d, e = (allocator.allocate(n) for n in (6 * MIB, 734_003, 7 * MIB, 5 * MIB, 53 * MIB // 4))
    allocator.free(c)
    f = allocator.allocate(3 * MIB)
    with pytest.raises(OutOfMemoryError) as refused:
        allocator.allocate(10 * MIB)
    assert str(refused.value) == (
        "CUDA out of memory. Tried to allocate 10.00 MiB. GPU 0 has a total capacity of 44.00 MiB of which 8.00 MiB is "
        "free. Of the allocated memory 28.70 MiB is allocated by PyTorch, and 7.30 MiB is reserved by PyTorch but "
        "unallocated. If reserved but unallocated memory is large try setting "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory "
        "Management  "
        "(https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)"
    )
    reason = refused.value.reason  # type: ignore[attr-defined]
    assert reason.facts["largest_hole"] == 4 * MIB
    assert reason.facts["makes_room"] == (d.address, e.address)
    assert "largest free block holds 4.00 MiB, and 8.00 MiB of the device are not reserved" in reason.because
    allocator.free(d)
    assert allocator.allocate(10 * MIB).address == f.address + 3 * MIB
    assert a.allocated and b.allocated


def test_a_bound_is_named_in_the_refusal() -> None:
    allocator = gpu(60 * MIB)
    allocator.allow(0.5)
    with pytest.raises(OutOfMemoryError, match=r"60.00 MiB is free\. 30.00 MiB allowed; Of the allocated memory 0 byt"):
        allocator.allocate(40 * MIB)
    allocator.allow(1.0)
    assert allocator.allocate(40 * MIB).size == 40 * MIB


def test_a_freed_block_waits_for_another_stream() -> None:
    allocator = gpu()
    assert isinstance(allocator.driver, SimulatedDriver)
    allocator.driver.work_is_done = False
    block = allocator.allocate(MIB)
    allocator.record_stream(block, 1)
    allocator.free(block)
    assert block.state == "active_awaiting_free"
    assert allocator.allocate(MIB).address != block.address
    allocator.driver.work_is_done = True
    assert allocator.allocate(MIB).address == block.address


def test_segments_of_main_memory_are_bytes() -> None:
    driver = MainMemoryDriver(40 * MIB)
    allocator = CachingAllocator(driver)
    block = allocator.allocate(1000)
    assert block.address % 64 == 0
    driver.memory_at(block.address)[:1000] = 7
    allocator.free(block)
    allocator.empty_cache()
    assert driver.free_bytes == driver.total
    with pytest.raises(OutOfMemoryError):
        allocator.allocate(41 * MIB)


def test_settings_are_read() -> None:
    assert read_settings("") == Settings()
    settings = read_settings("max_split_size_mb:32, roundup_power2_divisions:[2:1,8:4,>:2],large_segment_size_mb:64")
    assert settings.max_split_size == 32 * MIB
    assert settings.large_segment_size == 64 * MIB
    assert settings.roundup_power2_divisions == (1, 4, 4) + (2,) * 13
    assert read_settings("max_split_size_mb:1").max_split_size == 20 * MIB


WRONG_SETTINGS = (
    ("max_non_split_rounding_mb:x", "stoull"),
    ("large_segment_size_mb:10", "CachingAllocator option large_segment_size_mb must be > 10 MB"),
    ("garbage_collection_threshold:1", "garbage_collect_threshold is invalid, set it in (0.0, 1.0)"),
    ("garbage_collection_threshold:x", "stod"),
    ("roundup_power2_divisions:3", "For roundups, the divisions has to be power of 2 "),
    ("roundup_power2_divisions:[3:1]", "For roundups, the intervals have to be power of 2 "),
    (
        "roundup_power2_divisions:[1:2,>:3]",
        "For roundups, the divisions has to be power of 2 or 0 to disable roundup ",
    ),
    ("expandable_segments:maybe", "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'maybe'"),
)


@pytest.mark.parametrize(("text", "message"), WRONG_SETTINGS)
def test_wrong_settings_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        read_settings(text)
    assert str(refused.value) == message


@pytest.mark.torch
@pytest.mark.parametrize(("text", "message"), WRONG_SETTINGS)
def test_pytorch_refuses_them_with_the_same_words(text: str, message: str) -> None:
    import torch

    with pytest.raises(ValueError) as refused:  # noqa: PT011
        torch._C._accelerator_setAllocatorSettings(text)
    assert str(refused.value).split("\n")[0].rstrip() == message.rstrip()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("speed:11", ValueError, "Unrecognized key 'speed'"),
        ("backend:cudaMallocAsync", ValueError, "the backend cudaMallocAsync is not supported"),
        ("max_split_size_mb", ValueError, "Expected ':' after 'max_split_size_mb'"),
        ("expandable_segments:True", RuntimeError, "expandable_segments is not supported"),
    ],
)
def test_settings_that_are_not_here(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_settings(text)


SUMMARY = """\
|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 0                 |
|---------------------------------------------------------------------------|
|            CUDA OOMs: 1            |        cudaMalloc retries: 1         |
|===========================================================================|
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
|---------------------------------------------------------------------------|
| Allocated memory      |   6144 KiB |   6145 KiB |   6145 KiB |   1024 B   |
|---------------------------------------------------------------------------|
| Active memory         |   6144 KiB |   6145 KiB |   6145 KiB |   1024 B   |
|---------------------------------------------------------------------------|
| Requested memory      |   6144 KiB |   6144 KiB |   6144 KiB |   1000 B   |
|---------------------------------------------------------------------------|
| GPU reserved memory   |  20480 KiB |  22528 KiB |  22528 KiB |   2048 KiB |
|---------------------------------------------------------------------------|
| Non-releasable memory |  14336 KiB |  16383 KiB |  16383 KiB |   2047 KiB |
|---------------------------------------------------------------------------|
| Allocations           |       1    |       2    |       2    |       1    |
|---------------------------------------------------------------------------|
| Active allocs         |       1    |       2    |       2    |       1    |
|---------------------------------------------------------------------------|
| GPU reserved segments |       1    |       2    |       2    |       1    |
|---------------------------------------------------------------------------|
| Non-releasable allocs |       1    |       2    |       2    |       1    |
|---------------------------------------------------------------------------|
| Oversize allocations  |       0    |       0    |       0    |       0    |
|---------------------------------------------------------------------------|
| Oversize GPU segments |       0    |       0    |       0    |       0    |
|===========================================================================|
"""


def test_the_summary() -> None:
    allocator = gpu(44 * MIB)
    allocator.allocate(6 * MIB)
    allocator.free(allocator.allocate(1000))
    with pytest.raises(OutOfMemoryError):
        allocator.allocate(40 * MIB)
    assert summary(allocator.statistics.flat(), 0, abbreviated=True) == SUMMARY


def test_statistics_begin_again() -> None:
    allocator = gpu()
    allocator.free(allocator.allocate(6 * MIB))
    allocator.statistics.reset_peak()
    allocator.statistics.reset_accumulated()
    flat = allocator.statistics.flat()
    assert (flat["allocated_bytes.all.peak"], flat["reserved_bytes.all.peak"]) == (0, 20 * MIB)
    assert (flat["allocation.all.allocated"], flat["num_device_alloc"]) == (0, 0)
    nested = allocator.statistics.nested()
    assert nested["segment"]["large_pool"]["current"] == 1  # type: ignore[index]
