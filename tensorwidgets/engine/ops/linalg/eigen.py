"""Eigenvalues and eigenvectors; by LAPACK through NumPy."""

from __future__ import annotations

import numpy as np

from ...declare.linalg import (
    NOT_FINITE,
    check_kernel,
    check_matrix,
    check_square,
    for_lapack,
    linear_row,
    matrices,
    refuse_failed,
)
from ...declare.rules import Answer, Result, store
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.tensor import Tensor
from ...types.dtypes import COMPLEX, FLOAT


def _check_eig(name: str, a: Tensor) -> None:
    check_matrix(name, a)
    if a._dtype._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"Unknown Complex ScalarType for {a._dtype._type_name}",
            "eigenvalues are complex, and there is no complex dtype of whole numbers",
            "x.float()",
            rule="linalg.dtype",
        )
    check_square(name, a)
    check_kernel("linalg_eig_out_cpu", a)


def _must_be_finite(a: np.ndarray) -> None:
    if not np.isfinite(a).all():
        refuse(
            RuntimeError,
            "torch.linalg.eig: input tensor should not contain infs or NaNs.",
            "a matrix with infinities has no eigenvalues",
            rule="linalg.finite",
        )


def fill_eig(targets: tuple[np.ndarray, ...], a: np.ndarray) -> None:
    _must_be_finite(a)
    store(targets, np.linalg.eig(a))


@linear_row(
    "linalg.eig",
    "Computes the eigenvalues and eigenvectors of square matrices.",
    fill_eig,
    returns=("linalg_eig", ("eigenvalues", "eigenvectors")),
    out=("torch.linalg.eig/eigenvalues", "torch.linalg.eig/eigenvectors"),
)
def eig(input: Tensor) -> Answer:
    _check_eig("linalg.eig", input)
    size, d = input._array.shape, input._dtype.to_complex()
    return (Result(size[:-1], d), matrices(size, d)), (input._array,)


def fill_eigvals(target: np.ndarray, a: np.ndarray) -> None:
    _must_be_finite(a)
    target[...] = np.linalg.eigvals(a)


@linear_row(
    "linalg.eigvals",
    "Computes the eigenvalues of square matrices.",
    fill_eigvals,
    out="torch.linalg.eigvals/eigenvalues",
)
def eigvals(input: Tensor) -> Answer:
    _check_eig("linalg.eigvals", input)
    return Result(input._array.shape[:-1], input._dtype.to_complex()), (input._array,)


def symmetric(x: np.ndarray, uplo: str = "L") -> np.ndarray:
    """Fill in the other triangle of a symmetric (Hermitian) matrix."""
    half = np.tril(x, -1) if uplo in "Ll" else np.triu(x, 1)
    full = half + half.swapaxes(-1, -2).conj()
    np.einsum("...ii->...i", full)[...] = np.einsum("...ii->...i", x).real
    return full


def eigh_parts(x: np.ndarray, uplo: str = "L") -> tuple[np.ndarray, np.ndarray]:
    """Returns the eigenvalues in ascending order, and the eigenvectors, of symmetric matrices."""
    full = symmetric(x, uplo)
    infos = (~np.isfinite(full)).any((-2, -1)) * (x.shape[-1] - 1)
    refuse_failed(
        "linalg.eigh",
        as_array(infos),
        "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
        "eigenvalues (error code: {n}).",
        NOT_FINITE,
        "linalg.finite",
    )
    values, vectors = np.linalg.eigh(full)
    return values, vectors


def _check_eigh(a: Tensor, uplo: str) -> None:
    check_square("linalg.eigh", a)
    if uplo.upper() not in ("L", "U"):
        refuse(
            RuntimeError,
            f"Expected UPLO argument to be 'L' or 'U', but got {uplo}",
            "the lower or the upper triangle is read",
            rule="linalg.uplo",
        )


def fill_eigh(targets: tuple[np.ndarray, ...], a: np.ndarray, uplo: str) -> None:
    store(targets, eigh_parts(a, uplo))


@linear_row(
    "linalg.eigh",
    "Computes the eigenvalues and eigenvectors of symmetric or Hermitian matrices.",
    fill_eigh,
    returns=("linalg_eigh", ("eigenvalues", "eigenvectors")),
)
def eigh(input: Tensor, UPLO: str = "L") -> Answer:  # noqa: N803
    _check_eigh(input, UPLO)
    size, d = input._array.shape, input._dtype
    return (Result(size[:-1], d.to_real()), matrices(size, d)), (for_lapack("linalg_eigh_cpu", input), UPLO)


def fill_eigvalsh(target: np.ndarray, a: np.ndarray, uplo: str) -> None:
    target[...] = eigh_parts(a, uplo)[0]


@linear_row("linalg.eigvalsh", "Computes the eigenvalues of symmetric or Hermitian matrices.", fill_eigvalsh)
def eigvalsh(input: Tensor, UPLO: str = "L") -> Answer:  # noqa: N803
    _check_eigh(input, UPLO)
    return Result(input._array.shape[:-1], input._dtype.to_real()), (for_lapack("linalg_eigh_cpu", input), UPLO)
