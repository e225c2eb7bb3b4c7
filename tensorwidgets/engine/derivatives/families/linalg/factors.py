"""Decompositions into triangular and orthogonal factors: Cholesky, QR, LU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import eye_beside, zeros_beside
from ...declaring import differentiate, not_implemented, parts, refused
from ...helpers import refuse_gradient, times
from ...number_rows import mul_number_
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- Cholesky ----------------------------------------------------------------------------------------------------


def _of_cholesky(grad: Tensor, factor: Tensor, upper: bool) -> Any:
    """A = L L^H: the lower triangle of L^H gL, with half of its diagonal, between two inverses of L."""
    lower, grad = (factor.mH, grad.mH) if upper else (factor, grad)
    inner = (lower.mH @ grad).tril()
    inner = times(inner + inner.tril(-1).mH, 0.5)
    right = torch.linalg.solve_triangular(lower.mH, inner, upper=True, left=True)
    return torch.linalg.solve_triangular(lower, right, upper=False, left=False)


differentiate("cholesky", input=lambda grad, result, upper=False: _of_cholesky(grad, result, upper))
differentiate("linalg.cholesky", node="LinalgCholeskyExBackward0",
              input=lambda grad, result, upper=False: _of_cholesky(grad, result, upper))  # fmt: skip
differentiate("linalg.cholesky_ex", input=lambda grad, result, upper=False: _of_cholesky(grad, result, upper))

# -- QR ----------------------------------------------------------------------------------------------------------


def _of_qr(grads: tuple, Q: Tensor, R: Tensor, mode: str) -> Any:  # noqa: N803
    """A = QR; of a wide matrix, the columns that are left of the square are a product with Q."""
    if mode == "r":
        refuse_gradient(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.",
            "mode='r' computes only one of the two factors",
            "torch.linalg.qr(A, mode='reduced')",
        )
    rows, columns = Q.shape[-2], R.shape[-1]
    if mode == "complete" and rows > columns:
        refuse_gradient(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.",
            "the last columns of Q may be any that complete a basis, so they do not follow from A",
            "torch.linalg.qr(A, mode='reduced')",
        )
    of_q, of_r = grads
    if rows >= columns:
        return _of_tall_qr(of_q, of_r, Q, R)
    if of_r is None:
        of_r = torch.zeros_like(R)
    rest, of_rest = R[..., rows:], of_r[..., rows:]
    more = Q @ rest @ of_rest.mH
    of_q = more if of_q is None else of_q + more
    return torch.cat((_of_tall_qr(of_q, of_r[..., :rows], Q, R[..., :rows]), Q @ of_rest), -1)


def _of_tall_qr(of_q: Tensor, of_r: Tensor | None, Q: Tensor, R: Tensor) -> Any:  # noqa: N803
    if of_q is None:
        inner = of_r @ R.mH
    else:
        inner = -(Q.mH @ of_q) if of_r is None else of_r @ R.mH - Q.mH @ of_q
    inner = inner.triu()
    result = Q @ (_hermitian(inner) if inner.is_complex() else _symmetric(inner))
    if of_q is not None:
        result = result + of_q
    return torch.linalg.solve_triangular(R.mH, result, upper=False, left=False)


def _symmetric(inner: Tensor) -> Any:
    """An upper triangle and its reflection."""
    both = inner + inner.mT
    mul_number_(torch.diagonal(both, 0, -2, -1), 0.5)
    return both


def _hermitian(inner: Tensor) -> Any:
    """An upper triangle and its reflection; the diagonal of R is real, so that of the result is half real."""
    both = inner + inner.mH
    return both - torch.diag_embed(torch.diagonal(both, 0, -2, -1) / 2)


differentiate("linalg.qr", A=lambda grads, result, result1, mode="reduced": _of_qr(grads, result, result1, mode))
differentiate("qr", node="LinalgQrBackward0", input=lambda grads, result, result1, some=True: _of_qr(
    grads, result, result1, "reduced" if some else "complete"))  # fmt: skip


@parts("geqrf", when=lambda call: call["input"].is_complex())
def geqrf(input: Tensor) -> Any:
    """refused for complex numbers"""
    refuse_gradient(
        "geqrf does not support automatic differentiation for outputs with complex dtype.",
        "PyTorch has no derivative of this op",
        "torch.linalg.qr(A)",
    )


differentiate("geqrf", input=lambda grad: not_implemented("geqrf"))

# -- LU ----------------------------------------------------------------------------------------------------------


def _of_lu(of_l: Tensor | None, of_u: Tensor | None, permutation: Tensor | None, L: Tensor, U: Tensor) -> Any:  # noqa: N803
    """A = PLU. What a wide U or a tall L has beyond the square is a product with an inverse."""
    m, n, k = L.shape[-2], U.shape[-1], L.shape[-1]
    if of_l is None:
        of_l = torch.zeros_like(L)
    if of_u is None:
        of_u = torch.zeros_like(U)
    square_l, square_u = L[..., :k, :], U[..., :k]
    beyond = None
    if m > k:
        beyond = torch.linalg.solve_triangular(square_u.mH, of_l[..., k:, :], upper=False, left=False)
        of_l, of_u = of_l[..., :k, :], of_u - L[..., k:, :].mH @ beyond
    elif n > k:
        beyond = torch.linalg.solve_triangular(square_l.mH, of_u[..., k:], upper=True, left=True, unitriangular=True)
        of_l, of_u = of_l - beyond @ U[..., k:].mH, of_u[..., :k]
    inner = (square_l.mH @ of_l).tril(-1) + (of_u @ square_u.mH).triu()
    inner = torch.linalg.solve_triangular(square_u.mH, inner, upper=False, left=False)
    whole = torch.linalg.solve_triangular(square_l.mH, inner, upper=True, left=True, unitriangular=True)
    if beyond is not None:
        whole = torch.cat((whole, beyond), -2 if m > k else -1)
    return whole if permutation is None else permutation @ whole


differentiate("linalg.lu", results=(1, 2), called=("P", "L", "U"),
              A=lambda grads, result, result1, result2, pivot=True: _of_lu(
                  grads[0], grads[1], result if pivot else None, result1, result2))  # fmt: skip


def _of_lu_factor(grad: Tensor, LU: Tensor, pivots: Tensor) -> Any:  # noqa: N803
    """The two factors share one matrix: L below the diagonal, where its own ones are not written down."""
    k = min(LU.shape[-2:])
    permutation = torch.lu_unpack(LU.detach(), pivots, unpack_data=False)[0]
    lower = LU[..., :k].tril(-1) + eye_beside(LU, LU.shape[-2], k)
    return _of_lu(grad[..., :k].tril(-1), grad[..., :k, :].triu(), permutation, lower, LU[..., :k, :].triu())


differentiate("linalg.lu_factor_ex", A=lambda grad, result, result1: _of_lu_factor(grad, result, result1))
differentiate("linalg.lu_factor", node="LinalgLuFactorExBackward0",
              A=lambda grad, result, result1: _of_lu_factor(grad, result, result1))  # fmt: skip
differentiate("lu", node="LinalgLuFactorExBackward0",
              A=lambda grad, result, result1: _of_lu_factor(grad, result, result1))  # fmt: skip


def _of_lu_unpack(grads: tuple, like: Any) -> Any:
    """The lower triangle of one gradient and the upper one of the other, in one matrix."""
    of_l, of_u = grads
    m, n = like.shape[-2:]
    k = min(m, n)
    upper = None if of_u is None else _widened(of_u.triu(), m - k, -2)
    if of_l is None:
        return upper
    lower = _widened(of_l.tril(-1), n - k, -1)
    return lower if upper is None else upper + lower


def _widened(t: Tensor, count: int, dim: int) -> Any:
    """A matrix with zeros after its last rows or columns."""
    if not count:
        return t
    size = list(t.shape)
    size[dim] = count
    return torch.cat((t, zeros_beside(t, size)), dim)


differentiate("lu_unpack", results=(1, 2),
              LU_data=lambda grads, LU_data_like: _of_lu_unpack(grads, LU_data_like))  # fmt: skip

# -- LDL ---------------------------------------------------------------------------------------------------------

refused("linalg.ldl_factor", "aten::linalg_ldl_factor_ex")
refused("linalg.ldl_factor_ex linalg.ldl_solve")
