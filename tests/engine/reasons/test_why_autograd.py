"""why() explains the errors of PyTorch's autograd: from the message, and from the graphs that names lead to."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.explain.graphs import with_graph
from tensorwidgets.engine.explain.messages.patterns import reason_from_message
from tests.gradients.cases.refusals import read

ELSEWHERE = (
    "'int' object", "attribute 'grad_fn'", "attribute 'is_leaf'", "division by zero", "not here", "requires_grad must",
    "Jacobian mismatch", "gradcheck expects", "set_grad_enabled()", "given to hessian", "to jacobian", "The vector v",
    "Variable data has", "data set to", "linalg", "multi_dot", "svd_backward", "expected Variable", "grad_variables",
    "materialize_grads", "Legacy autograd", "unpack_hook", "pack hook is", "hooks have already", "assigned grad",
)  # fmt: skip
"""What says it all in its own words, or is about something else than gradients."""


def messages() -> list[str]:
    return sorted({refusal.answer for refusal in read()[1] if refusal.answer})


@pytest.mark.parametrize("answer", [a for a in messages() if not any(words in a for words in ELSEWHERE)])
def test_each_message_is_explained(answer: str) -> None:
    kind, _, message = answer.partition(": ")
    reason = reason_from_message(
        {"RuntimeError": RuntimeError, "BufferError": BufferError}.get(kind, ValueError)(message)
    )
    assert reason is not None and reason.because.endswith(".") and reason.instead
    assert "None" not in reason.because


def said(program: Callable[[Any], None], torch: Any) -> str:
    """What why() says to a program's error, as if nothing of ours had raised it."""
    try:
        program(torch)
    except Exception as error:
        found = reason_from_message(error)
        assert found is not None
        link = error.__traceback__
        assert link is not None and link.tb_next is not None
        frame = link.tb_next.tb_frame
        return with_graph(found, frame.f_locals, frame.f_locals).because
    raise AssertionError("nothing was refused")


def changed(torch: Any) -> None:
    h = torch.ones(3, requires_grad=True) + 1
    y = h * h.exp()
    h.add_(1)
    y.sum().backward()


def second_time(torch: Any) -> None:
    loss = torch.ones(3, requires_grad=True).exp().sum()
    loss.backward()
    loss.backward()


def unrecorded(torch: Any) -> None:
    model = {"w": torch.ones(3, requires_grad=True)}
    with torch.no_grad():
        loss = (model["w"] * 2).sum()
    loss.backward()


def view_of_leaf(torch: Any) -> None:
    w = torch.ones(3, requires_grad=True)
    v = w[:2]
    v.mul_(2)


def no_grad_view(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True) * 1
    with torch.no_grad():
        v = x[:2]
    v.mul_(2)


def inference(torch: Any) -> None:
    with torch.inference_mode():
        quiet = torch.ones(3)
    quiet.mul_(2)


def several(torch: Any) -> None:
    y = torch.ones(3, requires_grad=True) * 2
    y.backward()


def stepped(torch: Any) -> None:
    layer = torch.nn.Linear(2, 1)
    y = layer(torch.ones(1, 2, requires_grad=True)).sum()
    with torch.no_grad():
        layer.weight.mul_(2)
    y.backward()


def two_saves(torch: Any) -> None:
    y = (torch.ones(3, requires_grad=True) + 1).exp()
    z = (y * y.detach()).sum()
    y.add_(1)
    z.backward()


def counted(torch: Any) -> None:
    q = torch.ones(3, requires_grad=True)
    q.argmax().float().backward()


TOLD: dict[Callable[[Any], None], str] = {
    changed: "It is MulBackward0 that saved its argument 'self', the memory of h",
    second_time: "In the graph of loss, ExpBackward0",
    unrecorded: "loss requires no gradient. model['w'] requires one, but no recorded operation leads from it to this.",
    view_of_leaf: "v is a view of w.",
    no_grad_view: "v is a view of x.",
    inference: "It is quiet.",
    several: "y has 3 elements.",
    stepped: "It is AddmmBackward0 that saved its argument 'mat2', the memory of layer.weight",
    two_saves: "It is MulBackward0 that saved its argument 'other', the memory of y",
    counted: "q requires one, but no recorded operation leads from it to this.",
}


@pytest.mark.parametrize("program", TOLD)
def test_the_graphs_tell_which_tensor_it_is(program: Callable[[Any], None]) -> None:
    assert TOLD[program] in said(program, tw)


@pytest.mark.torch
@pytest.mark.parametrize("program", TOLD)
def test_pytorchs_graphs_tell_the_same(program: Callable[[Any], None]) -> None:
    import torch

    with pytest.raises(RuntimeError) as caught:
        program(torch)
    assert TOLD[program] in (why := tw.why(caught.value)).reason.because and why.reason.instead


@pytest.mark.torch
def test_anomaly_mode_tells_the_line() -> None:
    import torch

    with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True), pytest.raises(RuntimeError) as caught:
        warnings.simplefilter("ignore")
        changed(torch)
    because = tw.why(caught.value).reason.because
    assert "recorded by line" in because and "y = h * h.exp()." in because and "anomaly mode" not in because


@pytest.mark.torch
def test_every_refusal_of_pytorch_is_explained() -> None:
    import torch

    silent = []
    for number, refusal in enumerate(read()[1]):
        name = f"<refusal {number}>"
        lines = [line + "\n" for line in refusal.program.split("\n")]
        linecache.cache[name] = (len(refusal.program), None, lines, name)
        scope = {"torch": torch, "__name__": "program"}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(refusal.program, name, "exec"), scope)
        except Exception as error:
            reason = tw.why(error).reason
            if not reason.because and not any(words in str(error) for words in (*ELSEWHERE, "is not defined")):
                silent.append(str(error))
        finally:
            torch.set_grad_enabled(True)
            linecache.cache.pop(name, None)
    assert silent == []


def test_our_own_errors_keep_their_reasons() -> None:
    with pytest.raises(RuntimeError) as caught:
        changed(tw)
    assert tw.why(caught.value).reason is caught.value.reason  # type: ignore[attr-defined]
