"""Sparse tensors of several ranks added up: each sends its coordinates and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.derivatives.ops import torch
from .buffers import elements
from .groups import ProcessGroup, facts_of
from .reduce_ops import RedOpType
from .work import Deadline, Work


def all_reduce_sparse(group: ProcessGroup, tensor: Any, op: RedOpType) -> Work:
    """Begin to add up sparse tensors; each becomes the sum, coalesced."""
    if op is not RedOpType.SUM:
        raise RuntimeError("Sparse allreduce only works with ReduceOp.SUM")
    mine = tensor.detach().coalesce()

    def work(deadline: Deadline) -> None:
        with torch.no_grad():
            parts = _from_all(group, mine)
            size = tuple(tensor.shape)
            total = torch.sparse_coo_tensor(
                torch.cat([p[0] for p in parts], 1), torch.cat([p[1] for p in parts]), size, dtype=tensor.dtype
            ).coalesce()
            tensor.data = total

    # How many elements are stored may differ from rank to rank.
    return group.begin("all_reduce", [tensor], facts_of(tensor, op=op), work)


def _from_all(group: ProcessGroup, mine: Any) -> list[tuple[Any, Any]]:
    """Coordinates and values of all ranks, each filled up to the length of the longest."""
    indices, values = mine.indices(), mine.values()
    count = np.array([values.shape[0]], np.int64)
    counts = np.empty(group.size(), np.int64)
    group.by.all_gather(count, counts)
    longest = int(counts.max())
    found = []
    for each in (indices.t().contiguous(), values):
        sent = elements(each)
        room = np.zeros((longest, *sent.shape[1:]), sent.dtype)
        room[: len(sent)] = sent
        out = np.empty((group.size(), *room.shape), sent.dtype)
        group.by.all_gather(room, out)
        found.append([torch.from_numpy(np.ascontiguousarray(out[r][: counts[r]])) for r in range(group.size())])
    return [(i.t(), v) for i, v in zip(*found, strict=True)]
