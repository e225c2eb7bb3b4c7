"""Determinants and their logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import eye_beside
from ...declaring import differentiate, parts
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def _of_det(grad: Tensor, A: Tensor, det: Tensor) -> Any:
    """The gradient of a determinant: the determinant times the inverse, or the cofactors where there is no inverse."""
    if A.shape[-1] == 1:
        return grad.unsqueeze(-1).unsqueeze(-1).expand(A.shape)
    factor = (grad * det.conj())[..., None, None]
    one = eye_beside(A, A.shape[-1])
    if not torch.is_grad_enabled():
        # What is singular has the determinant 0, so any regular matrix in its place gives a gradient of zeros.
        regular = torch.where((det == 0)[..., None, None], one, A.detach())
        return torch.linalg.solve(regular.mH, factor * one)
    if not A.numel():
        return torch.zeros_like(A)
    singular = det.detach().abs() < 100 * torch.finfo(A.dtype).eps
    if not bool(singular.any()):
        return torch.linalg.solve(A.mH, _on_diagonal(grad * det.conj(), A))
    cofactors = grad[..., None, None] * _cofactors(A)
    if bool(singular.all()):
        return cofactors
    mask = singular[..., None, None]
    regular = torch.linalg.solve(torch.where(mask, one, A).mH, torch.where(mask, 0, factor) * one)
    return torch.where(mask, cofactors, regular)


def _on_diagonal(number: Tensor, A: Tensor) -> Any:
    """A matrix with a number on its diagonal, for each matrix of a batch."""
    return torch.diag_embed(number.unsqueeze(-1).expand(A.shape[:-1])).mT


def _cofactors(A: Tensor) -> Any:
    """The conjugate cofactors by singular values, which exist for singular matrices too."""
    u, s, vh = torch.linalg.svd(A)
    phase = (torch.linalg.det(u) * torch.linalg.det(vh)).conj()
    n = s.shape[-1]
    others = [torch.cat((s[..., :i], s[..., i + 1 :]), -1).prod(-1) for i in range(n)]
    gamma = phase[..., None] * torch.stack(others, -1)
    return (u * gamma[..., None, :]) @ vh


differentiate("linalg.det", A=lambda grad, A, result: _of_det(grad, A, result))
differentiate("det", node="LinalgDetBackward0", input=lambda grad, input, result: _of_det(grad, input, result))


def _of_slogdet(grads: tuple, A: Tensor, sign: Tensor) -> Any:
    """The logarithm grows by the trace of dA / A; its imaginary part turns the sign."""
    of_sign, of_log = grads
    if of_log is None:
        if not A.is_complex():
            return None
        of_log = torch.zeros_like(torch.real(sign))
    if A.is_complex() and of_sign is not None:
        of_log = torch.complex(of_log, -torch.imag(of_sign.conj() * sign))
    of_log = of_log.to(A.dtype)
    if torch.is_grad_enabled():
        return torch.linalg.solve(A.mH, _on_diagonal(of_log, A))
    right = of_log[..., None, None] * eye_beside(A, A.shape[-1])
    # Without a check, so that the gradient of a singular matrix is infinite.
    if A.is_complex() or not A.is_contiguous():
        packed, pivots, _ = torch.linalg.lu_factor_ex(A)
        return torch.linalg.lu_solve(packed, pivots, right, adjoint=True)
    packed, pivots, _ = torch.linalg.lu_factor_ex(A.mT)
    return torch.linalg.lu_solve(packed, pivots, right)


differentiate("linalg.slogdet", A=lambda grads, A, result: _of_slogdet(grads, A, result))
differentiate("slogdet", node="LinalgSlogdetBackward0",
              input=lambda grads, input, result: _of_slogdet(grads, input, result))  # fmt: skip


@parts("logdet")
def logdet(input: Tensor) -> Any:
    """linalg.slogdet and log of the sign"""
    sign, log = torch.linalg.slogdet(input)
    if input.is_complex():
        return sign.log() + log
    return torch.where(sign == -1, float("nan"), log)
