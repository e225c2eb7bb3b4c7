"""Matrices whose columns are powers of a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import ones_beside
from ...declaring import parts
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


@parts("linalg.vander")
def linalg_vander(x: Tensor, *, N: int | None = None) -> Any:  # noqa: N803
    """cat of ones and cumprod of the expanded vector"""
    if not x.dim():
        x = x.unsqueeze(-1)
    count = x.shape[-1] if N is None else N
    if count <= 1 or x.dtype in (torch.bfloat16, torch.float16):
        raise ValueError("the row itself refuses this")
    powers = x.unsqueeze(-1).expand((*x.shape, count - 1)).cumprod(-1)
    return torch.cat((ones_beside(x, (*x.shape, 1)), powers), -1)


@parts("vander")
def vander(x: Tensor, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """copy_ and cumprod of the columns of a new tensor, and flip"""
    if x.dim() != 1 or N is not None and N < 0:
        raise ValueError("the row itself refuses this")
    count = x.shape[0] if N is None else N
    result = x.new_empty((x.shape[0], count))
    if count > 0:
        result.select(1, 0).fill_(1)
    if count > 1:
        rest = result[:, 1:]
        rest.copy_(x.unsqueeze(1))
        result[:, 1:].copy_(result[:, 1:].cumprod(1))
    return result if increasing else result.flip((1,))
