"""Triangular factors: Cholesky and LU; by LAPACK through SciPy."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    at_batch,
    check_fractions,
    check_kernel,
    check_square,
    each,
    for_lapack,
    linear_row,
    matrices,
    refuse_failed,
    refuse_ndim,
    warn_of_successor,
)
from ...declare.rules import Answer, Result, store
from ...errors.reasons import refuse
from ...memory.places import eye
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.return_types import kind
from . import elsewhere

# -- Cholesky ----------------------------------------------------------------------------------------------------


def _cholesky(a: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    """Returns the factors and, for each matrix, the order of the first minor that is not positive (0: none)."""
    from scipy.linalg import get_lapack_funcs

    n = a.shape[-1]
    there = elsewhere.cholesky(a, upper)
    if there is not None:
        return there, np.zeros(a.shape[:-2], np.int32, like=a)
    (potrf,) = get_lapack_funcs(("potrf",), (a,))

    def one(m: np.ndarray) -> tuple[Any, Any]:
        if not n:
            return m, 0
        return potrf(m, lower=not upper, clean=True)

    factors, infos = each(one, a, (n, n), (), kinds=(a.dtype, np.int32))
    lost = np.isnan(np.diagonal(factors, axis1=-2, axis2=-1))
    if lost.any():  # which some LAPACKs do not tell
        infos[...] = np.where((infos == 0) & lost.any(-1), lost.argmax(-1) + 1, infos)
    return factors, infos


_INDEFINITE = (
    "The factorization could not be completed because the input is not positive-definite (the leading minor of order "
    "{n} is not positive-definite)."
)
_NO_FACTOR = (
    "A is positive-definite if x @ A @ x > 0 for every x except 0, and the block of its first {n} rows and columns "
    "is not",
    "A + 1e-6 * torch.eye(len(A)), if only rounding keeps A from being positive-definite",
    "torch.linalg.eigvalsh(A), which are all above 0 for a positive-definite A",
)


def fill_cholesky(target: np.ndarray, a: np.ndarray, upper: bool, name: str) -> None:
    if not target.size:
        return
    factors, infos = _cholesky(a, upper)
    refuse_failed(name, infos, _INDEFINITE, _NO_FACTOR, "linalg.indefinite")
    np.copyto(target, factors)


@linear_row(
    "linalg.cholesky", "Computes the Cholesky decomposition A = L Lᴴ of positive-definite matrices.", fill_cholesky
)
def linalg_cholesky(input: Tensor, *, upper: bool = False) -> Answer:
    check_square("linalg.cholesky", input)
    check_fractions("linalg.cholesky", input)
    return matrices(input._array.shape, input._dtype), (for_lapack("cholesky_cpu", input), upper, "linalg.cholesky")


@linear_row(
    "cholesky",
    "Computes the Cholesky decomposition of positive-definite matrices, lower or upper.",
    fill_cholesky,
    forms="function method",
    out="cholesky/result",
)
def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Answer:
    warn_of_successor(
        "cholesky",
        "linalg.cholesky",
        "L = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\n"
        "U = torch.cholesky(A, upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform "
        "will produce equivalent results for all valid (symmetric positive definite) inputs.",
    )
    if not input._array.size:  # PyTorch looks at neither the size nor the dtype
        return Result(input._array.shape, input._dtype), (input._array, upper, "cholesky")
    check_square("cholesky", input)
    check_kernel("cholesky_cpu", input)
    given = (input._array, upper, "cholesky")
    if out is not None:  # which PyTorch copies the factor to
        return Result(input._array.shape, input._dtype), given
    return matrices(input._array.shape, input._dtype), given


def fill_cholesky_ex(targets: tuple[np.ndarray, ...], a: np.ndarray, upper: bool, check_errors: bool) -> None:
    factors, infos = _cholesky(a, upper)
    if check_errors:
        refuse_failed("linalg.cholesky_ex", infos, _INDEFINITE, _NO_FACTOR, "linalg.indefinite")
    store(targets, (factors, infos))


@linear_row(
    "linalg.cholesky_ex",
    "Computes linalg.cholesky and returns an error code instead of raising.",
    fill_cholesky_ex,
    returns=("linalg_cholesky_ex", ("L", "info")),
)
def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False) -> Answer:
    check_square("linalg.cholesky", input)
    check_fractions("linalg.cholesky", input)
    size = input._array.shape
    results = matrices(size, input._dtype), Result(size[:-2], dtypes.int32)
    return results, (for_lapack("cholesky_cpu", input), upper, check_errors)


# -- LU ----------------------------------------------------------------------------------------------------------


def lu_parts(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the packed factors, the 1-based pivots, and the index of the first zero pivot (0: none)."""
    from scipy.linalg import get_lapack_funcs

    n, m = a.shape[-2:]
    (getrf,) = get_lapack_funcs(("getrf",), (a,))
    nans = bool(np.isnan(a).any())

    def one(x: np.ndarray) -> tuple[Any, Any, Any]:
        if not x.size:
            return x, np.arange(1, min(n, m) + 1), 0
        if nans and np.isnan(x).any():  # which some LAPACKs do not divide by
            return quietly(_eliminated, x)
        packed, pivots, info = getrf(x)
        return packed, pivots + 1, max(info, 0)

    packed, pivots, infos = each(one, a, (n, m), (min(n, m),), (), kinds=(a.dtype, np.int32, np.int32))
    return packed, pivots, infos


