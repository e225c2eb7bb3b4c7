"""An interrupt, a signal handler, a finaliser or a fork between any two instructions does no harm."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tensorwidgets.engine.memory import shelf
from tensorwidgets.engine.memory.pool import Pool
from tests.engine.memory.interrupts import Stop, before_step, raise_stop
from tests.parts import Part, in_parts

POOL = {str(path) for path in Path(shelf.__file__).parent.glob("*.py")}
BYTE = np.dtype(np.uint8)
LIMIT = 4000


@pytest.fixture(autouse=True, scope="module")
def young() -> None:
    """The collector looks at what these tests make, and at nothing older."""
    gc.collect()
    gc.freeze()


def filled(pool: Pool, nbytes: int, number: int) -> np.ndarray:
    array = pool.array((nbytes,), BYTE)
    array.fill(number)
    return array


def prepared() -> tuple[Pool, list[np.ndarray]]:
    """A pool with memory that is kept and memory that an object still holds, and arrays of it."""
    pool = Pool(LIMIT, slack=0)
    arrays = [filled(pool, size, n) for n, size in enumerate((1024, 1024, 2048, 1024))]
    arrays[0] = arrays[0].base
    del arrays[1]
    return pool, arrays


STEPS: dict[str, Callable[[Pool, list[np.ndarray]], None]] = {
    "memory that is kept, and memory that is held": lambda pool, arrays: hold(pool, arrays, 1024, 1024),
    "fresh memory": lambda pool, arrays: hold(pool, arrays, 2048),
    "more than the limit": lambda pool, arrays: hold(pool, arrays, 9000),
    "older memory is forgotten": lambda pool, arrays: (pool.keep_at_most(2500), pool.keep_at_most(LIMIT)),
    "arrays die": lambda pool, arrays: (arrays.clear(), pool.empty()),
    "statistics": lambda pool, arrays: pool.statistics(),
}


def hold(pool: Pool, arrays: list[np.ndarray], *sizes: int) -> None:
    for size in sizes:
        arrays.append(filled(pool, size, 10 + len(arrays)))


def intact(arrays: list[np.ndarray]) -> bool:
    """Whether every array shows the one number that it was filled with, and no other array's."""
    flat = [a for a in arrays if a.base is not None]
    return all((a == a[0]).all() for a in flat) and len({int(a[0]) for a in flat}) == len(flat)


def check(pool: Pool) -> None:
    """The pool works, no two of its arrays meet, and when they are gone nothing is in use."""
    arrays = [filled(pool, size, n) for n, size in enumerate((1024, 9000, 1024, 2048))]
    spans = sorted((a.ctypes.data, a.ctypes.data + a.nbytes) for a in arrays)
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))
    assert all((a == n).all() and a.ctypes.data % 64 == 0 for n, a in enumerate(arrays))
    del arrays
    s = pool.statistics()
    assert s.allocated == 0
    assert 0 < s.kept <= pool.limit
    assert s.most_allocated <= 32_000
    pool.empty()
    assert pool.statistics().kept == 0


@in_parts(3)
@pytest.mark.parametrize("step", STEPS)
def test_an_interrupt_at_any_instruction_loses_a_memory_at_most(step: str, part: Part) -> None:
    number, more = -1, True
    while more:
        number += 1
        if not part.takes(number):
            continue
        pool, arrays = prepared()
        try:
            more = before_step(number, raise_stop, POOL, lambda: STEPS[step](pool, arrays))  # noqa: B023
        except Stop:
            pass
        hold(pool, arrays, 1024, 2048)
        assert intact(arrays)
        arrays.clear()
        pool.keep_at_most(LIMIT)
        check(pool)
    assert number > 9


def fills(pool: Pool, kept: list[np.ndarray]) -> None:
    hold(pool, kept, 1024, 2048)
    del kept[0]
    pool.statistics()


def frees(pool: Pool, kept: list[np.ndarray]) -> None:
    kept.clear()
    pool.empty()
    pool.keep_at_most(0)
    pool.keep_at_most(LIMIT)


@in_parts(3)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("handler", [fills, frees])
def test_a_handler_that_uses_the_pool_may_come_at_any_instruction(step: str, handler: Callable, part: Part) -> None:
    number, more = -2, True
    while more:
        number += 2
        if not part.takes(number // 2):
            continue
        pool, arrays = prepared()
        kept = [filled(pool, 1024, 8)]
        more = before_step(number, partial(handler, pool, kept), POOL, lambda: STEPS[step](pool, arrays))  # noqa: B023
        assert intact([*arrays, *kept])
        arrays.clear(), kept.clear()
        check(pool)
    assert number > 8


@pytest.mark.fork
@pytest.mark.parametrize("step", STEPS)
def test_a_child_that_is_forked_at_any_instruction_uses_the_pool(step: str) -> None:
    def fork() -> None:
        child = os.fork()
        if child:
            children.append(child)
            return
        code = 1
        try:
            signal.alarm(60)
            assert intact(arrays)
            mine: list[np.ndarray] = []
            hold(pool, mine, 1024, 1024, 2048)
            assert intact(mine)
            where = mine.pop().ctypes.data
            assert pool.array((2048,), BYTE).ctypes.data == where
            code = 0
        finally:
            os._exit(code)

    children: list[int] = []
    number, more = 0, True
    while more:
        pool, arrays = prepared()
        more = before_step(number, fork, POOL, lambda: STEPS[step](pool, arrays))  # noqa: B023
        number += 41
    assert children
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(children)
