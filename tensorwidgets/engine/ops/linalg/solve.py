"""Solvers for linear systems; by LAPACK through SciPy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...declare.linalg import (
    batches,
    check_floating,
    check_kernel,
    check_matrix,
    check_square,
    check_system,
    for_lapack,
    linear_composite,
    linear_row,
    matrices,
    refuse_dtypes,
    refuse_failed,
    refuse_ndim,
    refuse_size,
    same_dtype,
    warn_of_successor,
)
from ...declare.rules import Answer, Result, store
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.results import copy_to
from ...tensor.tensor import Tensor
from ...types import dtypes
from . import elsewhere
from .factor import lu_parts


def each_system(one: Callable[..., Any], size: tuple[int, ...], d: np.dtype, *operands: np.ndarray) -> np.ndarray:
    """Solve each system of a batch; the operands are broadcast to the batch of `size`."""
    batch, answer = size[:-2], np.zeros(size, d, like=operands[0])
    spread = [np.broadcast_to(o, (*batch, *o.shape[-own:])) for o, own in zip(operands, _own(operands), strict=True)]
    if size[-1] and size[-2]:
        for at in product(*map(range, batch)):
            answer[at] = one(*[o[at] for o in spread])
    return answer


def _own(operands: tuple[np.ndarray, ...]) -> list[int]:
    """Returns the number of trailing dimensions of one system: 1 for pivots, 2 for matrices."""
    return [1 if o.dtype == np.int32 else 2 for o in operands]


def lu_solved(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, size: tuple[int, ...], how: tuple) -> np.ndarray:
    """X with A X = B by the packed factors; `how` is (left, adjoint)."""
    from scipy.linalg import get_lapack_funcs

    left, adjoint = how
    (getrs,) = get_lapack_funcs(("getrs",), (packed,))

    def one(lu: np.ndarray, p: np.ndarray, right: np.ndarray) -> np.ndarray:
        if left:
            return getrs(lu, p, right, trans=2 if adjoint else 0)[0]
        if adjoint:
            return getrs(lu, p, right.conj().T, trans=0)[0].conj().T
        return getrs(lu, p, right.T, trans=1)[0].T

    return each_system(one, size, b.dtype, packed, pivots - 1, b)


def _is_vector(a: Tensor, b: Tensor) -> bool:
    """Whether B is a batch of vectors: NumPy's older rule, which PyTorch keeps."""
    return b._array.ndim == 1 or (a._array.ndim - 1 == b._array.ndim and b._array.shape == a._array.shape[:-1])


def _solved(
    a: np.ndarray, b: np.ndarray, vector: bool, size: tuple[int, ...], left: bool, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """X with A X = B, and error codes; a singular A is refused if there is a name."""
    there = elsewhere.solution(a, b[..., None] if vector else b, left)
    if there is not None:
        return (there[..., 0] if vector else there), np.zeros(a.shape[:-2], np.int32, like=a)
    packed, pivots, infos = lu_parts(a)
    if name:
        refuse_failed(name, infos, "The solver failed because the input matrix is singular.")
    answer = lu_solved(packed, pivots, b[..., None] if vector else b, size, (left, False))
    return (answer[..., 0] if vector else answer), infos


def fill_solution(target: np.ndarray, *system: Any) -> None:
    target[...] = _solved(*system)[0]


def fill_solution_ex(targets: tuple[np.ndarray, ...], *system: Any) -> None:
    store(targets, _solved(*system))


def _solution(name: str, a: Tensor, b: Tensor, left: bool) -> tuple[Result, tuple]:
    check_floating("linalg.solve", a, low_precision=True)
    same_dtype("linalg.solve", a, b)
    vector = _is_vector(a, b)
    check_square("linalg.solve", a)
    if not vector:
        check_matrix("linalg.solve", b, "B")
    right = b._array.shape + (1,) if vector else b._array.shape
    check_system("linalg.solve", a, right, left)
    if vector and not left:
        refuse(
            RuntimeError,
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)",
            "with left=False the unknown X stands on the left of A, and a vector B does not fit there",
            rule="linalg.vector",
        )
    factored = for_lapack("lu_cpu", a)
    size = (*batches(right[:-2], a._array.shape[:-2]), *right[-2:])
    shown = size[:-1] if vector else size
    ordered = matrices if left and len(shown) > 1 else Result
    return ordered(shown, a._dtype), (factored, for_lapack("lu_cpu", b), vector, size, left, name)


@linear_row("linalg.solve", "Solves the linear system A X = B.", fill_solution)
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Answer:  # noqa: N803
    return _solution("torch.linalg.solve", A, B, left)


