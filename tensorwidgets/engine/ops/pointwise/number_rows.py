"""Arithmetic with a number, which PyTorch records under names of its own where its composites use it.

``x * 2`` in Python is `MulBackward0`, as for two tensors: the number is taken as a tensor first. The ops that PyTorch
makes of others call the form for numbers, `MulBackward1`. Parts are written with these rows, so that graphs agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...declare.rules import composite_row
from ...dispatch import stations
from ...dispatch.registry import OPS, Op
from ...tensor.must_be_tensor import must_be_tensor

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def _row(name: str, of: str) -> Callable:
    """A row without a public name that computes what another one computes."""
    plain_of = OPS[of].function

    def plain(input: Tensor, other: float) -> Any:
        return plain_of(input, other)

    return stations.bind(Op(name, "pointwise", "pointwise", OPS[of].words, forms=frozenset()), plain)


add_number = _row("add_number", "add")
sub_number = _row("sub_number", "sub")
mul_number = _row("mul_number", "mul")
div_number = _row("div_number", "div")


def _multiplied() -> Callable:
    multiply = OPS["mul_"].function

    def plain(input: Tensor, other: float) -> Any:
        return multiply(input, other)

    return stations.bind(Op("mul_number_", "inplace", "pointwise", OPS["mul_"].words, forms=frozenset()), plain)


mul_number_ = _multiplied()


def _subtracted_from() -> Callable:
    subtract = OPS["sub"].function

    def plain(input: Tensor, other: complex) -> Any:
        return subtract(other, input)

    words = "Subtracts a tensor from a number: ``2 - x``."
    return stations.bind(Op("rsub_number", "pointwise", "pointwise", words, forms=frozenset()), plain)


rsub_number = _subtracted_from()


@composite_row(
    "rsub",
    "Subtracts a tensor from a number or another tensor: ``other - alpha * input``.",
    family="pointwise",
    category="other",
    forms="function",
)
def rsub(input: Tensor, other: Tensor | complex, alpha: float = 1) -> Any:
    must_be_tensor("rsub", input)
    subtract = OPS["sub"].function
    return subtract(other, input) if type(alpha) is not bool and alpha == 1 else subtract(other, input, alpha=alpha)


__all__ = ["add_number", "div_number", "mul_number", "mul_number_", "rsub_number", "sub_number"]
