"""Memory that something still looks at is never given to another tensor."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine import memory
from tensorwidgets.engine.memory import references
from tensorwidgets.engine.memory.shelf import Loan, Tally
from tests.engine.memory.ways_to_hold import WAYS, last_base, seen

COUNT = 1 << 18
"""So many floats lie in the pool."""
WEAK = {
    "a weak reference to the last base", "a proxy of the last base", "a dictionary of weak references to the last base",
    "a weak reference to the tensor", "a weak reference to the base",
}  # fmt: skip
"""These do not keep the memory alive, and must not show another tensor's."""


@pytest.fixture(autouse=True, scope="module")
def young() -> None:
    """The collector looks at what these tests make, and at nothing older."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def empty_pool() -> None:
    """What a test makes is all that there is to reuse."""
    memory.empty()


def sevens() -> tw.Tensor:
    return tw.full((COUNT,), 6.0) + 1


def later() -> list[tw.Tensor]:
    """Results of the same size, enough of them to use all that the pool keeps."""
    made = [tw.full((COUNT,), -1.0) * 3 for _ in range(4)]
    assert memory.statistics().kept <= 2 * 4 * COUNT
    return made


@pytest.mark.parametrize("name", WAYS)
def test_a_later_tensor_does_not_share(name: str) -> None:
    x = sevens()
    held = WAYS[name](x)
    del x
    gc.collect()
    new = later()
    try:
        numbers = seen(held)
    except (TypeError, AttributeError, ReferenceError):  # a weak reference to what is gone
        assert name in WEAK
        return
    assert numbers.size and (numbers == 7).all()
    for t in new:
        assert not np.shares_memory(t.numpy(), numbers, max_work=1)
        assert (t.numpy() == -3).all()


@pytest.mark.parametrize("name", [name for name in WAYS if "reviv" not in name])
def test_the_memory_comes_back_when_the_last_holder_is_gone(name: str) -> None:
    gc.collect()
    before = memory.statistics().allocated
    held = WAYS[name](sevens())
    try:
        seen(held)
    except (TypeError, AttributeError, ReferenceError):
        assert name in WEAK
    del held
    gc.collect()
    assert memory.statistics().allocated <= before


CHANGES = {
    "writes are forbidden": lambda base: base.setflags(write=False),
    "it is shorter": lambda base: base.resize(100, refcheck=False),
    "it is longer": lambda base: base.resize(base.size * 2, refcheck=False),
    "it has another shape": lambda base: setattr(base, "shape", (-1, 2)),
    "it has another dtype": lambda base: setattr(base, "dtype", np.float64),
}


@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype):DeprecationWarning")
@pytest.mark.parametrize("change", CHANGES)
def test_a_memory_that_was_changed_by_its_holder_does_no_harm(change: str) -> None:
    x = sevens()
    base = last_base(x.numpy())
    del x
    CHANGES[change](base)
    del base
    for t in later():
        assert t.numpy().flags.writeable and t.data_ptr() % 64 == 0


def test_what_the_collector_lists_of_the_pool_shows_no_later_tensor() -> None:
    x = sevens()
    start = x.data_ptr()
    loans = [thing for thing in gc.get_objects() if type(thing) is Loan]
    tallies = [thing for thing in gc.get_objects() if type(thing) is Tally]
    assert loans and tallies
    del x
    again = tw.empty(COUNT)
    assert again.data_ptr() == start
    for loan in (*loans, *[tally.loan for tally in tallies if tally.loan is not None]):
        assert loan() is again._array or loan.memory is None or not np.shares_memory(loan.memory, again.numpy())


def test_a_weak_reference_from_another_thread_revives_nothing_that_is_used_again() -> None:
    revived: list[tuple[float, np.ndarray]] = []
    latest: list[tuple[float, weakref.ref]] = [(0.0, weakref.ref(sevens()))]
    done = threading.Event()

    def revive() -> None:
        while not done.is_set():
            value, reference = latest[0]
            base = reference()
            if base is not None:
                revived.append((value, base))
                del revived[:-3]
            del base

    thread = threading.Thread(target=revive)
    thread.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for n in range(3000):
            x = tw.full((COUNT,), float(n))
            latest[0] = float(n), weakref.ref(last_base(x.numpy()))
            del x
            for value, base in list(revived):
                if value < n:
                    assert seen(base)[:64].max() <= value
    finally:
        sys.setswitchinterval(before)
        done.set()
        thread.join(60)


def test_an_interpreter_without_a_global_lock_never_reuses_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "_has_lock", lambda: False)
    before = memory.statistics().reused
    sevens()
    later()
    assert memory.statistics().reused == before