@linear_row(
    "linalg.solve_ex",
    "Solves the linear system A X = B and returns an error code instead of raising.",
    fill_solution_ex,
    returns=("linalg_solve_ex", ("result", "info")),
)
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Answer:  # noqa: N803
    result, given = _solution("torch.linalg.solve_ex" if check_errors else "", A, B, left)
    return (result, Result(A._array.shape[:-2], dtypes.int32)), given


def _triangular(a: np.ndarray, b: np.ndarray, size: tuple[int, ...], how: tuple) -> np.ndarray:
    """X with A X = B for triangular A; `how` is (upper, left, ones on the diagonal, transposed)."""
    from scipy.linalg import get_blas_funcs

    there = elsewhere.triangular_solution(a, b, how)
    if there is not None:
        return there
    upper, left, ones, transposed = how
    (trsm,) = get_blas_funcs(("trsm",), (a, b))

    def one(x: np.ndarray, right: np.ndarray) -> np.ndarray:
        return trsm(1, x, right, side=not left, lower=not upper, trans_a=int(transposed), diag=ones)

    return each_system(one, size, a.dtype, a, b)


def fill_triangular(target: np.ndarray, a: np.ndarray, b: np.ndarray, how: tuple) -> None:
    target[...] = _triangular(a, b.astype(a.dtype), target.shape, how)


@linear_row(
    "linalg.solve_triangular",
    "Solves the linear system A X = B with a triangular A.",
    fill_triangular,
    out="expected scalar type {Wanted} but found {Got}",
)
def solve_triangular(
    A: Tensor,  # noqa: N803
    B: Tensor,  # noqa: N803
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
) -> Answer:
    check_square("linalg.solve_triangular", A)
    check_matrix("linalg.solve_triangular", B, "B")
    check_system("linalg.solve_triangular", A, B._array.shape, left)
    check_kernel("triangular_solve_cpu", A)
    size = (*batches(B._array.shape[:-2], A._array.shape[:-2]), *B._array.shape[-2:])
    return matrices(size, A._dtype), (A._array, B._array, (upper, left, unitriangular, False))


def check_older(name: str, a: Tensor, b: Tensor) -> None:
    """Check A and b as PyTorch's older solvers do, with their messages."""
    if a._dtype is not b._dtype:
        refuse_dtypes(
            f"Expected b and A to have the same dtype, but found b of type {b._dtype._type_name} and A of type "
            f"{a._dtype._type_name} instead.",
            a,
            b,
        )
    check_square("", a)
    n, (m, k) = a._array.shape[-1], b._array.shape[-2:]
    if n != m:
        refuse_size(
            f"Incompatible matrix sizes for {name}: each A matrix is {n} by {n} but each b matrix is {m} by {k}",
            f"{n} equations and {m} right sides",
        )


def fill_triangular_pair(targets: tuple[np.ndarray, ...], a: np.ndarray, b: np.ndarray, how: tuple) -> None:
    store(targets, (_triangular(a, b, targets[0].shape, how), a))


