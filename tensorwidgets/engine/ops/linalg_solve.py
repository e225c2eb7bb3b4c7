"""Solving, inverting, measuring: what linear algebra asks of matrices beside their factors."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .. import dtypes, geometry
from ..dispatch import OPS
from ..dtypes import COMPLEX, FLOAT
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
from ..reasons import Reason, refuse
from ..reduce import left_over, must_be_tensor, reduced_dims
from ..return_types import result
from ..tensor import Tensor
from .linalg_factor import lu_parts
from .statistics import vector_norm as p_norm


def _refuse_singular(name: str, infos: np.ndarray, words: str) -> None:
    bad = np.argwhere(infos)
    if len(bad):
        at = tuple(int(i) for i in bad[0])
        singular(name, at_batch(at, infos.shape) + words.format(n=int(infos[at])))


# -- determinants ------------------------------------------------------------------------------------------------


def _sign_and_log(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sign, log = quietly(np.linalg.slogdet, a)
    return np.asarray(sign), np.asarray(log)


@linear_row("linalg.det", "The determinant of square matrices.")
def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_square("linalg.det", A)
    check_floating("linalg.det", A)
    return plain(lambda: quietly(np.linalg.det, A._array), A._dtype, is_meta(A), A._array.shape[:-2], out)


@linear_row("det", "The determinant of square matrices.", forms="function method")
def det(input: Tensor) -> Tensor:
    return linalg_det(input)


@linear_row("linalg.slogdet", "The sign and the logarithm of the size of the determinant.")
def linalg_slogdet(A: Tensor, *, out: Any = None) -> Any:  # noqa: N803
    return _slogdet("linalg_slogdet", A)


@linear_row("slogdet", "The sign and the logarithm of the size of the determinant.", forms="function method")
def slogdet(input: Tensor) -> Any:
    return _slogdet("slogdet", input)


def _slogdet(name: str, a: Tensor) -> Any:
    check_square("linalg.slogdet", a)
    check_floating("linalg.slogdet", a)
    found: Any = (None, None)
    if not is_meta(a):
        found = _sign_and_log(a._array)
    size = a._array.shape[:-2]
    parts = (
        plain(lambda: found[0], a._dtype, is_meta(a), size),
        plain(lambda: found[1], a._dtype.to_real(), is_meta(a), size),
    )
    return result(name, ("sign", "logabsdet"), parts)


@linear_row("logdet", "The logarithm of the determinant; NaN where it is negative.", forms="function method")
def logdet(input: Tensor) -> Tensor:
    check_square("linalg.det", input)
    check_floating("linalg.det", input)
    sign, log = slogdet(input)
    if input._dtype.kind == COMPLEX:
        return OPS["add"].function(OPS["log"].function(sign), log)
    return OPS["where"].function(OPS["eq"].function(sign, -1), float("nan"), log)


# -- inverses and solutions --------------------------------------------------------------------------------------

_ZERO_PIVOT = (
    "The diagonal element {n} is zero, the inversion could not be completed because the input matrix is singular."
)


def _inverse(a: np.ndarray, infos: np.ndarray) -> np.ndarray:
    found = np.empty_like(a)
    for at in np.ndindex(a.shape[:-2]):
        found[at] = np.inf if infos[at] else np.linalg.inv(a[at])
    return found


@linear_row("linalg.inv", "The inverse of square matrices.")
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    return _inv("linalg.inv", A, out)


@linear_row("inverse", "The inverse of square matrices.", forms="function method")
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return _inv("linalg.inv", input, out)


def _inv(name: str, a: Tensor, out: Tensor | None) -> Tensor:
    check_square(name, a)
    check_floating(name, a)
    if is_meta(a):
        return matrices(None, a._dtype, True, a._array.shape, out)
    infos = lu_parts(a._array)[2]
    _refuse_singular(name, infos, _ZERO_PIVOT)
    return matrices(lambda: _inverse(a._array, infos), a._dtype, False, a._array.shape, out)


@linear_row("linalg.inv_ex", "Like inv, with a number that says where a pivot is 0.")
def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    check_square("linalg.inv", A)
    check_floating("linalg.inv", A)
    size = A._array.shape
    infos = np.zeros(size[:-2], np.int32) if is_meta(A) else lu_parts(A._array)[2]
    if check_errors:
        _refuse_singular("linalg.inv_ex", infos, _ZERO_PIVOT)
    parts = (
        matrices(lambda: _inverse(A._array, infos), A._dtype, is_meta(A), size),
        plain(lambda: infos, dtypes.int32, is_meta(A), size[:-2]),
    )
    return result("linalg_inv_ex", ("inverse", "info"), parts)


def _same_dtype(name: str, a: Tensor, b: Tensor) -> None:
    if a._dtype is not b._dtype:
        refuse(
            RuntimeError,
            f"{name}: Expected A and B to have the same dtype, but found A of type {a._dtype.type_name} and B of type "
            f"{b._dtype.type_name} instead",
            "linear algebra does not promote",
            f"B.to({a._dtype})",
            rule="linalg.dtype",
        )


def _batches(name: str, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    found = geometry.broadcast(a, b)
    if isinstance(found, Reason):
        found.refuse()
    return found


def _is_vector(a: Tensor, b: Tensor) -> bool:
    """Whether B is a batch of vectors: NumPy's older rule, which PyTorch keeps."""
    return b._array.ndim == 1 or (a._array.ndim - 1 == b._array.ndim and b._array.shape == a._array.shape[:-1])


