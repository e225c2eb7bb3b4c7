"""Least squares; by LAPACK through SciPy."""

from __future__ import annotations

import numpy as np

from ...backends.numpy.without_warnings import silent
from ...declare.linalg import (
    LAPACK,
    NOT_FINITE,
    batches,
    column_major,
    linear_row,
    refuse_dtypes,
    refuse_ndim,
    refuse_size,
)
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _check(a: Tensor, b: Tensor, driver: str) -> bool:
    """Check the arguments; returns whether B is a batch of vectors."""
    name = "torch.linalg.lstsq"
    if a._array.ndim < 2:
        refuse_ndim(f"{name}: input must have at least 2 dimensions.", a)
    if b._array.ndim < 1:
        refuse_ndim(f"{name}: other must have at least 1 dimension.", b)
    if a._dtype is not b._dtype:
        one, two = a._dtype._type_name, b._dtype._type_name
        refuse_dtypes(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype {one} and other's dtype "
            f"{two}",
            a,
            b,
        )
    if a._array.ndim - b._array.ndim not in (0, 1):
        words = "input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
        refuse_size(f"{name}: {words}", "the sizes of the batches do not match")
    vector = b._array.ndim == 1 or b._array.shape == a._array.shape[:-1]
    rows, place = (b._array.shape[-1], -1) if vector else (b._array.shape[-2], -2)
    if rows != a._array.shape[-2]:
        refuse_size(
            f"{name}: input.size(-2) should match other.size({place})",
            f"A has {a._array.shape[-2]} rows, so as many equations, and B has {rows} "
            + ("numbers" if vector else "rows"),
        )
    if b._array.ndim == a._array.ndim - 1:
        batches(a._array.shape[:-2], b._array.shape[:-1])
    if a._dtype not in LAPACK:
        refuse(
            RuntimeError,
            "This function doesn't handle types other than float and double",
            "LAPACK computes in 32 bits or 64",
            "x.float()",
            rule="linalg.dtype",
        )
    if driver not in DRIVERS:
        refuse(
            RuntimeError,
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
            "these are LAPACK's drivers",
            rule="linalg.driver",
        )
    return vector


def fill_least_squares(
    targets: tuple[np.ndarray, ...], a: np.ndarray, b: np.ndarray, vector: bool, rcond: float | None, driver: str
) -> tuple[np.ndarray, ...]:
    """Fill in solution, residuals, ranks and singular values; without full rank there are no residuals."""
    solution, residuals, ranks, values = targets
    n, m = a.shape[-2:]
    right = b[..., None] if vector else b
    batch = solution.shape[:-1] if vector else solution.shape[:-2]
    a, right = np.broadcast_to(a, (*batch, n, m)), np.broadcast_to(right, (*batch, *right.shape[-2:]))
    wrong = 0 if not np.isfinite(a).all() else 2 if not np.isfinite(right).all() else None
    if wrong is not None:  # LAPACK's number of the argument
        refuse(
            RuntimeError,
            f"torch.linalg.lstsq: Argument {4 + (driver == 'gels') + wrong} has illegal value. Most certainly there is "
            "a bug in the implementation calling the backend library.",
            *NOT_FINITE,
            rule="linalg.finite",
        )
    x, rest, found_ranks, found_values = _solved(a, right, rcond, driver)
    solution[...] = x[..., 0] if vector else x
    own = tuple(slice(length) for length in ranks.shape)  # one for each matrix, however many right sides it has
    if driver != "gels":
        ranks[...] = found_ranks[own]
    if driver in ("gelsd", "gelss"):
        values[...] = found_values[own]
    if n <= m or driver == "gelsy":
        return targets
    if driver != "gels" and not (found_ranks == m).all():
        return solution, residuals.reshape(-1)[:0], ranks, values
    residuals[...] = rest
    return targets


@linear_row(
    "linalg.lstsq",
    "Computes a least-squares solution X of A X = B.",
    fill_least_squares,
    returns=("linalg_lstsq", ("solution", "residuals", "rank", "singular_values")),
    out=tuple([f"torch.linalg.lstsq/{name}" for name in ("solution", "solution", "rank", "singular_values")]),
)
def lstsq(input: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Answer:
    name = driver or "gelsy"
    vector = _check(input, b, name)
    n, m = input._array.shape[-2:]
    right = b._array.shape + (1,) if vector else b._array.shape
    # Of a matrix with a dimension less, PyTorch takes the rows for a batch, too.
    outer = b._array.shape[:-1] if b._array.ndim == input._array.ndim - 1 else right[:-2]
    batch, k, d = batches(input._array.shape[:-2], outer), right[-1], input._dtype
    # LAPACK leaves the solution at the top of columns that are long enough for both B and X.
    stride = column_major((*batch, max(n, m, 1), k))
    empty = (0,)
    results = (
        Result((*batch, m), d, stride[:-1]) if vector else Result((*batch, m, k), d, stride),
        Result((*batch, k) if n > m and name != "gelsy" else empty, d.to_real()),
        Result(input._array.shape[:-2] if name != "gels" else empty, dtypes.int64),
        Result((*input._array.shape[:-2], min(n, m)) if name in ("gelsd", "gelss") else empty, d.to_real()),
    )
    return results, (input._array, b._array, vector, rcond, name)


@silent
def _solved(a: np.ndarray, b: np.ndarray, rcond: float | None, driver: str) -> tuple[np.ndarray, ...]:
    (n, m), batch, k = a.shape[-2:], a.shape[:-2], b.shape[-1]
    x = np.zeros((*batch, m, k), a.dtype, like=a)
    ranks = np.zeros(batch, np.int64, like=a)
    values = np.zeros((*batch, min(n, m)), a.real.dtype, like=a)
    limit = np.finfo(a.dtype).eps * max(n, m) if rcond is None else rcond
    if a.size:
        for at in np.ndindex(batch):
            x[at], _, ranks[at], values[at] = np.linalg.lstsq(a[at], b[at], -1 if driver == "gels" else limit)
    rest = (np.abs(b - a @ x) ** 2).sum(-2)
    return x, rest, ranks, values
