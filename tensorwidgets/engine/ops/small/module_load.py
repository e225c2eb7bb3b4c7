"""module_load: what becomes of a tensor that a module is to load."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor


def module_load(self: Tensor, other: Any, assign: bool = False) -> Any:
    """Copies `other` into this parameter or buffer, or with `assign` takes it instead; returns the result, detached.

    >>> import tensorwidgets as torch
    >>> torch.ones(2).module_load(torch.zeros(2))
    tensor([0., 0.])
    """
    return other.detach() if assign else self.copy_(other).detach()


METHODS = {"module_load": module_load}
__all__ = ["METHODS"]