@linear_row("linalg.solve", "X with A X = B.")
def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_square("linalg.solve", A)
    check_floating("linalg.solve", A)
    _same_dtype("linalg.solve", A, B)
    vector = _is_vector(A, B)
    if vector and not left:
        refuse(
            RuntimeError,
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)",
            "a row times a matrix is no vector on the left",
            rule="linalg.vector",
        )
    b = B._array[..., None] if vector else B._array
    n = A._array.shape[-1]
    rows = b.shape[-2] if left else b.shape[-1]
    if rows != n:
        told = f"({b.shape[-2]}x{b.shape[-1]})"
        refuse(
            RuntimeError,
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({n}x{n} and {told[1:-1]})",
            f"{n} equations and {rows} right sides",
            rule="linalg.size",
        )
    batch = _batches("linalg.solve", A._array.shape[:-2], b.shape[:-2])
    size = (*batch, *b.shape[-2:])
    if is_meta(A) or is_meta(B):
        return matrices(None, A._dtype, True, size[:-1] if vector else size, out)
    infos = lu_parts(A._array)[2]
    if infos.any():
        at = tuple(int(i) for i in np.argwhere(infos)[0])
        singular(
            "torch.linalg.solve", f"{at_batch(at, infos.shape)}The solver failed because the input matrix is singular."
        )

    def found() -> np.ndarray:
        if not b.size or not n:
            return np.zeros(size, b.dtype)
        if left:
            return np.linalg.solve(A._array, np.broadcast_to(b, size))
        turned = np.linalg.solve(A._array.swapaxes(-1, -2), np.broadcast_to(b, size).swapaxes(-1, -2))
        return turned.swapaxes(-1, -2)

    if vector:
        return plain(lambda: found()[..., 0], A._dtype, False, size[:-1], out)
    return matrices(found, A._dtype, False, size, out)


