"""A fork in the middle of another thread's allocation leaves the child with allocators that work."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.memory.caching.main_memory import CachingMemory

pytestmark = pytest.mark.fork


def in_a_child(work: Callable[[], None]) -> int:
    """The exit status of a forked child that does some work within ten seconds."""
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(10)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Some work again and again in another thread. Once before that, so that nothing is imported during a fork."""
    done = threading.Event()
    work()

    def again() -> None:
        while not done.is_set():
            work()

    thread = threading.Thread(target=again)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_child_allocates_on_a_simulated_gpu() -> None:
    def work() -> None:
        assert torch.ones(5000, device="cuda").sum().item() == 5000

    with torch.cuda.simulate(memory="64 MiB"), beside(work):
        assert [in_a_child(work) for _ in range(20)] == [0] * 20


def test_a_child_allocates_main_memory() -> None:
    cached = CachingMemory(total=64 << 20)

    def work() -> None:
        cached.array((5000,), np.dtype("f4"))[:] = 1

    with beside(work):
        assert [in_a_child(work) for _ in range(20)] == [0] * 20


def test_a_signal_handler_may_fork_inside_an_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorwidgets.engine.memory.caching import forking

    monkeypatch.setattr(forking, "PATIENCE", 0.01)
    cached = CachingMemory(total=64 << 20)
    with cached._lock:
        assert in_a_child(lambda: None) == 0
    assert cached.array((3,), np.dtype("f4")).size == 3
