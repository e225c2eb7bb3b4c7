"""How are matrices factored and systems solved on a GPU, which SciPy's LAPACK does not reach?

By NumPy's functions of whole batches, which NumPy's protocols carry there. Each function returns None for a matrix that
they fail on: which minor or pivot it is, LAPACK says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...memory.places import eye, is_in_main_memory

_THETA = 5.371920351148152
"""The norm up to which the Padé approximant of degree 13 is exact to float64."""

_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def adjoint(a: np.ndarray) -> Any:
    """The conjugate transposes of matrices."""
    return a.swapaxes(-1, -2).conj()


def _found(function: Any, *args: Any) -> Any:
    """A function's result; None if it fails or is not finite, as CuPy's is where NumPy's fails."""
    try:
        result = quietly(function, *args)
    except np.linalg.LinAlgError:
        return None
    return result if bool(np.isfinite(result).all()) else None


def cholesky(a: np.ndarray, upper: bool) -> Any:
    """The Cholesky factors of matrices on a GPU."""
    if is_in_main_memory(a):
        return None
    if not a.size:
        return a
    factors = _found(np.linalg.cholesky, adjoint(a) if upper else a)
    return adjoint(factors) if upper and factors is not None else factors


def inverse(a: np.ndarray) -> Any:
    """The inverses of matrices on a GPU."""
    if is_in_main_memory(a):
        return None
    return _found(np.linalg.inv, a) if a.size else a


def solution(a: np.ndarray, b: np.ndarray, left: bool) -> Any:
    """X with A X = B, or X A = B, for matrices on a GPU."""
    if is_in_main_memory(a):
        return None
    if not a.size or not b.size:
        return np.zeros((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:]), b.dtype, like=b)
    if left:
        return _found(np.linalg.solve, a, b)
    answer = _found(np.linalg.solve, a.swapaxes(-1, -2), b.swapaxes(-1, -2))
    return None if answer is None else answer.swapaxes(-1, -2)


def triangular_solution(a: np.ndarray, b: np.ndarray, how: tuple) -> Any:
    """X with A X = B for triangular A on a GPU; `how` is (upper, left, ones on the diagonal, transposed)."""
    if is_in_main_memory(a):
        return None
    upper, left, ones, transposed = how
    part = (np.triu if upper else np.tril)(a, (1 if upper else -1) if ones else 0)
    if ones:
        part = part + eye(a.shape[-1], a.shape[-1], a)
    return solution(part.swapaxes(-1, -2) if transposed else part, b, left)


def cholesky_solution(factor: np.ndarray, b: np.ndarray, upper: bool) -> Any:
    """X with A X = B by the Cholesky factors of A on a GPU."""
    if is_in_main_memory(factor):
        return None
    low = adjoint(np.triu(factor)) if upper else np.tril(factor)
    return solution(low @ adjoint(low), b, True)


def orthogonal(a: np.ndarray, mode: str) -> Any:
    """Q and R of matrices on a GPU."""
    return (
        None if is_in_main_memory(a) or not a.size else np.linalg.qr(a, "complete" if mode == "complete" else "reduced")
    )


def exponential(a: np.ndarray) -> Any:
    """The exponentials of matrices of float64 or complex128 on a GPU, by scaling, Padé's approximant and squaring."""
    if is_in_main_memory(a) or not a.size:
        return None
    norm = float(np.max(np.sum(np.abs(a), axis=-2)))
    halvings = max(0, int(np.ceil(np.log2(norm / _THETA)))) if np.isfinite(norm) and norm else 0
    a = a / 2.0**halvings
    one = np.broadcast_to(eye(a.shape[-1], a.shape[-1], a), a.shape)
    two = a @ a
    even, odd, power = _PADE[0] * one, _PADE[1] * one, one
    for k in range(2, 14, 2):
        power = power @ two
        even = even + _PADE[k] * power
        odd = odd + _PADE[k + 1] * power
    odd = a @ odd
    result = np.linalg.solve(even - odd, even + odd)
    for _ in range(halvings):
        result = result @ result
    return result


def distances(a: np.ndarray, b: np.ndarray, p: float) -> Any:
    """The distances between all pairs of rows of batches of matrices on a GPU."""
    if is_in_main_memory(a):
        return None
    apart = np.abs(a.astype(np.float64)[..., :, None, :] - b.astype(np.float64)[..., None, :, :])
    if p == 0:
        return np.sum(apart != 0, axis=-1)
    if p == 1:
        return np.sum(apart, axis=-1)
    if p == np.inf:
        return np.max(apart, axis=-1)
    return np.sum(apart**p, axis=-1) ** (1 / p)
