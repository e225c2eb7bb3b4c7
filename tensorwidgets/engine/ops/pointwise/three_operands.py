"""Pointwise ops of three operands: lerp, addcmul, addcdiv."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy.casts import number_array
from ...backends.numpy.in_double import DOUBLE, SINGLE, to_out
from ...declare.pointwise import Pointwise, common_dtype
from ...errors.reasons import refuse
from ...memory.places import as_array, number_of
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtypes import INTEGER, dtype, opmath
from .prepared import prepared
from .rows import COMPLEXES, FRACTIONS, NUMBERS, REALS


def _on_the_way(a: np.ndarray, b: np.ndarray, weight: np.ndarray, out: np.ndarray | None = None) -> Any:
    """Interpolate from the nearer end, so that weights of 0 and 1 return an end exactly."""
    apart = np.subtract(b, a)
    near = np.abs(weight) < 0.5
    part = np.where(near, weight, weight - 1).astype(weight.dtype)
    end = (a if near else b) if np.ndim(weight) == 0 else np.where(near, a, b)
    part = number_of(part)
    return product_added(end, part, apart, out)


def product_added(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray | None = None) -> Any:
    """a + b*c; of float32 with one rounding at the end, as PyTorch's kernels do it.

    >>> tenth, one = np.array(0.1, "f4"), np.array(1, "f4")
    >>> print(product_added(-tenth, tenth, one + tenth), -tenth + tenth * (one + tenth))
    0.010000003 0.010000005
    """
    if type(a) is np.ndarray:
        b = as_array(b)
    if not a.dtype == b.dtype == c.dtype == SINGLE:
        return np.add(a, np.multiply(b, c), out)
    result = as_array(np.add(a, np.multiply(b, c, dtype=DOUBLE), dtype=DOUBLE))
    return to_out(result.astype(SINGLE), out)


def _by_number(weight: Any) -> Any:
    """The same for one weight, which is not rounded to 16 bits where the ends are."""

    def on_the_way(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        return _on_the_way(a, b, number_array(weight, _of(a))[()], out)

    return on_the_way


def _check_same(a: Tensor, b: Tensor, name: str) -> None:
    if a._dtype is not b._dtype:
        one, two = (cpp_name(t._dtype, "") for t in (a, b))
        refuse(
            RuntimeError,
            f"expected dtype {one} for `{name}` but got dtype {two}",
            f"lerp does not promote: one end is {a._dtype}, the other {b._dtype}",
            f"{name}.to({a._dtype})",
            rule="lerp.dtype",
        )


@prepared(
    "lerp", "Interpolates linearly between two tensors: input + weight * (end - input).",
)  # fmt: skip
def _lerp(name: str, input: Tensor, end: Tensor, weight: Tensor | float) -> tuple:
    must_be_tensor(name, input)
    _check_same(input, must_be_tensor(name, end, "end", 2), "end")
    d = input._dtype
    if isinstance(weight, Tensor) and weight._array.ndim:
        _check_same(input, weight, "weight")
    stub = "lerp_kernel_tensor" if isinstance(weight, Tensor) else "lerp_kernel_scalar"
    row = Pointwise(_on_the_way, stub=stub, domain=FRACTIONS)
    if isinstance(weight, Tensor):
        # A weight without dimensions may be of another dtype, and of a higher kind.
        if weight._array.ndim or not place_of(weight).has_numbers or common_dtype((input, end, weight)) is not d:
            words = "Found dtype {Got} but expected {Wanted}" if weight._array.ndim else False
            return (input, end, weight), row._replace(same_out=words)
        weight = weight.item()
    check = _fits(weight) if d in FRACTIONS else None  # for the others there is no kernel
    return (input, end), row._replace(ufunc=_by_number(weight), late_check=check)


def _product(factor: complex | None) -> Any:
    def added(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray | None = None) -> Any:
        # PyTorch multiplies the first by the factor, and then by the second.
        return product_added(a, b if factor is None else np.multiply(number_array(factor, _of(a))[()], b), c, out)

    return added


def _quotient(factor: Tensor | complex | None) -> Any:
    def added(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray | None = None) -> Any:
        result = np.divide(b if factor is None else np.multiply(number_array(factor, _of(a))[()], b), c)
        return np.add(a, result, out)

    return added


def _of(a: np.ndarray) -> dtype:
    return dtypes.FROM_NUMPY[as_array(a).dtype]


def _operands(name: str, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | complex) -> tuple:
    operands = (
        must_be_tensor(name, input),
        must_be_tensor(name, tensor1, "tensor1", 2),
        must_be_tensor(name, tensor2, "tensor2", 3),
    )
    return operands, None if type(value) is int and value == 1 else value


def _fits(factor: Any) -> Callable | None:
    """The check that a dtype holds the factor, which PyTorch makes after it has looked at the sizes."""
    return None if factor is None else lambda d: None if d is dtypes.bool_ else check_fits(factor, opmath(d))


@prepared(
    "addcmul", "Computes input + value * tensor1 * tensor2.",
)  # fmt: skip
def _addcmul(name: str, input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: complex = 1) -> tuple:
    operands, factor = _operands(name, input, tensor1, tensor2, value)
    return operands, Pointwise(_product(factor), stub="addcmul_cpu_out", domain=NUMBERS, late_check=_fits(factor))


@prepared(
    "addcdiv", "Computes input + value * tensor1 / tensor2.",
)  # fmt: skip
def _addcdiv(name: str, input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Tensor | complex = 1) -> tuple:
    must_be_tensor(name, input)
    if all(isinstance(t, Tensor) and t._dtype._kind <= INTEGER for t in (tensor1, tensor2)):
        refuse(
            RuntimeError,
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform "
            "a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input "
            "+ value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value "
            "* tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter "
            "implementation: (input + value * tensor1 / tensor2), for all dtypes.",
            "a quotient of whole numbers is seldom one",
            "tensor1.float()",
            rule="addcdiv.dtype",
        )
    operands, factor = _operands(name, input, tensor1, tensor2, value)
    row = Pointwise(_quotient(factor), stub="addcdiv_cpu_out", domain=REALS | COMPLEXES, late_check=_fits(factor))
    return operands, row