@linear_row(
    "triangular_solve",
    "Solves the linear system A X = b with a triangular A; returns X and A.",
    fill_triangular_pair,
    forms="function method",
    returns=("triangular_solve", ("solution", "cloned_coefficient")),
)
def triangular_solve(
    input: Tensor,
    A: Tensor,  # noqa: N803
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Answer:
    warn_of_successor(
        "triangular_solve",
        "linalg.solve_triangular",
        "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
        "X = torch.linalg.solve_triangular(A, B).",
    )
    for tensor, told in ((input, "b"), (A, "A")):
        if tensor._array.ndim < 2:
            words = f"to have at least 2 dimensions, but it has {tensor._array.ndim} dimensions instead"
            refuse_ndim(f"torch.triangular_solve: Expected {told} {words}", tensor)
    check_older("triangular_solve", A, input)
    check_kernel("triangular_solve_cpu", A)
    a, b = A._array, input._array
    batch = batches(b.shape[:-2], a.shape[:-2])
    results = matrices((*batch, *b.shape[-2:]), A._dtype), matrices((*batch, *a.shape[-2:]), A._dtype)
    return results, (a, b, (upper, True, unitriangular, transpose))


def fill_lu_solution(target: np.ndarray, packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, how: tuple) -> None:
    for beyond, words in (
        (pivots < 1, "greater or equal to 1"),
        (pivots > packed.shape[-1], "smaller or equal to LU.size(-2)"),
    ):
        if beyond.any():
            _refuse_pivots(
                f"Pivots given to lu_solve must all be {words}. Did you properly pass the result of lu_factor?",
                "int32",
                pivots.shape,
            )
    target[...] = lu_solved(packed, pivots, b, target.shape, how)


@linear_row(
    "linalg.lu_solve", "Solves the linear system A X = B from the packed LU decomposition of A.", fill_lu_solution
)
def linalg_lu_solve(
    LU: Tensor,  # noqa: N803
    pivots: Tensor,
    B: Tensor,  # noqa: N803
    *,
    left: bool = True,
    adjoint: bool = False,
) -> Answer:
    check_floating("torch.linalg.lu_solve", LU, low_precision=True)
    same_dtype("linalg.lu_solve", LU, B, "LU")
    described = (pivots._dtype._name, pivots._array.shape)
    if pivots._dtype is not dtypes.int32:
        _refuse_pivots("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32", *described)
    check_square("torch.linalg.lu_solve", LU)
    check_matrix("linalg.lu_solve", B, "B")
    check_system("linalg.lu_solve", LU, B._array.shape, left)
    n = LU._array.shape[-1]
    if pivots.size(-1) != n:
        words = "Number of pivots per batch should be same as the dimension of the matrix"
        _refuse_pivots(f"linalg.lu_solve: {words}", *described)
    if pivots._array.shape[:-1] != LU._array.shape[:-2]:
        shown = list(pivots._array.shape)
        _refuse_pivots(
            "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
            f"{shown} instead",
            *described,
        )
    factors = for_lapack("lu_solve_cpu", LU)
    size = (*batches(B._array.shape[:-2], LU._array.shape[:-2]), *B._array.shape[-2:])
    ordered = matrices if left else Result
    others = for_lapack("lu_solve_cpu", B)
    return ordered(size, B._dtype), (factors, pivots._array, others, (left, adjoint))


def _refuse_pivots(message: str, kind: str, size: tuple[int, ...]) -> None:
    refuse(
        RuntimeError,
        message,
        "pivots are row numbers counted from 1, as int32, one for each column; these are "
        f"torch.{kind}, size {list(size)}",
        "LU, pivots = torch.linalg.lu_factor(A)",
        rule="linalg.pivots",
    )


@linear_composite(
    "lu_solve", "Solves the linear system A X = b from the packed LU decomposition of A.", forms="function method"
)
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    warn(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch "
        "release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
        "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)",
        once=True,
    )
    return OPS["linalg.lu_solve"].function(LU_data, LU_pivots, input, out=out)


def fill_cholesky_solution(target: np.ndarray, factor: np.ndarray, b: np.ndarray, upper: bool) -> None:
    from scipy.linalg import get_lapack_funcs

    there = elsewhere.cholesky_solution(factor, b, upper)
    if there is not None:
        target[...] = there
        return
    (potrs,) = get_lapack_funcs(("potrs",), (factor,))
    target[...] = each_system(lambda x, y: potrs(x, y, lower=not upper)[0], target.shape, factor.dtype, factor, b)


@linear_row(
    "cholesky_solve",
    "Solves the linear system A X = B from the Cholesky factor of A.",
    fill_cholesky_solution,
    forms="function method",
    out="cholesky_solve/result",
)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Answer:
    for tensor, told in ((input, "b"), (input2, "u")):
        if tensor._array.ndim < 2:
            words = f"should have at least 2 dimensions, but has {tensor._array.ndim} dimensions instead"
            refuse_ndim(f"{told} {words}", tensor)
    check_older("cholesky_solve", input2, input)
    batch = batches(input._array.shape[:-2], input2._array.shape[:-2])
    check_kernel("cholesky_solve_cpu", input)
    return matrices((*batch, *input._array.shape[-2:]), input._dtype), (input2._array, input._array, upper)


@linear_composite("linalg.tensorsolve", "Solves tensordot(A, X) = B for X.")
def tensorsolve(
    input: Tensor, other: Tensor, dims: tuple[int, ...] | None = None, *, out: Tensor | None = None
) -> Tensor:
    moved = input
    if dims is not None:
        last = input._array.ndim
        moved = OPS["movedim"].function(input, tuple(dims), tuple(range(last - len(dims), last)))
    rest = moved._array.shape[other._array.ndim :]
    n, first = prod(rest), other._array.size
    if n != first:
        refuse_size(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            f"but got {n} != {first}",
            "the matrix has to be square",
        )
    system = OPS["reshape"].function(moved, (n, n)), OPS["reshape"].function(other, (n,))
    answer = OPS["linalg.solve"].function(*system)
    return copy_to(out, OPS["reshape"].function(answer, rest), "tensorsolve/result")
