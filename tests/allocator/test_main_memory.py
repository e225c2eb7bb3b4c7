"""The caching allocator of main memory: tensors lie in its blocks, and it is drawn."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets import show
from tensorwidgets.engine import memory
from tensorwidgets.engine.memory.caching.main_memory import CachingMemory

MIB = 1 << 20


@pytest.fixture
def cached() -> Iterator[CachingMemory]:
    """A caching allocator of 64 MiB, in use."""
    found = memory.use("caching", total=64 * MIB)
    assert isinstance(found, CachingMemory)
    yield found
    memory.use("pool")


def test_tensors_lie_in_blocks_until_nothing_sees_them(cached: CachingMemory) -> None:
    x = torch.full((MIB,), 2.0)
    y = x + 1
    assert cached.allocator.allocated >= 8 * MIB
    assert x.data_ptr() % 64 == y.data_ptr() % 64 == 0
    address, row = y.data_ptr(), y[5:7]
    array = y.numpy()
    del x, y
    gc.collect()
    assert cached.allocator.allocated == 4 * MIB
    assert row.tolist() == [3.0, 3.0]
    del row, array
    gc.collect()
    assert cached.allocator.allocated == 0
    assert cached.allocator.reserved == 20 * MIB
    zeros = torch.zeros(MIB)
    assert abs(zeros.data_ptr() - address) <= 4 * MIB
    assert zeros.sum() == 0
    cached.empty()


def test_it_is_drawn(cached: CachingMemory) -> None:
    x = torch.empty(2 * MIB)
    text = repr(show.allocator(cached))
    assert text.startswith("The caching allocator (main memory, 64 MiB)")
    assert "[a 8]" in text
    assert x.numel() == 2 * MIB


def test_it_refuses_what_it_may_not_take(cached: CachingMemory) -> None:
    with pytest.raises(RuntimeError, match="you tried to allocate 83886080 bytes"):
        torch.empty(20 * MIB)
    assert cached.statistics().allocated == 0


def test_another_pool_or_a_wrong_name() -> None:
    with pytest.raises(ValueError, match='"pool" and "caching"'):
        memory.use("arena")
    assert memory.use("pool") is memory.shared_pool
    assert torch.ones(MIB).sum() == MIB
    assert np.ones(3).sum() == 3
