"""Singular value decomposition, pseudoinverse and rank; by LAPACK through NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    LAPACK,
    batches,
    check_floating,
    check_matrix,
    check_square,
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
from ...types.dtypes import COMPLEX
from ...types.return_types import result
from .eigen import eigh_parts


def _check_svd(a: Tensor, driver: Any = None) -> None:
    check_matrix("linalg.svd", a)
    check_floating("linalg.svd", a, "linalg_svd_cpu")
    if driver is not None:
        refuse(
            RuntimeError,
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.",
            "drivers can be chosen on CUDA only",
            "driver=None",
            rule="linalg.driver",
        )


def svd_parts(a: np.ndarray, full: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns U, S and Vᴴ of a batch of matrices."""
    _must_be_finite(a)
    return quietly(np.linalg.svd, a, full)


def singular_values(a: np.ndarray) -> np.ndarray:
    """Returns the singular values of a batch of matrices."""
    _must_be_finite(a)
    return quietly(np.linalg.svd, a, False, False)


def _must_be_finite(a: np.ndarray) -> None:
    refuse_singular(
        "linalg.svd",
        np.asarray((~np.isfinite(a)).any((-2, -1))),
        "The algorithm failed to converge because the input matrix contained non-finite values.",
    )


def _tensors(a: Tensor, full: bool, out: tuple) -> tuple[Tensor, Tensor, Tensor]:
    n, m = a._array.shape[-2:]
    k, batch, place = min(n, m), a._array.shape[:-2], place_of(a)
    outcome: Any = svd_parts(a._array, full) if place.has_numbers else (None, None, None)
    return (
        matrices(lambda: outcome[0], a._dtype, place, (*batch, n, n if full else k), out[0]),
        plain(lambda: outcome[1], a._dtype.to_real(), place, (*batch, k), out[1]),
        matrices(lambda: outcome[2], a._dtype, place, (*batch, m if full else k, m), out[2]),
    )


@linear_row("linalg.svd", "Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and Vᴴ.")
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None, out: Any = None) -> Any:  # noqa: N803
    _check_svd(A, driver)
    return result("linalg_svd", ("U", "S", "Vh"), _tensors(A, full_matrices, outs(out, 3)))


@linear_row(
    "svd", "Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and V.", forms="function method"
)
def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:
    size, into = input._array.shape, outs(out, 3)
    if len(size) < 2:
        refuse_ndim(
            f"linalg.svd: input should have at least 2 dimensions, but has {len(size)} dimensions instead", input
        )
    _check_svd(input)
    u, s, vh = _tensors(input, not some or not compute_uv, (into[0], into[1], None))
    if not compute_uv:
        place, d, batch = place_of(input), input._dtype, size[:-2]
        u = plain(lambda: 0, d, place, (*batch, size[-2], size[-2]), into[0])
        v = matrices(lambda: 0, d, place, (*batch, size[-1], size[-1]), into[2])
    elif into[2] is None:
        v = vh.mH
    else:
        turned = vh._array.swapaxes(-1, -2).conj()
        v = plain(lambda: turned, input._dtype, place_of(input), turned.shape, into[2])
    return result("svd", ("U", "S", "V"), (u, s, v))


@linear_row("linalg.svdvals", "Computes the singular values of matrices.")
def svdvals(A: Tensor, *, driver: Any = None, out: Tensor | None = None) -> Tensor:  # noqa: N803
    _check_svd(A, driver)
    size = (*A._array.shape[:-2], min(A._array.shape[-2:]))
    return plain(lambda: singular_values(A._array), A._dtype.to_real(), place_of(A), size, out)


# -- what counts as 0 --------------------------------------------------------------------------------------------


def _check_tolerances(name: str, **tolerances: Any) -> None:
    for called, value in tolerances.items():
        if isinstance(value, Tensor) and value._dtype._kind == COMPLEX:
            refuse(
                RuntimeError,
                f"torch.linalg.{name}: {called} tensor of complex type is not supported. Got {value._dtype._type_name}",
                "a tolerance is compared, and complex numbers have no order",
                rule="linalg.tolerance",
            )


