"""The calls that all ranks of a group make together: numbers are sent round, put together, shared out."""

from __future__ import annotations

import warnings
from datetime import timedelta
from typing import Any

import numpy as np

from ..engine.tensor.tensor import Tensor
from . import checks
from .buffers import elements, like, put
from .groups import chosen, facts_of, in_group, is_outside, seconds_of
from .reduce_ops import ReduceOp, as_numbers, checked, from_numbers
from .stores import arguments
from .work import Deadline, Work


def given(work: Work, async_op: bool) -> Work | None:
    """What a call returns: something to wait for, or nothing when all is done."""
    if async_op:
        return work
    work.wait()
    return None


def _is_meta(t: Tensor) -> bool:
    return t.device.type == "meta"


def barrier(
    group: Any = None, async_op: bool = False, device_ids: Any = None, timeout: timedelta | None = None
) -> Work | None:
    """Wait until all ranks are here."""
    group = chosen(group)
    if is_outside(group, "barrier"):
        return None
    seconds = group.seconds if timeout is None else arguments.duration("", timeout)
    arguments.flag(async_op, "async_op")
    return given(group.begin("barrier", [], (), lambda deadline: group.by.barrier(), seconds), async_op)


def monitored_barrier(
    group: Any = None, timeout: timedelta | float | None = None, wait_all_ranks: bool = False
) -> None:
    """Wait until all ranks are here. The first rank says which one did not come, or which ones did not."""
    group = chosen(group)
    if is_outside(group, "monitored_barrier"):
        return
    arguments.flag(wait_all_ranks, "wait_all_ranks", "monitored_barrier")
    if isinstance(timeout, float):
        warnings.warn(
            "Please specify timeout arg as a timedelta. "
            f"Converting current value of {timeout} assuming it represents seconds",
            stacklevel=2,
        )
        timeout = timedelta(seconds=timeout)
    rank, seconds = group.rank(), seconds_of(timeout, group.seconds)
    if rank:
        group.by.arrives()
    try:
        group.begin("barrier", [], (), lambda deadline: group.by.barrier(), group.seconds if rank else seconds).wait()
    except RuntimeError as error:
        if group.broken is None:
            raise
        if rank:
            raise RuntimeError(
                f"Rank {rank} successfully reached monitoredBarrier, but received errors while waiting for send/recv "
                "from rank 0. Please check rank 0 logs for faulty rank."
            ) from error
        gone = group.by.missing(wait=False)[: None if wait_all_ranks else 1]
        if not gone:
            raise
        who = f"Rank{'s' if wait_all_ranks else ''} {', '.join(map(str, gone))}"
        raise RuntimeError(f"[Rank 0]: {who} failed to pass monitoredBarrier in {round(seconds * 1000)} ms") from error
    if rank == 0:
        group.by.missing(wait=True)


def broadcast(
    tensor: Tensor, src: int | None = None, group: Any = None, async_op: bool = False, group_src: int | None = None
) -> Work | None:
    """Give all ranks the elements that one has."""
    group = chosen(group)
    root = in_group(group, src, group_src)
    checks.single(tensor, "tensor")
    if is_outside(group, "broadcast"):
        return None
    checks.root("broadcast", group, root)
    checks.no_sparse("broadcast", tensor)

    def work(deadline: Deadline) -> None:
        values = elements(tensor)
        group.by.broadcast(values, root)
        if group.rank() != root:
            put(tensor, values)

    arguments.flag(async_op, "async_op")
    return given(group.begin("broadcast", [tensor], facts_of(tensor, root=root), work), async_op)


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """Give all ranks the sum, or whatever `op` is, of what they have."""
    checks.single(tensor, "tensor")
    if is_outside(group, "all_reduce"):
        return None
    op = checked(op, tensor, "all_reduce")
    group = chosen(group)
    if tensor.is_sparse:
        from .sparse import all_reduce_sparse

        arguments.flag(async_op, "async_op")
        return given(all_reduce_sparse(group, tensor, op), async_op)

    def work(deadline: Deadline) -> None:
        if _is_meta(tensor):
            return
        values = elements(tensor)
        numbers, name = as_numbers(values, op)
        group.by.all_reduce(numbers, name, deadline)
        from_numbers(numbers, values, op, group.size())
        put(tensor, values)

    arguments.flag(async_op, "async_op")
    return given(group.begin("all_reduce", [tensor], facts_of(tensor, op=op), work), async_op)