def _eliminated(x: np.ndarray) -> tuple[np.ndarray, list[int], int]:
    """The packed factors of one matrix by plain elimination, in which NaN spreads; its pivots; the first zero pivot."""
    packed, pivots, zero = x.copy(), [], 0
    for k in range(min(x.shape)):
        sizes = np.abs(packed[k:, k])
        pivot = k + (0 if np.isnan(sizes[0]) else int(np.nanargmax(sizes)))  # NaN is larger than nothing
        pivots.append(pivot + 1)
        packed[[k, pivot]] = packed[[pivot, k]]
        if packed[k, k] == 0:
            zero = zero or k + 1
            continue
        packed[k + 1 :, k] /= packed[k, k]
        packed[k + 1 :, k + 1 :] -= np.outer(packed[k + 1 :, k], packed[k, k + 1 :])
    return packed, pivots, zero


_ZERO_PIVOT = (
    "torch.{name}: {batch}U[{n},{n}] is zero and using it on lu_solve would result in a division by zero. If you "
    "still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


def _check_lu(a: Tensor, pivot: bool, name: str = "torch.lu_factor") -> None:
    if a._array.ndim < 2:
        shown = list(a._array.shape)
        refuse_ndim(f"{name}: Expected tensor with 2 or more dimensions. Got size: {shown} instead", a)
    if a._array.size:  # without elements PyTorch asks no kernel
        check_kernel("lu_cpu", a)
    if not pivot and a._array.size:
        refuse(
            RuntimeError,
            "linalg.lu_factor: LU without pivoting is not implemented on the CPU",
            "LAPACK exchanges rows so that it never divides by what is small",
            "pivot=True",
            rule="linalg.pivot",
        )


def fill_lu(targets: tuple[np.ndarray, ...], a: np.ndarray, name: str) -> None:
    """Fill in packed factors, pivots and, if wanted, error codes; a zero pivot is refused if there is a name."""
    parts = lu_parts(a)
    zero = np.argwhere(parts[2])
    if name and len(zero):
        at = tuple(int(i) for i in zero[0])
        refuse(
            RuntimeError,
            _ZERO_PIVOT.format(name=name, batch=at_batch(at, parts[2].shape), n=int(parts[2][at])),
            "the rows of the matrix depend on one another, so it has no inverse",
            "torch.linalg.lu(A)",
            rule="linalg.singular",
        )
    store(targets, parts[: len(targets)])


def _packed(a: Tensor, pivot: bool) -> tuple[Result, Result, Result]:
    """Describe packed factors, pivots and error codes."""
    _check_lu(a, pivot)
    *batch, n, m = a._array.shape
    return (
        matrices(a._array.shape, a._dtype),
        Result((*batch, min(n, m)), dtypes.int32),
        Result((*batch,), dtypes.int32),
    )


@linear_row(
    "linalg.lu_factor",
    "Computes the LU decomposition A = P L U in packed form, with its pivots.",
    fill_lu,
    returns=("linalg_lu_factor", ("LU", "pivots")),
)
def lu_factor(A: Tensor, *, pivot: bool = True) -> Answer:  # noqa: N803
    return _packed(A, pivot)[:2], (for_lapack("lu_cpu", A), "linalg.lu_factor")


@linear_row(
    "linalg.lu_factor_ex",
    "Computes linalg.lu_factor and returns an error code instead of raising.",
    fill_lu,
    returns=("linalg_lu_factor_ex", ("LU", "pivots", "info")),
)
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Answer:  # noqa: N803
    return _packed(A, pivot), (for_lapack("lu_cpu", A), "linalg.lu_factor_ex" if check_errors else "")


def _named_with_infos(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """PyTorch names the places of the results of `torch.lu` only where the error codes are among them."""
    return kind("_lu_with_info", ("LU", "pivots", "info"))(tensors) if len(tensors) == 3 else tensors


@linear_row(
    "lu",
    "Computes the LU decomposition A = P L U in packed form, with its pivots.",
    fill_lu,
    forms="function method",
    returns=_named_with_infos,
)
def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Tensor | None = None) -> Answer:  # noqa: N803
    warn_of_successor(
        "lu",
        "linalg.lu_factor / torch.linalg.lu_factor_ex",
        "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
    )
    results = _packed(A, pivot)[: 3 if get_infos else 2]
    if out is not None:  # which PyTorch copies them to
        results = tuple([Result(each.size, each.dtype) for each in results])
    return results, (for_lapack("lu_cpu", A), "")


def unpacked(packed: np.ndarray, pivots: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unpacks the factors P, L and U of a packed LU decomposition."""
    n, m = packed.shape[-2:]
    k = min(n, m)
    lower = np.tril(packed[..., :k], -1) + eye(n, k, packed)
    upper = np.triu(packed[..., :k, :])
    p = np.zeros((*packed.shape[:-2], n, n), packed.dtype, like=packed)
    for at in np.ndindex(packed.shape[:-2]):
        order = list(range(n))
        for i, j in enumerate((pivots[at] - 1).tolist()):
            order[i], order[j] = order[j], order[i]
        p[at][order, list(range(n))] = 1
    return p, lower, upper


def fill_unpacked(
    targets: tuple[np.ndarray, ...], packed: np.ndarray, pivots: np.ndarray, data: bool, permutation: bool
) -> None:
    """Fill in P, L and U, or some of them."""
    if permutation:
        _check_rows(pivots, packed.shape[-2])
    pivots = _of_each(pivots, packed.shape)
    for target, value, wanted in zip(targets, unpacked(packed, pivots), (permutation, data, data), strict=True):
        if wanted:
            np.copyto(target, value)


def _of_each(pivots: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """The pivots of each matrix; those of one matrix are the pivots of all."""
    batch, count = size[:-2], pivots.shape[-1]
    if prod(pivots.shape[:-1]) == prod(batch):
        return pivots.reshape((*batch, count))
    if pivots.size == count:
        return np.broadcast_to(pivots.reshape(-1), (*batch, count))
    refuse(
        RuntimeError,
        f"torch.lu_unpack: {tuple(pivots.shape)} is not the size of pivots for matrices of size {tuple(size)}",
        "each matrix has pivots of its own, or all have the same",
        rule="linalg.pivots",
    )


def fill_factors(targets: tuple[np.ndarray, ...], a: np.ndarray, pivot: bool) -> None:
    if pivot:  # without it there are no elements
        store(targets, unpacked(*lu_parts(a)[:2]))


def _three(a: Tensor, pivot: bool = True) -> tuple[Result, Result, Result]:
    *batch, n, m = a._array.shape
    k, d = min(n, m), a._dtype
    return Result((*batch, n, n) if pivot else (0,), d), Result((*batch, n, k), d), Result((*batch, k, m), d)


@linear_row(
    "linalg.lu",
    "Computes P, L and U of the LU decomposition A = P L U.",
    fill_factors,
    returns=("linalg_lu", ("P", "L", "U")),
)
def linalg_lu(A: Tensor, *, pivot: bool = True) -> Answer:  # noqa: N803
    _check_lu(A, pivot, "linalg.lu")
    return _three(A, pivot), (for_lapack("lu_cpu", A), pivot)


@linear_row(
    "lu_unpack",
    "Unpacks the factors P, L and U of a packed LU decomposition.",
    fill_unpacked,
    returns=("lu_unpack", ("P", "L", "U")),
)
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Answer:
    size = LU_data._array.shape
    if len(size) < 2:
        refuse_ndim(
            f"torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: {list(size)} instead", LU_data
        )
    if unpack_pivots:
        _check_pivots(LU_pivots)
    empty, (p, low, up) = Result((0,), LU_data._dtype), _three(LU_data)
    results = (p if unpack_pivots else empty, low if unpack_data else empty, up if unpack_data else empty)
    return results, (LU_data._array, LU_pivots._array, unpack_data, unpack_pivots)


def _check_pivots(pivots: Tensor) -> None:
    if pivots._dtype is not dtypes.int32:
        refuse(
            RuntimeError,
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.",
            f"the pivots are {pivots._dtype}",
            "pivots.int()",
            rule="linalg.pivots",
        )


def _check_rows(pivots: np.ndarray, rows: int) -> None:
    if ((pivots < 1) | (pivots > rows)).any():
        refuse(
            RuntimeError,
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
            "Did you properly pass the result of lu_factor?",
            f"a pivot is the number of a row, from 1 to {rows}",
            rule="linalg.pivots",
        )
