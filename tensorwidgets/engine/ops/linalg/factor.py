"""Triangular factors: Cholesky and LU; by LAPACK through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.linalg import (
    check_floating,
    check_kernel,
    check_square,
    each,
    is_meta,
    linear_row,
    matrices,
    outs,
    plain,
    refuse_ndim,
    refuse_singular,
)
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, place_of
from ...types import dtypes
from ...types.return_types import result

# -- Cholesky ----------------------------------------------------------------------------------------------------


def _cholesky(a: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    """Returns the factors and, for each matrix, the order of the first minor that is not positive (0: none)."""
    from scipy.linalg import get_lapack_funcs

    n = a.shape[-1]
    (potrf,) = get_lapack_funcs(("potrf",), (a,))

    def one(m: np.ndarray) -> tuple[Any, Any]:
        if not n:
            return m, 0
        factor, info = potrf(m, lower=not upper, clean=True)
        return factor, info

    factors, infos = each(one, a, (n, n), (), kinds=(a.dtype, np.int32))
    return factors, infos


_INDEFINITE = (
    "The factorization could not be completed because the input is not positive-definite (the leading minor of order "
    "{n} is not positive-definite)."
)


def _factored(name: str, a: Tensor, upper: bool, out: Tensor | None) -> Tensor:
    if is_meta(a):
        return matrices(None, a._dtype, place_of(a), a._array.shape, out)
    factors, infos = _cholesky(a._array, upper)
    refuse_singular(name, infos, _INDEFINITE)
    return matrices(lambda: factors, a._dtype, place_of(a), a._array.shape, out)


@linear_row("linalg.cholesky", "Computes the Cholesky decomposition A = L Lᴴ of positive-definite matrices.")
def linalg_cholesky(input: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    check_square("linalg.cholesky", input)
    check_floating("linalg.cholesky", input, "cholesky_cpu")
    return _factored("linalg.cholesky", input, upper, out)


@linear_row(
    "cholesky",
    "Computes the Cholesky decomposition of positive-definite matrices, lower or upper.",
    forms="function method",
)
def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    check_square("cholesky", input)
    check_kernel("cholesky_cpu", input)
    return _factored("cholesky", input, upper, out)


@linear_row("linalg.cholesky_ex", "Computes linalg.cholesky and returns an error code instead of raising.")
def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    check_square("linalg.cholesky", input)
    check_floating("linalg.cholesky", input, "cholesky_cpu")
    size, place, into = input._array.shape, place_of(input), outs(out, 2)
    outcome: Any = (None, None)
    if place.has_numbers:
        outcome = _cholesky(input._array, upper)
        if check_errors:
            refuse_singular("linalg.cholesky_ex", outcome[1], _INDEFINITE)
    parts = (
        matrices(lambda: outcome[0], input._dtype, place, size, into[0]),
        plain(lambda: outcome[1], dtypes.int32, place, size[:-2], into[1]),
    )
    return result("linalg_cholesky_ex", ("L", "info"), parts)


# -- LU ----------------------------------------------------------------------------------------------------------


def lu_parts(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the packed factors, the 1-based pivots, and the index of the first zero pivot (0: none)."""
    from scipy.linalg import get_lapack_funcs

    n, m = a.shape[-2:]
    (getrf,) = get_lapack_funcs(("getrf",), (a,))

    def one(x: np.ndarray) -> tuple[Any, Any, Any]:
        if not x.size:
            return x, np.arange(1, min(n, m) + 1), 0
        packed, pivots, info = getrf(x)
        return packed, pivots + 1, max(info, 0)

    packed, pivots, infos = each(one, a, (n, m), (min(n, m),), (), kinds=(a.dtype, np.int32, np.int32))
    return packed, pivots, infos


