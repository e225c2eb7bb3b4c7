"""PyTorch's refusals of what ranks are given to exchange."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..engine.types.dtypes import complex64, complex128, dtype, float32
from .groups import ProcessGroup


def single(given: Any, name: str) -> None:
    """Refuse what is not a tensor."""
    if not isinstance(given, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n             but got "
            f"{type(given)} instead."
        )


def several(given: Any, name: str) -> None:
    """Refuse what is not a list of tensors."""
    wanted = f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n             but got "
    if not isinstance(given, list):
        raise TypeError(f"{wanted}{type(given)} instead.")
    if not all(isinstance(each, Tensor) for each in given):
        raise TypeError(f"{wanted}{type(given)} with elements of type {[type(each) for each in given]}.")


def one_dtype(*given: Any) -> None:
    """Refuse tensors of several dtypes."""
    last: dtype | None = None
    for t in chain.from_iterable([each] if isinstance(each, Tensor) else each for each in given):
        # Complex numbers are compared as PyTorch compares them.
        kind = float32 if t.dtype is complex64 else complex128 if t.dtype is complex128 else t.dtype
        if last is None:
            last = kind
        elif last is not kind:
            raise ValueError(f"Invalid usage of tensors with different dtypesFound {last} and  {t.dtype}")


def root(call: str, group: ProcessGroup, number: int) -> None:
    """Refuse a root that is not a rank of the group."""
    if not 0 <= number < group.size():
        raise RuntimeError(f"ProcessGroupGloo::{call}: invalid root rank: {number}")


def sizes(call: str, given: Sequence[Tensor], wanted: Tensor) -> None:
    """Refuse tensors whose size is not that of another one."""
    for place, t in enumerate(given):
        if t.shape != wanted.shape:
            raise RuntimeError(
                f"ProcessGroupGloo::{call}: invalid tensor size at index {place} "
                f"(expected {written(wanted.shape)}, got {written(t.shape)})"
            )


def written(shape: Any) -> str:
    """A size as PyTorch's C++ writes it."""
    return "(" + ", ".join(map(str, shape)) + ")"


def options(t: Tensor) -> str:
    """What PyTorch's C++ says of a tensor's dtype and device."""
    name = {"float32": "float", "float64": "double", "int32": "int", "int64": "long int", "bool": "bool"}
    kind = str(t.dtype).removeprefix("torch.")
    return (
        f"TensorOptions(dtype={name.get(kind, kind)}, device={t.device}, layout=Strided, "
        "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
    )


def gather_list(rank: int, dst: int, given: Any) -> None:
    """Refuse a list where none belongs, and the lack of one."""
    if dst == rank and not given:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if dst != rank and given:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")


def split(group: ProcessGroup, t: Tensor, counts: Sequence[int] | None) -> list[int]:
    """How many elements of a tensor are for each rank."""
    n = group.size()
    if counts is not None and not (isinstance(counts, (list, tuple)) and all(type(count) is int for count in counts)):
        raise TypeError(
            "all_to_all_single(): incompatible function arguments. The following argument types are supported:\n"
            "split sizes are a list of whole numbers, one for each rank"
        )
    row = t.numel() // t.shape[0] if t.dim() and t.shape[0] else 0
    if not counts:
        if (t.shape[0] if t.dim() else 1) % n:
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        return [t.numel() // n] * n
    if len(counts) != n:
        raise RuntimeError("Number of tensor splits not equal to group size")
    if sum(counts) != (t.shape[0] if t.dim() else 1):
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    return [count * row for count in counts]


def no_sparse(call: str, t: Tensor) -> None:
    """Refuse layouts without one array of elements."""
    if t.layout is not torch.strided:
        raise RuntimeError(f"ProcessGroupGloo::{call}: unsupported layout")
