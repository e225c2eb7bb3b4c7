"""Products of Householder reflections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import eye_beside, zeros_beside
from ...declaring import differentiate
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def _of_reflections(grad: Tensor, vectors: Tensor, tau: Tensor, start: Tensor, adjoint: bool) -> tuple[Any, Any, Any]:
    """The gradients of the vectors, the factors and the start of H1 H2 … Hk E, where H = 1 - tau v v^H.

    With `adjoint`, of the product of the conjugate transposes in the other order.
    """
    count, m = tau.shape[-1], vectors.shape[-2]
    columns = vectors[..., :count].tril(-1) + eye_beside(vectors, m, count)
    factors = tau.conj() if adjoint else tau
    order = list(range(count))[:: -1 if adjoint else 1]
    steps, part = {}, start
    for i in reversed(order):
        steps[i] = part
        v = columns[..., i : i + 1]
        part = part - factors[..., i : i + 1, None] * (v @ (v.mH @ part))
    of_vectors, of_factors, back = {}, {}, grad
    for i in order:
        v, t, part = columns[..., i : i + 1], factors[..., i : i + 1, None], steps[i]
        one, other = back @ (part.mH @ v), part @ (back.mH @ v)
        of_factors[i] = -(v.mH @ one).squeeze(-1)
        of_vectors[i] = -(t.conj() * one + t * other)
        back = back - t.conj() * (v @ (v.mH @ back))
    of_tau = torch.cat([of_factors[i] for i in range(count)], -1)
    of_v = torch.cat([of_vectors[i] for i in range(count)], -1).tril(-1)
    rest = vectors.shape[-1] - count
    if rest:
        of_v = torch.cat((of_v, zeros_beside(of_v, (*of_v.shape[:-1], rest))), -1)
    return of_v, of_tau.conj() if adjoint else of_tau, back


def _of_product(grad: Tensor, vectors: Tensor, tau: Tensor) -> tuple[Any, Any]:
    if not vectors.numel() or not tau.numel():
        return None, None
    m, n = vectors.shape[-2:]
    start = eye_beside(vectors, m, n).expand(grad.shape)
    return _of_reflections(grad, vectors, tau, start, False)[:2]


differentiate("linalg.householder_product",
              together=("input tau", lambda grad, input, tau, result: _of_product(grad, input, tau)))  # fmt: skip


def _of_ormqr(
    grad: Tensor, vectors: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool
) -> tuple[Any, Any, Any]:
    """C Q is the conjugate transpose of Q^H C^H."""
    if not vectors.numel() or not tau.numel() or not other.numel():
        return None, None, torch.ormqr(vectors, tau, grad, left, not transpose)
    if left:
        return _of_reflections(grad, vectors, tau, other, transpose)
    of_v, of_tau, of_other = _of_reflections(grad.mH, vectors, tau, other.mH, not transpose)
    return of_v, of_tau, of_other.mH


differentiate("ormqr", together=(
    "input input2 input3", lambda grad, input, input2, input3, result, left=True, transpose=False: _of_ormqr(
        grad, input, input2, input3, left, transpose)))  # fmt: skip
