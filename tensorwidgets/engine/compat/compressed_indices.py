"""Row numbers of a sparse matrix and where its rows begin: libraries of graphs turn one into the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..derivatives.ops import torch
from ..errors.reasons import refuse

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def _convert_indices_from_coo_to_csr(input: Tensor, size: int, *, out_int32: bool = False) -> Tensor:
    """Where each row begins, of row numbers in order.

    >>> import tensorwidgets as torch
    >>> torch._convert_indices_from_coo_to_csr(torch.tensor([0, 0, 2]), 3)
    tensor([0, 2, 2, 3])
    """
    if input.dim() > 1:
        message = f"Input is supposed to be a vector, but got {input.dim()} dimensional tensor."
        refuse(RuntimeError, message, "each element is the number of a row", rule="argument.shape")
    begins = torch.zeros(size + 1, dtype=torch.int64, device=input.device)
    begins[1:] = torch.bincount(input, minlength=size).cumsum(0)
    return begins.int() if out_int32 else begins


def _convert_indices_from_csr_to_coo(
    crow_indices: Tensor, col_indices: Tensor, *, out_int32: bool = False, transpose: bool = False
) -> Tensor:
    """Row and column numbers, of where each row begins and the column numbers.

    >>> import tensorwidgets as torch
    >>> torch._convert_indices_from_csr_to_coo(torch.tensor([0, 2, 2, 3]), torch.tensor([1, 0, 2]))
    tensor([[0, 0, 2],
            [1, 0, 2]])
    """
    lengths, columns = crow_indices.diff().flatten().long(), col_indices.flatten()
    rows = torch.arange(crow_indices.size(-1) - 1, device=crow_indices.device)
    numbers = rows.repeat(lengths.numel() // max(len(rows), 1)).repeat_interleave(lengths)
    found = [columns, numbers] if transpose else [numbers, columns]
    if crow_indices.dim() > 1:
        sizes = crow_indices.shape[:-1]
        each = torch.arange(sizes.numel(), device=crow_indices.device).repeat_interleave(col_indices.size(-1))
        found = [*torch.unravel_index(each, sizes), *found]
    return torch.stack([part.to(torch.int32 if out_int32 else torch.int64) for part in found])
