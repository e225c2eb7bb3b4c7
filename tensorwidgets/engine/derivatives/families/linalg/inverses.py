"""Inverses and the solutions of linear equations."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ...beside import eye_beside
from ...declaring import constant, differentiate, parts
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- inverses ----------------------------------------------------------------------------------------------------


def _of_inverse(grad: Tensor, inverse: Tensor) -> Any:
    """A changes to A + dA: its inverse Y changes by -Y dA Y."""
    return -(inverse.mH @ (grad @ inverse.mH))


differentiate("linalg.inv_ex", A=lambda grad, result: _of_inverse(grad, result))
differentiate("linalg.inv", node="LinalgInvExBackward0", A=lambda grad, result: _of_inverse(grad, result))
differentiate("inverse", node="LinalgInvExBackward0", input=lambda grad, result: _of_inverse(grad, result))


@parts("linalg.tensorinv")
def tensorinv(input: Tensor, ind: int = 2) -> Any:
    """inverse of the tensor as a matrix"""
    left, right = tuple(input.shape[:ind]), tuple(input.shape[ind:])
    if ind <= 0 or prod(left) != prod(right):
        raise ValueError("the row itself refuses this")
    return torch.linalg.inv(input.reshape((prod(right), prod(left)))).reshape((*right, *left))


# -- solutions ---------------------------------------------------------------------------------------------------


def is_vector(a_shape: tuple[int, ...], b_shape: tuple[int, ...]) -> bool:
    """Whether the right side of a linear equation is a vector, or a batch of them, and not a matrix."""
    return len(b_shape) == 1 or len(a_shape) - 1 == len(b_shape) and b_shape == a_shape[:-1]


def _of_solve(grad: Tensor, A: Tensor, B_shape: tuple[int, ...], result: Tensor, left: bool, needed: dict) -> tuple:
    """The gradient of B solves the equation with the conjugate transpose, and that of A is a product with X."""
    vector = left and is_vector(tuple(A.shape), tuple(B_shape))
    if vector:
        grad, result = grad.unsqueeze(-1), result.unsqueeze(-1)
    of_b = torch.linalg.solve(A.mH, grad, left=left)
    of_a = None
    if needed["A"]:
        of_a = -(of_b @ result.mH if left else result.mH @ of_b)
    return of_a, of_b.squeeze(-1) if vector else of_b


differentiate("linalg.solve_ex", together=("A B", lambda grad, A, B_shape, result, needed, left=True: _of_solve(
    grad, A, B_shape, result, left, needed)))  # fmt: skip
differentiate("linalg.solve", node="LinalgSolveExBackward0",
              together=("A B", lambda grad, A, B_shape, result, needed, left=True: _of_solve(
                  grad, A, B_shape, result, left, needed)))  # fmt: skip


@parts("linalg.tensorsolve")
def tensorsolve(input: Tensor, other: Tensor, dims: tuple[int, ...] | None = None) -> Any:
    """linalg.solve of the tensors as a matrix and a vector"""
    ndim = input.dim()
    if dims is not None:
        order = [d for d in range(ndim) if d not in {d % ndim for d in dims}]
        input = input.movedim(tuple(dims), tuple(range(len(order), ndim)))
    size = tuple(input.shape[other.dim() :])
    if prod(size) != other.numel():
        raise ValueError("the row itself refuses this")
    matrix = input.reshape((prod(size), prod(size)))
    return torch.linalg.solve(matrix, other.reshape((other.numel(),))).reshape(size)


# -- triangular matrices -----------------------------------------------------------------------------------------


def triangle(t: Tensor, upper: bool, unit: bool = False) -> Any:
    """The upper or lower triangle of a matrix, without the diagonal if that is taken to be ones."""
    return t.triu(int(unit)) if upper else t.tril(-int(unit))


def _of_solve_triangular(
    grad: Tensor, A: Tensor, result: Tensor, upper: bool, left: bool, unit: bool, needed: dict
) -> tuple[Any, Any]:
    of_b = torch.linalg.solve_triangular(A.mH, grad, upper=not upper, left=left, unitriangular=unit)
    of_a = None
    if needed["input"]:
        of_a = triangle(-(of_b @ result.mH if left else result.mH @ of_b), upper, unit)
    return of_a, of_b


differentiate("linalg.solve_triangular", together=(
    "input B", lambda grad, input, result, upper, needed, left=True, unitriangular=False: _of_solve_triangular(
        grad, input, result, upper, left, unitriangular, needed)))  # fmt: skip


def _of_triangular_solve(
    grads: tuple, A: Tensor, result: Tensor, upper: bool, transpose: bool, unit: bool, needed: dict
) -> tuple[Any, Any]:
    of_solution, of_copy = grads
    of_a, of_b = None, torch.zeros_like(result)
    if of_solution is not None:
        of_b = torch.triangular_solve(of_solution, A.conj(), upper, not transpose, unit)[0]
        if needed["A"]:
            of_a = -(result.conj() @ of_b.mT if transpose else of_b @ result.mH)
            of_a = triangle(of_a, upper, unit)
    if of_copy is not None:
        of_a = of_copy if of_a is None else of_a + of_copy
    return of_b, of_a


differentiate("triangular_solve", called=("solution",), together=(
    "input A", lambda grads, input, A, result, needed, upper=True, transpose=False, unitriangular=False:
        _of_triangular_solve(grads, A, result, upper, transpose, unitriangular, needed)))  # fmt: skip

# -- with a decomposition that is known --------------------------------------------------------------------------


def _of_cholesky_solve(grad: Tensor, factor: Tensor, result: Tensor, upper: bool, needed: dict) -> tuple[Any, Any]:
    of_b = torch.cholesky_solve(grad, factor, upper)
    of_factor = None
    if needed["input2"]:
        both = of_b @ result.mH
        both = both + both.mH
        of_factor = -(factor @ both if upper else both @ factor)
    return of_b, of_factor


differentiate("cholesky_solve", together=(
    "input input2", lambda grad, input, input2, result, needed, upper=False: _of_cholesky_solve(
        grad, input2, result, upper, needed)))  # fmt: skip


def _of_cholesky_inverse(grad: Tensor, factor: Tensor, result: Tensor, upper: bool) -> Any:
    both = result @ ((grad + grad.mH) @ result)
    return -(factor @ both if upper else both @ factor)


differentiate("cholesky_inverse", input=lambda grad, input, result, upper=False: _of_cholesky_inverse(
    grad, input, result, upper))  # fmt: skip


def _of_lu_solve(
    grad: Tensor, LU: Tensor, pivots: Tensor, result: Tensor, left: bool, adjoint: bool, needed: dict
) -> tuple[Any, Any]:
    """The gradient of the matrix A = PLU that is solved with gives those of L and U, which share one matrix."""
    of_b = torch.linalg.lu_solve(LU, pivots, grad, left=left, adjoint=not adjoint)
    if not needed["LU"]:
        return None, of_b
    of_a = -(of_b @ result.mH if left else result.mH @ of_b)
    if adjoint:
        of_a = of_a.mH
    permutation = torch.lu_unpack(LU.detach(), pivots, unpack_data=False)[0]
    one = eye_beside(LU, LU.shape[-1])
    lower, upper = LU.tril(-1) + one, LU.triu()
    turned = permutation.mT @ of_a
    return (turned @ upper.mH).tril(-1) + (lower.mH @ turned).triu(), of_b


constant("linalg.lu_solve", "linalg_lu_solve", "pivots")
differentiate("linalg.lu_solve", together=(
    "LU B", lambda grad, LU, pivots, result, needed, left=True, adjoint=False: _of_lu_solve(
        grad, LU, pivots, result, left, adjoint, needed)))  # fmt: skip


@parts("lu_solve")
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Any:  # noqa: N803
    """linalg.lu_solve"""
    return torch.linalg.lu_solve(LU_data, LU_pivots, input)