def _limits(a: Tensor, s: np.ndarray, atol: Any, rtol: Any) -> np.ndarray:
    """Below what a singular value counts as 0: the larger of an absolute and a relative tolerance."""
    own = float(np.finfo(s.dtype).eps) * max(a._array.shape[-2:])
    absolute: Any = atol._array if isinstance(atol, Tensor) else 0.0 if atol is None else atol
    relative: Any = rtol._array if isinstance(rtol, Tensor) else rtol
    if rtol is None:
        relative = np.where(np.asarray(absolute) > 0, 0.0, own)
    top = s.max(-1) if s.shape[-1] else np.zeros(s.shape[:-1], s.dtype)
    return np.maximum(absolute, relative * top)


def _common_batch(a: Tensor, *tolerances: Any) -> tuple[int, ...]:
    return batches(a._array.shape[:-2], *(t._array.shape for t in tolerances if isinstance(t, Tensor)))


@linear_row("linalg.pinv", "Computes the pseudoinverse of matrices.")
def pinv(
    input: Tensor,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    if input._dtype not in LAPACK or input._array.ndim < 2:
        refuse(
            RuntimeError,
            f"linalg.pinv({input._dtype._type_name}{{{list(input._array.shape)}}}): expected a tensor with 2 or more "
            "dimensions of float, double, cfloat or cdouble types",
            "only a matrix of floating-point numbers has a pseudo-inverse",
            "x.float()",
            rule="linalg.dtype",
        )
    if rtol is None:
        rtol = rcond
    _check_tolerances("pinv", atol=atol, rtol=rtol)
    if hermitian:
        check_square("linalg.eigh", input)
    batch, (n, m) = _common_batch(input, atol, rtol), input._array.shape[-2:]

    def outcome() -> np.ndarray:
        if not input._array.size:
            return np.zeros((*batch, m, n), input._array.dtype)
        if hermitian:
            s, u = eigh_parts(input._array)
            vh = u.swapaxes(-1, -2).conj()
        else:
            u, s, vh = svd_parts(input._array, False)
        size = np.abs(s)
        limit = np.asarray(_limits(input, size, atol, rtol))[..., None]
        inverted = np.where(size > limit, quietly(np.true_divide, 1, s), 0).astype(s.dtype)
        return (vh.swapaxes(-1, -2).conj() * inverted[..., None, :]) @ u.swapaxes(-1, -2).conj()

    return plain(outcome, input._dtype, place_of(input), (*batch, m, n), out, "torch.linalg.pinv/result")


@linear_row("pinverse", "Computes the pseudoinverse of matrices.", forms="function method")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    return pinv(input, rtol=rcond)


@linear_row("linalg.matrix_rank", "Computes the rank of matrices: the number of singular values above a tolerance.")
def matrix_rank(
    input: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    check_matrix("torch.linalg.matrix_rank", input, "input")
    if input._dtype not in LAPACK:
        refuse(
            RuntimeError,
            "This function doesn't handle types other than float and double",
            "a rank is counted by singular values",
            "x.float()",
            rule="linalg.dtype",
        )
    if tol is not None:
        atol, rtol = tol, 0.0
    _check_tolerances("matrix_rank", atol=atol, rtol=rtol)
    if hermitian:
        check_square("linalg.eigh", input)
    batch = _common_batch(input, atol, rtol)

    def outcome() -> np.ndarray:
        if not input._array.size:
            return np.zeros(batch, np.int64)
        s = np.abs(eigh_parts(input._array)[0]) if hermitian else singular_values(input._array)
        return (s > np.asarray(_limits(input, s, atol, rtol))[..., None]).sum(-1)

    return plain(outcome, dtypes.int64, place_of(input), batch, out, "torch.linalg.matrix_rank/result")
