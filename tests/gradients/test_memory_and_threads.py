"""Long graphs run and are freed without recursion, `del` frees at once, and threads run backward at the same time."""

from __future__ import annotations

import gc
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import tensorwidgets as torch

LONG = 100_000
"""Links of a chain."""


@contextmanager
def _no_collector() -> Iterator[None]:
    """Only reference counts free memory."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _chain(x: Any, length: int, step: Callable) -> Any:
    for _ in range(length):
        x = step(x)
    return x


STEPS: dict[str, tuple[int, Callable]] = {
    "by a shortcut": (LONG, lambda z: z * 1.0),
    "by formulas": (LONG // 10, lambda z: z.clamp(min=-3)),
    "by a view and a write": (LONG // 20, lambda z: z.view(2).clone().add_(1)),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_long_chain_runs_backward_and_is_freed(name: str) -> None:
    length, step = STEPS[name]
    x = torch.ones(2, requires_grad=True)
    step(x).sum().backward()
    x.grad = None
    with _no_collector():
        before = len(gc.get_objects())
        z = _chain(x, length, step)
        assert len(gc.get_objects()) > before + length
        z.sum().backward()
        del z
        assert len(gc.get_objects()) < before + 100
    assert x.grad.tolist() == [1, 1]


def test_a_long_chain_is_freed_without_a_backward_pass() -> None:
    x = torch.ones(2, requires_grad=True)
    with _no_collector():
        z = _chain(x, LONG, lambda z: z * 1.0)
        last = weakref.ref(z.grad_fn)
        del z
        assert last() is None


GRAPHS: dict[str, Callable[[Any], Any]] = {
    "product": lambda x: (x * x).sum(),
    "result": lambda x: x.exp().sum(),
    "view": lambda x: x.t()[1:].reshape(-1).sum(),
    "write": lambda x: x.clone().mul_(2).sum(),
    "write into a view": lambda x: _write(x.clone()),
    "several results": lambda x: x.max(0).values.sum() + torch.stack(x.unbind(0)).sum(),
    "matrices": lambda x: torch.relu(x @ x.t()).mean(),
    "power": lambda x: (x**2).mean(),
    "function": lambda x: _Twice.apply(x).sum(),
    "second order": lambda x: torch.autograd.grad((x**3).sum(), x, create_graph=True)[0].sum(),
    "checkpoint": lambda x: torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False).sum(),
}


def _write(t: Any) -> Any:
    t[1:] = t[:-1] * 2
    return t.sum()


class _Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


@pytest.mark.parametrize("run", [False, True], ids=["freed", "freed after backward"])
@pytest.mark.parametrize("name", GRAPHS)
def test_del_frees_a_graph_at_once(name: str, run: bool) -> None:
    x = torch.rand(3, 3, requires_grad=True)
    GRAPHS[name](x).backward()  # what is made once for all is made
    with _no_collector():
        for _ in range(2):
            y = GRAPHS[name](x)
            node, result = weakref.ref(y.grad_fn), weakref.ref(y)
            inner = [weakref.ref(n) for n, _ in y.grad_fn.next_functions if n is not None]
            if run:
                y.backward()
            del y
            assert node() is None and result() is None
            assert all(each() is None for each in inner)


@pytest.mark.parametrize("name", GRAPHS)
def test_many_graphs_leave_no_memory(name: str) -> None:
    x = torch.rand(64, 64, requires_grad=True)
    turns = 50

    def run() -> None:
        for _ in range(turns):
            x.grad = None
            GRAPHS[name](x).backward()

    run()
    with _no_collector():
        tracemalloc.start()
        try:
            objects, memory = len(gc.get_objects()), tracemalloc.get_traced_memory()[0]
            run()
            more = tracemalloc.get_traced_memory()[0] - memory
            assert len(gc.get_objects()) - objects < turns // 2
        finally:
            tracemalloc.stop()
    assert more < turns * x.nbytes // 4  # Python itself keeps some small tuples


def test_a_leaf_is_freed_with_its_gradient() -> None:
    with _no_collector():
        x = torch.ones(3, requires_grad=True)
        (x * 2).sum().backward()
        leaf, gradient = weakref.ref(x), weakref.ref(x.grad)
        del x
        assert leaf() is None and gradient() is None


# -- threads -----------------------------------------------------------------------------------------------------


def _in_threads(work: Callable[[int], None], count: int = 2) -> None:
    """Run a function in several threads at once, which switch as often as they can; the first exception is raised."""
    import sys

    faults: list[BaseException] = []
    ready = threading.Barrier(count)

    def body(number: int) -> None:
        try:
            ready.wait()
            work(number)
        except BaseException as fault:
            faults.append(fault)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=body, args=(n,)) for n in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if faults:
        raise faults[0]


TIMES = 150


def test_threads_run_their_own_graphs() -> None:
    def work(number: int) -> None:
        for turn in range(TIMES):
            x = torch.full((3,), float(number + 1), requires_grad=True)
            z = x
            for _ in range(10):
                z = z * x
            z.sum().backward()
            assert x.grad.tolist() == [11.0 * (number + 1) ** 10] * 3, turn

    _in_threads(work, 3)


def test_threads_add_to_the_same_leaf() -> None:
    x = torch.ones(3, requires_grad=True)

    def work(number: int) -> None:
        for _ in range(TIMES):
            ((x * 2).exp() * 0 + x * (number + 1)).sum().backward()

    _in_threads(work, 3)
    assert x.grad.tolist() == [TIMES * (1.0 + 2 + 3)] * 3


def test_threads_go_back_through_the_same_graph() -> None:
    x = torch.ones(3, requires_grad=True)
    y = (torch.relu(x * 3) ** 2).sum()

    def work(number: int) -> None:
        for _ in range(TIMES):
            y.backward(retain_graph=True)

    _in_threads(work)
    assert x.grad.tolist() == [TIMES * 2 * 18.0] * 3


def test_hooks_run_in_the_thread_of_their_pass() -> None:
    shared = torch.ones(3, requires_grad=True)
    calls: list[tuple[int, int]] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        own = threading.get_ident()

        def note(grad: Any) -> Any:
            with lock:
                calls.append((own, threading.get_ident()))
            return grad * 2

        def note_too(into: Any, out: Any) -> None:
            note(into[0])

        for _ in range(TIMES):
            y = shared * 3
            y.register_hook(note)
            y.grad_fn.register_hook(note_too)
            y.sum().backward()

    handle = shared.register_hook(lambda grad: grad + 1)
    _in_threads(work)
    handle.remove()
    assert all(own == ran for own, ran in calls) and len(calls) == 2 * 2 * TIMES
    assert shared.grad.tolist() == [2 * TIMES * 7.0] * 3


def test_one_thread_computes_gradients_while_another_one_is_under_no_grad() -> None:
    x = torch.ones(3, requires_grad=True)

    def work(number: int) -> None:
        for _ in range(TIMES):
            if number:
                with torch.no_grad():
                    assert not (x * 2).requires_grad
            else:
                assert torch.autograd.grad((x * x).sum(), x)[0].tolist() == [2, 2, 2]
                assert (x * 2).requires_grad

    _in_threads(work)


def test_threads_notice_writes_to_what_they_saved() -> None:
    def work(number: int) -> None:
        for _ in range(TIMES):
            x = torch.ones(3, requires_grad=True)
            y = x * 2
            z = y * y
            with torch.no_grad():
                y.add_(1)
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                z.sum().backward()

    _in_threads(work)
