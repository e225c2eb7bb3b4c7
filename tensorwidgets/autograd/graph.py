"""torch.autograd.graph: nodes, and hooks on what they save."""

from __future__ import annotations

from ..engine.autograd.nodes import Node
from ..engine.autograd.packing import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks

__all__ = ["Node", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]
