"""torch.autograd.graph: nodes, edges, and hooks on what nodes save."""

from __future__ import annotations

from typing import Any

from ..engine.autograd.edges import GradientEdge, get_gradient_edge, increment_version
from ..engine.autograd.hooks.on_saved import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from ..engine.autograd.hooks.on_several import register_multi_grad_hook
from ..engine.autograd.hooks.on_writes import allow_mutation_on_saved_tensors
from ..engine.autograd.nodes import Node

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
