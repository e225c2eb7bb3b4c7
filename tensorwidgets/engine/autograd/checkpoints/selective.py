"""Checkpoints that keep some results. A program says which ops those are; here all of them are computed again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from typing import Any

from ...errors.reasons import refuse


class CheckpointPolicy(Enum):
    """What a program wants to become of the result of an op."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class SelectiveCheckpointContext:
    """The first argument of a program's policy: whether the function is called again."""

    def __init__(self, *, is_recompute: bool):
        self.is_recompute = is_recompute


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Callable | list[Any], allow_cache_entry_mutation: bool = False
) -> tuple[AbstractContextManager, AbstractContextManager]:
    """A `context_fn` for programs that choose what a checkpoint keeps: nothing, which changes no number.

    A policy decides about memory and time alone, so it is not asked.

    >>> import tensorwidgets as torch
    >>> from functools import partial
    >>> x = torch.zeros(2, requires_grad=True)
    >>> keep = partial(create_selective_checkpoint_contexts, [torch.ops.aten.mm.default])
    >>> torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False, context_fn=keep)
    tensor([1., 1.], grad_fn=<ExpBackward0>)
    """
    from ...._ops import OpOverload, OpOverloadPacket

    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                packet = isinstance(op, OpOverloadPacket)
                refuse(
                    ValueError,
                    f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. "
                    + (
                        "Please update the OpOverloadPacket to a specific OpOverload.For example, if you have "
                        "`torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
                        if packet
                        else ""
                    ),
                    "results are kept by the way in which an op is called",
                    f"torch.ops.{op}.default" if packet else "torch.ops.aten.mm.default",
                    rule="checkpoint.policy",
                )
    elif not callable(policy_fn_or_list):
        refuse(
            TypeError,
            "policy_fn_or_list must be either a function or a list of ops.",
            "it says which results are kept",
            "[torch.ops.aten.mm.default]",
            rule="checkpoint.policy",
        )
    return nullcontext(), nullcontext()
