"""torch.utils.checkpoint: less memory for gradients, by computing some things twice."""

from __future__ import annotations

from ..engine.autograd.checkpointing import (
    CheckpointError,
    CheckpointFunction,
    GraphExecGroup,
    checkpoint,
    checkpoint_sequential,
    noop_context_fn,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)

__all__ = [
    "CheckpointError", "CheckpointFunction", "GraphExecGroup", "checkpoint", "checkpoint_sequential", "noop_context_fn",
    "set_checkpoint_debug_enabled", "set_checkpoint_early_stop",
]  # fmt: skip
