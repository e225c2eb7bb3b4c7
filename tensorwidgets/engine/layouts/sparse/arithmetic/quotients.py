"""Quotients and powers of sparse tensors by numbers: other divisors would change the elements that are not stored."""

from __future__ import annotations

from typing import Any

from ....dispatch.registry import OPS, find
from ....dispatch.stations import no_kernel
from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version
from ....tensor.write_checks import check_cast
from ..parts.coalescing import coalesce
from ..parts.same_indices import into, replace, with_values
from ..parts.tensors import COO, coo_kernel, is_coo, is_sparse
from .results import is_number


def _divisor(other: Any, words: str) -> None:
    if not is_number(other):
        got = (
            "a sparse divisor"
            if is_sparse(other) and other._array.ndim == 0
            else f"shape {list(other._array.shape)} for divisor"
        )
        refuse(
            RuntimeError,
            f"{words} requires a scalar or zero-dim dense tensor divisor (got {got})",
            "elements that are not stored would become 0 / divisor, which is not 0 for a divisor of 0",
            "x * (1 / dense)",
            rule="sparse.divisor",
        )


@coo_kernel("div")
def div(input: Tensor, other: Tensor | float, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    _divisor(other, "Sparse division")
    t = input if rounding_mode is None else coalesce(input)
    return into(
        out, with_values(t, OPS["div"].function(t._array.values, other, rounding_mode=rounding_mode), apart=True)
    )


@coo_kernel("div_")
def div_(input: Tensor, other: int, *, rounding_mode: str | None = None) -> Tensor:
    result = div(input, other, rounding_mode=rounding_mode)
    check_cast(result._dtype, input._dtype)
    if rounding_mode is None and result._dtype is input._dtype:  # in the values, which others may share
        OPS["copy_"].function(input._array.values, result._array.values)
        bump_version(input)
        return input
    return replace(
        input,
        result
        if result._dtype is input._dtype
        else with_values(result, OPS["to"].function(result._array.values, input._dtype)),
    )


@coo_kernel("floor_divide")
def floor_divide(input: Tensor, other: int, *, out: Tensor | None = None) -> Tensor:
    _divisor(other, "Sparse floor division")
    t = coalesce(input)
    return into(out, with_values(t, OPS["floor_divide"].function(t._array.values, other), apart=True))


@coo_kernel("floor_divide_")
def floor_divide_(input: Tensor, other: int) -> Tensor:
    _divisor(other, "Sparse floor division")
    t = coalesce(input)
    return replace(input, with_values(t, OPS["floor_divide"].function(t._array.values, other)))


def _power(name: str) -> Any:
    def kernel(input: Any, exponent: Tensor | float, *, out: Tensor | None = None) -> Tensor:
        if not is_coo(input) or isinstance(exponent, Tensor):
            no_kernel(
                find("pow"),
                COO,
                ("pow.Scalar" if not is_coo(input) and not isinstance(input, Tensor) else "pow.Tensor_Tensor")
                + ("" if out is None else "_out"),
            )
        if exponent == 0:
            refuse(
                RuntimeError,
                "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense",
                "0 to the power of 0 is 1",
                "x.to_dense() ** 0",
                rule="sparse.power",
            )
        t = coalesce(input)
        result = OPS[name].function(t._array.values, exponent)
        if name == "pow":
            check_cast(result._dtype, input._dtype)
        return into(out, with_values(t, result, apart=True))

    return kernel


coo_kernel("pow")(_power("pow"))
coo_kernel("float_power")(_power("float_power"))


@coo_kernel("square")
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return into(out, OPS["pow"].function(input, 2))
