"""What keeps a graph alive, and what a checkpoint hands out: PyTorch 2.13's answers."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tensorwidgets as torch

checkpoint = torch.utils.checkpoint.checkpoint


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """Only reference counts free memory."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


DETACHED: dict[str, Callable[[Any], Any]] = {
    "detach": lambda y: y.detach(),
    "a view of what is detached": lambda y: y.detach().view(-1),
    "a view, detached": lambda y: y.view(-1).detach(),
    "parameter": torch.nn.Parameter,
}


@pytest.mark.parametrize("name", DETACHED)
def test_what_is_detached_keeps_no_graph_alive(name: str) -> None:
    y = (torch.ones(3, requires_grad=True) * 2).exp()
    node = weakref.ref(y.grad_fn)
    kept = DETACHED[name](y)
    del y
    assert node() is None
    assert kept._version == 0


@pytest.mark.parametrize("op", ["exp", "sin"])
def test_a_write_to_what_is_detached_is_noticed_after_the_tensor_is_gone(op: str) -> None:
    y = getattr(torch.ones(3, requires_grad=True) * 2, op)()
    loss = (y * y).sum()
    kept = y.detach()
    del y
    kept.add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0 instead"):
        loss.backward()
    y = torch.ones(3, requires_grad=True).exp()
    loss, kept = y.sum(), y.detach().detach()[:1]
    del y
    kept.mul_(2)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0 instead"):
        loss.backward()


def test_a_tensor_that_counted_for_others_before_it_joined_a_graph_still_does() -> None:
    y = torch.zeros(3)
    before = y.detach()
    y.add_(torch.ones(3, requires_grad=True))
    after, square = y.detach(), y * y
    before.add_(1)
    assert y._version == before._version == after._version == 2
    with pytest.raises(RuntimeError, match="is at version 2; expected version 1 instead"):
        square.sum().backward()


def _inner_gradient(function: Callable) -> Callable:
    def call(x: Any) -> Any:
        return torch.autograd.grad(function(x), x, create_graph=True)[0]

    return call


def _checkpointed(function: Callable) -> Callable:
    return lambda x: checkpoint(function, x, use_reentrant=False)


@pytest.mark.parametrize("early_stop", [True, False])
def test_the_graph_of_a_checkpoint_that_is_differentiated_inside_another_is_freed(early_stop: bool) -> None:
    inner = _checkpointed(lambda x: _checkpointed(lambda y: y.cos().exp())(x.sin().exp()))
    outer = _inner_gradient(_checkpointed(_inner_gradient(inner)))
    with torch.utils.checkpoint.set_checkpoint_early_stop(early_stop):
        result = outer(torch.ones((), requires_grad=True))
    nodes, waiting = [], [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None:
            nodes.append(weakref.ref(node))
            waiting += [following for following, _ in node.next_functions]
    del result, node
    assert [reference() for reference in nodes if reference() is not None] == []


def test_passes_of_a_group_share_what_a_checkpoint_computes_again() -> None:
    calls = []

    def function(x: Any) -> Any:
        calls.append(x)
        y = x.sin()
        return y, y.exp()

    for group, count in ((True, 2), (False, 3)):
        calls.clear()
        x = torch.ones(2, requires_grad=True)
        y, z = checkpoint(function, x, use_reentrant=False)
        if group:
            with torch.utils.checkpoint.GraphExecGroup():
                torch.autograd.grad(y, x, torch.autograd.grad(z.sum(), y))
        else:
            torch.autograd.grad(y, x, torch.autograd.grad(z.sum(), y))
        assert len(calls) == count


def test_passes_of_a_group_must_not_meet() -> None:
    y = checkpoint(torch.sin, torch.ones(2, requires_grad=True), use_reentrant=False).sum()
    with torch.utils.checkpoint.GraphExecGroup():
        y.backward(retain_graph=True)
        with pytest.raises(torch.utils.checkpoint.CheckpointError, match="Performing two backward calls that overlap"):
            y.backward()
        with pytest.raises(RuntimeError, match="GraphExecGroup contexts cannot be nested"):
            torch.utils.checkpoint.GraphExecGroup().__enter__()


def test_a_checkpoint_hands_out_the_same_object_if_no_gradient_goes_there() -> None:
    got = []

    class First(torch.autograd.Function):
        """Its first argument, with the second saved."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(y)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            got.extend(ctx.saved_tensors)
            return grad, None

    b = torch.tensor(1.0)
    checkpoint(First.apply, torch.tensor(1.0, requires_grad=True), b, use_reentrant=False).backward()
    assert got[0] is b


def test_a_function_that_saves_what_it_wrote_to_is_freed() -> None:
    class Same(torch.autograd.Function):
        """Writes to its argument, and saves it."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    x = torch.tensor(1.0, requires_grad=True).clone()
    x = x.view_as(x)
    Same.apply(x)
    reference = weakref.ref(x)
    del x
    assert reference() is None
