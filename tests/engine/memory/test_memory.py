"""The pool: what is reused, what is kept, and that no memory is reused while something refers to it."""

from __future__ import annotations

import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine import memory
from tensorwidgets.engine.memory.pool import Pool, rounded

COUNT = 1 << 20
"""So many floats lie in the pool."""


@pytest.fixture(autouse=True)
def elsewhere() -> Iterator[int]:
    """An empty pool; the bytes that tensors of other tests, which are still alive, hold of it."""
    gc.collect()
    memory.empty()
    yield memory.statistics().allocated
    memory.empty()


def seven() -> tw.Tensor:
    return tw.full((COUNT,), 6.0) + 1


def overwrite_what_is_free() -> None:
    """Results of the same size, enough of them to use whatever the pool keeps."""
    found = [tw.full((COUNT,), -1.0) * 3 for _ in range(4)]
    assert all(f[0].item() == -3 for f in found)


# -- holders -----------------------------------------------------------------------------------------------------

HOLDERS: dict[str, Callable[[Any], Any]] = {
    "a view": lambda x: x.reshape(4, -1).t()[3:],
    "a detached tensor": lambda x: x.detach(),
    "NumPy's array": lambda x: x.numpy(),
    "a view of NumPy's array": lambda x: x.numpy().reshape(2, -1)[:, ::5].T,
    "NumPy's array as other numbers": lambda x: x.numpy().view(np.int32).view(np.float32),
    "a memoryview": lambda x: memoryview(x.numpy()),
    "a cast slice of a memoryview": lambda x: memoryview(x.numpy()).cast("B")[40:80].cast("f"),
    "an array over a memoryview": lambda x: np.frombuffer(memoryview(x.numpy()), np.float32),
    "a DLPack capsule": lambda x: x.__dlpack__(),
    "an array from DLPack": lambda x: np.from_dlpack(x),
    "an array by the array interface": lambda x: np.asarray(_Interface(x.__array_interface__)),
    "the storage": lambda x: x.untyped_storage(),
    "the typed storage": lambda x: x.storage(),
    "an iterator of storage bytes": lambda x: x.untyped_storage()._bytes,
    "a tensor that was set to the storage": lambda x: tw.empty(0).set_(x.untyped_storage(), 0, (COUNT,), (1,)),
    "a pickle buffer": lambda x: pickle.PickleBuffer(x.numpy()),
}


class _Interface:
    def __init__(self, interface: dict):
        self.__array_interface__ = interface


def numbers(holder: Any) -> np.ndarray:
    """What a holder sees."""
    if isinstance(holder, tw.Tensor):
        return holder.numpy()
    if isinstance(holder, np.ndarray):
        return holder if holder.dtype == np.float32 else holder.view(np.float32)
    if type(holder).__name__ == "PyCapsule":
        return tw.from_dlpack(holder).numpy()
    if isinstance(holder, tw.UntypedStorage):
        return holder._bytes.view(np.float32)
    if hasattr(holder, "_values"):
        return holder._values()
    return np.frombuffer(holder, np.float32)


@pytest.mark.parametrize("kind", HOLDERS)
def test_whoever_holds_a_buffer_keeps_it(kind: str, elsewhere: int) -> None:
    x = seven()
    assert memory.statistics().allocated >= elsewhere + COUNT * 4
    holder = HOLDERS[kind](x)
    del x
    gc.collect()
    assert memory.statistics().allocated >= elsewhere + COUNT * 4
    overwrite_what_is_free()
    seen = numbers(holder)
    assert seen.size and (seen == 7).all()
    del holder, seen
    gc.collect()
    assert memory.statistics().allocated <= elsewhere


@pytest.mark.torch
def test_pytorch_keeps_it_as_well() -> None:
    import torch

    for take in (torch.from_dlpack, lambda x: torch.from_numpy(x.numpy())):
        held = take(seven())
        overwrite_what_is_free()
        assert bool((held == 7).all())


def test_a_buffer_is_reused_when_nobody_sees_it() -> None:
    x = seven()
    where = x.data_ptr()
    del x
    before = memory.statistics().reused
    assert tw.empty(COUNT).data_ptr() == where
    assert memory.statistics().reused == before + 1


def test_a_cycle_gives_its_buffer_back(elsewhere: int) -> None:
    x = seven()
    x.itself = x
    del x
    gc.collect()
    assert memory.statistics().allocated <= elsewhere


# -- storages ----------------------------------------------------------------------------------------------------


def test_storages_grow_move_and_share_as_ever() -> None:
    x = seven()
    view = x[10:20]
    x.resize_(2 * COUNT)
    overwrite_what_is_free()
    assert (x.numpy()[:COUNT] == 7).all()
    assert view.data_ptr() == x.data_ptr() + 40
    y = tw.full((COUNT,), 1.0) + 1
    x.set_(y.untyped_storage(), 0, (COUNT,), (1,))
    overwrite_what_is_free()
    assert (x.numpy() == 2).all() and (view.numpy() == 7).all()
    y.zero_()
    assert x.sum().item() == 0


def test_out_of_the_pool_and_into_it() -> None:
    a, out = seven(), tw.empty(COUNT)
    tw.add(a, 1, out=out)
    assert (out.numpy() == 8).all()
    out.mul_(out)
    assert (out.numpy() == 64).all() and (a.numpy() == 7).all()


