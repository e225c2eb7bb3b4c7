"""QR decomposition and Householder reflectors; by LAPACK through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import silent
from ...declare.linalg import (
    check_floating,
    check_kernel,
    check_matrix,
    each,
    linear_row,
    matrices,
    refuse_dtypes,
    refuse_ndim,
    refuse_size,
    warn_of_successor,
)
from ...declare.rules import Answer, Result, store
from ...errors.reasons import refuse
from ...memory.places import eye
from ...tensor.tensor import Tensor
from . import elsewhere


def fill_qr(targets: tuple[np.ndarray, ...], a: np.ndarray, mode: str) -> None:
    q, r = elsewhere.orthogonal(a, mode) or _by_lapack(a, targets[1].shape[-2])
    store(targets[1:] if mode == "r" else targets, (r,) if mode == "r" else (q, r))


def _by_lapack(a: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Q of k columns and R of k rows."""
    from scipy.linalg import get_lapack_funcs

    n, m = a.shape[-2:]
    factor, product = get_lapack_funcs(("geqrf", "ungqr" if a.dtype.kind == "c" else "orgqr"), dtype=a.dtype)
    room: list[int] = []  # how much memory LAPACK asks for, which depends on the size alone

    def one(x: np.ndarray) -> Any:
        if not x.size:
            return eye(n, k, x), np.zeros((k, m), x.dtype, like=x)
        if not room:
            room.append(int(factor(x, lwork=-1)[2][0].real))
        packed, tau, _, _ = factor(x, lwork=room[0])
        q = np.zeros((n, k), x.dtype, "F")
        q[:, : min(n, m)] = packed[:, : min(n, m)]
        if len(room) == 1:
            room.append(int(product(q, tau, lwork=-1)[1][0].real))
        return product(q, tau, lwork=room[1], overwrite_a=1)[0], packed[:k]

    q, r = each(one, a, (n, k), (k, m))
    return q, np.triu(r)


def _qr(a: Tensor, mode: str) -> Answer:
    check_matrix("linalg.qr", a)
    check_floating("linalg.qr", a, "geqrf_cpu")
    if mode not in ("reduced", "complete", "r"):
        refuse(
            RuntimeError,
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'",
            "Q has as many columns as A, or is square, or is not wanted",
            rule="linalg.mode",
        )
    *batch, n, m = a._array.shape
    k = n if mode == "complete" else min(n, m)
    q = Result((0,), a._dtype) if mode == "r" else matrices((*batch, n, k), a._dtype)
    return (q, matrices((*batch, k, m), a._dtype)), (a._array, mode)


@linear_row(
    "linalg.qr", "Computes the QR decomposition A = Q R of matrices.", fill_qr, returns=("linalg_qr", ("Q", "R"))
)
def linalg_qr(A: Tensor, mode: str = "reduced") -> Answer:  # noqa: N803
    return _qr(A, mode)


@linear_row(
    "qr",
    "Computes the QR decomposition A = Q R of matrices.",
    fill_qr,
    forms="function method",
    returns=("qr", ("Q", "R")),
)
def qr(input: Tensor, some: bool = True) -> Answer:
    warn_of_successor(
        "qr",
        "linalg.qr",
        "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\n"
        "should be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
    )
    return _qr(input, "reduced" if some else "complete")


def fill_packed_qr(targets: tuple[np.ndarray, ...], a: np.ndarray) -> None:
    from scipy.linalg import get_lapack_funcs

    k = targets[1].shape[-1]
    (factor,) = get_lapack_funcs(("geqrf",), (a,))
    one = lambda x: factor(x)[:2] if x.size else (x, np.zeros(k, x.dtype))  # noqa: E731
    store(targets, tuple(each(one, a, a.shape[-2:], (k,))))


@linear_row(
    "geqrf",
    "Computes the QR decomposition in packed form, as Householder reflectors.",
    fill_packed_qr,
    forms="function method",
    returns=("geqrf", ("a", "tau")),
    out=("torch.geqrf/a", "torch.geqrf/tau"),
)
def geqrf(input: Tensor) -> Answer:
    if input._array.ndim < 2:
        refuse_ndim("torch.geqrf: input must have at least 2 dimensions.", input)
    check_kernel("geqrf_cpu", input)
    size, d = input._array.shape, input._dtype
    return (matrices(size, d), Result((*size[:-2], min(size[-2:])), d)), (input._array,)


@silent
def _reflections(x: np.ndarray, tau: np.ndarray, rows: int) -> np.ndarray:
    """Returns the product of the reflections that are packed below a diagonal, as a square matrix."""
    q = eye(rows, rows, x)
    for i in range(min(tau.size, rows)):
        v = np.zeros(rows, x.dtype, like=x)
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


def fill_reflections(target: np.ndarray, a: np.ndarray, tau: np.ndarray) -> None:
    product = _product_of_lapack(a) if tau.size else None
    for at in np.ndindex(a.shape[:-2]):
        if product is None:
            target[at] = _reflections(a[at], tau[at], a.shape[-2])[:, : a.shape[-1]]
        else:
            target[at] = product(a[at], tau[at])[0]


def _product_of_lapack(a: np.ndarray) -> Any:
    """LAPACK's function for the first columns of a product of reflections; None where it cannot compute."""
    if type(a) is not np.ndarray or not a.size:
        return None
    from scipy.linalg import get_lapack_funcs

    (product,) = get_lapack_funcs(("ungqr" if a.dtype.kind == "c" else "orgqr",), dtype=a.dtype)
    return product


@linear_row(
    "linalg.householder_product",
    "Computes the product of Householder reflectors.",
    fill_reflections,
    "orgqr",
    forms="function method",
    out="torch.linalg.householder_product/result",
)
def householder_product(input: Tensor, tau: Tensor) -> Answer:
    name = "torch.linalg.householder_product"
    size = input._array.shape
    if len(size) < 2:
        refuse_ndim(f"{name}: input must have at least 2 dimensions.", input)
    if size[-2] < size[-1]:
        refuse_size(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]",
            f"{size[-1]} columns of length {size[-2]} cannot be orthogonal",
        )
    if not tau._array.ndim:
        refuse(
            IndexError,
            "Dimension specified as -1 but tensor has no dimensions",
            "tau has one number for each reflection",
            rule="dim.range",
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
    return matrices(size, input._dtype), (input._array, tau._array)


@silent
def fill_reflected(
    target: np.ndarray, a: np.ndarray, tau: np.ndarray, b: np.ndarray, left: bool, transpose: bool
) -> None:
    for at in np.ndindex(b.shape[:-2]):
        q = _reflections(a[at], tau[at], a.shape[-2])
        q = q.conj().T if transpose else q
        target[at] = q @ b[at] if left else b[at] @ q


@linear_row(
    "ormqr",
    "Multiplies a matrix by the product of Householder reflectors.",
    fill_reflected,
    forms="function method",
    out="torch.ormqr: Expected input and result to have the same dtype, but input has dtype{Wanted} and result has "
    "dtype {Got}",
)
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Answer:
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
    return matrices(b, input._dtype), (input._array, tau._array, other._array, left, transpose)