_ZERO_PIVOT = (
    "torch.{name}: U[{n},{n}] is zero and using it on lu_solve would result in a division by zero. If you still want "
    "to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


def _check_lu(a: Tensor, pivot: bool, name: str = "torch.lu_factor") -> None:
    if a._array.ndim < 2:
        shown = list(a._array.shape)
        refuse_ndim(f"{name}: Expected tensor with 2 or more dimensions. Got size: {shown} instead", a)
    check_kernel("lu_cpu", a)
    if not pivot:
        refuse(
            RuntimeError,
            "linalg.lu_factor: LU without pivoting is not implemented on the CPU",
            "LAPACK exchanges rows so that it never divides by what is small",
            "pivot=True",
            rule="linalg.pivot",
        )


def _packed(name: str, a: Tensor, pivot: bool, check: bool, out: tuple) -> tuple[Tensor, Tensor, Tensor]:
    """Returns packed factors, pivots and error codes; raises for a zero pivot if checked."""
    _check_lu(a, pivot)
    size, place = a._array.shape, place_of(a)
    outcome: Any = (None, None, None)
    if place.has_numbers:
        outcome = lu_parts(a._array)
        zero = outcome[2][outcome[2] != 0]
        if check and zero.size:
            refuse(
                RuntimeError,
                _ZERO_PIVOT.format(name=name, n=int(zero.flat[0])),
                "the rows of the matrix depend on one another",
                "torch.linalg.lu(A)",
                rule="linalg.singular",
            )
    return (
        matrices(lambda: outcome[0], a._dtype, place, size, out[0]),
        plain(lambda: outcome[1], dtypes.int32, place, (*size[:-2], min(size[-2:])), out[1]),
        plain(lambda: outcome[2], dtypes.int32, place, size[:-2], out[2]),
    )


@linear_row("linalg.lu_factor", "Computes the LU decomposition A = P L U in packed form, with its pivots.")
def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803
    parts = _packed("linalg.lu_factor", A, pivot, True, (*outs(out, 2), None))
    return result("linalg_lu_factor", ("LU", "pivots"), parts[:2])


@linear_row("linalg.lu_factor_ex", "Computes linalg.lu_factor and returns an error code instead of raising.")
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    parts = _packed("linalg.lu_factor_ex", A, pivot, check_errors, outs(out, 3))
    return result("linalg_lu_factor_ex", ("LU", "pivots", "info"), parts)


@linear_row("lu", "Computes the LU decomposition A = P L U in packed form, with its pivots.", forms="function method")
def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> tuple[Tensor, ...]:  # noqa: N803
    packed, pivots, infos = _packed("lu", A, pivot, False, (*outs(out, 3 if get_infos else 2), None)[:3])
    return (packed, pivots, infos) if get_infos else (packed, pivots)


def unpacked(packed: np.ndarray, pivots: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unpacks the factors P, L and U of a packed LU decomposition."""
    n, m = packed.shape[-2:]
    k = min(n, m)
    lower = np.tril(packed[..., :k], -1) + np.eye(n, k, dtype=packed.dtype)
    upper = np.triu(packed[..., :k, :])
    p = np.zeros((*packed.shape[:-2], n, n), packed.dtype)
    for at in np.ndindex(packed.shape[:-2]):
        order = np.arange(n)
        for i, j in enumerate(pivots[at] - 1):
            order[[i, j]] = order[[j, i]]
        p[at][order, np.arange(n)] = 1
    return p, lower, upper


@linear_row("linalg.lu", "Computes P, L and U of the LU decomposition A = P L U.")
def linalg_lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803
    _check_lu(A, pivot, "linalg.lu")
    outcome: Any = (None, None, None)
    if not is_meta(A):
        outcome = unpacked(*lu_parts(A._array)[:2])
    return result("linalg_lu", ("P", "L", "U"), _three(outcome, A, outs(out, 3)))


def _three(value: Any, a: Tensor, out: tuple) -> tuple[Tensor, Tensor, Tensor]:
    n, m = a._array.shape[-2:]
    batch, k, place, d = a._array.shape[:-2], min(n, m), place_of(a), a._dtype
    return (
        plain(lambda: value[0], d, place, (*batch, n, n), out[0]),
        plain(lambda: value[1], d, place, (*batch, n, k), out[1]),
        plain(lambda: value[2], d, place, (*batch, k, m), out[2]),
    )


@linear_row("lu_unpack", "Unpacks the factors P, L and U of a packed LU decomposition.")
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Any = None,
) -> Any:
    size = LU_data._array.shape
    if len(size) < 2:
        refuse_ndim(
            f"torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: {list(size)} instead", LU_data
        )
    if unpack_pivots:
        _check_pivots(LU_pivots, size[-2])
    outcome: Any = (None, None, None)
    if not is_meta(LU_data):
        outcome = unpacked(LU_data._array, LU_pivots._array)
    p, low, up = _three(outcome, LU_data, outs(out, 3))
    empty = plain(lambda: 0, LU_data._dtype, place_of(LU_data), (0,))
    parts = (p if unpack_pivots else empty, low if unpack_data else empty, up if unpack_data else empty)
    return result("lu_unpack", ("P", "L", "U"), parts)


def _check_pivots(pivots: Tensor, rows: int) -> None:
    if pivots._dtype is not dtypes.int32:
        refuse(
            RuntimeError,
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.",
            f"the pivots are {pivots._dtype}",
            "pivots.int()",
            rule="linalg.pivots",
        )
    if not is_meta(pivots) and ((pivots._array < 1) | (pivots._array > rows)).any():
        refuse(
            RuntimeError,
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
            "Did you properly pass the result of lu_factor?",
            f"a pivot is the number of a row, from 1 to {rows}",
            rule="linalg.pivots",
        )
