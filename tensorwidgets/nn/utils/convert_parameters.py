"""How do the parameters of a model become one vector, and back?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters after one another in one vector.

    >>> import tensorwidgets as torch
    >>> parameters_to_vector([torch.ones(2), torch.zeros(1, 2)])
    tensor([1., 1., 0., 0.])
    """
    parts = list(parameters)
    for p in parts:
        p.device  # noqa: B018 - the first that PyTorch asks of each, so that a refusal names it
    return torch.cat([p.view(-1) for p in parts])


def vector_to_parameters(vec: Any, parameters: Iterable[Tensor]) -> None:
    """Let parameters be pieces of one vector, one after another."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {torch.typename(vec)}")
    start = 0
    for p in parameters:
        p.device  # noqa: B018 - as above
        end = start + p.numel()
        p.data = vec[start:end].view_as(p).data
        start = end
