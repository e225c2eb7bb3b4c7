"""Work in pieces, when an interrupt, a signal handler, a finaliser or a fork comes in the middle of it."""

from __future__ import annotations

import gc
import inspect
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import chunks, without_warnings
from tensorwidgets.engine.dispatch import kinds, registry
from tests.engine.memory.interrupts import Stop, before_step, raise_stop
from tests.parts import Part, in_parts

JOBS = {chunks.__file__}
COUNT = 1 << 20


@pytest.fixture(autouse=True)
def three_threads() -> Iterator[None]:
    """A few helpers, and a hang is a failure."""

    def hang(*_: Any) -> None:
        raise TimeoutError("it hangs")

    threads, handler = tw.get_num_threads(), signal.signal(signal.SIGALRM, hang)
    tw.set_num_threads(3)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, handler)
    tw.set_num_threads(threads)


class Work:
    """Pieces that note how many of them run, and how many are done."""

    def __init__(self) -> None:
        self.running: list[int] = []
        self.done: list[int] = []

    def piece(self, number: int) -> None:
        self.running.append(number)
        np.ones(2000).sum()  # other threads get their turn
        self.running.remove(number)
        self.done.append(number)


@in_parts(3)
def test_an_interrupt_at_any_instruction_waits_for_pieces_that_run_and_takes_no_more(part: Part) -> None:
    number, more, cut_short = -1, True, 0
    while more:
        number += 1
        if not part.takes(number):
            continue
        work = Work()
        try:
            more = before_step(number, raise_stop, JOBS, lambda: chunks.run_parallel(work.piece, range(12)))  # noqa: B023
            assert sorted(work.done) == list(range(12))
        except Stop:
            done = len(work.done)
            cut_short += done < 12
            assert not work.running
            time.sleep(0.0002)
            assert len(work.done) == done
        chunks.run_parallel(work.piece, range(12))
    assert number > 100 and cut_short


@in_parts(3)
def test_a_handler_that_computes_may_come_at_any_instruction(part: Part) -> None:
    number, more = -1, True
    while more:
        number += 1
        if not part.takes(number):
            continue
        outer, inner = Work(), Work()
        more = before_step(
            number,
            lambda: chunks.run_parallel(inner.piece, range(5)),  # noqa: B023
            JOBS,
            lambda: chunks.run_parallel(outer.piece, range(5)),  # noqa: B023
        )
        assert sorted(outer.done) == list(range(5))
        assert sorted(inner.done) == (list(range(5)) if more else [])
    assert number > 100


def test_starting_threads_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    for handler in (raise_stop, lambda: chunks.run_parallel(len, ["ab"] * 5)):
        number, more = 0, True
        while more and number < 60:
            monkeypatch.setattr(chunks, "_workers", chunks._Workers())
            work = Work()
            try:
                more = before_step(number, handler, JOBS, lambda: chunks.run_parallel(work.piece, range(5)))  # noqa: B023
            except Stop:
                assert handler is raise_stop
            work.done.clear()
            chunks.run_parallel(work.piece, range(5))
            assert sorted(work.done) == list(range(5))
            number += 1


def test_a_system_without_threads_to_spare_computes_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(chunks, "_workers", chunks._Workers())
    monkeypatch.setattr(chunks, "start_new_thread", none_left)
    assert (tw.ones(COUNT) + 1).sum().item() == 2 * COUNT


def test_an_interrupt_comes_before_an_error_of_a_piece() -> None:
    leader_began, helper_failed = threading.Event(), threading.Event()

    def piece(number: int) -> None:
        if threading.current_thread() is not threading.main_thread():
            leader_began.wait(60)  # after an error nobody takes a piece, and the leader may be late
            helper_failed.set()
            raise ValueError("a piece")
        leader_began.set()
        helper_failed.wait(60)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chunks.run_parallel(piece, range(3))


def test_a_failed_job_keeps_no_array() -> None:
    def fail() -> None:
        array = np.ones(10)
        alive.append(weakly(array))

        def piece(number: int) -> None:
            raise ValueError(array.sum())

        chunks.run_parallel(piece, range(20))

    alive: list[Any] = []
    gc.disable()
    try:
        try:
            fail()
        except ValueError:
            pass
        deadline = time.monotonic() + 60
        while alive[0]() is not None and time.monotonic() < deadline:
            time.sleep(0.001)  # a helper may be on its way out
        assert alive[0]() is None
    finally:
        gc.enable()


def weakly(array: np.ndarray) -> Any:
    import weakref

    return weakref.ref(array)


def test_finalisers_that_compute_run_in_the_middle_of_everything() -> None:
    """Each of the many objects computes when the collector finds it, wherever a thread is then."""

    class Computes:
        def __init__(self) -> None:
            self.tensor, self.itself = tw.ones(COUNT >> 2), self

        def __del__(self) -> None:
            sums.append((self.tensor + 1).sum().item())

    sums: list[float] = []
    for _ in range(300):
        Computes()
        assert (tw.ones(COUNT) + 1).sum().item() == 2 * COUNT
    gc.collect()
    assert sums == [COUNT / 2] * 300


# -- forks -------------------------------------------------------------------------------------------------------


