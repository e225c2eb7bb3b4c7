"""Calls by which each rank gets its own part: reduced parts, and everything to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor
from ..engine.types.cpp_names import cpp_name
from . import checks
from .buffers import elements, like, put
from .collectives import given, old_name
from .groups import ProcessGroup, chosen, facts_of, is_outside
from .reduce_ops import RedOpType, ReduceOp, as_numbers, checked, from_numbers
from .stores import arguments
from .work import Deadline, Work


def reduce_scatter(
    output: Tensor, input_list: list[Tensor], op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """Give each rank the sum, or whatever `op` is, of what all have in its place of their lists."""
    checks.single(output, "output")
    checks.several(input_list, "input_list")
    checks.one_dtype(output, input_list)
    if is_outside(group, "reduce_scatter"):
        return None
    op = checked(op, output, "reduce_scatter")
    group = chosen(group)
    if len(input_list) != group.size():
        raise RuntimeError("invalid input tensor list size, must be world size")
    for each in input_list:
        if each.shape != output.shape:
            raise RuntimeError(
                "Check failed: outputs[0].sizes().vec() == inputs[0][i].sizes().vec() "
                f"({' '.join(map(str, output.shape))} vs. {' '.join(map(str, each.shape))}). "
            )
    arguments.flag(async_op, "async_op")
    return given(_reduced_parts(group, output, list(input_list), op), async_op)


def reduce_scatter_single(
    output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """Give each rank its part of the sum, or whatever `op` is, of what all have."""
    checks.single(output, "output")
    checks.single(input, "input")
    if is_outside(group, "reduce_scatter_single"):
        return None
    op = checked(op, output, "reduce_scatter")
    group = chosen(group)
    if output.dtype is not input.dtype:
        raise RuntimeError(
            f"Check failed: outputTensors[i].dtype() == inputTensors[i].dtype() "
            f"({cpp_name(output.dtype)} vs. {cpp_name(input.dtype)}). "
        )
    if output.dim() and input.dim() and output.shape[0] * group.size() != input.shape[0]:
        raise RuntimeError(
            "Check failed: outputShape[0] * worldSize == inputShape[0] "
            f"({output.shape[0] * group.size()} vs. {input.shape[0]}). "
        )
    if output.numel() * group.size() != input.numel():
        raise RuntimeError("input tensor must be the same size as output size times world size")
    arguments.flag(async_op, "async_op")
    return given(_reduced_parts(group, output, [input], op), async_op)


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """The old name of `reduce_scatter_single`."""
    old_name("reduce_scatter_tensor", "reduce_scatter_single")
    return reduce_scatter_single(output, input, op, group, async_op)


def _reduce_scatter_base(
    output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """The oldest name of `reduce_scatter_single`."""
    old_name("_reduce_scatter_base", "reduce_scatter_single", "a private function and will be deprecated")
    return reduce_scatter_single(output, input, op, group, async_op)


def _reduced_parts(group: ProcessGroup, output: Tensor, inputs: list[Tensor], op: RedOpType) -> Work:
    def work(deadline: Deadline) -> None:
        values = np.concatenate([elements(each).reshape(-1) for each in inputs])
        numbers, name = as_numbers(values, op)
        part = np.empty(output.numel(), numbers.dtype)
        group.by.reduce_scatter(numbers, part, name)
        mine = part.view(values.dtype) if part.itemsize == values.itemsize else np.empty(part.size, values.dtype)
        from_numbers(part, mine, op, group.size())
        put(output, mine)

    return group.begin("reduce_scatter", [output], facts_of(output, op=op), work)


# -- everything to everyone ------------------------------------------------------------------------------------------


def all_to_all_single(
    output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None, group: Any = None, async_op: bool = False,
) -> Work | None:  # fmt: skip
    """Give each rank its part of what each has."""
    if is_outside(group, "all_to_all_single"):
        return None
    checks.single(output, "output")
    checks.single(input, "input")
    checks.one_dtype(output, input)
    group = chosen(group)
    counts = checks.split(group, input, input_split_sizes)
    expected = checks.split(group, output, output_split_sizes)

    def work(deadline: Deadline) -> None:
        values, out = elements(input).reshape(-1), like(output)
        size = values.itemsize
        group.by.all_to_all(values, [c * size for c in counts], out.reshape(-1), [c * size for c in expected])
        put(output, out)

    arguments.flag(async_op, "async_op")
    return given(group.begin("all_to_all", [output], facts_of(input, count=-1), work), async_op)


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: Any = None, async_op: bool = False
) -> Work | None:
    """Give each rank its tensor of the list that each has."""
    if is_outside(group, "all_to_all"):
        return None
    checks.several(output_tensor_list, "output_tensor_list")
    checks.several(input_tensor_list, "input_tensor_list")
    checks.one_dtype(output_tensor_list, input_tensor_list)
    group = chosen(group)
    for name, each in (("input", input_tensor_list), ("output", output_tensor_list)):
        if len(each) != group.size():
            raise RuntimeError(
                f"ProcessGroupGloo::alltoall: {name} tensor list size {len(each)} does not match world size "
                f"{group.size()}"
            )
    for each in (input_tensor_list, output_tensor_list):
        checks.sizes("alltoall", each, each[0])
    if input_tensor_list[0].shape != output_tensor_list[0].shape:
        refuse(
            RuntimeError,
            "ProcessGroupGloo::alltoall: input and output tensors must have the same size",
            "gloo sends parts of one size",
            "all_to_all_single(output, input, output_split_sizes, input_split_sizes) for parts of several sizes",
            rule="distributed.sizes",
        )

    def work(deadline: Deadline) -> None:
        values = np.concatenate([elements(each).reshape(-1) for each in input_tensor_list])
        counts = [each.numel() * values.itemsize for each in input_tensor_list]
        expected = [each.numel() * values.itemsize for each in output_tensor_list]
        out = np.empty(sum(expected) // values.itemsize, values.dtype)
        group.by.all_to_all(values, counts, out, expected)
        start = 0
        for each in output_tensor_list:
            put(each, out[start : start + each.numel()])
            start += each.numel()

    first = input_tensor_list[0]
    arguments.flag(async_op, "async_op")
    return given(group.begin("all_to_all", output_tensor_list, facts_of(first, count=-1), work), async_op)
