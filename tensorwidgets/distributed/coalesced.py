"""Calls for several tensors at once, which travel as one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..engine.tensor.tensor import Tensor
from . import checks
from .buffers import elements, put
from .groups import chosen, facts_of, is_outside
from .reduce_ops import ReduceOp, as_numbers, checked, from_numbers
from .stores import arguments
from .work import Deadline, Future, Work


def _deprecated(name: str) -> None:
    warnings.warn(
        f"`torch.distributed.{name}` will be deprecated. If you must use it, please revisit our documentation later at "
        "https://pytorch.org/docs/main/distributed.html#collective-functions",
        FutureWarning,
        stacklevel=3,
    )


def _given(work: Work, async_op: bool) -> Future | None:
    if async_op:
        return work.get_future()
    work.wait()
    return None


def _joined(tensors: list[Tensor]) -> np.ndarray:
    return np.concatenate([elements(t).reshape(-1) for t in tensors])


def _put_parts(tensors: list[Tensor], values: np.ndarray) -> None:
    start = 0
    for t in tensors:
        put(t, values[start : start + t.numel()])
        start += t.numel()


def all_reduce_coalesced(
    tensors: list[Tensor], op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Future | None:
    """Give all ranks the sums, or whatever `op` is, of what they have, for several tensors."""
    _deprecated("all_reduce_coalesced")
    if isinstance(tensors, Tensor):
        tensors = [tensors]
    checks.several(tensors, "tensor")
    checks.one_dtype(tensors)
    if is_outside(group, "all_reduce_coalesced"):
        return None
    if not tensors:
        raise NotImplementedError(
            "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors)"
        )
    first, count = tensors[0], sum(t.numel() for t in tensors)
    op = checked(op, first, "all_reduce")
    group = chosen(group)

    def work(deadline: Deadline) -> None:
        values = _joined(tensors)
        numbers, name = as_numbers(values, op)
        group.by.all_reduce(numbers, name, deadline)
        from_numbers(numbers, values, op, group.size())
        _put_parts(tensors, values)

    arguments.flag(async_op, "async_op")
    return _given(group.begin("all_reduce", tensors, facts_of(first, count, op=op), work), async_op)


def all_gather_coalesced(
    output_tensor_lists: list[list[Tensor]], input_tensor_list: list[Tensor], group: Any = None, async_op: bool = False
) -> Future | None:
    """Give all ranks the tensors of all, of which each has several."""
    _deprecated("all_gather_coalesced")
    if is_outside(group, "all_gather_coalesced"):
        return None
    checks.several(input_tensor_list, "tensor_list")
    checks.one_dtype(input_tensor_list)
    if not isinstance(output_tensor_lists, list):
        raise TypeError("Invalid function argument: output_tensor_lists should be a list")
    for each in output_tensor_lists:
        checks.several(each, "output_tensor_lists")
        checks.one_dtype(each)
    group = chosen(group)
    said = "ProcessGroupGloo::allgather_coalesced: "
    if len(output_tensor_lists) != group.size():
        raise RuntimeError(f"{said}output lists should be equal to world size")
    for each in output_tensor_lists:
        if len(each) != len(input_tensor_list):
            raise RuntimeError(
                f"{said}invalid output size: (expected length {len(input_tensor_list)}, got {len(each)})"
            )
        for place, (out, given) in enumerate(zip(each, input_tensor_list, strict=True)):
            if out.shape != given.shape:
                raise RuntimeError(
                    f"{said}invalid size of output tensor at index {place} (expected length "
                    f"{checks.written(given.shape)}, got {checks.written(out.shape)})"
                )
            if out.dtype is not given.dtype:
                raise RuntimeError(
                    f"{said}invalid tensor type at index {place} (expected {given.type()}, got {out.type()})"
                )

    def work(deadline: Deadline) -> None:
        values = _joined(input_tensor_list)
        found = np.empty((group.size(), values.size), values.dtype)
        group.by.all_gather(values, found)
        for each, part in zip(output_tensor_lists, found, strict=True):
            _put_parts(each, part)

    count = sum(t.numel() for t in input_tensor_list)
    flat = [t for each in output_tensor_lists for t in each]
    arguments.flag(async_op, "async_op")
    return _given(group.begin("all_gather", flat, facts_of(input_tensor_list[0], count), work), async_op)