def in_child(check: Any) -> int:
    """The exit status of a forked child that calls a function: 0 if it returned something true."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(60)
    code = 1
    try:
        code = 0 if check() else 2
    finally:
        os._exit(code)


BUSY = {
    "additions": lambda: tw.ones(COUNT) + 1,
    "random numbers": lambda: tw.rand(COUNT),
    "sums": lambda: tw.ones(COUNT).sum(),
    "memory": lambda: [tw.empty(COUNT) for _ in range(3)],
}


@pytest.mark.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("what", BUSY)
def test_a_child_computes_whatever_other_threads_were_doing(what: str) -> None:
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            BUSY[what]()

    def check() -> bool:
        x = tw.ones(COUNT) + tw.rand(COUNT)
        return x.min().item() >= 1 and x.sum().item() > COUNT

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert [in_child(check) for _ in range(5)] == [0] * 5
    finally:
        done.set()
        for thread in threads:
            thread.join(60)


@contextmanager
def multiplying() -> Iterator[None]:
    """Two threads that are in BLAS nearly all of the time."""
    done, x = threading.Event(), tw.ones(300, 300)

    def work() -> None:
        while not done.is_set():
            x @ x

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join(60)


def multiplies() -> bool:
    x = tw.ones(300, 300)
    return (x @ x).sum().item() == 300**3


def multiplies_alone() -> None:
    raise SystemExit(0 if multiplies() else 1)


@pytest.mark.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_with_one_thread_in_blas_processes_are_forked_beside_products() -> None:
    tw.set_num_threads(1)
    with multiplying():
        assert [in_child(multiplies) for _ in range(5)] == [0] * 5


def test_processes_are_spawned_beside_products() -> None:
    """With several threads in BLAS, too: nothing of it is copied."""
    with multiplying():
        child = multiprocessing.get_context("spawn").Process(target=multiplies_alone)
        child.start()
        child.join(100)
        assert child.exitcode == 0


@pytest.mark.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_that_is_forked_inside_a_piece_is_told_that_it_cannot_finish() -> None:
    started, parent = threading.Event(), os.getpid()
    children: list[int] = []

    def piece(number: int) -> None:
        if threading.current_thread() is not threading.main_thread():
            started.set()
            time.sleep(0.05)
        elif started.wait(60) and not children:
            children.append(os.fork())

    code = 1
    try:
        chunks.run_parallel(piece, range(3))
    except RuntimeError as error:
        code = 0 if "forked in the middle" in str(error) else 2
    finally:
        if os.getpid() != parent:
            os._exit(code)
    assert os.waitpid(children[0], 0)[1] == 0


@pytest.mark.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_stream_of_random_numbers_goes_on_where_it_was() -> None:
    tw.manual_seed(3)
    tw.rand(5)
    state = tw.get_rng_state()
    expected = tw.rand(4).tolist()
    tw.set_rng_state(state)
    assert in_child(lambda: tw.rand(4).tolist() == expected) == 0
    assert tw.rand(4).tolist() == expected


# -- globals -----------------------------------------------------------------------------------------------------


def test_a_kind_whose_import_was_interrupted_is_imported_again(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []

    def load(name: str) -> ModuleType:
        imported.append(name)
        if len(imported) == 1:
            raise Stop
        return ModuleType(name)

    monkeypatch.setattr(kinds, "import_module", load)
    kind = kinds.add_kind("spare", "for this test", module="spare.module")
    try:
        with pytest.raises(Stop):
            kind.wake()
        kind.wake()
        kind.wake()
        assert imported == ["spare.module"] * 2
    finally:
        kinds.forget_kind("spare")


def test_an_interrupted_call_leaves_numpys_settings_alone() -> None:
    """While another thread is inside the quiet context, a call takes another way."""
    before, files = np.geterr(), {without_warnings.__file__, inspect.getfile(np.errstate.__exit__)}
    entered, done = threading.Event(), threading.Event()
    thread = threading.Thread(target=without_warnings.run, args=(lambda: (entered.set(), done.wait(60)),))
    thread.start()
    entered.wait(60)
    number, more = 0, True
    try:
        while more:
            try:
                more = before_step(
                    number, raise_stop, files, lambda: without_warnings.quietly(np.divide, np.ones(2), 0.0)
                )
            except Stop:
                pass
            assert np.geterr() == before
            number += 1
    finally:
        done.set()
        thread.join(60)
    assert number > 10


def test_recordings_of_several_threads_do_not_end_each_other() -> None:
    short: list[int] = []

    def work() -> None:
        for _ in range(300):
            with tw.recording() as calls:
                tw.ones(2) + 1
            if len(calls) != 2:
                short.append(len(calls))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not short
    assert not registry.watching


def test_an_interrupted_recording_records_again() -> None:
    from tensorwidgets.engine.modes import recording

    def records() -> None:
        with tw.recording():
            tw.ones(2) + 1

    number, more = 0, True
    while more:
        try:
            more = before_step(number, raise_stop, {recording.__file__}, records)
        except Stop:
            pass
        with tw.recording() as calls:
            tw.ones(2) + 1
        assert [call.op for call in calls] == ["ones", "add"]
        number += 7
    assert number > 100
    tw.ones(2)
    assert not registry.watching
