"""Ctrl-C in the middle of a backward pass or of a block without gradients: recording is on again afterwards."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.autograd.passes.running import under_way
from tensorwidgets.engine.tensor.thread_state import state


def interrupted(function: Callable[[], Any], at: int) -> int:
    """Call a function, and interrupt it where Python looks for a signal the `at`-th time: as a function of Python
    begins, or after one of C. Returns how often Python looked until then, or in the whole call.
    """
    looks = 0

    def watch(frame: Any, event: str, argument: Any) -> None:
        nonlocal looks
        if event in ("call", "c_return"):
            looks += 1
            if looks == at:
                raise KeyboardInterrupt

    sys.setprofile(watch)
    try:
        function()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return looks


def backward(create: bool = False) -> None:
    x = torch.ones(3, requires_grad=True)
    (x * x).sum().backward(create_graph=create)


def without_gradients() -> None:
    with torch.no_grad():
        torch.ones(2).add_(1)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # where a generator was closing
@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("function", [backward, lambda: backward(True)], ids=["backward", "create_graph"])
def test_an_interrupt_of_backward_leaves_recording_on(function):
    function()  # the first call prepares more than later ones
    count = interrupted(function, 0)
    for at in range(1, count):
        if interrupted(function, at) < at:  # the collector of garbage calls something now and then
            assert at > count - 10
            break
        found = torch.is_grad_enabled(), under_way.passes, dict(state.__dict__)
        under_way.passes = ()
        state.put_back({})
        assert found == (True, (), {}), at


def test_an_interrupt_as_a_block_without_gradients_begins_or_ends_leaves_recording_on():
    without_gradients()
    missed = []
    for at in range(1, interrupted(without_gradients, 0)):
        interrupted(without_gradients, at)
        if not torch.is_grad_enabled():
            missed.append(at)
            torch.set_grad_enabled(True)
    assert len(missed) <= 1, missed  # as `__exit__` begins: nobody can do anything before
