"""Factorisations: Cholesky, LU, QR, eigenvalues, singular values; by LAPACK through SciPy and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..linear import (
    at_batch,
    check_floating,
    check_matrix,
    check_square,
    each,
    is_meta,
    linear_row,
    matrices,
    plain,
    singular,
)
from ..quiet import quietly
from ..reasons import refuse
from ..return_types import result
from ..tensor import Tensor

# -- Cholesky ----------------------------------------------------------------------------------------------------


def _cholesky(a: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    """The factors and, for each matrix, the order of the first minor that is not positive (0: none)."""
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


def _refuse_indefinite(name: str, infos: np.ndarray) -> None:
    bad = np.argwhere(infos)
    if len(bad):
        at = tuple(int(i) for i in bad[0])
        singular(
            name,
            f"{at_batch(at, infos.shape)}The factorization could not be completed because the input is not "
            f"positive-definite (the leading minor of order {int(infos[at])} is not positive-definite).",
        )


@linear_row("linalg.cholesky", "The triangular factor L of A = L Lᴴ.")
def cholesky(A: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_square("linalg.cholesky", A)
    check_floating("linalg.cholesky", A)
    if is_meta(A):
        return matrices(None, A._dtype, True, A._array.shape, out)
    factors, infos = _cholesky(A._array, upper)
    _refuse_indefinite("linalg.cholesky", infos)
    return matrices(lambda: factors, A._dtype, False, A._array.shape, out)


@linear_row("linalg.cholesky_ex", "Like cholesky, with a number that says where it broke down.")
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    check_square("linalg.cholesky", A)
    check_floating("linalg.cholesky", A)
    size = A._array.shape
    if is_meta(A):
        parts = (matrices(None, A._dtype, True, size), plain(None, dtypes.int32, True, size[:-2]))
        return result("linalg_cholesky_ex", ("L", "info"), parts)
    factors, infos = _cholesky(A._array, upper)
    if check_errors:
        _refuse_indefinite("linalg.cholesky_ex", infos)
    parts = (
        matrices(lambda: factors, A._dtype, False, size),
        plain(lambda: infos, dtypes.int32, False, size[:-2]),
    )
    return result("linalg_cholesky_ex", ("L", "info"), parts)


@linear_row("cholesky", "The triangular factor of a positive-definite matrix.", forms="function method")
def top_cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    check_square("cholesky", input)
    check_floating("cholesky", input)
    if is_meta(input):
        return matrices(None, input._dtype, True, input._array.shape, out)
    factors, infos = _cholesky(input._array, upper)
    _refuse_indefinite("cholesky", infos)
    return matrices(lambda: factors, input._dtype, False, input._array.shape, out)


# -- LU ----------------------------------------------------------------------------------------------------------


def lu_parts(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The packed factors, the pivots counted from 1, and where a diagonal element is 0 (0: nowhere)."""
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


@linear_row("linalg.lu_factor", "The factors of A = P L U, packed, and the pivots.")
def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803
    return _lu_result("linalg_lu_factor", ("LU", "pivots"), A, pivot, 2)


@linear_row("linalg.lu_factor_ex", "Like lu_factor, with a number that says where a pivot is 0.")
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    return _lu_result("linalg_lu_factor_ex", ("LU", "pivots", "info"), A, pivot, 3)


def _lu_result(name: str, fields: tuple[str, ...], a: Tensor, pivot: bool, count: int) -> Any:
    told = name.replace("linalg_", "linalg.")
    check_matrix(told, a)
    check_floating(told, a)
    _pivoting_only(told, pivot)
    size = a._array.shape
    k = min(size[-2:])
    found: Any = (None, None, None)
    if not is_meta(a):
        found = lu_parts(a._array)
    meta = is_meta(a)
    parts = (
        matrices(lambda: found[0], a._dtype, meta, size),
        plain(lambda: found[1], dtypes.int32, meta, (*size[:-2], k)),
        plain(lambda: found[2], dtypes.int32, meta, size[:-2]),
    )
    return result(name, fields, parts[:count])