@linear_row("linalg.solve_triangular", "X with A X = B, for a triangular A.")
def solve_triangular(
    A: Tensor,
    B: Tensor,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Tensor | None = None,  # noqa: N803
) -> Tensor:
    check_square("linalg.solve_triangular", A)
    check_matrix("linalg.solve_triangular", B, "B")
    _same_dtype("linalg.solve_triangular", A, B)
    batch = _batches("linalg.solve_triangular", A._array.shape[:-2], B._array.shape[:-2])
    size = (*batch, *B._array.shape[-2:])

    def found() -> np.ndarray:
        from scipy.linalg import solve_triangular as one

        a = np.broadcast_to(A._array, (*batch, *A._array.shape[-2:]))
        b = np.broadcast_to(B._array, size)
        answer = np.empty(size, b.dtype)
        for at in np.ndindex(batch):
            if not b[at].size:
                continue
            if left:
                answer[at] = one(a[at], b[at], lower=not upper, unit_diagonal=unitriangular, check_finite=False)
            else:
                answer[at] = one(a[at].T, b[at].T, lower=upper, unit_diagonal=unitriangular, check_finite=False).T
        return answer

    meta = is_meta(A) or is_meta(B)
    return matrices(found, A._dtype, meta, size, out) if left else plain(found, A._dtype, meta, size, out)


@linear_row("triangular_solve", "X with A X = b, for a triangular A, and A.", forms="function method")
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Any = None,  # noqa: N803
) -> Any:
    a = A.mT if transpose else A
    solution = solve_triangular(a, input, upper=upper != transpose, unitriangular=unitriangular)
    batch = solution._array.shape[:-2]
    copy = OPS["expand"].function(A, (*batch, *A._array.shape[-2:])).clone()
    return result("triangular_solve", ("solution", "cloned_coefficient"), (solution, copy))


@linear_row("linalg.lu_solve", "X with A X = B, from the packed factors of A.")
def linalg_lu_solve(
    LU: Tensor,
    pivots: Tensor,
    B: Tensor,
    *,
    left: bool = True,
    adjoint: bool = False,
    out: Tensor | None = None,  # noqa: N803
) -> Tensor:
    from .linalg_factor import unpacked

    check_square("torch.linalg.lu_solve", LU, "LU")
    p, low, up = unpacked(LU._array, pivots._array)
    a = p @ low @ up
    a = a.swapaxes(-1, -2).conj() if adjoint else a
    batch = _batches("linalg.lu_solve", a.shape[:-2], B._array.shape[:-2])
    size = (*batch, *B._array.shape[-2:])

    def found() -> np.ndarray:
        b = np.broadcast_to(B._array, size)
        if left:
            return np.linalg.solve(a, b)
        return np.linalg.solve(a.swapaxes(-1, -2), b.swapaxes(-1, -2)).swapaxes(-1, -2)

    return matrices(found, B._dtype, False, size, out)


@linear_row("lu_solve", "X with A X = b, from the packed factors of A.", forms="function method")
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    return linalg_lu_solve(LU_data, LU_pivots, input, out=out)


@linear_row("lu_unpack", "P, L and U of packed factors.")
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Any = None,  # noqa: N803
) -> Any:
    from .linalg_factor import unpacked

    n, m = LU_data._array.shape[-2:]
    k, batch, d = min(n, m), LU_data._array.shape[:-2], LU_data._dtype
    p, low, up = unpacked(LU_data._array, LU_pivots._array)
    empty = OPS["empty"].function(0, dtype=d)
    parts = (
        plain(lambda: p, d, False, (*batch, n, n)) if unpack_pivots else empty,
        plain(lambda: low, d, False, (*batch, n, k)) if unpack_data else empty,
        plain(lambda: up, d, False, (*batch, k, m)) if unpack_data else empty,
    )
    return result("lu_unpack", ("P", "L", "U"), parts)


