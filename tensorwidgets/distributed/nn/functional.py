"""Collectives with a gradient. Where tensors went forward, gradients come back: each has a collective of its own.

The ranks must call them in one order, and go backward through them in one order. The loss of a program is the sum of
the losses of all ranks.

>>> import tensorwidgets as torch
>>> import tensorwidgets.distributed as dist
>>> dist.init_process_group("gloo", rank=0, world_size=1)
>>> x = torch.ones(2, requires_grad=True)
>>> all_reduce(x * 3)
tensor([3., 3.], grad_fn=<_AllReduceBackward>)
>>> dist.destroy_process_group()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.autograd.functions.function import Function
from ...engine.dispatch.registry import OPS
from ...engine.errors.warnings import warn
from ...engine.tensor.tensor import Tensor
from ...engine.types.formats import contiguous_format
from .. import collectives, shares
from ..groups import get_rank, get_world_size
from ..reduce_ops import ReduceOp

__all__ = [
    "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter",
    "scatter",
]  # fmt: skip


def _old(name: str, new: str) -> None:
    warn(
        f"torch.distributed.nn.functional.{name} is deprecated, use torch.distributed._functional_collectives.{new} "
        "instead.",
        FutureWarning,
    )


def _zeros(t: Tensor) -> Tensor:
    return OPS["zeros_like"].function(t)  # type: ignore[no-any-return]


def _like_each(t: Tensor, group: Any) -> list[Tensor]:
    return [_zeros(t) for _ in range(get_world_size(group))]


def _whole(t: Tensor) -> Tensor:
    return t.contiguous()


def _sent(tensors: Sequence[Tensor], like: Tensor, group: Any) -> Tensor:
    """The sum of what all ranks have for this one."""
    found = [_zeros(like) for _ in tensors]
    shares.all_to_all(found, [_whole(t) for t in tensors], group=group)
    return OPS["stack"].function(found).sum(0)  # type: ignore[no-any-return]


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.op, ctx.group = op, group
        result = tensor.clone(memory_format=contiguous_format)
        collectives.all_reduce(result, op, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return None, None, _AllReduce.apply(ctx.op, ctx.group, _whole(grad))


class _Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, tensor: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        result = tensor.clone()
        collectives.broadcast(result, src, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        found = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, _whole(grad))
        return None, None, found if get_rank() == ctx.src else _zeros(found)


class _Reduce(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.dst, ctx.group = dst, group
        result = tensor.clone()
        collectives.reduce(result, dst, op, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, _whole(grad))


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, tensor: Tensor) -> tuple[Tensor, ...]:
        ctx.group = group
        found = _like_each(tensor, group)
        collectives.all_gather(found, _whole(tensor), group)
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, _sent(grads, grads[0], ctx.group)


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, group: Any, tensor: Tensor) -> tuple[Tensor, ...]:
        ctx.dst, ctx.group = dst, group
        found = _like_each(tensor, group)
        collectives.gather(_whole(tensor), found if get_rank() == dst else None, dst, group)
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *map(_whole, grads))


class _Scatter(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, *tensors: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        result = _zeros(tensors[0])
        collectives.scatter(result, [_whole(t) for t in tensors] if get_rank() == src else None, src, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return None, None, *_Gather.apply(ctx.src, ctx.group, _whole(grad))


class _Reduce_Scatter(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, output: Tensor, *tensors: Tensor) -> Tensor:
        ctx.group = group
        result = _zeros(output)
        shares.reduce_scatter(result, [_whole(t) for t in tensors], op, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return None, None, None, *_AllGather.apply(ctx.group, _whole(grad))


class _AlltoAll(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, outputs: list[Tensor], *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.group, ctx.given = group, [_zeros(t) for t in tensors]
        found = [_zeros(t) for t in outputs]
        shares.all_to_all(found, [_whole(t) for t in tensors], group)
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, None, *_AlltoAll.apply(ctx.group, ctx.given, *map(_whole, grads))


class _AlltoAllSingle(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, output: Tensor, taken: Any, given: Any, tensor: Tensor) -> Tensor:
        ctx.group, ctx.taken, ctx.given, ctx.size = group, taken, given, tensor.size()
        result = _zeros(output)
        shares.all_to_all_single(result, _whole(tensor), taken, given, group)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        back = grad.new_empty(ctx.size)
        return None, None, None, None, _AlltoAllSingle.apply(ctx.group, back, ctx.given, ctx.taken, _whole(grad))


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None) -> Tensor:
    """The sum, or whatever `op` is, of what all ranks have."""
    _old("all_reduce", "all_reduce")
    return _AllReduce.apply(op, group, tensor)  # type: ignore[no-any-return]


def broadcast(tensor: Tensor, src: int, group: Any = None) -> Tensor:
    """What one rank has."""
    _old("broadcast", "broadcast")
    return _Broadcast.apply(src, group, tensor)  # type: ignore[no-any-return]


def reduce(tensor: Tensor, dst: int, op: Any = ReduceOp.SUM, group: Any = None) -> Tensor:
    """On one rank: the sum, or whatever `op` is, of what all have."""
    return _Reduce.apply(dst, op, group, tensor)  # type: ignore[no-any-return]


def all_gather(tensor: Tensor, group: Any = None) -> tuple[Tensor, ...]:
    """What all ranks have."""
    _old("all_gather", "all_gather_single")
    return _AllGather.apply(group, tensor)  # type: ignore[no-any-return]


def gather(tensor: Tensor, dst: int = 0, group: Any = None) -> tuple[Tensor, ...]:
    """On one rank: what all have. Zeros on the others."""
    return _Gather.apply(dst, group, tensor)  # type: ignore[no-any-return]


def scatter(tensors: Sequence[Tensor], src: int = 0, group: Any = None) -> Tensor:
    """The tensor for this rank, of those that one rank has for all."""
    return _Scatter.apply(src, group, *tensors)  # type: ignore[no-any-return]


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], op: Any = ReduceOp.SUM, group: Any = None) -> Tensor:
    """The sum, or whatever `op` is, of what all ranks have for this one, in the size of `output`."""
    _old("reduce_scatter", "reduce_scatter_single")
    return _Reduce_Scatter.apply(op, group, output, *input_list)  # type: ignore[no-any-return]


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: Sequence[Tensor], group: Any = None
) -> tuple[Tensor, ...]:
    """What all ranks have for this one, in the sizes of the first list."""
    return _AlltoAll.apply(group, output_tensor_list, *input_tensor_list)  # type: ignore[no-any-return]


def all_to_all_single(
    output: Tensor, input: Tensor, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None
) -> Tensor:
    """The same in one tensor each: parts of the first dimension, of these lengths."""
    _old("all_to_all_single", "all_to_all_single")
    return _AlltoAllSingle.apply(  # type: ignore[no-any-return]
        group, output, output_split_sizes, input_split_sizes, input
    )
