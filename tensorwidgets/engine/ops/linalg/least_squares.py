"""Least squares; by LAPACK through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.linalg import (
    LAPACK,
    batches,
    column_major,
    linear_row,
    outs,
    plain,
    refuse_dtypes,
    refuse_ndim,
    refuse_size,
)
from ...errors.reasons import refuse
from ...memory import Place
from ...tensor.results import finish
from ...tensor.tensor import Tensor, place_of
from ...types import dtypes
from ...types.return_types import result

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
    if a._array.ndim - b._array.ndim not in (0, 1) and a._array.ndim > b._array.ndim:
        refuse_size(f"{name}: input.dim() must be greater or equal to other.dim() and", "the batches do not meet")
    vector = b._array.ndim == a._array.ndim - 1
    if vector:
        batches(a._array.shape[:-2], b._array.shape[:-1])
    rows, at = (b._array.shape[-1], -1) if vector else (b._array.shape[-2], -2)
    if rows != a._array.shape[-2]:
        refuse_size(
            f"{name}: input.size(-2) should match other.size({at})",
            f"{a._array.shape[-2]} equations and {rows} right sides",
        )
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


@linear_row("linalg.lstsq", "Computes a least-squares solution X of A X = B.")
def lstsq(
    input: Tensor,
    b: Tensor,
    rcond: float | None = None,
    *,
    driver: str | None = None,
    out: Any = None,
) -> Any:
    name = driver or "gelsy"
    vector = _check(input, b, name)
    n, m = input._array.shape[-2:]
    right = b._array.shape + (1,) if vector else b._array.shape
    batch, k, d = batches(input._array.shape[:-2], right[:-2]), right[-1], input._dtype
    place = place_of(input, b)
    outcome: Any = (None,) * 4
    if place.has_numbers:
        a = np.broadcast_to(input._array, (*batch, n, m))
        outcome = _solved(a, np.broadcast_to(b._array.reshape(right), (*batch, n, k)), rcond, name)
    solution, rest, ranks, values = outcome
    has_residuals = n > m and name != "gelsy" and (not place.has_numbers or name == "gels" or bool((ranks == m).all()))
    real = d.to_real()
    given = outs(out, 4)
    parts = (
        _held(solution, d, place, (*batch, m, k), max(n, m), vector, given[0]),
        _where(has_residuals, rest, real, place, (*batch, k), given[1]),
        _where(name != "gels", ranks, dtypes.int64, place, batch, given[2]),
        _where(name in ("gelsd", "gelss"), values, real, place, (*batch, min(n, m)), given[3]),
    )
    return result("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"), parts)


def _where(
    computed: bool, value: Any, d: dtypes.dtype, place: Place, size: tuple[int, ...], out: Tensor | None
) -> Tensor:
    """Returns a result, or an empty tensor if the driver does not compute it."""
    return plain(lambda: value if computed else 0, d, place, size if computed else (0,), out)


def _held(
    value: Any, d: dtypes.dtype, place: Place, size: tuple[int, ...], rows: int, vector: bool, out: Tensor | None
) -> Tensor:
    """The solution where LAPACK leaves it: at the top of columns that are long enough for B and for X."""
    stride = column_major((*size[:-2], max(rows, 1), size[-1]))
    shown, step = (size[:-1], stride[:-1]) if vector else (size, stride)

    def fill(target: np.ndarray) -> None:
        target[...] = value[..., 0] if vector else value

    return finish(shown, d, out, fill, place, step)


def _solved(a: np.ndarray, b: np.ndarray, rcond: float | None, driver: str) -> tuple[np.ndarray, ...]:
    (n, m), batch, k = a.shape[-2:], a.shape[:-2], b.shape[-1]
    x = np.zeros((*batch, m, k), a.dtype)
    ranks = np.zeros(batch, np.int64)
    values = np.zeros((*batch, min(n, m)), a.real.dtype)
    limit = np.finfo(a.dtype).eps * max(n, m) if rcond is None else rcond
    if a.size:
        for at in np.ndindex(batch):
            x[at], _, ranks[at], values[at] = np.linalg.lstsq(a[at], b[at], -1 if driver == "gels" else limit)
    rest = (np.abs(b - a @ x) ** 2).sum(-2)
    return x, rest, ranks, values
