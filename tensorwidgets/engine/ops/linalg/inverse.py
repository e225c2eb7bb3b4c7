"""Determinants and inverses; by LAPACK through NumPy and SciPy."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    check_floating,
    check_kernel,
    check_square,
    into,
    linear_row,
    matrices,
    outs,
    plain,
    refuse_singular,
    refuse_size,
)
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, place_of
from ...types import dtypes
from ...types.dtypes import COMPLEX
from ...types.return_types import result
from .factor import lu_parts
from .solve import lu_solved

# -- determinants ------------------------------------------------------------------------------------------------


@linear_row("linalg.det", "Computes the determinant of square matrices.")
def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_square("linalg.det", A)
    check_floating("linalg.det", A)
    return plain(lambda: quietly(np.linalg.det, A._array), A._dtype, place_of(A), A._array.shape[:-2], out)


@linear_row("det", "Computes the determinant of square matrices.", forms="function method")
def det(input: Tensor) -> Tensor:
    return linalg_det(input)


@linear_row("linalg.slogdet", "Computes the sign and the logarithm of the absolute value of the determinant.")
def linalg_slogdet(A: Tensor, *, out: Any = None) -> Any:  # noqa: N803
    return _slogdet("linalg_slogdet", A, outs(out, 2))


@linear_row(
    "slogdet", "Computes the sign and the logarithm of the absolute value of the determinant.", forms="function method"
)
def slogdet(input: Tensor, *, out: Any = None) -> Any:
    return _slogdet("slogdet", input, outs(out, 2))


def _slogdet(name: str, a: Tensor, out: tuple, shown_name: str = "linalg.slogdet") -> Any:
    check_square(shown_name, a)
    check_floating(shown_name, a)
    size, place = a._array.shape[:-2], place_of(a)
    outcome: Any = quietly(np.linalg.slogdet, a._array) if place.has_numbers else (None, None)
    parts = (
        plain(lambda: outcome[0], a._dtype, place, size, out[0]),
        plain(lambda: outcome[1], a._dtype.to_real(), place, size, out[1]),
    )
    return result(name, ("sign", "logabsdet"), parts)


@linear_row("logdet", "Computes the logarithm of the determinant; NaN where it is negative.", forms="function method")
def logdet(input: Tensor) -> Tensor:
    sign, log = _slogdet("slogdet", input, (None, None), "logdet")
    if input._dtype._kind == COMPLEX:
        return OPS["add"].function(OPS["log"].function(sign), log)
    return OPS["where"].function(OPS["eq"].function(sign, -1), float("nan"), log)


# -- inverses ----------------------------------------------------------------------------------------------------

_ZERO_PIVOT = (
    "The diagonal element {n} is zero, the inversion could not be completed because the input matrix is singular."
)


def _inverse(packed: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    ones = np.eye(packed.shape[-1], dtype=packed.dtype)
    return lu_solved(packed, pivots, ones, packed.shape, (True, False))


def _inv(name: str, a: Tensor, out: tuple, check: bool = True) -> tuple[Tensor, Tensor]:
    check_square("linalg.inv", a)
    check_floating("linalg.inv", a)
    size, place = a._array.shape, place_of(a)
    outcome: Any = (None, None, None)
    if place.has_numbers:
        outcome = lu_parts(a._array)
        if check:
            refuse_singular(name, outcome[2], _ZERO_PIVOT)
    return (
        matrices(lambda: _inverse(outcome[0], outcome[1]), a._dtype, place, size, out[0]),
        plain(lambda: outcome[2], dtypes.int32, place, size[:-2], out[1]),
    )


@linear_row("linalg.inv", "Computes the inverse of square matrices.")
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    return _inv("linalg.inv", A, (out, None))[0]


@linear_row("inverse", "Computes the inverse of square matrices.", forms="function method")
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return _inv("linalg.inv", input, (out, None))[0]


@linear_row("linalg.inv_ex", "Computes linalg.inv and returns an error code instead of raising.")
def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    parts = _inv("linalg.inv_ex", A, outs(out, 2), check_errors)
    return result("linalg_inv_ex", ("inverse", "info"), parts)


@linear_row("cholesky_inverse", "Computes the inverse of A from its Cholesky factor.", forms="function method")
def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    check_square("cholesky_inverse", input)
    check_kernel("cholesky_inverse_out_cpu", input)

    def outcome() -> np.ndarray:
        low = np.triu(input._array).swapaxes(-1, -2).conj() if upper else np.tril(input._array)
        return np.linalg.inv(low @ low.swapaxes(-1, -2).conj())

    return matrices(outcome, input._dtype, place_of(input), input._array.shape, out, "torch.cholesky_inverse/result")


@linear_row("linalg.tensorinv", "Computes the multiplicative inverse of tensordot.")
def tensorinv(input: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    if ind <= 0:
        refuse(
            RuntimeError,
            f"Expected a strictly positive integer for 'ind', but got {ind}",
            "the first `ind` dimensions become the rows of the matrix",
            rule="linalg.ind",
        )
    first, second = input._array.shape[:ind], input._array.shape[ind:]
    if prod(first) != prod(second):
        refuse_size(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{prod(second)} != {prod(first)}",
            "the matrix has to be square",
        )
    square = OPS["reshape"].function(input, (prod(first), prod(second)))
    check_floating("linalg.inv", square)
    flat = _inv("inv", square, (None, None))[0]
    return into(out, OPS["reshape"].function(flat, (*second, *first)), "torch.linalg.tensorinv/result")
