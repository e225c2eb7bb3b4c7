"""A recording lists what calls save for the backward pass, and a backward pass as one entry."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw


def test_calls_say_what_they_save() -> None:
    x = tw.ones(2, 3, requires_grad=True)
    w = tw.ones(3)
    with tw.recording() as calls:
        y = (x * x.exp()).sum()
        x @ w
        w * w
    assert [(c.op, c.keeps()) for c in calls] == [
        ("exp", "saves its result B"),
        ("mul", "saves other B, self A"),
        ("sum", ""),
        ("matmul", "saves vec E"),
        ("mul", ""),
    ]
    assert calls[0].saved[0].nbytes == 24 and y.grad_fn is not None
    assert str(calls).splitlines()[0].endswith("24 bytes; saves its result B")


def test_a_backward_pass_is_one_entry() -> None:
    x = tw.ones(2, 3, requires_grad=True)
    with tw.recording() as calls:
        y = (x * x.exp()).sum()
        y.backward()
        (x.exp() * 2).sum().backward()
    passes = [c for c in calls if c.op == "backward"]
    assert len(passes) == 2 and len(calls) == 8
    first, second = passes
    assert (first.outcome, first.allocated, first.shared) == ("gradients", 24, ("A",))
    assert first.answered() == f"gradients {first.outputs[0]} of A, 24 bytes; frees what 2 nodes saved: B, A"
    assert second.allocated == 0 and second.outputs == first.outputs


def test_grad_lists_the_gradients_that_it_returns() -> None:
    x = tw.ones(3, requires_grad=True)
    h = x * x
    with tw.recording() as calls:
        tw.autograd.grad(h.exp().sum(), [x, h], retain_graph=True)
    told = [c for c in calls if c.op == "grad"]
    assert len(told) == 1 and told[0].answered().startswith("gradients ") and "frees" not in told[0].answered()
    assert told[0].allocated == 24 and len(told[0].outputs) == 2


def test_a_pass_that_is_refused_is_listed() -> None:
    y = tw.ones(3, requires_grad=True) * 2
    with tw.recording() as calls, pytest.raises(RuntimeError):
        y.backward()
    assert [(c.op, c.outcome) for c in calls] == [("backward", "refused")]
    assert calls[0].answered() == "refused: grad can be implicitly created only for scalar outputs"


def test_hooks_keep_a_form_of_their_own() -> None:
    x = tw.ones(3, requires_grad=True)
    ran: list[Any] = []
    x.register_hook(lambda grad: ran.append(grad * 2))
    with tw.recording() as calls:
        with tw.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), tw.tensor):
            y = x.exp()
        y.sum().backward()
    assert calls[0].keeps() == "saves result by a hook"
    assert [c.op for c in calls] == ["exp", "sum", "backward"] and len(ran) == 1
