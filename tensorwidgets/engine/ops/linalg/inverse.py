"""Determinants and inverses; by LAPACK through NumPy and SciPy."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    check_floating,
    check_fractions,
    check_kernel,
    check_square,
    each,
    for_lapack,
    linear_composite,
    linear_row,
    matrices,
    refuse_failed,
    refuse_size,
)
from ...declare.rules import Answer, Result, store
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...memory import MAIN_MEMORY
from ...memory import place_of as place_of_array
from ...tensor.results import copy_to
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.dtypes import COMPLEX
from . import elsewhere
from .factor import lu_parts
from .solve import lu_solved

# -- determinants ------------------------------------------------------------------------------------------------


def _pivots_of(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The diagonals of the upper factors of matrices, and the signs of the exchanges of rows.

    LAPACK reads columns, so PyTorch gives it the transposed matrix where real numbers lie in rows.
    """
    turned = a.flags.c_contiguous and a.dtype.kind != "c"
    packed, pivots, _ = lu_parts(a.swapaxes(-2, -1) if turned else a)
    exchanged = (pivots != np.arange(1, pivots.shape[-1] + 1)).sum(-1) % 2
    return np.diagonal(packed, axis1=-2, axis2=-1), (1 - 2 * exchanged).astype(a.dtype)


def fill_det(target: np.ndarray, a: np.ndarray) -> None:
    if place_of_array(a) is not MAIN_MEMORY:
        target[...] = quietly(np.linalg.det, a)
        return
    diagonal, sign = _pivots_of(a)
    target[...] = quietly(lambda: sign * np.multiply.reduce(diagonal, -1))


@linear_row("linalg.det", "Computes the determinant of square matrices.", fill_det)
def linalg_det(A: Tensor) -> Answer:  # noqa: N803
    check_square("linalg.det", A)
    check_fractions("linalg.det", A)
    return Result(A._array.shape[:-2], A._dtype), (for_lapack("lu_cpu", A),)


@linear_row("det", "Computes the determinant of square matrices.", fill_det, forms="function method", out=None)
def det(input: Tensor) -> Answer:
    return linalg_det(input)


def fill_slogdet(targets: tuple[np.ndarray, ...], a: np.ndarray) -> None:
    if place_of_array(a) is not MAIN_MEMORY:
        store(targets, quietly(np.linalg.slogdet, a))
        return
    diagonal, sign = _pivots_of(a)

    def parts() -> tuple[np.ndarray, ...]:
        sizes = np.abs(diagonal)
        signs = np.where(sizes == 0, diagonal, diagonal / sizes) if a.dtype.kind == "c" else _signs(diagonal)
        return sign * np.multiply.reduce(signs, -1), np.log(sizes).sum(-1)

    store(targets, quietly(parts))


def _signs(values: np.ndarray) -> np.ndarray:
    """The signs of numbers: of NaN it is 0."""
    return np.where(np.isnan(values), values.dtype.type(0), np.sign(values))


_LOG_WORDS = "Computes the sign and the logarithm of the absolute value of the determinant."


@linear_row("linalg.slogdet", _LOG_WORDS, fill_slogdet, returns=("linalg_slogdet", ("sign", "logabsdet")))
def linalg_slogdet(A: Tensor) -> Answer:  # noqa: N803
    check_square("linalg.slogdet", A)
    check_floating("linalg.slogdet", A)
    size, d = A._array.shape[:-2], A._dtype
    return (Result(size, d), Result(size, d.to_real())), (A._array,)


@linear_row("slogdet", _LOG_WORDS, fill_slogdet, forms="function method", returns=("slogdet", ("sign", "logabsdet")))
def slogdet(input: Tensor) -> Answer:
    return linalg_slogdet(input)


@linear_composite(
    "logdet", "Computes the logarithm of the determinant; NaN where it is negative.", forms="function method"
)
def logdet(input: Tensor) -> Tensor:
    check_square("logdet", input)
    check_floating("logdet", input)
    sign, log = OPS["linalg.slogdet"].function(input)
    if input._dtype._kind == COMPLEX:
        return OPS["add"].function(OPS["log"].function(sign), log)
    return OPS["where"].function(OPS["eq"].function(sign, -1), float("nan"), log)


# -- inverses ----------------------------------------------------------------------------------------------------

_ZERO_PIVOT = (
    "The diagonal element {n} is zero, the inversion could not be completed because the input matrix is singular."
)


