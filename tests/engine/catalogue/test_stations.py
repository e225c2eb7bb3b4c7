"""A call's way: one order for all stations, no tensor changed on the way, nothing shared between threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.kinds import TensorKind


class Mine(tw.Tensor):
    """A class of a user's."""


def beside(busy: Callable[[], object], seen: Callable[[], bool], times: int) -> int:
    """How often something is seen while another thread is busy with the same tensors."""
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            busy()

    other = threading.Thread(target=work)
    other.start()
    try:
        return sum(seen() for _ in range(times))
    finally:
        done.set()
        other.join()


def test_a_subclass_keeps_its_class_while_another_thread_computes() -> None:
    x = tw.ones(64, 64).as_subclass(Mine)
    assert beside(lambda: x @ x, lambda: type(x + 1) is Mine, 500) == 500


def test_names_are_kept_while_another_thread_writes() -> None:
    x = tw.zeros(64, 64, names=("N", "C"))
    assert beside(lambda: x.add_(1), lambda: (x + 1).names == ("N", "C"), 500) == 500


def test_a_call_leaves_the_keys_of_its_tensors_alone() -> None:
    x, y = tw.ones(2, 3).as_subclass(Mine), tw.ones(2, 3, names=("N", "C"))
    seen: list[int] = []

    class Number(int):
        def __index__(self) -> int:
            seen.extend((x._keys, y._keys))
            return int(self)

    keys = (x._keys, y._keys)
    x.narrow(0, Number(0), 1)
    y.add_(1).select(Number(0), 0)
    x.sum(Number(0))
    assert seen and (x._keys, y._keys) == keys and set(seen) == set(keys)


def test_inside_a_call_no_class_is_asked() -> None:
    inner: list[type] = []
    x, other = tw.ones(3).as_subclass(Mine), tw.ones(3).as_subclass(Mine)

    def spying(value: float) -> float:
        inner.append(type(other + 1))
        return value

    assert type(x.apply_(spying)) is Mine and set(inner) == {tw.Tensor} and type(other + 1) is Mine


@pytest.fixture
def colour() -> Iterator[TensorKind]:
    """A kind of tensor that only a test knows, computed with as plain tensors are."""
    kind = tw.add_kind("colour", "for this test")
    kind.fallback = lambda op, args, kwargs: op.plain(*args, **kwargs)
    yield kind
    tw.forget_kind("colour")


def test_a_kind_is_given_promised_numbers_computed(colour: TensorKind) -> None:
    x = colour.wrap(np.array([1 + 2j]), tw.complex128)
    plain = tw.tensor([1 + 2j], dtype=tw.complex128)
    for promised in (x.conj(), plain.conj() + x * 0, x.conj().clone()):
        assert (promised + 0).tolist() == [1 - 2j]
    assert x.conj().imag.neg().add(0).tolist() == [2.0]
    assert plain.add_(x.conj()).tolist() == [2 + 0j]
    assert [place for place, _ in tw.route("add", x.conj(), 1).stations] == ["call", "promises", "colour", "kernel"]


def test_a_kernel_of_a_kind_never_sees_a_promise(colour: TensorKind) -> None:
    seen: list[tuple[bool, list]] = []

    @tw.register_kernel("copy_", "colour")
    def copy_(input: tw.Tensor, src: tw.Tensor, non_blocking: bool = False) -> tw.Tensor:
        seen.append((src.is_conj(), src._array.tolist()))
        return input

    x = colour.wrap(np.zeros(1, complex), tw.complex128)
    try:
        x.copy_(tw.tensor([1 + 2j], dtype=tw.complex128).conj())
    finally:
        tw.forget_kernel("copy_", "colour")
    assert seen == [(False, [1 - 2j])]


def test_a_meta_tensor_may_promise_too() -> None:
    x = tw.empty(2, 3, dtype=tw.complex64, device="meta").conj()
    y = x + 1
    assert y.is_meta and y.shape == (2, 3) and not y.is_conj()
    assert x.add_(1) is x and x.is_conj()
    with pytest.raises(NotImplementedError, match="Meta tensors"):
        tw.equal(x, x)


def test_a_default_device_belongs_to_its_thread() -> None:
    elsewhere: list[tw.device] = []

    def look() -> None:
        elsewhere.append(tw.ones(1).device)
        with tw.device("meta"):
            elsewhere.append(tw.ones(1).device)

    with tw.device("meta"):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert tw.ones(1).is_meta
    assert [d.type for d in elsewhere] == ["cpu", "meta"] and tw.ones(1).is_cpu


def test_a_default_device_is_left_as_it_was_however_a_block_ends() -> None:
    with pytest.raises(ZeroDivisionError), tw.device("meta"), tw.device("cpu"):
        1 / 0  # noqa: B018
    with pytest.raises(AssertionError, match="CUDA"), tw.device("cuda"):
        tw.ones(1)
    assert tw.get_default_device() == tw.device("cpu")


def test_recordings_of_many_threads_open_and_close_at_any_time() -> None:
    lengths: list[int] = []

    def record() -> None:
        for _ in range(200):
            with tw.recording() as calls:
                tw.ones(2) + 1
            lengths.append(len(calls))

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    from tensorwidgets.engine.dispatch import registry

    assert set(lengths) == {2} and not registry.watching
