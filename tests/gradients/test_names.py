"""Named dimensions and gradients: results keep their names, gradients have none, as PyTorch had it."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

import tensorwidgets as tw

CALLS: dict[str, tuple[Callable[[tw.Tensor], tw.Tensor], tuple, list]] = {
    "mul": (lambda x: x * 3, ("N", "C"), [[3.0, 3.0], [3.0, 3.0]]),
    "sum": (lambda x: x.sum("C"), ("N",), [[1.0, 1.0], [1.0, 1.0]]),
    "select": (lambda x: x.select("N", 0), ("C",), [[1.0, 1.0], [0.0, 0.0]]),
    "getitem": (lambda x: x[1], ("C",), [[0.0, 0.0], [1.0, 1.0]]),
    "transpose": (lambda x: x.transpose("N", "C"), ("C", "N"), [[1.0, 1.0], [1.0, 1.0]]),
    "align_to": (lambda x: x.align_to("C", "D", "N") * 2, ("C", "D", "N"), [[2.0, 2.0], [2.0, 2.0]]),
    "rename": (lambda x: x.rename(N="M"), ("M", "C"), [[1.0, 1.0], [1.0, 1.0]]),
    "in place": (lambda x: (x * 1).mul_(5), ("N", "C"), [[5.0, 5.0], [5.0, 5.0]]),
    "flatten": (lambda x: x.flatten(["N", "C"], "F"), ("F",), [[1.0, 1.0], [1.0, 1.0]]),
}


@pytest.mark.parametrize("call", CALLS)
def test_names_stay_and_gradients_have_none(call: str) -> None:
    function, names, gradient = CALLS[call]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = tw.tensor([[1.0, 2.0], [3.0, 4.0]], names=("N", "C"), requires_grad=True)
        y = function(x)
        assert y.names == names
        assert y.requires_grad
        y.rename(None).sum().backward()
    assert x.grad is not None
    assert x.grad.names == (None, None)
    assert x.grad.tolist() == gradient