def _pivoting_only(name: str, pivot: bool) -> None:
    if not pivot:
        refuse(
            RuntimeError,
            f"{name}: LU without pivoting is not implemented on the CPU",
            "LAPACK exchanges rows so that it never divides by what is small",
            "pivot=True",
            rule="linalg.pivot",
        )


def unpacked(packed: np.ndarray, pivots: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P, L and U of packed factors."""
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


@linear_row("linalg.lu", "P, L and U with A = P L U.")
def lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803
    check_matrix("linalg.lu", A)
    check_floating("linalg.lu", A)
    _pivoting_only("linalg.lu", pivot)
    n, m = A._array.shape[-2:]
    batch, k, meta = A._array.shape[:-2], min(n, m), is_meta(A)
    found: Any = (None, None, None)
    if not meta:
        packed, pivots, _ = lu_parts(A._array)
        found = unpacked(packed, pivots)
    parts = (
        plain(lambda: found[0], A._dtype, meta, (*batch, n, n)),
        plain(lambda: found[1], A._dtype, meta, (*batch, n, k)),
        plain(lambda: found[2], A._dtype, meta, (*batch, k, m)),
    )
    return result("linalg_lu", ("P", "L", "U"), parts)


# -- QR ----------------------------------------------------------------------------------------------------------


@linear_row("linalg.qr", "Q with orthonormal columns and R triangular, with A = Q R.")
def qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:  # noqa: N803
    return _qr("linalg_qr", A, mode)


@linear_row("qr", "Q and R with A = Q R.", forms="function method")
def top_qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    return _qr("qr", input, "reduced" if some else "complete")


def _qr(name: str, a: Tensor, mode: str) -> Any:
    told = "linalg.qr"
    check_matrix(told, a)
    check_floating(told, a)
    if mode not in ("reduced", "complete", "r"):
        refuse(
            RuntimeError,
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'",
            "reduced, complete or r",
            rule="linalg.mode",
        )
    n, m = a._array.shape[-2:]
    k = n if mode == "complete" else min(n, m)
    batch, meta = a._array.shape[:-2], is_meta(a)
    found: Any = (None, None)
    if not meta:
        from scipy.linalg import qr as factor

        def one(x: np.ndarray) -> Any:
            if not x.size:
                return np.eye(n, k, dtype=x.dtype), np.zeros((k, m), x.dtype)
            q, r = factor(x, mode="full" if mode == "complete" else "economic")
            return q, r

        found = each(one, a._array, (n, k), (k, m))
    q = plain(None, a._dtype, meta, (0,)) if mode == "r" else matrices(lambda: found[0], a._dtype, meta, (*batch, n, k))
    return result(name, ("Q", "R"), (q, matrices(lambda: found[1], a._dtype, meta, (*batch, k, m))))


# -- eigenvalues -------------------------------------------------------------------------------------------------


@linear_row("linalg.eig", "Eigenvalues and eigenvectors of square matrices.")
def eig(A: Tensor, *, out: Any = None) -> Any:  # noqa: N803
    _check_eig("linalg.eig", A)
    size, d = A._array.shape, A._dtype.to_complex()
    found: Any = (None, None)
    if not is_meta(A):
        found = np.linalg.eig(A._array)
    parts = (
        plain(lambda: found[0], d, is_meta(A), size[:-1]),
        matrices(lambda: found[1], d, is_meta(A), size),
    )
    return result("linalg_eig", ("eigenvalues", "eigenvectors"), parts)


def _check_eig(name: str, a: Tensor) -> None:
    check_square(name, a)
    check_floating(name, a)
    if not is_meta(a) and not np.isfinite(a._array).all():
        refuse(
            RuntimeError,
            "torch.linalg.eig: input tensor should not contain infs or NaNs.",
            "a matrix with infinities has no eigenvalues",
            rule="linalg.finite",
        )


@linear_row("linalg.eigvals", "Eigenvalues of square matrices.")
def eigvals(A: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803
    _check_eig("linalg.eigvals", A)
    return plain(lambda: np.linalg.eigvals(A._array), A._dtype.to_complex(), is_meta(A), A._array.shape[:-1], out)


def _symmetric(a: Tensor, uplo: str) -> np.ndarray:
    x = a._array
    half = np.tril(x) if uplo.upper() == "L" else np.triu(x)
    inside = np.tril(half, -1) if uplo.upper() == "L" else np.triu(half, 1)
    diagonal = np.einsum("...ii->...i", x).real
    full = inside + inside.swapaxes(-1, -2).conj()
    np.einsum("...ii->...i", full)[...] = diagonal
    return full


def _check_eigh(name: str, a: Tensor, uplo: str) -> None:
    check_square(name, a)
    check_floating(name, a)
    if uplo.upper() not in ("L", "U"):
        refuse(
            RuntimeError,
            f"Expected UPLO argument to be 'L' or 'U', but got {uplo}",
            "the lower or the upper triangle is read",
            rule="linalg.uplo",
        )


@linear_row("linalg.eigh", "Eigenvalues and eigenvectors of symmetric (Hermitian) matrices.")
def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:  # noqa: N803
    _check_eigh("linalg.eigh", A, UPLO)
    size = A._array.shape
    found: Any = (None, None)
    if not is_meta(A):
        found = np.linalg.eigh(_symmetric(A, UPLO))
    parts = (
        plain(lambda: found[0], A._dtype.to_real(), is_meta(A), size[:-1]),
        matrices(lambda: found[1], A._dtype, is_meta(A), size),
    )
    return result("linalg_eigh", ("eigenvalues", "eigenvectors"), parts)


@linear_row("linalg.eigvalsh", "Eigenvalues of symmetric (Hermitian) matrices.")
def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Tensor:  # noqa: N803
    _check_eigh("linalg.eigvalsh", A, UPLO)
    size = A._array.shape[:-1]
    return plain(lambda: np.linalg.eigvalsh(_symmetric(A, UPLO)), A._dtype.to_real(), is_meta(A), size, out)


# -- singular values ---------------------------------------------------------------------------------------------


@linear_row("linalg.svd", "U, S and Vᴴ with A = U diag(S) Vᴴ.")
def svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None, out: Any = None) -> Any:  # noqa: N803
    check_matrix("linalg.svd", A)
    check_floating("linalg.svd", A)
    u, s, vh = _svd(A, full_matrices)
    return result("linalg_svd", ("U", "S", "Vh"), (u, s, vh))


@linear_row("svd", "U, S and V with A = U diag(S) Vᴴ.", forms="function method")
def top_svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:
    check_matrix("linalg.svd", input)
    check_floating("linalg.svd", input)
    u, s, vh = _svd(input, not some or not compute_uv)
    if not compute_uv:
        n, m = input._array.shape[-2:]
        batch = input._array.shape[:-2]
        u, v = (plain(lambda: 0, input._dtype, is_meta(input), (*batch, k, k)) for k in (n, m))
        return result("svd", ("U", "S", "V"), (u, s, v))
    return result("svd", ("U", "S", "V"), (u, s, vh.mH))


def _svd(a: Tensor, full: bool) -> tuple[Tensor, Tensor, Tensor]:
    n, m = a._array.shape[-2:]
    k, batch, meta = min(n, m), a._array.shape[:-2], is_meta(a)
    found: Any = (None, None, None)
    if not meta:
        found = quietly(np.linalg.svd, a._array, full)
    return (
        matrices(lambda: found[0], a._dtype, meta, (*batch, n, n if full else k)),
        plain(lambda: found[1], a._dtype.to_real(), meta, (*batch, k)),
        matrices(lambda: found[2], a._dtype, meta, (*batch, m if full else k, m)),
    )


@linear_row("linalg.svdvals", "The singular values of matrices.")
def svdvals(A: Tensor, *, driver: Any = None, out: Any = None) -> Tensor:  # noqa: N803
    check_matrix("linalg.svdvals", A)
    check_floating("linalg.svdvals", A)
    size = (*A._array.shape[:-2], min(A._array.shape[-2:]))
    return plain(lambda: np.linalg.svd(A._array, compute_uv=False), A._dtype.to_real(), is_meta(A), size, out)
