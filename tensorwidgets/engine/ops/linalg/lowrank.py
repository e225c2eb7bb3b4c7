"""Approximations of low rank, found from random vectors."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...declare.linalg import linear_composite, linear_row
from ...declare.rules import Answer, Result
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes


def _call(name: str, *args: Any, **named: Any) -> Any:
    return OPS[name].function(*args, **named)


def _adjoint(a: Tensor) -> Tensor:
    return _call("conj", a.mT)


def _times(a: Tensor, less: Tensor | None, x: Tensor) -> Tensor:
    """A x, or A x - M x where M is subtracted from A."""
    result: Tensor = _call("matmul", a, x)
    return result if less is None else _call("sub", result, _call("matmul", less, x))  # type: ignore[no-any-return]


def _basis(a: Tensor, less: Tensor | None, q: int, rounds: int) -> Tensor:
    """Returns orthonormal columns that nearly span the columns of A, found from random vectors."""
    floating = a._dtype if a._dtype._kind >= dtypes.FLOAT else dtypes.get_default_dtype()
    result = _times(a, less, _call("randn", a._array.shape[-1], q, dtype=floating, device=a.device))
    for _ in range(rounds):
        turned = None if less is None else _adjoint(less)
        result = _times(_adjoint(a), turned, _call("linalg.qr", result)[0])
        result = _times(a, less, _call("linalg.qr", result)[0])
    return _call("linalg.qr", result)[0]


def _low_rank(a: Tensor, less: Tensor | None, q: int, rounds: int) -> tuple[Tensor, Tensor, Tensor]:
    if a._array.ndim < 2:
        refuse(
            ValueError,
            f"not enough values to unpack (expected 2, got {a._array.ndim})",
            f"size {list(a._array.shape)} is not a matrix",
            rule="linalg.ndim",
        )
    n, m = a._array.shape[-2:]
    if less is not None:
        less = _call("expand", less, a._array.shape)
    if n < m:
        a, less = _adjoint(a), None if less is None else _adjoint(less)
    basis = _basis(a, less, q, rounds)
    inner = _call("matmul", _adjoint(basis), a)
    if less is not None:
        inner = _call("sub", inner, _call("matmul", _adjoint(basis), less))
    u, s, vh = _call("linalg.svd", inner, False)
    one, two = _call("matmul", basis, u), _adjoint(vh)
    return (two, s, one) if n < m else (one, s, two)


@linear_composite(
    "svd_lowrank", "Computes an approximate singular value decomposition of low rank, with random vectors."
)
def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:  # noqa: N803
    return _low_rank(A, M, 6 if q is None else q, 2 if niter is None else niter)


@linear_composite("pca_lowrank", "Computes an approximate principal component analysis of low rank.")
def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:  # noqa: N803
    n, m = A._array.shape[-2:]
    if q is None:
        q = min(6, n, m)
    elif not 0 <= q <= min(n, m):
        refuse(
            ValueError,
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(n, m)}",
            "a matrix has no more directions than rows or columns",
            rule="linalg.rank",
        )
    if niter < 0:
        refuse(ValueError, f"niter(={niter}) must be non-negative integer", "rounds are counted", rule="linalg.rounds")
    return _low_rank(_call("sub", A, _call("mean", A, -2, True)) if center else A, None, q, niter)


def fill_eigenpairs(
    targets: tuple[np.ndarray, ...], a: np.ndarray, first: np.ndarray, b: Any, inverse: Any, bound: Any, steps: int,
    largest: bool,
) -> None:  # fmt: skip
    values, vectors = targets
    wanted = values.shape[-1]
    limit = float(np.sqrt(np.finfo(a.dtype).eps)) if bound is None else bound
    for at in np.ndindex(a.shape[:-2]):
        operands = [None if t is None else t[at] if t.ndim > 2 else t for t in (b, inverse)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SciPy's, of small matrices and of a tolerance that was not reached
            found, directions = _one(a[at], first[at], operands, limit, steps, largest)
        values[at], vectors[at] = found[:wanted], directions[:, :wanted]


@linear_row(
    "lobpcg",
    "Computes the largest or smallest eigenvalues of symmetric matrices, with their eigenvectors.",
    fill_eigenpairs,
    returns="tuple[Tensor, Tensor]",
    out=None,
)
def lobpcg(
    A: Tensor,  # noqa: N803
    k: int | None = None,
    B: Tensor | None = None,  # noqa: N803
    X: Tensor | None = None,  # noqa: N803
    n: int | None = None,
    iK: Tensor | None = None,  # noqa: N803
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: object = None,
    ortho_iparams: dict[str, int] | None = None,
    ortho_fparams: dict[str, float] | None = None,
    ortho_bparams: dict[str, bool] | None = None,
) -> Answer:
    size = A._array.shape
    if size[-2] != size[-1]:
        shown = f"torch.Size({list(size)})"
        refuse(AssertionError, f"A must be square, got shape {shown}", f"size {list(size)}", rule="linalg.square")
    if tracker is not None:
        refuse(
            NotImplementedError,
            "lobpcg(): tracker is not supported",
            "SciPy computes this and reports no intermediate steps",
            "tracker=None",
            rule="linalg.tracker",
        )
    wanted = (1 if X is None else X._array.shape[-1]) if k is None else k
    start = n if n is not None else wanted if X is None else X._array.shape[-1]
    rows = size[-1]
    if rows < 3 * start:
        refuse_value(rows, start)
    first = X if X is not None else _call("randn", *size[:-1], start, dtype=A._dtype, device=A.device)
    arrays = [None if t is None else t._array for t in (A, first, B, iK)]
    results = Result((*size[:-2], wanted), A._dtype), Result((*size[:-1], wanted), A._dtype)
    return results, (*arrays, tol, -1 if niter is None else niter, largest is not False)


def refuse_value(rows: int, start: int) -> None:
    refuse(
        ValueError,
        f"LOBPCG algorithm is not applicable when the number of A rows (={rows}) is smaller than 3 x the number of "
        f"requested eigenpairs (={start})",
        "the method needs three independent blocks of vectors",
        "torch.linalg.eigh(A)",
        rule="linalg.rank",
    )


def _one(a: np.ndarray, x: np.ndarray, operands: list, tol: float, steps: int, largest: bool) -> Any:
    from scipy.sparse.linalg import lobpcg as iterate

    from ...backends.numpy.without_warnings import quietly

    b, inverse = operands
    wide = np.float64
    return quietly(
        iterate,
        a.astype(wide),
        x.astype(wide),
        None if b is None else b.astype(wide),
        None if inverse is None else inverse.astype(wide),
        tol=tol * 1e-2,
        maxiter=1000 if steps < 0 else steps,
        largest=largest,
    )
