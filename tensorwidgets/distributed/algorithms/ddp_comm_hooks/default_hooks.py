"""Hooks that send gradients as they are, or as 16-bit numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ....engine.types.dtypes import bfloat16, dtype, float16
from ...collectives import all_reduce
from ...groups import default_group
from ...work import Future
from ..grad_bucket import GradBucket

__all__ = [
    "allreduce_hook", "bf16_compress_hook", "bf16_compress_wrapper", "fp16_compress_hook", "fp16_compress_wrapper",
]  # fmt: skip


def _mean(group: Any, t: Tensor) -> Future:
    group = default_group() if group is None else group
    work = all_reduce(t.div_(group.size()), group=group, async_op=True)
    assert work is not None
    made: Future = work.get_future().then(lambda future: future.value()[0])
    return made


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over all ranks, as without a hook."""
    return _mean(process_group, bucket.buffer())


def _compressed(kind: dtype, group: Any, bucket: GradBucket) -> Future:
    buffer = bucket.buffer()
    return _mean(group, buffer.to(kind)).then(lambda future: _into(buffer, future))


def _into(buffer: Tensor, future: Future) -> Tensor:
    with torch.no_grad():
        made: Tensor = buffer.copy_(future.value())
    return made


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over all ranks of float16."""
    return _compressed(float16, process_group, bucket)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over all ranks of bfloat16, which PyTorch has for GPUs."""
    return _compressed(bfloat16, process_group, bucket)


def fp16_compress_wrapper(hook: Callable[[Any, GradBucket], Future]) -> Callable[[Any, GradBucket], Future]:
    """A hook that gets its gradients as float16."""

    def fp16_compress_wrapper_hook(hook_state: Any, bucket: GradBucket) -> Future:
        return _narrow(float16, hook, hook_state, bucket)

    return fp16_compress_wrapper_hook


def bf16_compress_wrapper(hook: Callable[[Any, GradBucket], Future]) -> Callable[[Any, GradBucket], Future]:
    """A hook that gets its gradients as bfloat16."""

    def bf16_compress_wrapper_hook(hook_state: Any, bucket: GradBucket) -> Future:
        return _narrow(bfloat16, hook, hook_state, bucket)

    return bf16_compress_wrapper_hook


def _narrow(kind: dtype, hook: Callable[[Any, GradBucket], Future], state: Any, bucket: GradBucket) -> Future:
    bucket.set_buffer(bucket.buffer().to(kind))
    return hook(state, bucket).then(lambda future: _into(bucket.buffer(), future))
