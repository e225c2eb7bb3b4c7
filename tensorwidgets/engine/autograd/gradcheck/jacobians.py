"""Matrices of derivatives, two ways: by small steps of the inputs, and by gradients.

Row i, column j says how element i of the input moves element j of the result. For complex inputs it is the derivative
that PyTorch's gradients follow: by the real part, plus i times the one by the imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from ...derivatives.beside import zeros_beside
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_flag import can_require
from ...tensor.tensor import Tensor
from ..backward import grad


def numerical(func: Callable, inputs: tuple, moved: Tensor, outputs: tuple, eps: float) -> list[Tensor]:
    """One matrix for each output: what steps of `eps` to both sides of an input change, element by element."""
    places = list(product(*[range(n) for n in moved.shape]))
    dtype = moved.dtype if moved.is_complex() else None
    matrices: list[Tensor] = [
        torch.zeros((len(places), o.numel()), dtype=dtype or o.dtype, device=o.device) for o in outputs
    ]
    for row, place in enumerate(places):
        changes = _change(func, inputs, moved, place, eps, 1)
        if moved.is_complex():
            upwards = _change(func, inputs, moved, place, eps, 1j)
            changes = [across + up * 1j for across, up in zip(changes, upwards, strict=True)]
        for matrix, output, change in zip(matrices, outputs, changes, strict=True):
            if can_require(output):
                matrix[row] = change
    return matrices


def _change(func: Callable, inputs: tuple, moved: Tensor, place: tuple, eps: float, way: complex) -> list[Tensor]:
    """The difference quotients of all outputs for a step of one element."""
    data = moved.data  # a write that no node notices
    before = data[place].clone()
    data[place] = before - eps * way
    below = _values(func, inputs)
    data[place] = before + eps * way
    above = _values(func, inputs)
    data[place] = before
    for a, b in zip(below, above, strict=True):
        _must_agree("shape", a.shape, b.shape, place, eps)
        _must_agree("dtype", a.dtype, b.dtype, place, eps)
    return [((b - a) / (2 * eps)).reshape(-1) for a, b in zip(below, above, strict=True)]


def _values(func: Callable, inputs: tuple) -> list[Tensor]:
    results = func(*inputs)
    flat = results if isinstance(results, (tuple, list)) else (results,)
    return [o.detach().clone() for o in flat]


def _must_agree(what: str, one: Any, other: Any, place: tuple, eps: float) -> None:
    if one != other:
        refuse(
            AssertionError,
            f"Expected `func` to return outputs with the same {what} when inputs are perturbed on index {place} by "
            f"{eps}, but got: {what}s {one} and {other}.",
            "only numbers of one kind can be compared",
            rule=f"gradcheck.{what}",
        )


def analytical(output: Tensor, inputs: list[Tensor]) -> tuple[list[Tensor], bool, bool]:
    """One matrix for each input, and whether all gradients have the size and the dtype of their tensor."""
    matrices: list[Tensor] = [zeros_beside(t, (t.numel(), output.numel())) for t in inputs]
    sizes = dtypes = True
    for column in range(output.numel()):
        one = zeros_beside(output, output.numel())
        one[column] = 1
        found = grad(output, inputs, one.reshape(output.shape), retain_graph=True, allow_unused=True)
        for matrix, t, g in zip(matrices, inputs, found, strict=True):
            if g is None:
                continue
            sizes, dtypes = sizes and g.shape == t.shape, dtypes and g.dtype is t.dtype
            if g.shape == t.shape:
                matrix[:, column] = (g.to_dense() if g.is_sparse else g).detach().reshape(-1)
    return matrices, sizes, dtypes
