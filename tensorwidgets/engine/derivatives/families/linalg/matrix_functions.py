"""Functions of a matrix: pseudo-inverse, least squares, powers, the exponential, the condition number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import eye_beside
from ...declaring import differentiate, not_differentiable, parts
from ...helpers import refuse_gradient
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- the pseudo-inverse ------------------------------------------------------------------------------------------


def _of_pinv(grad: Tensor, A: Tensor, inverse: Tensor) -> Any:  # noqa: N803
    """The formula of Golub and Pereyra, for matrices whose rank does not change."""
    of_inverse, turned = grad.mH, inverse.mH
    if A.shape[-2] <= A.shape[-1]:
        inner = of_inverse @ inverse
        beside = inner @ turned
        own = -(inverse @ inner).mH + beside - (A @ inverse) @ beside
        return own + (turned @ inverse) @ (of_inverse - inner @ A)
    inner = inverse @ of_inverse
    beside = turned @ inner
    return -(inner @ inverse).mH + (of_inverse - A @ inner) @ inverse @ turned + beside - (beside @ inverse) @ A


def _tracked_tolerance(call: dict) -> str:
    """The name of a tolerance that requires a gradient."""
    return next((name for name in ("atol", "rtol", "rcond") if getattr(call.get(name), "requires_grad", False)), "")


@parts("linalg.pinv", when=lambda call: bool(_tracked_tolerance(call)))
def pinv(input: Tensor, **named: Any) -> Any:
    """refused where a tolerance requires a gradient"""
    refuse_gradient(
        f"The function 'linalg_pinv' is not differentiable with respect to argument '{_tracked_tolerance(named)}'. "
        "This input cannot have requires_grad True.",
        "a tolerance decides which singular values count, and a small change of it changes nothing",
        "rtol.detach()",
    )


differentiate("linalg.pinv", input=lambda grad, input, result: _of_pinv(grad, input, result))
differentiate("pinverse", node="LinalgPinvBackward0",
              input=lambda grad, input, result: _of_pinv(grad, input, result))  # fmt: skip


def _of_lstsq(grads: tuple, A: Tensor, B: Tensor, solution: Tensor, needed: dict) -> tuple[Any, Any]:  # noqa: N803
    """The solution is the pseudo-inverse times B; the residuals are a sum of squares."""
    of_x, of_residuals = grads[:2]
    of_a = of_b = None
    vector = B.dim() == 1 or B.shape == A.shape[:-1]
    if vector:
        B, solution = B.unsqueeze(-1), solution.unsqueeze(-1)
        of_x = None if of_x is None else of_x.unsqueeze(-1)
    if of_x is not None:
        inverse = torch.linalg.pinv(A)
        if needed["input"]:
            of_a = _of_pinv(of_x @ B.mH, A, inverse)
        of_b = inverse.mH @ of_x
    if of_residuals is not None and of_residuals.numel():
        error = (A @ solution - B) * (2 * of_residuals.unsqueeze(-2))
        of_a = error @ solution.mH if of_a is None else of_a + error @ solution.mH
        of_b = -error if of_b is None else of_b - error
    return of_a, of_b.squeeze(-1) if vector and of_b is not None else of_b


differentiate("linalg.lstsq", results=(0, 1), together=("input b", lambda grads, input, b, result, needed: _of_lstsq(
    grads, input, b, result, needed)))  # fmt: skip
not_differentiable("linalg.matrix_rank")

# -- the exponential and powers ----------------------------------------------------------------------------------


def _of_exp(grad: Tensor, A: Tensor) -> Any:  # noqa: N803
    """The upper right block of the exponential of a matrix that is twice as large."""
    n = A.shape[-1]
    turned = A.mH
    above = torch.cat((turned, grad), -1)
    below = torch.cat((torch.zeros_like(turned), turned), -1)
    return torch.matrix_exp(torch.cat((above, below), -2))[..., :n, n:]


differentiate("matrix_exp", node="LinalgMatrixExpBackward0", input=lambda grad, input: _of_exp(grad, input))


@parts("linalg.matrix_power matrix_power")
def matrix_power(input: Tensor, n: int) -> Any:
    """matmul, by squaring; of the inverse for a negative power"""
    if input.dim() < 2 or input.shape[-1] != input.shape[-2]:
        raise ValueError("the row itself refuses this")
    if n == 0:
        one = eye_beside(input, input.shape[-1])
        return input.clone().copy_(one.expand(input.shape))
    if n == 1:
        return input.clone(memory_format=torch.contiguous_format)
    if n < 0:
        input, n = torch.linalg.inv(input), -n
        if n == 1:
            return input
    if n == 2:
        return torch.matmul(input, input)
    if n == 3:
        return torch.matmul(torch.matmul(input, input), input)
    square = result = None
    while n:
        square = input if square is None else torch.matmul(square, square)
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else torch.matmul(result, square)
    return result


@parts("linalg.cond")
def cond(input: Tensor, p: Any = None) -> Any:
    """the largest over the smallest singular value, or a norm times that of the inverse"""
    if p not in (None, "fro", "nuc") and (isinstance(p, str) or abs(p) not in (1, 2, float("inf"))):
        raise ValueError("the row itself refuses this")
    if p is None or p in (2, -2):
        values = torch.linalg.svdvals(input)
        if not values.shape[-1]:
            return values.detach().sum(-1)
        first, last = values.narrow(-1, 0, 1), values.narrow(-1, values.shape[-1] - 1, 1)
        return (last / first if p == -2 else first / last).squeeze(-1)
    if p == "nuc":
        values = torch.linalg.svdvals(input)
        return values.sum(-1) * values.reciprocal().sum(-1)
    inverse, info = torch.linalg.inv_ex(input)
    inverse = inverse.masked_fill((info != 0)[..., None, None], float("inf"))
    result = torch.linalg.matrix_norm(input, p) * torch.linalg.matrix_norm(inverse, p)
    return torch.nan_to_num(result, float("inf"), float("inf"), float("-inf"))
