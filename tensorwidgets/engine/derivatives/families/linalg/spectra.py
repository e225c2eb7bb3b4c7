"""Eigenvalues and singular values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, parts
from ...helpers import refuse_gradient, times
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def diagonal_of(t: Tensor) -> Any:
    """The diagonals of a batch of matrices."""
    return torch.diagonal(t, 0, -2, -1)


def without_diagonal(t: Tensor) -> Any:
    """A square matrix with zeros on its diagonal."""
    return t - torch.diag_embed(diagonal_of(t))


def _apart(values: Tensor) -> Any:
    """The difference of each pair of values, column minus row; ones on the diagonal."""
    apart = values.unsqueeze(-2) - values.unsqueeze(-1)
    diagonal_of(apart).fill_(1)
    return apart


def check_phase(turn: Tensor, what: str, words: str) -> None:
    """Refuse a loss that depends on the phases of vectors, which a decomposition leaves free."""
    if not turn.is_meta and not bool(torch.allclose(turn, torch.zeros_like(turn), 1e-2, 1e-2)):
        refuse_gradient(
            f"{what}: The {words} in the complex case are specified up to multiplication by e^{{i phi}}. The "
            "specified loss function depends on this "
            + ("phase term, making it ill-defined." if words.startswith("sing") else "quantity, so it is ill-defined."),
            "each vector may be turned by any phase, and the loss would change with it",
            "v.abs(), or v @ v.mH, which no phase changes",
        )


# -- eigenvalues -------------------------------------------------------------------------------------------------


def _of_eigh(grads: tuple, values: Tensor, V: Tensor) -> Any:  # noqa: N803
    of_values, of_vectors = grads
    if of_vectors is None:
        return None if of_values is None else (V * of_values[..., None, :]) @ V.mH
    turned = V.mH @ of_vectors
    if V.is_complex():
        check_phase(torch.imag(diagonal_of(turned)), "linalg_eigh_backward", "eigenvectors")
    inner = times(turned - turned.mH, 0.5) / _apart(values)
    if of_values is not None:
        diagonal_of(inner).copy_(of_values)
    return V @ (inner @ V.mH)


differentiate("linalg.eigh", input=lambda grads, result, result1: _of_eigh(grads, result, result1))


@parts("linalg.eigvalsh")
def eigvalsh(input: Tensor, UPLO: str = "L") -> Any:  # noqa: N803
    """linalg.eigh"""
    return torch.linalg.eigh(input, UPLO)[0]


def _of_eig(grads: tuple, values: Tensor, V: Tensor) -> Any:  # noqa: N803
    of_values, of_vectors = grads
    if of_vectors is None:
        return None if of_values is None else torch.linalg.solve(V.mH, of_values[..., None] * V.mH)
    turned = V.mH @ of_vectors
    own = diagonal_of(turned)
    check_phase(torch.imag(own), "linalg_eig_backward", "eigenvectors")
    inner = turned - V.mH @ (V * torch.real(own)[..., None, :])
    inner = without_diagonal(inner / _apart(values).conj())
    if of_values is not None:
        inner = inner + torch.diag_embed(of_values)
    return torch.linalg.solve(V.mH, inner @ V.mH)


differentiate("linalg.eig", input=lambda grads, result, result1: _of_eig(grads, result, result1))


@parts("linalg.eigvals")
def eigvals(input: Tensor) -> Any:
    """linalg.eig"""
    return torch.linalg.eig(input)[0]


# -- singular values ---------------------------------------------------------------------------------------------


def _of_svd(grads: tuple, U: Any, S: Any, Vh: Tensor, full: bool) -> Any:  # noqa: N803
    """A = U S V^H. Only the first columns of U and V have a gradient, as many as there are singular values."""
    of_u, of_s, of_vh = grads
    k = S.shape[-1]
    m, n = U.shape[-2], Vh.shape[-1]
    if full:
        U, Vh = U.narrow(-1, 0, k), Vh.narrow(-2, 0, k)
        of_u = None if of_u is None else of_u.narrow(-1, 0, k)
        of_vh = None if of_vh is None else of_vh.narrow(-2, 0, k)
    if of_u is None and of_vh is None:
        if of_s is None:
            return None
        return U @ (of_s.unsqueeze(-1) * Vh) if m >= n else (U * of_s.unsqueeze(-2)) @ Vh
    turn_u = None if of_u is None else U.mH @ of_u
    turn_v = None if of_vh is None else Vh @ of_vh.mH
    apart = _apart(S * S)
    skew_u = None if turn_u is None else turn_u - turn_u.mH
    skew_v = None if turn_v is None else turn_v - turn_v.mH
    inner: Any
    if skew_v is None:
        inner = (skew_u / apart) * S.unsqueeze(-2)
    elif skew_u is None:
        inner = S.unsqueeze(-1) * (skew_v / apart)
    else:
        inner = (skew_u * S.unsqueeze(-2) + S.unsqueeze(-1) * skew_v) / apart
    if U.is_complex():
        inner = without_diagonal(inner) + _phases(turn_u, turn_v, S)
    if of_s is not None:
        inner = inner + torch.diag_embed(of_s)
    if m > k and of_u is not None:
        of_u = of_u / S.unsqueeze(-2)
        result = (U @ inner + of_u - U @ (U.mH @ of_u)) @ Vh
        if n > k and of_vh is not None:
            result = result + (U / S.unsqueeze(-2)) @ (of_vh - (of_vh @ Vh.mH) @ Vh)
        return result
    if n > k and of_vh is not None:
        of_vh = of_vh / S.unsqueeze(-1)
        return U @ (inner @ Vh + of_vh - (of_vh @ Vh.mH) @ Vh)
    return U @ (inner @ Vh) if m >= n else (U @ inner) @ Vh


def _phases(turn_u: Tensor | None, turn_v: Tensor | None, S: Tensor) -> Any:  # noqa: N803
    """The part of the gradient that turns a pair of singular vectors; turning both by one phase changes nothing."""
    of_u: Any = None if turn_u is None else torch.imag(diagonal_of(turn_u))
    of_v: Any = None if turn_v is None else torch.imag(diagonal_of(turn_v))
    both = of_v if of_u is None else of_u if of_v is None else of_u + of_v
    turn = -of_v if of_u is None else of_u
    check_phase(both, "svd_backward", "singular vectors")
    return torch.diag_embed(torch.complex(torch.zeros_like(S), turn / S))


differentiate("linalg.svd", A=lambda grads, result, result1, result2, full_matrices=True: _of_svd(
    grads, result, result1, result2, full_matrices))  # fmt: skip


@parts("linalg.svdvals")
def svdvals(A: Tensor, *, driver: Any = None) -> Any:  # noqa: N803
    """linalg.svd"""
    return torch.linalg.svd(A, False, driver=driver)[1]


@parts("svd")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """linalg.svd, whose last result is transposed and conjugated"""
    kind = type(torch.svd(input.detach()[..., :0, :0]))
    m, n = input.shape[-2:]
    u, s, vh = torch.linalg.svd(input, compute_uv and not some)
    if not compute_uv:
        return kind((input.new_zeros((*input.shape[:-2], m, m)), s, input.new_zeros((*input.shape[:-2], n, n))))
    return kind((u, s, vh.mH))