def test_large_results_are_aligned() -> None:
    a = tw.rand(1025, 1027)
    for x in (
        tw.empty(COUNT), tw.zeros(COUNT), tw.ones(COUNT), a + 1, a.t().contiguous(), a.double(), a > 0, a.exp(),
        a.cumsum(0), tw.cat([a, a]), a.softmax(1), a @ a.t(), tw.where(a > 0, a, 1.0), a.clone(),
    ):  # fmt: skip
        assert x.data_ptr() % 64 == 0


# -- the pool alone ----------------------------------------------------------------------------------------------


def block(pool: Pool, nbytes: int) -> np.ndarray:
    return pool.array((nbytes,), np.dtype(np.uint8))


def test_blocks_are_aligned_and_do_not_meet() -> None:
    pool = Pool(limit=1 << 20)
    blocks = [block(pool, n) for n in (1, 63, 64, 65, 1000, 1001, 4096)]
    ends = sorted((b.ctypes.data, b.ctypes.data + b.nbytes) for b in blocks)
    assert all(start % 64 == 0 for start, _ in ends)
    assert all(end <= start for (_, end), (start, _) in zip(ends, ends[1:], strict=False))


def test_no_more_is_kept_than_the_limit_and_the_oldest_goes_first() -> None:
    pool = Pool(limit=3000, slack=1 << 20)
    one, two, three, four = (block(pool, 1024) for _ in range(4))
    addresses = [b.ctypes.data for b in (one, two, three, four)]
    del one, two, three, four
    assert pool.statistics().kept == 2048
    assert {block(pool, 1024).ctypes.data for _ in range(1)} == {addresses[3]}
    pool.empty()
    assert pool.statistics().kept == 0
    pool.keep_at_most(0)
    block(pool, 1024)
    assert pool.statistics().kept == 0


def test_what_is_kept_never_lifts_the_whole_above_the_most_that_was_in_use() -> None:
    pool = Pool(limit=1 << 30, slack=0)
    rng = np.random.default_rng(0)
    held: list[Any] = []
    for _ in range(2000):
        if held and rng.random() < 0.5:
            held.pop(int(rng.integers(len(held))))
        else:
            held.append(block(pool, int(rng.integers(1, 100_000))))
        s = pool.statistics()
        assert s.allocated + s.kept <= s.most_allocated
    held.clear()
    assert pool.statistics().allocated == 0


@pytest.mark.parametrize("nbytes", [1, 63, 64, 65, 1023, 1024, 1025, 10**6, 10**9, 4 * 10**8])
def test_sizes_are_rounded_by_an_eighth_at_most(nbytes: int) -> None:
    assert nbytes <= rounded(nbytes) <= max(nbytes * 9 / 8, nbytes + 64)
    assert rounded(rounded(nbytes)) == rounded(nbytes)


def test_memory_that_cannot_be_had_changes_nothing() -> None:
    pool = Pool(limit=1 << 20)
    kept = block(pool, 1000)
    before = pool.statistics()
    for size in (1 << 50, 1 << 62):
        with pytest.raises((MemoryError, ValueError)):
            block(pool, size)
    assert pool.statistics() == before
    assert kept.nbytes == 1000


def test_what_is_kept_is_given_back_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorwidgets.engine.memory import pool as module

    pool = Pool(limit=1 << 20)
    block(pool, 1000)
    assert pool.statistics().kept
    ask = module.system_memory

    def short_of_memory(nbytes: int) -> Any:
        if pool.statistics().kept:
            raise MemoryError
        return ask(nbytes)

    monkeypatch.setattr(module, "system_memory", short_of_memory)
    held = block(pool, 5000)
    assert held.nbytes == 5000
    assert pool.statistics().kept == 0


def test_threads_never_share_a_block() -> None:
    pool = Pool(limit=1 << 22)
    wrong: list[int] = []

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        held: list[np.ndarray] = []
        for _ in range(1500):
            array = block(pool, int(rng.integers(1, 3)) * 4096)
            array[:] = number
            held.append(np.ndarray(array.shape, np.uint8, array))
            del array
            if len(held) > 3:
                wrong.extend(1 for b in held if (b != number).any())
                del held[: int(rng.integers(1, 4))]

    workers = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not wrong
    assert pool.statistics().allocated == 0


def adds_up() -> None:
    """What a child process does: it fails where the sum is another."""
    raise SystemExit(0 if (tw.ones(COUNT) + 1).sum().item() == 2 * COUNT else 1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
def test_a_child_process_computes_on(start: str) -> None:
    before = tw.get_num_threads()
    tw.set_num_threads(2)
    child = multiprocessing.get_context(start).Process(target=adds_up)
    try:
        assert (tw.ones(COUNT) + 1).sum().item() == 2 * COUNT
        child.start()
        child.join(60)
        assert child.exitcode == 0
    finally:
        child.kill()
        tw.set_num_threads(before)


# -- peaks -------------------------------------------------------------------------------------------------------

LOOP = """
import resource, sys
import tensorwidgets as tw

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

count = 4_000_000
a, b = tw.ones(count), tw.ones(count)
bare = most()
c = a + b
one = most() - bare
c = a + b
two = most()
for _ in range(1000):
    c = a + b
print(one, most() - two, c.sum().item() == 2 * count)
"""


def test_a_sum_takes_its_result_and_a_thousand_sums_take_no_more() -> None:
    said = subprocess.run([sys.executable, "-c", LOOP], capture_output=True, text=True, check=True).stdout.split()
    one, growth = int(said[0]), int(said[1])
    assert said[2] == "True"
    assert one < 16_000_000 + 4_000_000
    assert growth < 2_000_000
