"""torch._utils: of PyTorch's own tools, those that libraries use: two pack gradients, one carries an exception.

>>> import tensorwidgets as torch
>>> from tensorwidgets._utils import _flatten_dense_tensors, _unflatten_dense_tensors
>>> parts = [torch.ones(2, 2), torch.zeros(1)]
>>> _unflatten_dense_tensors(_flatten_dense_tensors(parts) * 2, parts)
(tensor([[2., 2.],
        [2., 2.]]), tensor([0.]))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.errors.elsewhere import ExceptionWrapper, KeyErrorMessage
from ..engine.tensor.tensor import Tensor

__all__ = ["ExceptionWrapper", "KeyErrorMessage", "_flatten_dense_tensors", "_unflatten_dense_tensors"]


def _flatten_dense_tensors(tensors: Sequence[Tensor]) -> Tensor:
    """The elements of all tensors, one after the other."""
    parts = [each.contiguous().view(-1) for each in tensors]
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _unflatten_dense_tensors(flat: Tensor, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Views of the elements, of the sizes of the tensors."""
    parts, start = [], 0
    for each in tensors:
        parts.append(flat.narrow(0, start, each.numel()).view(each.size()))
        start += each.numel()
    return tuple(parts)


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