def reduce(
    tensor: Tensor, dst: int | None = None, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Give one rank the sum, or whatever `op` is, of what all have."""
    group = chosen(group)
    root = in_group(group, dst, group_dst)
    checks.single(tensor, "tensor")
    if is_outside(group, "reduce"):
        return None
    op = checked(op, tensor, "reduce")
    checks.root("reduce", group, root)
    checks.no_sparse("reduce", tensor)

    def work(deadline: Deadline) -> None:
        values = elements(tensor)
        numbers, name = as_numbers(values, op)
        group.by.reduce(numbers, name, root)
        if group.rank() == root:
            from_numbers(numbers, values, op, group.size())
            put(tensor, values)

    arguments.flag(async_op, "async_op")
    return given(group.begin("reduce", [tensor], facts_of(tensor, root=root, op=op), work), async_op)


# -- parts -----------------------------------------------------------------------------------------------------------


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: Any = None, async_op: bool = False) -> Work | None:
    """Give all ranks the tensors of all, in a list."""
    checks.several(tensor_list, "tensor_list")
    checks.single(tensor, "tensor")
    checks.one_dtype(tensor_list, tensor)
    if is_outside(group, "all_gather"):
        return None
    group = chosen(group)
    if len(tensor_list) != group.size():
        raise RuntimeError(
            "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected length "
            f"{group.size()}, got {len(tensor_list)})"
        )
    checks.sizes("allgather", tensor_list, tensor)

    def work(deadline: Deadline) -> None:
        values = elements(tensor)
        out = np.empty((group.size(), values.size), values.dtype)
        group.by.all_gather(values, out)
        for each, part in zip(tensor_list, out, strict=True):
            put(each, part)

    arguments.flag(async_op, "async_op")
    return given(group.begin("all_gather", tensor_list, facts_of(tensor), work), async_op)


def all_gather_single(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Work | None:
    """Give all ranks the tensors of all, one after the other in one tensor."""
    checks.single(input_tensor, "input_tensor")
    checks.single(output_tensor, "output_tensor")
    if is_outside(group, "all_gather_single"):
        return None
    group = chosen(group)
    n = group.size()
    parts = output_tensor.chunk(n) if output_tensor.dim() else [output_tensor]
    if output_tensor.dim() and len(parts) != n:
        raise RuntimeError(
            "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected length "
            f"{n}, got {len(parts)})"
        )
    if output_tensor.dtype is not input_tensor.dtype:
        raise RuntimeError(
            "ProcessGroupGloo::allgather: invalid tensor type at index 0 (expected "
            f"{checks.options(input_tensor)}, got {checks.options(output_tensor)})"
        )
    checks.sizes("allgather", parts, input_tensor)
    if output_tensor.numel() != n * input_tensor.numel():
        raise RuntimeError("output tensor size must be equal to world_size times input tensor size")

    def work(deadline: Deadline) -> None:
        values, out = elements(input_tensor), like(output_tensor)
        group.by.all_gather(values, out)
        put(output_tensor, out)

    arguments.flag(async_op, "async_op")
    return given(group.begin("all_gather", [output_tensor], facts_of(input_tensor), work), async_op)


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Work | None:
    """The old name of `all_gather_single`."""
    old_name("all_gather_into_tensor", "all_gather_single")
    return all_gather_single(output_tensor, input_tensor, group, async_op)


def _all_gather_base(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Work | None:
    """The oldest name of `all_gather_single`."""
    old_name("_all_gather_base", "all_gather_single", "a private function and will be deprecated")
    return all_gather_single(output_tensor, input_tensor, group, async_op)


def old_name(name: str, new: str, what: str = "deprecated") -> None:
    """Warn that a function has a newer name."""
    warnings.warn(
        f"`torch.distributed.{name}` is {what}. Please use `torch.distributed.{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int | None = None, group: Any = None,
    async_op: bool = False, group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Give one rank the tensors of all, in a list."""
    checks.single(tensor, "tensor")
    if gather_list:
        checks.several(gather_list, "gather_list")
    lists = gather_list or []
    checks.one_dtype(tensor, lists)
    group = chosen(group)
    if is_outside(group, "gather"):
        return None
    root = in_group(group, 0 if dst is None and group_dst is None else dst, group_dst)
    checks.gather_list(group.rank(), root, lists)
    checks.root("gather", group, root)
    n = group.size()
    if group.rank() == root and len(lists) != n:
        raise RuntimeError(
            f"ProcessGroupGloo::gather: Incorrect output list size {len(lists)}. Output list size should be {n}, same "
            "as size of the process group."
        )
    checks.sizes("gather", lists, tensor)

    def work(deadline: Deadline) -> None:
        values = elements(tensor)
        out = np.empty((n, values.size), values.dtype) if group.rank() == root else None
        group.by.gather(values, out, root)
        for each, part in zip(lists, () if out is None else out, strict=True):
            put(each, part)

    arguments.flag(async_op, "async_op")
    return given(group.begin("gather", lists, facts_of(tensor, root=root), work), async_op)


def scatter(
    tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int | None = None, group: Any = None,
    async_op: bool = False, group_src: int | None = None,
) -> Work | None:  # fmt: skip
    """Give each rank its tensor of the list that one has."""
    checks.single(tensor, "tensor")
    if scatter_list:
        checks.several(scatter_list, "scatter_list")
    lists = scatter_list or []
    checks.one_dtype(tensor, lists)
    group = chosen(group)
    if is_outside(group, "scatter"):
        return None
    root = in_group(group, 0 if src is None and group_src is None else src, group_src)
    n, mine = group.size(), group.rank() == root
    if mine and not lists:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    if not mine and lists:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    checks.root("scatter", group, root)
    if mine and len(lists) != n:
        raise RuntimeError(
            f"ProcessGroupGloo::scatter: Incorrect input list size {len(lists)}. Input list size should be {n}, same "
            "as size of the process group."
        )
    checks.sizes("scatter", lists, tensor)

    def work(deadline: Deadline) -> None:
        values = np.stack([elements(each) for each in lists]) if mine else None
        out = like(tensor)
        group.by.scatter(values, out, root)
        put(tensor, out)

    arguments.flag(async_op, "async_op")
    return given(group.begin("scatter", [tensor], facts_of(tensor, root=root), work), async_op)