@linear_row("cholesky_solve", "X with A X = B, from the triangular factor of A.", forms="function method")
def cholesky_solve(input: Tensor, L: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    factor = L._array.swapaxes(-1, -2).conj() if upper else L._array
    batch = _batches("cholesky_solve", factor.shape[:-2], input._array.shape[:-2])
    size = (*batch, *input._array.shape[-2:])

    def found() -> np.ndarray:
        low = np.tril(factor)
        return np.linalg.solve(low @ low.swapaxes(-1, -2).conj(), np.broadcast_to(input._array, size))

    return matrices(found, input._dtype, is_meta(input), size, out)


@linear_row("cholesky_inverse", "The inverse of A, from its triangular factor.", forms="function method")
def cholesky_inverse(L: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_square("cholesky_inverse", L)

    def found() -> np.ndarray:
        low = np.triu(L._array).swapaxes(-1, -2).conj() if upper else np.tril(L._array)
        return np.linalg.inv(low @ low.swapaxes(-1, -2).conj())

    return matrices(found, L._dtype, is_meta(L), L._array.shape, out)


# -- pseudo-inverse, rank, powers --------------------------------------------------------------------------------


def _tolerances(a: Tensor, s: np.ndarray, atol: Any, rtol: Any) -> np.ndarray:
    eps = float(np.finfo(s.dtype).eps)
    absolute = atol._array if isinstance(atol, Tensor) else 0.0 if atol is None else atol
    if rtol is None:
        relative: Any = (
            0.0 if atol is not None and not isinstance(atol, Tensor) and atol > 0 else eps * max(a._array.shape[-2:])
        )
        if isinstance(atol, Tensor):
            relative = np.where(absolute > 0, 0.0, eps * max(a._array.shape[-2:]))
    else:
        relative = rtol._array if isinstance(rtol, Tensor) else rtol
    top = s.max(-1) if s.shape[-1] else np.zeros(s.shape[:-1], s.dtype)
    return np.maximum(absolute, relative * top)


@linear_row("linalg.pinv", "The pseudo-inverse of matrices.")
def pinv(
    A: Tensor,
    *,
    atol: Any = None,
    rtol: Any = None,
    hermitian: bool = False,
    rcond: Any = None,
    out: Any = None,  # noqa: N803
) -> Tensor:
    check_matrix("linalg.pinv", A)
    check_floating("linalg.pinv", A)
    rtol = rcond if rtol is None else rtol
    n, m = A._array.shape[-2:]

    def found() -> np.ndarray:
        u, s, vh = np.linalg.svd(A._array, full_matrices=False)
        limit = np.asarray(_tolerances(A, s, atol, rtol))[..., None]
        inverted = np.where(s > limit, quietly(np.true_divide, 1, s), 0).astype(s.dtype)
        return (vh.swapaxes(-1, -2).conj() * inverted[..., None, :]) @ u.swapaxes(-1, -2).conj()

    return plain(found, A._dtype, is_meta(A), (*A._array.shape[:-2], m, n), out)


@linear_row("pinverse", "The pseudo-inverse of matrices.", forms="function method")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    return pinv(input, rtol=rcond)


@linear_row("linalg.matrix_rank", "How many singular values are above a tolerance.")
def matrix_rank(
    A: Tensor,
    *,
    atol: Any = None,
    rtol: Any = None,
    hermitian: bool = False,
    tol: Any = None,
    out: Any = None,  # noqa: N803
) -> Tensor:
    check_matrix("linalg.matrix_rank", A)
    check_floating("linalg.matrix_rank", A)

    def found() -> np.ndarray:
        s = np.abs(np.linalg.eigvalsh(A._array)) if hermitian else np.linalg.svd(A._array, compute_uv=False)
        limit = tol._array if isinstance(tol, Tensor) else tol if tol is not None else _tolerances(A, s, atol, rtol)
        return (s > np.asarray(limit)[..., None]).sum(-1)

    return plain(found, dtypes.int64, is_meta(A), A._array.shape[:-2], out)


@linear_row("linalg.matrix_power", "A matrix times itself, n times over.")
def linalg_matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    return matrix_power(A, n, out=out)


@linear_row("matrix_power", "A matrix times itself, n times over.", forms="function method")
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    check_square("linalg.matrix_power", input)
    base = inv(input) if n < 0 else input
    found = np.eye(input._array.shape[-1], dtype=input._array.dtype) if not is_meta(input) else None
    if n == 0:
        return plain(
            lambda: np.broadcast_to(found, input._array.shape), input._dtype, is_meta(input), input._array.shape, out
        )
    return plain(
        lambda: np.linalg.matrix_power(base._array, abs(n)), input._dtype, is_meta(input), input._array.shape, out
    )


@linear_row("matrix_exp", "The exponential of square matrices.", "linalg.matrix_exp", forms="function method")
def matrix_exp(input: Tensor) -> Tensor:
    check_square("linalg.matrix_exp", input)
    if input._dtype.kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"Expected a floating point or complex tensor as input. Got {input._dtype.type_name}",
            "an exponential is seldom a whole number",
            "x.float()",
            rule="linalg.dtype",
        )

    def found() -> np.ndarray:
        from scipy.linalg import expm

        wide = np.complex128 if input._dtype.kind == COMPLEX else np.float64
        return expm(input._array.astype(wide)) if input._array.size else input._array

    return plain(found, input._dtype, is_meta(input), input._array.shape)


@linear_row("linalg.multi_dot", "The product of several matrices, in the order that costs least.")
def multi_dot(tensors: Any, *, out: Tensor | None = None) -> Tensor:
    listed = list(tensors)
    if len(listed) < 2:
        refuse(
            RuntimeError,
            f"multi_dot(): expected at least 2 tensors but got {len(listed)}",
            "a product has two sides",
            rule="linalg.multi_dot",
        )
    found = np.linalg.multi_dot([t._array for t in listed])
    return plain(lambda: found, listed[0]._dtype, False, np.shape(found), out)


# -- norms -------------------------------------------------------------------------------------------------------


def _check_norm(name: str, x: Tensor, d: Any) -> None:
    must_be_tensor(name, x)
    if x._dtype.kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"{name}: Expected a floating point or complex tensor as input. Got {x._dtype.type_name}",
            "a length is seldom a whole number",
            "x.float()",
            rule="norm.dtype",
        )


