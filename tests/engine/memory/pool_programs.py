"""Random programs over the pool, mirrored in plain NumPy, while everything else that can happen does.

    python -m tests.engine.memory.pool_programs --steps 200000

Several threads make, change, view, hand out and drop tensors, and beside each of them the same is done to NumPy's own
arrays. Meanwhile a timer's signal handler computes, Ctrl-C comes from another thread, exceptions are thrown into the
workers, finalisers of cycles compute and revive tensors, weak references revive memory, and children are forked. No
number may ever differ, no two tensors may meet, nothing may hang, and in the end nothing is in use.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import os
import random
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine import memory
from tensorwidgets.engine.backends.numpy import chunks
from tensorwidgets.engine.declare import pointwise_calls
from tensorwidgets.engine.memory import main_memory
from tensorwidgets.engine.memory.pool import Pool
from tests.engine.memory.ways_to_hold import last_base, seen

SIZES = (300, 320, 700, 1500)
LOW = [
    (main_memory, "LARGE", 1024), (pointwise_calls, "THREADED", 1400), (chunks, "THREADED", 1400),
    (chunks, "PIECE", 400),
]  # fmt: skip
"""Thresholds so low that small tensors lie in the pool and are computed by several threads."""


@dataclass
class Report:
    """What happened."""

    steps: int = 0
    differences: list[str] = field(default_factory=list)
    interrupts: list[int] = field(default_factory=list)
    handled: list[int] = field(default_factory=list)
    finalised: list[int] = field(default_factory=list)
    revived: list[int] = field(default_factory=list)
    children: int = 0
    reused: int = 0
    left: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        counts = {
            "memories reused": self.reused, "interrupts": len(self.interrupts), "signals handled": len(self.handled),
            "finalisers": len(self.finalised), "memories revived": len(self.revived), "children": self.children,
        }  # fmt: skip
        return (
            f"{self.steps:,} steps in {self.seconds:.0f} s: {len(self.differences)} differences, "
            f"{self.left} bytes left in use\n" + ", ".join(f"{count:,} {name}" for name, count in counts.items())
        )


class Circle:
    """A tensor in a cycle. Its finaliser computes, and brings some tensors back."""

    def __init__(self, world: World, tensor: tw.Tensor, model: np.ndarray):
        self.world, self.tensor, self.model, self.itself = world, tensor, model, self

    def __del__(self) -> None:
        if not hasattr(self, "itself"):  # interrupted while it was made
            return
        self.world.compare(self.tensor + 1, self.model + 1, "finaliser")
        self.world.report.finalised.append(1)
        if len(self.world.revived) < 3:
            self.world.revived.append((self.tensor, self.model))


class World:
    """Tensors, and what looks at their memory, each beside an array of NumPy's own that is changed in the same way."""

    def __init__(self, seed: int, report: Report):
        self.random, self.report = random.Random(seed), report
        self.held: list[tuple[Any, np.ndarray]] = []
        self.revived: list[tuple[Any, np.ndarray]] = []
        self.weak: list[tuple[weakref.ref, weakref.ref]] = []
        self.writing: tuple[Any, np.ndarray] | None = None
        self.armed: list[int] = []
        """Not empty where an interrupt may come. Each interrupt empties it, so that none comes on top of another."""
        actions = (
            [self.make] * 8 + [self.compute] * 8 + [self.write] * 5 + [self.view] * 5 + [self.hand_out] * 5
            + [self.drop] * 10 + [self.circle] + [self.remember] * 2 + [self.revive] * 2 + [self.keep_house]
        )  # fmt: skip
        self.actions = actions

    def step(self) -> None:
        if len(self.held) > 25:
            self.drop()
        self.random.choice(self.actions)()
        if self.held:
            self.compare(*self.random.choice(self.held), "step")

    def recover(self) -> None:
        """After an interrupt: what was being written may be half written."""
        if self.writing is not None:
            time.sleep(0.002)
            holder, model = self.writing
            holder.fill_(5.0)
            model.fill(5.0)
            self.writing = None

    def compare(self, holder: Any, model: np.ndarray, where: str) -> None:
        numbers = np.asarray(seen(holder))
        if numbers.shape != model.shape:
            numbers = numbers.reshape(-1)[: model.size].reshape(model.shape)
        if not np.array_equal(numbers, model, equal_nan=True):  # memory that was never written to may hold nan
            self.report.differences.append(f"{where}: {type(holder).__name__} of {model.shape}")

    def check(self) -> None:
        """Everything shows its numbers, and what has different roots lies apart."""
        spans: dict[tuple[int, int], int] = {}
        for holder, model in list(self.held):
            self.compare(holder, model, "check")
            if isinstance(holder, tw.Tensor):
                root = model if model.base is None else model.base
                start = holder.untyped_storage().data_ptr()
                spans[start, start + holder.untyped_storage().nbytes()] = id(root)
        ordered = sorted(spans)
        for one, other in zip(ordered, ordered[1:], strict=False):
            if one[1] > other[0] and spans[one] != spans[other]:
                self.report.differences.append("two tensors meet")

    def tensors(self, size: int | None = None) -> list[tuple[tw.Tensor, np.ndarray]]:
        return [p for p in self.held if isinstance(p[0], tw.Tensor) and (size is None or p[1].shape == (size,))]

    # -- actions -------------------------------------------------------------------------------------------------

    def make(self) -> None:
        size, value = self.random.choice(SIZES), float(self.random.randrange(97))
        self.held.append((tw.full((size,), value), np.full(size, value, np.float32)))

    def compute(self) -> None:
        candidates = self.tensors(self.random.choice(SIZES))
        if not candidates:
            return
        (a, m), (b, n) = self.random.choice(candidates), self.random.choice(candidates)
        which = self.random.randrange(4)
        if which == 0:
            self.held.append(((a + b).remainder(97.0), np.remainder(m + n, np.float32(97))))
        elif which == 1:
            self.held.append(((a * 2 - b).remainder(97.0), np.remainder(m * 2 - n, np.float32(97))))
        elif which == 2:
            self.held.append((a.clone(), m.copy()))
        else:
            self.held.append((tw.where(a > b, a, b), np.where(m > n, m, n)))

    def write(self) -> None:
        candidates = self.tensors()
        if not candidates:
            return
        a, m = self.random.choice(candidates)
        value = float(self.random.randrange(97))
        same = [other for other in candidates if other[1].shape == m.shape]
        b, n = self.random.choice(same)
        self.writing = a, m
        if self.random.random() < 0.5:
            a.fill_(value)
            m.fill(value)
        else:
            a.copy_(b.clone())
            m[...] = n.copy()
        self.writing = None

    def view(self) -> None:
        candidates = self.tensors()
        if not candidates:
            return
        a, m = self.random.choice(candidates)
        which = self.random.randrange(4)
        if which == 0 and a.ndim == 1 and m.size > 100:
            self.held.append((a[3:90:2], m[3:90:2]))
        elif which == 1 and a.ndim == 1 and m.size in SIZES:
            self.held.append((a.view(2, -1).t(), m.reshape(2, -1).T))
        elif which == 2:
            self.held.append((a.detach(), m[...]))
        elif which == 3:
            self.held.append((a[...], m[...]))

    def hand_out(self) -> None:
        """Hold a tensor's memory by something that is no tensor."""
        candidates = [p for p in self.tensors() if p[1].base is None]
        if not candidates:
            return
        a, m = self.random.choice(candidates)
        array = a.numpy()
        base = last_base(array)
        ways = [
            lambda: array, lambda: array[...], lambda: np.frombuffer(memoryview(array).cast("B"), np.float32),
            lambda: np.from_dlpack(a), lambda: np.frombuffer((ctypes.c_float * m.size).from_buffer(array), np.float32),
        ]  # fmt: skip
        if type(base) is memory.Memory:
            ways += [lambda: array.base, lambda: base, lambda: base[:], lambda: np.frombuffer(base, np.uint8)]
        self.held.append((self.random.choice(ways)(), m[...]))

    def drop(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            if self.held:
                self.held.pop(self.random.randrange(len(self.held)))

    def circle(self) -> None:
        size, value = self.random.choice(SIZES), float(self.random.randrange(97))
        Circle(self, tw.full((size,), value), np.full(size, value, np.float32))
        if self.revived:
            self.held.append(self.revived.pop())

    def remember(self) -> None:
        """Keep a weak reference to a memory, and one to the array that mirrors it."""
        candidates = [p for p in self.tensors() if type(last_base(p[0]._array)) is memory.Memory]
        if candidates:
            a, m = self.random.choice(candidates)
            m = m if m.base is None else m.base
            self.weak.append((weakref.ref(last_base(a.numpy())), weakref.ref(m)))
            del self.weak[:-5]

    def revive(self) -> None:
        """What a weak reference still shows when all else is gone belongs to its holder from then on."""
        if self.weak:
            base, model = self.weak.pop(self.random.randrange(len(self.weak)))
            found = base()
            if found is not None and model() is None:
                self.held.append((found, seen(found).copy()))
                self.report.revived.append(1)

    def keep_house(self) -> None:
        which = self.random.randrange(40)
        if which == 0:
            gc.collect()
        elif which < 5:
            gc.collect(0)
        elif which < 8:
            memory.shared_pool.empty()
        elif which < 12:
            memory.shared_pool.keep_at_most(self.random.choice((0, 5000, 60_000, 60_000)))
        elif which < 20:
            memory.shared_pool.statistics()


# -- what comes between ------------------------------------------------------------------------------------------


def run(world: World, steps: int, every: Any = None) -> None:
    """So many steps, whatever interrupts them."""
    done: list[int] = []
    armed = world.armed

    def on() -> None:
        world.recover()
        while len(done) < steps:
            if not armed:
                armed.append(1)
            done.append(1)
            world.step()
            if every is not None and len(done) % 1000 == 0:
                every()

    def attempt() -> None:
        while len(done) < steps:
            try:
                on()
            except KeyboardInterrupt:
                world.report.interrupts.append(1)
        armed.clear()

    try:
        attempt()
    except KeyboardInterrupt:  # one may have been on its way when the last step was done
        attempt()
    world.recover()
    world.check()
    world.report.steps += steps


@contextmanager
def handler_that_computes(world: World) -> Iterator[None]:
    """A timer whose signal handler has a world of its own."""
    inside: list[int] = []

    def handle(*_: Any) -> None:
        if inside:
            return
        try:
            inside.append(1)
            world.recover()
            world.step()
            world.report.handled.append(1)
        finally:
            inside.clear()

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def interrupts(main: World, workers: list[Worker], seconds: float) -> Iterator[None]:
    """Ctrl-C for the main thread and exceptions for the workers, every few milliseconds."""
    begun, done, ident, source = threading.Event(), threading.Event(), threading.get_ident(), random.Random(0)
    throw = ctypes.pythonapi.PyThreadState_SetAsyncExc
    throw.argtypes = (ctypes.c_ulong, ctypes.py_object)

    def send() -> None:
        begun.wait(60)
        while not done.wait(seconds * source.random() * 2):
            signal.pthread_kill(ident, signal.SIGINT)
            for worker in workers:
                if worker.world.armed:
                    worker.world.armed.clear()
                    throw(worker.ident, KeyboardInterrupt)

    def interrupt(*_: Any) -> None:
        if main.armed:
            main.armed.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        begun.set()
        yield
    finally:
        done.set()
        sender.join()
        signal.signal(signal.SIGINT, before)


class Worker(threading.Thread):
    """A thread with a world of its own, into which exceptions are thrown."""

    def __init__(self, world: World, steps: int):
        super().__init__()
        self.world, self.steps = world, steps

    def run(self) -> None:
        run(self.world, self.steps)


def forked(world: World, report: Report) -> None:
    """A child checks what it inherited, and goes on."""
    child = os.fork()
    if child:
        report.children += 1
        status = os.waitpid(child, 0)[1]
        if status:
            report.differences.append(f"a child ended with {status}")
        return
    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        before = len(report.differences)
        run(world, 30)
        code = 0 if len(report.differences) == before else 2
    finally:
        os._exit(code)


@contextmanager
def low_thresholds(pool: Pool) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, value in LOW:
            stack.enter_context(mock.patch.object(module, name, value))
        stack.enter_context(mock.patch.object(main_memory, "shared_pool", pool))
        stack.enter_context(mock.patch.object(main_memory, "_in_use", pool))
        yield


def programs(steps: int, seed: int = 0, patience: float = 600) -> Report:
    """A third of the steps in the main thread, the others in two workers."""
    report, pool, began = Report(), Pool(limit=60_000, slack=30_000), time.perf_counter()
    threads, hook = tw.get_num_threads(), sys.unraisablehook

    def unraisable(caught: Any) -> None:
        if caught.exc_type is not KeyboardInterrupt:  # of a finaliser or callback: nothing else may go wrong there
            report.differences.append(f"{caught.exc_type.__name__} in {caught.object}: {caught.exc_value}")

    faulthandler.dump_traceback_later(patience, exit=True)
    sys.unraisablehook = unraisable
    tw.set_num_threads(3)
    worlds = [World(seed * 10 + n, report) for n in range(4)]
    fork = None if not hasattr(os, "fork") else lambda: forked(worlds[0], report)
    try:
        with low_thresholds(pool):
            for world in worlds:
                run(world, 200)  # imports are done in peace
            workers = [Worker(world, steps // 3) for world in worlds[1:3]]
            for worker in workers:
                worker.start()
            with interrupts(worlds[0], workers, 0.003), handler_that_computes(worlds[3]):
                run(worlds[0], steps - 2 * (steps // 3), fork)
                for worker in workers:
                    worker.join()
            for world in worlds:
                world.recover()
                world.check()
                world.held.clear()
            gc.collect()
            for world in worlds:
                for things in (world.held, world.revived, world.weak):
                    things.clear()
            gc.collect()
            report.left = pool.statistics().allocated
            report.reused = pool.statistics().reused
    finally:
        tw.set_num_threads(threads)
        sys.unraisablehook = hook
        faulthandler.cancel_dump_traceback_later()
    report.seconds = time.perf_counter() - began
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    report = programs(given.steps, given.seed)
    print(report)
    for difference in report.differences[:20]:
        print(difference)
    raise SystemExit(1 if report.differences or report.left else 0)


if __name__ == "__main__":
    main()
