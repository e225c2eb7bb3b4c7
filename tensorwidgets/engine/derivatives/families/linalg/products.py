"""Products of matrices and vectors, alone or added to a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import places_beside, zeros_beside
from ...declaring import differentiate
from ...helpers import scaled
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# Every formula follows from the product's sizes: the gradient of a factor is the gradient of the result, multiplied
# by the conjugate transpose of the other factor on the side where that factor is.

differentiate(
    "mm",
    input=lambda grad, input_like, mat2: (
        torch.mm(mat2.conj(), grad.t()).t() if _by_columns(input_like) else torch.mm(grad, mat2.t().conj())),
    mat2=lambda grad, input, mat2_like: (
        torch.mm(grad.t(), input.conj()).t() if _by_columns(mat2_like) else torch.mm(input.t().conj(), grad)),
)  # fmt: skip


def _by_columns(like: Any) -> bool:
    """Whether a matrix lies in memory column by column. Its gradient then does so too."""
    return bool(like.stride and like.stride[0] == 1 and like.stride[1] == like.shape[0])


differentiate(
    "bmm",
    input=lambda grad, mat2: torch.bmm(grad, mat2.mH),
    mat2=lambda grad, input: torch.bmm(input.mH, grad),
)
differentiate(
    "mv",
    input=lambda grad, vec: torch.outer(grad, vec.conj()),
    vec=lambda grad, input: torch.mv(input.conj().t(), grad),
)
differentiate(
    "dot",
    input=lambda grad, tensor: grad * tensor.conj(),
    tensor=lambda grad, input: grad * input.conj(),
)
differentiate(
    "vdot",
    input=lambda grad, other: grad.conj() * other,
    other=lambda grad, input: grad * input,
)

# -- added to a tensor -------------------------------------------------------------------------------------------

differentiate(
    "addmm",
    input=lambda grad, beta=1: scaled(grad, beta),
    mat1=lambda grad, mat1_like, mat2, alpha=1: scaled(
        torch.mm(mat2.conj(), grad.t()).t() if _by_columns(mat1_like) else torch.mm(grad, mat2.t().conj()), alpha),
    mat2=lambda grad, mat1, mat2_like, alpha=1: scaled(
        torch.mm(grad.t(), mat1.conj()).t() if _by_columns(mat2_like) else torch.mm(mat1.t().conj(), grad), alpha),
)  # fmt: skip
differentiate(
    "addmv",
    input=lambda grad, beta=1: scaled(grad, beta),
    mat=lambda grad, vec, alpha=1: scaled(torch.outer(grad, vec.conj()), alpha),
    vec=lambda grad, mat, alpha=1: scaled(torch.mv(mat.t().conj(), grad), alpha),
)
differentiate(
    "addr",
    casts=False,
    input=lambda grad, beta=1: scaled(grad, beta),
    vec1=lambda grad, vec2, alpha=1: scaled(torch.mv(grad, vec2.conj()), alpha),
    vec2=lambda grad, vec1, alpha=1: scaled(torch.mv(grad.t(), vec1.conj()), alpha),
)
differentiate(
    "baddbmm",
    input=lambda grad, beta=1: scaled(grad, beta),
    batch1=lambda grad, batch2, alpha=1: scaled(torch.bmm(grad, batch2.mH), alpha),
    batch2=lambda grad, batch1, alpha=1: scaled(torch.bmm(batch1.mH, grad), alpha),
)
differentiate(
    "addbmm",
    input=lambda grad, beta=1: scaled(grad, beta),
    batch1=lambda grad, batch2, alpha=1: scaled(torch.bmm(_in_each(grad, batch2), batch2.mH), alpha),
    batch2=lambda grad, batch1, alpha=1: scaled(torch.bmm(batch1.mH, _in_each(grad, batch1)), alpha),
)


def _in_each(grad: Tensor, batch: Tensor) -> Any:
    """The gradient of a sum over a batch, for each matrix of the batch."""
    return grad.unsqueeze(0).expand(batch.shape[0], *grad.shape)


# -- other products ----------------------------------------------------------------------------------------------

differentiate(
    "linalg.cross",
    input=lambda grad, other, dim=-1: torch.linalg.cross(other.conj(), grad, dim=dim),
    other=lambda grad, input, dim=-1: torch.linalg.cross(grad, input.conj(), dim=dim),
)
differentiate(
    "cross", node="LinalgCrossBackward0",
    input=lambda grad, input_shape, other, dim=None: torch.linalg.cross(
        other.conj(), grad, dim=_first_of_three(input_shape, dim)),
    other=lambda grad, input, input_shape, dim=None: torch.linalg.cross(
        grad, input.conj(), dim=_first_of_three(input_shape, dim)),
)  # fmt: skip


def _first_of_three(size: tuple[int, ...], dim: int | None) -> int:
    """The dimension of a cross product: the first one of size 3 if the call names none."""
    return size.index(3) if dim is None else dim  # type: ignore[no-any-return]


# -- sums of the diagonal ----------------------------------------------------------------------------------------


def of_trace(grad: Tensor, shape: tuple[int, ...]) -> Any:
    """The gradient on the diagonal."""
    rows, columns = shape
    places = places_beside(grad, 0, rows * columns, columns + 1)[: min(rows, columns)]
    zeros = zeros_beside(grad, rows * columns)
    return zeros.index_fill_(0, places, grad).view(rows, columns)


differentiate("trace", input=lambda grad, input_shape: of_trace(grad, input_shape))