@linear_row("linalg.vector_norm", "The length of vectors.")
def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    _check_norm("linalg.vector_norm", x, dtype)
    return p_norm(x, float(ord), dim, keepdim, out, dtype)


@linear_row("linalg.matrix_norm", "The size of matrices.")
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Any = None,  # noqa: N803
) -> Tensor:
    check_matrix("linalg.matrix_norm", A)
    _check_norm("linalg.matrix_norm", A, dtype)
    rows, columns = reduced_dims(tuple(dim), A._array.ndim)
    keep = (A._dtype if dtype is None else dtype).to_real()
    if ord == "fro":
        return p_norm(A, 2.0, (rows, columns), keepdim, out, dtype)
    size = left_over(A._array.shape, (rows, columns), keepdim)

    def found() -> np.ndarray:
        x = A._array if dtype is None else A._array.astype(dtype.numpy)
        moved = np.moveaxis(x, (rows, columns), (-2, -1))
        if ord == "nuc":
            answer = np.linalg.svd(moved, compute_uv=False).sum(-1)
        elif abs(ord) == 2:
            s = np.linalg.svd(moved, compute_uv=False)
            answer = s.max(-1) if ord > 0 else s.min(-1)
        else:
            sums = np.abs(moved).sum(-2 if abs(ord) == 1 else -1)
            answer = sums.max(-1) if ord > 0 else sums.min(-1)
        return answer.reshape(size)

    if ord not in ("nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
        refuse(
            RuntimeError, f"linalg.matrix_norm: Order {ord} not supported.", "fro, nuc, 1, 2 or inf", rule="norm.order"
        )
    return plain(found, keep, is_meta(A), size, out)


@linear_row("linalg.norm", "The length of vectors, or the size of matrices.")
def norm(
    A: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Any = None,
    dtype: Any = None,  # noqa: N803
) -> Tensor:
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if ord is None:
        return vector_norm(A, 2, dims, keepdim, dtype=dtype, out=out)
    if dims is None:
        dims = tuple(range(A._array.ndim))
    if len(dims) == 2:
        return matrix_norm(A, ord, dims, keepdim, dtype=dtype, out=out)
    return vector_norm(A, ord, dims, keepdim, dtype=dtype, out=out)


@linear_row("norm", "The length of vectors, or the size of matrices.", forms="function method", category="reduction")
def top_norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Tensor:
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if p == "nuc":
        return matrix_norm(input, "nuc", dims or (-2, -1), keepdim, dtype=dtype, out=out)
    return vector_norm(input, 2 if p in ("fro", None) else p, dims, keepdim, dtype=dtype, out=out)


@linear_row("linalg.cond", "How much errors can grow when a system is solved.")
def cond(A: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_matrix("linalg.cond", A)
    size = A._array.shape[:-2]
    keep = A._dtype.to_real()
    if p is None or p in (2, -2):

        def found() -> np.ndarray:
            s = np.linalg.svd(A._array, compute_uv=False)
            big, small = s[..., 0], s[..., -1]
            return quietly(np.true_divide, small, big) if p == -2 else quietly(np.true_divide, big, small)

        return plain(found, keep, is_meta(A), size, out)
    check_square("linalg.cond", A)
    inverse = inv_ex(A)[0]
    both = OPS["mul"].function(matrix_norm(A, p), matrix_norm(inverse, p))
    return both if out is None else OPS["copy_"].function(out, both)


# -- the rest ----------------------------------------------------------------------------------------------------


@linear_row("linalg.lstsq", "X for which A X is nearest to B.")
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> Any:  # noqa: N803
    check_matrix("torch.linalg.lstsq", A, "input")
    check_floating("linalg.lstsq", A)
    n, m = A._array.shape[-2:]
    vector = B._array.ndim == A._array.ndim - 1
    b = B._array[..., None] if vector else B._array
    batch, k = _batches("lstsq", A._array.shape[:-2], b.shape[:-2]), b.shape[-1]
    name = driver or "gelsy"
    if name not in ("gels", "gelsy", "gelsd", "gelss"):
        refuse(
            RuntimeError,
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
            "these are LAPACK's ways",
            rule="linalg.driver",
        )
    a = np.broadcast_to(A._array, (*batch, n, m))
    rhs = np.broadcast_to(b, (*batch, n, k))
    solution = np.empty((*batch, m, k), a.dtype)
    ranks = np.empty(batch, np.int64)
    values = np.empty((*batch, min(n, m)), a.real.dtype)
    for at in np.ndindex(batch):
        limit = np.finfo(a.dtype).eps * max(n, m) if rcond is None else rcond
        solution[at], _, ranks[at], values[at] = np.linalg.lstsq(a[at], rhs[at], limit)
    left = rhs - a @ solution
    full = (
        n > m and bool((ranks == m).all()) and name != "gelsy" or n > m and name == "gelsy" and bool((ranks == m).all())
    )
    rest = (np.abs(left) ** 2).sum(-2)
    d = A._dtype
    empty = OPS["empty"].function(0, dtype=d.to_real())
    answer = solution[..., 0] if vector else solution
    parts = (
        plain(lambda: answer, d, False, answer.shape) if vector else matrices(lambda: answer, d, False, answer.shape),
        plain(lambda: rest, d.to_real(), False, rest.shape) if full else empty,
        plain(lambda: ranks, dtypes.int64, False, ranks.shape)
        if name != "gels"
        else OPS["empty"].function(0, dtype=dtypes.int64),
        plain(lambda: values, d.to_real(), False, values.shape) if name in ("gelsd", "gelss") else empty,
    )
    return result("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"), parts)


@linear_row(
    "linalg.householder_product", "The orthogonal matrix that reflections make.", "orgqr", forms="function method"
)
def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    check_matrix("torch.linalg.householder_product", A, "input")

    def one(x: np.ndarray, t: np.ndarray) -> np.ndarray:
        q = np.eye(x.shape[0], dtype=x.dtype)
        for i in range(t.size):
            v = np.zeros(x.shape[0], x.dtype)
            v[i], v[i + 1 :] = 1, x[i + 1 :, i]
            q = q - t[i] * np.outer(q @ v, v.conj())
        return q[:, : x.shape[1]]

    def found() -> np.ndarray:
        answer = np.empty(A._array.shape, A._array.dtype)
        for at in np.ndindex(A._array.shape[:-2]):
            answer[at] = one(A._array[at], tau._array[at])
        return answer

    return matrices(found, A._dtype, is_meta(A), A._array.shape, out)


@linear_row("geqrf", "The reflections of a QR factorisation, packed.", forms="function method")
def geqrf(input: Tensor, *, out: Any = None) -> Any:
    from scipy.linalg import get_lapack_funcs

    check_matrix("geqrf", input)
    n, m = input._array.shape[-2:]
    (factor,) = get_lapack_funcs(("geqrf",), (input._array,))
    a, tau = each(
        lambda x: factor(x)[:2] if x.size else (x, np.zeros(min(n, m), x.dtype)), input._array, (n, m), (min(n, m),)
    )
    parts = (
        matrices(lambda: a, input._dtype, False, a.shape),
        plain(lambda: tau, input._dtype, False, tau.shape),
    )
    return result("geqrf", ("a", "tau"), parts)


@linear_row("linalg.tensorinv", "The inverse of a tensor taken as a matrix.")
def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    if ind <= 0:
        refuse(
            RuntimeError,
            "Expected a strictly positive integer for 'ind'",
            "ind parts the dimensions",
            rule="linalg.ind",
        )
    first, second = A._array.shape[:ind], A._array.shape[ind:]
    if prod(first) != prod(second):
        refuse(
            RuntimeError,
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{prod(second)} != {prod(first)}",
            "the matrix has to be square",
            rule="linalg.square",
        )
    flat = inv(OPS["reshape"].function(A, (prod(first), prod(second))))
    return OPS["reshape"].function(flat, (*second, *first))


@linear_row("linalg.tensorsolve", "X with tensordot(A, X) = B.")
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    moved = A
    if dims is not None:
        moved = OPS["movedim"].function(A, tuple(dims), tuple(range(A._array.ndim - len(dims), A._array.ndim)))
    rest = moved._array.shape[B._array.ndim :]
    n = prod(B._array.shape)
    if n != prod(rest):
        refuse(
            RuntimeError,
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            "prod(self.shape[:other.ndim]), but got "
            f"{prod(rest)} != {n}",
            "the matrix has to be square",
            rule="linalg.square",
        )
    answer = solve(OPS["reshape"].function(moved, (n, n)), OPS["reshape"].function(B, (n,)))
    return OPS["reshape"].function(answer, rest)


@linear_row("linalg.vecdot", "The sum of the products of vectors along a dimension.")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    if x._dtype is not y._dtype:
        refuse(
            RuntimeError,
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {x._dtype.type_name} "
            "and y of type "
            f"{y._dtype.type_name} instead",
            "linear algebra does not promote",
            rule="linalg.dtype",
        )
    product = OPS["mul"].function(OPS["conj"].function(x), y)
    return OPS["sum"].function(product, dim, dtype=x._dtype, out=out)


@linear_row("linalg.diagonal", "The diagonal of the last two dimensions. A view.")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:  # noqa: N803
    return OPS["diagonal"].function(A, offset, dim1, dim2)


@linear_row("linalg.matmul", "The product of matrices.")
def linalg_matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    return OPS["matmul"].function(input, other, out=out)


@linear_row("linalg.vander", "The powers of each number, row by row.")
def linalg_vander(x: Tensor, N: int | None = None) -> Tensor:  # noqa: N803
    count = x._array.shape[-1] if N is None else N
    own = x._dtype if x._dtype is not dtypes.bool_ else dtypes.int64

    def found() -> np.ndarray:
        wide = x._array.astype(own.numpy)[..., None]
        return np.concatenate([np.ones_like(wide), np.repeat(wide, count - 1, -1)], -1).cumprod(-1, own.numpy)

    return plain(found, own, is_meta(x), (*x._array.shape, count))