def inverted(packed: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    """Returns the inverses of matrices from their packed LU factors."""
    ones = np.eye(packed.shape[-1], dtype=packed.dtype)
    return lu_solved(packed, pivots, ones, packed.shape, (True, False))


def fill_inverse(target: np.ndarray, a: np.ndarray, name: str) -> None:
    there = elsewhere.inverse(a)
    if there is not None:
        np.copyto(target, there)
        return
    packed, pivots, infos = lu_parts(a)
    refuse_failed(name, infos, _ZERO_PIVOT)
    np.copyto(target, inverted(packed, pivots))


@linear_row("linalg.inv", "Computes the inverse of square matrices.", fill_inverse)
def inv(A: Tensor) -> Answer:  # noqa: N803
    check_square("linalg.inv", A)
    check_floating("linalg.inv", A)
    return matrices(A._array.shape, A._dtype), (A._array, "linalg.inv")


@linear_row("inverse", "Computes the inverse of square matrices.", fill_inverse, forms="function method")
def inverse(input: Tensor) -> Answer:
    return inv(input)


def fill_inverse_ex(targets: tuple[np.ndarray, ...], a: np.ndarray, check_errors: bool) -> None:
    there = elsewhere.inverse(a)
    if there is not None:
        store(targets, (there, np.zeros(a.shape[:-2], np.int32, like=a)))
        return
    packed, pivots, infos = lu_parts(a)
    if check_errors:
        refuse_failed("linalg.inv_ex", infos, _ZERO_PIVOT)
    store(targets, (inverted(packed, pivots), infos))


@linear_row(
    "linalg.inv_ex",
    "Computes linalg.inv and returns an error code instead of raising.",
    fill_inverse_ex,
    returns=("linalg_inv_ex", ("inverse", "info")),
)
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Answer:  # noqa: N803
    result, _ = inv(A)
    return (result, Result(A._array.shape[:-2], dtypes.int32)), (A._array, check_errors)


def fill_cholesky_inverse(target: np.ndarray, a: np.ndarray, upper: bool) -> None:
    if place_of_array(a) is not MAIN_MEMORY:
        low = np.triu(a).swapaxes(-1, -2).conj() if upper else np.tril(a)
        np.copyto(target, np.linalg.inv(low @ low.swapaxes(-1, -2).conj()))
        return
    from scipy.linalg import get_lapack_funcs

    n = a.shape[-1]
    (potri,) = get_lapack_funcs(("potri",), (a,))

    def one(factor: np.ndarray) -> tuple[Any, int]:
        if not n:
            return factor, 0
        half, info = potri(factor, lower=not upper)
        half = np.triu(half) if upper else np.tril(half)
        return half + (np.tril(half.conj().T, -1) if upper else np.triu(half.conj().T, 1)), max(info, 0)

    inverses, infos = each(one, a, (n, n), (), kinds=(a.dtype, np.int32))
    refuse_failed("cholesky_inverse", infos, _ZERO_PIVOT)
    np.copyto(target, inverses)


@linear_row(
    "cholesky_inverse",
    "Computes the inverse of A from its Cholesky factor.",
    fill_cholesky_inverse,
    forms="function method",
    out="cholesky_inverse/result",
)
def cholesky_inverse(input: Tensor, upper: bool = False) -> Answer:
    check_square("cholesky_inverse", input)
    check_kernel("cholesky_inverse_out_cpu", input)
    return matrices(input._array.shape, input._dtype), (input._array, upper)


@linear_composite("linalg.tensorinv", "Computes the multiplicative inverse of tensordot.")
def tensorinv(input: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    if ind <= 0:
        refuse(
            RuntimeError,
            f"Expected a strictly positive integer for 'ind', but got {ind}",
            "the first `ind` dimensions become the rows of the matrix",
            rule="linalg.ind",
        )
    if ind > input._array.ndim:
        refuse(
            RuntimeError,
            f"ArrayRef: invalid slice, N = {ind}; size = {input._array.ndim}",
            f"the tensor has {input._array.ndim} dimensions, and {ind} of them are to become rows",
            f"ind={max(input._array.ndim // 2, 1)}",
            rule="linalg.ind",
        )
    first, second = input._array.shape[:ind], input._array.shape[ind:]
    if prod(first) != prod(second):
        refuse_size(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{prod(second)} != {prod(first)}",
            "the matrix has to be square",
        )
    flat, infos = OPS["linalg.inv_ex"].function(OPS["reshape"].function(input, (prod(first), prod(second))))
    if place_of(infos).has_numbers:
        refuse_failed("inv", infos._array, _ZERO_PIVOT)
    return copy_to(out, OPS["reshape"].function(flat, (*second, *first)), "tensorinv/result")
