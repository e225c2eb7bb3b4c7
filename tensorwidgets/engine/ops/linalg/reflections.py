"""QR decomposition and Householder reflectors; by LAPACK through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.linalg import (
    check_floating,
    check_kernel,
    check_matrix,
    each,
    linear_row,
    matrices,
    outs,
    plain,
    refuse_dtypes,
    refuse_ndim,
    refuse_size,
)
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, place_of
from ...types.return_types import result


@linear_row("linalg.qr", "Computes the QR decomposition A = Q R of matrices.")
def linalg_qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:  # noqa: N803
    return _qr("linalg_qr", A, mode, out)


@linear_row("qr", "Computes the QR decomposition A = Q R of matrices.", forms="function method")
def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    return _qr("qr", input, "reduced" if some else "complete", out)


def _qr(name: str, a: Tensor, mode: str, out: Any) -> Any:
    check_matrix("linalg.qr", a)
    check_floating("linalg.qr", a, "geqrf_cpu")
    if mode not in ("reduced", "complete", "r"):
        refuse(
            RuntimeError,
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'",
            "Q has as many columns as A, or is square, or is not wanted",
            rule="linalg.mode",
        )
    n, m = a._array.shape[-2:]
    k = n if mode == "complete" else min(n, m)
    batch, place, into = a._array.shape[:-2], place_of(a), outs(out, 2)
    outcome: Any = (None, None)
    if place.has_numbers:
        from scipy.linalg import qr as factor

        def one(x: np.ndarray) -> Any:
            if not x.size:
                return np.eye(n, k, dtype=x.dtype), np.zeros((k, m), x.dtype)
            return factor(x, mode="full" if mode == "complete" else "economic", check_finite=False)

        outcome = each(one, a._array, (n, k), (k, m))
    if mode == "r":
        q = plain(lambda: 0, a._dtype, place, (0,), into[0])
    else:
        q = matrices(lambda: outcome[0], a._dtype, place, (*batch, n, k), into[0])
    return result(name, ("Q", "R"), (q, matrices(lambda: outcome[1], a._dtype, place, (*batch, k, m), into[1])))


@linear_row(
    "geqrf", "Computes the QR decomposition in packed form, as Householder reflectors.", forms="function method"
)
def geqrf(input: Tensor, *, out: Any = None) -> Any:
    if input._array.ndim < 2:
        refuse_ndim("torch.geqrf: input must have at least 2 dimensions.", input)
    check_kernel("geqrf_cpu", input)
    size, place, into = input._array.shape, place_of(input), outs(out, 2)
    k = min(size[-2:])
    outcome: Any = (None, None)
    if place.has_numbers:
        from scipy.linalg import get_lapack_funcs

        (factor,) = get_lapack_funcs(("geqrf",), (input._array,))
        outcome = each(lambda x: factor(x)[:2] if x.size else (x, np.zeros(k, x.dtype)), input._array, size[-2:], (k,))
    parts = (
        matrices(lambda: outcome[0], input._dtype, place, size, into[0], "torch.geqrf/QR"),
        plain(lambda: outcome[1], input._dtype, place, (*size[:-2], k), into[1], "torch.geqrf/tau"),
    )
    return result("geqrf", ("a", "tau"), parts)


def _reflections(x: np.ndarray, tau: np.ndarray, rows: int) -> np.ndarray:
    """The square matrix that reflections, packed below a diagonal, make when one is done after the other."""
    q = np.eye(rows, dtype=x.dtype)
    for i in range(min(tau.size, rows)):
        v = np.zeros(rows, x.dtype)
        v[i], v[i + 1 :] = 1, x[i + 1 :, i]
        q -= tau[i] * np.outer(q @ v, v.conj())
    return q


def _check_tau(name: str, a: Tensor, tau: Tensor) -> None:
    if tau._array.ndim != a._array.ndim - 1:
        refuse_size(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau._array.ndim} "
            f"and input.ndim is equal to {a._array.ndim}",
            "each matrix has one row of factors",
        )
    if tau._array.shape[:-1] != a._array.shape[:-2]:
        shown = list(tau._array.shape[:-1])
        refuse_size(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {shown}",
            f"the batch of the matrices is {list(a._array.shape[:-2])}",
        )


@linear_row(
    "linalg.householder_product",
    "Computes the product of Householder reflectors.",
    "orgqr",
    forms="function method",
)
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    name = "torch.linalg.householder_product"
    size = input._array.shape
    if len(size) < 2:
        refuse_ndim(f"{name}: input must have at least 2 dimensions.", input)
    if size[-2] < size[-1]:
        refuse_size(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]",
            f"{size[-1]} columns of length {size[-2]} cannot be orthogonal",
        )
    if tau._array.shape[-1] > size[-1]:
        refuse_size(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]", "each column is one reflection"
        )
    _check_tau(name, input, tau)
    if tau._dtype is not input._dtype:
        refuse_dtypes(
            f"{name}: tau dtype {tau._dtype._type_name} does not match input dtype {input._dtype._type_name}",
            input,
            tau,
        )
    check_kernel("orgqr_cpu", input)

    def outcome() -> np.ndarray:
        answer = np.empty(size, input._array.dtype)
        for at in np.ndindex(size[:-2]):
            answer[at] = _reflections(input._array[at], tau._array[at], size[-2])[:, : size[-1]]
        return answer

    return matrices(outcome, input._dtype, place_of(input), size, out, f"{name}/result")


@linear_row("ormqr", "Multiplies a matrix by the product of Householder reflectors.", forms="function method")
def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False, *, out: Tensor | None = None
) -> Tensor:
    a, b = input._array.shape, other._array.shape
    for tensor, called in ((input, "input"), (other, "other")):
        if tensor._array.ndim < 2:
            refuse_ndim(f"torch.ormqr: {called} must have at least 2 dimensions.", tensor)
    side = -2 if left else -1
    if b[side] != a[-2]:
        refuse_size(
            f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]",
            f"the reflections are of length {a[-2]}",
        )
    if tau._array.shape[-1] != min(b[side], a[-1]):
        refuse_size(
            f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])",
            "each column is one reflection",
        )
    _check_tau("torch.ormqr", input, tau)
    if other._array.ndim != input._array.ndim:
        refuse_size(
            "torch.ormqr: Expected other to have the same number of dimensions as input, but got other.ndim equal to "
            f"{len(b)} and input.ndim is equal to {len(a)}",
            "ormqr does not broadcast",
        )
    if b[:-2] != a[:-2]:
        refuse_size(
            f"torch.ormqr: Expected batch dimensions of other to be equal to input.shape[:-2], but got {list(b[:-2])}",
            "ormqr does not broadcast",
        )
    for tensor, called in ((tau, "tau"), (other, "other")):
        if tensor._dtype is not input._dtype:
            refuse_dtypes(
                f"torch.ormqr: Expected input and {called} to have the same dtype, but input has dtype"
                f"{input._dtype._type_name} and {called} has dtype {tensor._dtype._type_name}",
                input,
                tensor,
            )
    check_kernel("ormqr_cpu", input)

    def outcome() -> np.ndarray:
        answer = np.empty(b, other._array.dtype)
        for at in np.ndindex(b[:-2]):
            q = _reflections(input._array[at], tau._array[at], a[-2])
            q = q.conj().T if transpose else q
            answer[at] = q @ other._array[at] if left else other._array[at] @ q
        return answer

    return matrices(outcome, input._dtype, place_of(input), b, out, "torch.ormqr/result")
