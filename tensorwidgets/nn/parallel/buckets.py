"""Which gradients travel together? Those of one dtype, until there are enough bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor

FIRST_BYTES = 1 << 20
"""The first bucket is smaller, so that the first gradients leave early."""
USUAL_BYTES = 25 << 20


def assign(
    tensors: Sequence[Tensor], limits: Sequence[int], sparse: Sequence[bool], order: Sequence[int] = ()
) -> list[list[int]]:
    """Which tensors go together: numbers, in lists. A bucket is full when it has reached its limit.

    With an order (in which gradients came) the tensors are in that order, and so are the buckets.

    >>> assign([torch.zeros(4)] * 5, [16, 32], [False] * 5)
    [[0], [1, 2], [3, 4]]
    """
    full: list[list[int]] = []
    open_: dict[Any, list[int]] = {}
    size: dict[Any, int] = {}
    step: dict[Any, int] = {}
    for place, t in enumerate(tensors):
        number = order[place] if order else place
        if sparse[number]:
            full.append([number])
            continue
        key = (t.dtype, t.device)
        open_.setdefault(key, []).append(number)
        size[key] = size.get(key, 0) + t.numel() * t.element_size()
        if size[key] >= limits[step.setdefault(key, 0)]:
            full.append(open_.pop(key))
            size[key] = 0
            step[key] = min(step[key] + 1, len(limits) - 1)
    full += open_.values()
    return full if order else sorted(full, key=min)


class Bucket:
    """Gradients that travel together, in one flat tensor."""

    def __init__(self, number: int, indices: list[int], parameters: Sequence[Tensor], sparse: bool):
        self.number, self.indices, self.sparse = number, indices, sparse
        self.pending = len(indices)
        self.work: Any = None
        self.flat: Tensor | None = None
        self.views: dict[int, Tensor] = {}
        self.bytes = sum(parameters[i].numel() * parameters[i].element_size() for i in indices)
        if sparse:
            return
        first = parameters[indices[0]]
        self.flat = torch.zeros(sum(parameters[i].numel() for i in indices), dtype=first.dtype, device=first.device)
        start = 0
        for i in indices:
            p = parameters[i]
            part = self.flat[start : start + p.numel()]
            # A gradient is laid out as its parameter where that fills its memory.
            dense = p.numel() and sorted(p.stride()) == sorted(torch.empty(p.shape).stride())
            self.views[i] = part.as_strided(p.shape, p.stride(), start) if dense else part.view(p.shape)
            start += p.numel()

    def reset(self) -> None:
        """Nothing has come yet."""
        self.pending, self.work = len(self.indices), None
