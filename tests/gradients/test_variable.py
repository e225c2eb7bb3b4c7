"""Variable, which old programs write, gives what PyTorch's gives."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

import tensorwidgets as tw

CALLS = {
    "Variable(x)": "tensor([1., 1.])",
    "Variable(y)": "tensor([2., 2.])",
    "Variable(x, True)": "tensor([1., 1.], requires_grad=True)",
    "Variable(y, requires_grad=True)": "tensor([2., 2.], requires_grad=True)",
    "Variable(data=x.detach())": "tensor([1., 1.])",
    "Variable()": "tensor([])",
    "isinstance(y, Variable)": "True",
    "isinstance(3, Variable)": "False",
    "Variable(x, volatile=True)": "UserWarning: volatile was removed and now has no effect. "
    "Use `with torch.no_grad():` instead.",
    "Variable(3)": "TypeError: Variable data has to be a tensor, but got int",
    "Variable(y.long(), True)": "RuntimeError: Only Tensors of floating point and complex dtype can require gradients",
}
LIBRARIES = ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("error")
def test_what_it_gives(call: str, library: str) -> None:
    torch: Any = importlib.import_module(library)
    x = torch.ones(2, requires_grad=True)
    names = {"x": x, "y": x * 2, "Variable": torch.autograd.Variable}
    kind, _, said = CALLS[call].partition(": ")
    if not said:
        assert repr(eval(call, names)) == CALLS[call]
        return
    with pytest.raises((TypeError, RuntimeError, UserWarning), match=re.escape(said)) as caught:
        eval(call, names)
    assert caught.type.__name__ == kind


def test_an_old_program_runs() -> None:
    w = tw.autograd.Variable(tw.ones(3), requires_grad=True)
    (w * tw.arange(3.0)).sum().backward()
    assert w.grad.data.tolist() == [0.0, 1.0, 2.0] and tw.autograd.variable.Variable is tw.autograd.Variable
