"""Small programs that random ones led to: what they print, without PyTorch and with it."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw

NO_GRAD_VIEW = "RuntimeError: A view was created in no_grad mode and its base or another view of its base has been"

FOUND: dict[str, tuple[str, str, str]] = {
    "complex numbers are divided with sums of products that are rounded once": (
        "z = torch.tensor([1.25+1.25j, -1+1.75j, 1.25+1.5j, -0.75+1j], dtype=torch.complex128)",
        "(z / z).tolist()",
        "[(1+0j), (1+2.3912495915003373e-17j), (1+2.1840452943445705e-17j), (1+0j)]",
    ),
    "in place too, and by zero": (
        "z = torch.tensor([1+2j, 0j, 3-1j], dtype=torch.complex128); z.div_(torch.tensor([0j, 0j, 2j]))",
        "z",
        "tensor([    inf+infj,     nan+nanj, -0.5000-1.5000j], dtype=torch.complex128)",
    ),
    "64 bytes of complex zeros have no sign when they are negated, those left over have one": (
        "z = torch.zeros(5, dtype=torch.complex128)",
        "(torch.signbit((-z).real).tolist(), torch.signbit((-z.to(torch.complex64)).real).tolist())",
        "([False, False, False, False, True], [True, True, True, True, True])",
    ),
    "a gradient of no elements was written to once": (
        "a = torch.zeros(1, requires_grad=True); b = a.narrow(0, 0, 0); b.detach().zero_()",
        "torch.autograd.grad(b.sum(), a)[0]._version",
        "1",
    ),
    "the variance of one dimension opens no dimension on the way back": (
        "a = torch.ones(4, requires_grad=True)\n"
        "g = torch.autograd.grad(a.var(dim=0).square(), a, create_graph=True)[0]",
        "[str(n[0])[1:14] for n in g.grad_fn.next_functions[0][0].next_functions]",
        "['MulBackward0 ']",
    ),
    "what several formulas read is kept, and a view without a node is refused": (
        "a = torch.ones(2, 2, requires_grad=True)\n"
        "with torch.no_grad(): b = a[1:2]\n"
        "c = b / b\n"
        "with torch.no_grad(): a.mul_(2)",
        "error(lambda: c.backward(torch.ones(1, 2)))[:88]",
        repr(NO_GRAD_VIEW[:88]),
    ),
    "what one formula of two reads is not kept": (
        "a = torch.ones(2, 2, requires_grad=True)\n"
        "with torch.no_grad(): b = a[1:2]\n"
        "c = b * b\n"
        "with torch.no_grad(): a.mul_(2)",
        "(c.grad_fn._saved_self, error(lambda: c.backward(torch.ones(1, 2))))",
        "(None, '')",
    ),
    "the way back of relu keeps its input in any case": (
        "a = torch.ones(2, requires_grad=True); c = a.relu()\n"
        "e = torch.autograd.grad(c, a, torch.ones(2), create_graph=True)[0]; c.add_(-1)",
        "error(lambda: e.sum().backward())[:74]",
        "'RuntimeError: one of the variables needed for gradient computation has bee'",
    ),
    "a number makes a call with a tensor of inference mode one that is recorded": (
        "a = torch.ones(2, requires_grad=True)\nwith torch.inference_mode(): a.data = torch.ones(2)",
        "[str((a + 1).grad_fn)[1:14], str((2 * a).grad_fn)[1:14], a.sin().grad_fn, (a ** 2).grad_fn, a.add(a).grad_fn]",
        "['AddBackward0 ', 'MulBackward0 ', None, None, None]",
    ),
    "a view made under no_grad before a write is refused once its base requires a gradient": (
        "b = torch.ones(2, 2) * 1\nwith torch.no_grad(): c = b[0]; c += 1; b.requires_grad_()",
        "error(lambda: c.grad_fn)[:88]",
        repr(NO_GRAD_VIEW[:88]),
    ),
    "the gradient of softmax is the difference times the result": (
        "a = torch.tensor([[-0.25, 0.5, -2, 1.75]], dtype=torch.float64, requires_grad=True)\n"
        "b = a.softmax(1); b.backward(torch.ones_like(b))",
        "a.grad",
        "tensor([[0., 0., 0., 0.]], dtype=torch.float64)",
    ),
    "softmax multiplies a row by the reciprocal of its sum": (
        "a = torch.tensor([[1.75, 0.25, -1.5]], dtype=torch.float64)",
        "a.softmax(1).tolist()",
        "[[0.7924530775661193, 0.17682018210744427, 0.03072674032643643]]",
    ),
    "a row reads what was written to it": (
        "x = torch.tensor([[1., 2, 3], [4, 5, 6]]); x += x[:, :1]",
        "x",
        "tensor([[ 2.,  4.,  5.],\n        [ 8., 13., 14.]])",
    ),
    "but the first 64 bytes at once": (
        "x = torch.ones(2, 10, dtype=torch.float64); x.mul_(3).div_(x[:, :1])",
        "x[0]",
        "tensor([1., 1., 1., 1., 1., 1., 1., 1., 3., 3.], dtype=torch.float64)",
    ),
    "rows read the rows before them": (
        "x = torch.arange(6.).reshape(3, 2); x[1:, ::2].copy_(x[:2, ::2])",
        "x",
        "tensor([[0., 1.],\n        [0., 3.],\n        [0., 5.]])",
    ),
    "elements are copied one after the other": (
        "x = torch.arange(4.).reshape(2, 2); x[None, 1] = x[:, 1]",
        "x",
        "tensor([[0., 1.],\n        [1., 3.]])",
    ),
}


def error(call: Any) -> str:
    """The error of a call as text; empty if there is none."""
    try:
        call()
    except Exception as found:
        return f"{type(found).__name__}: {found}"
    return ""


def shown(torch: Any, program: str, expression: str) -> str:
    scope = {"torch": torch, "error": error}
    exec(program, scope)
    return repr(eval(expression, scope))


@pytest.mark.parametrize("name", FOUND)
def test_it_prints_what_pytorch_prints(name: str) -> None:
    program, expression, expected = FOUND[name]
    assert shown(tw, program, expression) == expected


@pytest.mark.torch
def test_pytorch_prints_it_still() -> None:
    import torch

    torch.set_num_threads(1)
    for name, (program, expression, expected) in FOUND.items():
        assert shown(torch, program, expression) == expected, name
