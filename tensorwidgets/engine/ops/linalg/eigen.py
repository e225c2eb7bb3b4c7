"""Eigenvalues and eigenvectors; by LAPACK through NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.linalg import check_kernel, check_square, is_meta, linear_row, matrices, outs, plain, refuse_singular
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, place_of
from ...types.dtypes import COMPLEX, FLOAT
from ...types.return_types import result


def _check_eig(name: str, a: Tensor) -> None:
    check_square(name, a)
    if a._dtype._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"Unknown Complex ScalarType for {a._dtype._type_name}",
            "eigenvalues are complex, and there is no complex dtype of whole numbers",
            "x.float()",
            rule="linalg.dtype",
        )
    check_kernel("linalg_eig_out_cpu", a)
    if not is_meta(a) and not np.isfinite(a._array).all():
        refuse(
            RuntimeError,
            "torch.linalg.eig: input tensor should not contain infs or NaNs.",
            "a matrix with infinities has no eigenvalues",
            rule="linalg.finite",
        )


@linear_row("linalg.eig", "Computes the eigenvalues and eigenvectors of square matrices.")
def eig(input: Tensor, *, out: Any = None) -> Any:
    _check_eig("linalg.eig", input)
    size, d, place, into = input._array.shape, input._dtype.to_complex(), place_of(input), outs(out, 2)
    outcome: Any = np.linalg.eig(input._array) if place.has_numbers else (None, None)
    parts = (
        plain(lambda: outcome[0], d, place, size[:-1], into[0], "torch.linalg.eig/eigenvalues"),
        matrices(lambda: outcome[1], d, place, size, into[1], "torch.linalg.eig/eigenvectors"),
    )
    return result("linalg_eig", ("eigenvalues", "eigenvectors"), parts)


@linear_row("linalg.eigvals", "Computes the eigenvalues of square matrices.")
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    _check_eig("linalg.eigvals", input)
    d = input._dtype.to_complex()
    shown_name = "torch.linalg.eigvals/eigenvalues"
    return plain(lambda: np.linalg.eigvals(input._array), d, place_of(input), input._array.shape[:-1], out, shown_name)


def symmetric(x: np.ndarray, uplo: str = "L") -> np.ndarray:
    """Fill in the other triangle of a symmetric (Hermitian) matrix."""
    half = np.tril(x, -1) if uplo in "Ll" else np.triu(x, 1)
    full = half + half.swapaxes(-1, -2).conj()
    np.einsum("...ii->...i", full)[...] = np.einsum("...ii->...i", x).real
    return full


def eigh_parts(x: np.ndarray, uplo: str = "L") -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues in rising order, and eigenvectors, of symmetric matrices."""
    full = symmetric(x, uplo)
    infos = (~np.isfinite(full)).any((-2, -1)) * (x.shape[-1] - 1)
    refuse_singular(
        "linalg.eigh",
        np.asarray(infos),
        "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
        "eigenvalues (error code: {n}).",
    )
    return np.linalg.eigh(full)


def _check_eigh(a: Tensor, uplo: str) -> None:
    check_square("linalg.eigh", a)
    if uplo.upper() not in ("L", "U"):
        refuse(
            RuntimeError,
            f"Expected UPLO argument to be 'L' or 'U', but got {uplo}",
            "the lower or the upper triangle is read",
            rule="linalg.uplo",
        )
    check_kernel("linalg_eigh_cpu", a)


@linear_row("linalg.eigh", "Computes the eigenvalues and eigenvectors of symmetric or Hermitian matrices.")
def eigh(input: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:  # noqa: N803
    _check_eigh(input, UPLO)
    size, place, into = input._array.shape, place_of(input), outs(out, 2)
    outcome: Any = eigh_parts(input._array, UPLO) if place.has_numbers else (None, None)
    parts = (
        plain(lambda: outcome[0], input._dtype.to_real(), place, size[:-1], into[0]),
        matrices(lambda: outcome[1], input._dtype, place, size, into[1]),
    )
    return result("linalg_eigh", ("eigenvalues", "eigenvectors"), parts)


@linear_row("linalg.eigvalsh", "Computes the eigenvalues of symmetric or Hermitian matrices.")
def eigvalsh(input: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:  # noqa: N803
    _check_eigh(input, UPLO)
    outcome = None if is_meta(input) else eigh_parts(input._array, UPLO)[0]
    return plain(lambda: outcome, input._dtype.to_real(), place_of(input), input._array.shape[:-1], out)
