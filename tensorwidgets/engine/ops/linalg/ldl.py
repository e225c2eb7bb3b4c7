"""A = L D Lᵀ of symmetric matrices that need not be positive; by LAPACK through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import silent
from ...declare.linalg import (
    batches,
    check_fractions,
    check_square,
    each,
    for_lapack,
    linear_row,
    matrices,
)
from ...declare.rules import Answer, Result, store
from ...errors.reasons import refuse
from ...memory.places import eye
from ...tensor.tensor import Tensor
from ...types import dtypes
from .solve import check_older, each_system


def _factors(a: np.ndarray, hermitian: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns packed factors in the lower triangle, 1-based pivots (negative for a 2x2 block), and error codes."""
    from scipy.linalg import get_lapack_funcs

    n = a.shape[-1]
    name = "hetrf" if hermitian and a.dtype.kind == "c" else "sytrf"
    factor, work = get_lapack_funcs((name, f"{name}_lwork"), (a,))

    def one(x: np.ndarray) -> tuple[Any, Any, Any]:
        if not n:
            return x, np.zeros(0, np.int32), 0
        packed, pivots, info = factor(x, lower=True, lwork=int(work(n, lower=True)[0].real))
        return np.tril(packed), pivots, info

    packed, pivots, infos = each(one, a, (n, n), (n,), (), kinds=(a.dtype, np.int32, np.int32))
    return packed, pivots, infos


def fill_ldl(targets: tuple[np.ndarray, ...], a: np.ndarray, hermitian: bool, name: str) -> None:
    """Fill in packed factors, pivots and, if wanted, error codes; a singular D is refused if there is a name."""
    parts = _factors(a, hermitian)
    zero = parts[2][parts[2] != 0]
    if name and zero.size:
        refuse(
            RuntimeError,
            f"torch.{name}: Unknown error code: {int(zero.flat[0])}.",
            f"D is 0 at place {int(zero.flat[0])}: the matrix is singular",
            "torch.linalg.ldl_factor_ex(A)",
            rule="linalg.singular",
        )
    store(targets, parts[: len(targets)])


@linear_row(
    "linalg.ldl_factor",
    "Computes the LDL decomposition of symmetric or Hermitian matrices in packed form, with its pivots.",
    fill_ldl,
    returns=("linalg_ldl_factor", ("LD", "pivots")),
)
def ldl_factor(input: Tensor, *, hermitian: bool = False) -> Answer:
    return _packed(input)[:2], (for_lapack("ldl_factor_kernel_cpu", input), hermitian, "linalg.ldl_factor")


@linear_row(
    "linalg.ldl_factor_ex",
    "Computes linalg.ldl_factor and returns an error code instead of raising.",
    fill_ldl,
    returns=("linalg_ldl_factor_ex", ("LD", "pivots", "info")),
)
def ldl_factor_ex(input: Tensor, *, hermitian: bool = False, check_errors: bool = False) -> Answer:
    return _packed(input), (
        for_lapack("ldl_factor_kernel_cpu", input),
        hermitian,
        "linalg.ldl_factor_ex" if check_errors else "",
    )


def _packed(a: Tensor) -> tuple[Result, Result, Result]:
    """Describe packed factors, pivots and error codes."""
    check_square("torch.linalg.ldl_factor_ex", a)
    check_fractions("torch.linalg.ldl_factor_ex", a)
    size = a._array.shape
    return matrices(size, a._dtype), Result(size[:-1], dtypes.int32), Result(size[:-2], dtypes.int32)


def unpacked(packed: np.ndarray, pivots: np.ndarray, hermitian: bool) -> tuple[np.ndarray, np.ndarray]:
    """M and D of one matrix with A = M D Mᵀ (Mᴴ): M is L with the exchanges of rows done."""
    n = packed.shape[-1]
    m, d = eye(n, n, packed), np.diag(packed.diagonal()).astype(packed.dtype)
    k = 0
    while k < n:
        wide = 2 if pivots[k] < 0 else 1
        if wide == 2:
            d[k + 1, k] = packed[k + 1, k]
            d[k, k + 1] = packed[k + 1, k].conj() if hermitian else packed[k + 1, k]
        exchanged = list(range(n))
        last, other = k + wide - 1, abs(int(pivots[k])) - 1
        exchanged[last], exchanged[other] = exchanged[other], exchanged[last]
        step = eye(n, n, packed)
        step[k + wide :, k : k + wide] = packed[k + wide :, k : k + wide]
        m = m[:, exchanged] @ step
        k += wide
    return m, d


@silent
def fill_ldl_solution(
    target: np.ndarray, packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, hermitian: bool
) -> None:
    def one(packed: np.ndarray, at: np.ndarray, b: np.ndarray) -> np.ndarray:
        m, d = unpacked(packed, at, hermitian)
        inner = np.linalg.solve(d, np.linalg.solve(m, b))
        return np.linalg.solve(m.conj().T if hermitian else m.T, inner)

    target[...] = each_system(one, target.shape, b.dtype, packed, pivots.astype(np.int32), b)


@linear_row(
    "linalg.ldl_solve", "Solves the linear system A X = B from the packed LDL decomposition of A.", fill_ldl_solution
)
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False) -> Answer:  # noqa: N803
    name = "torch.linalg.ldl_solve"
    check_square(name, LD)
    check_fractions(name, LD)
    factors = for_lapack("ldl_solve_kernel_cpu", LD)
    if B._array.ndim < 2:
        refuse(
            IndexError,
            "Dimension out of range (expected to be in range of [-1, 0], but got -2)",
            "B must be a matrix of right-hand sides",
            "B.unsqueeze(-1)",
            rule="linalg.ndim",
        )
    check_older(name, LD, B)
    if pivots._array.shape != LD._array.shape[:-1]:
        _refuse_pivots(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
            f"{list(pivots._array.shape)} instead",
            pivots,
        )
    if pivots._dtype._kind != dtypes.INTEGER:
        _refuse_pivots(f"{name}: Expected pivots to be integers. Got {pivots._dtype._type_name}", pivots)
    size = (*batches(B._array.shape[:-2], LD._array.shape[:-2]), *B._array.shape[-2:])
    return matrices(size, B._dtype), (factors, pivots._array, for_lapack("ldl_solve_kernel_cpu", B), hermitian)


def _refuse_pivots(message: str, pivots: Tensor) -> None:
    refuse(
        RuntimeError,
        message,
        f"pivots are one whole number for each row; these are {pivots._dtype}, size {list(pivots._array.shape)}",
        "LD, pivots = torch.linalg.ldl_factor(A)",
        rule="linalg.pivots",
    )
