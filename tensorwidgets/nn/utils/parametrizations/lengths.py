"""weight_norm: a weight is trained as directions and as lengths."""

from __future__ import annotations

from typing import Any

from ....engine.derivatives.ops import torch
from ...modules.module import Module
from ..parametrize.registering import register_parametrization


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        return torch.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Train the lengths of a weight's rows apart from their directions: `original0` and `original1`.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(20, 40))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([40, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def old_names(state_dict: dict, prefix: str, *others: Any) -> None:
        """States that were saved with `torch.nn.utils.weight_norm` have other names."""
        old = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(old_names)
    return module
