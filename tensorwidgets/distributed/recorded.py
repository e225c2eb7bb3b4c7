"""What did each rank do when? `record()` notes calls and, of training, forwards, backwards and buckets."""

from __future__ import annotations

import json
import time
from os import PathLike
from pathlib import Path
from typing import Any

from . import groups
from .collectives import barrier
from .objects import all_gather_object


class record:
    """Note what the ranks do inside a `with`. After it, `ranks` has the notes of all of them, on each of them.

    With a path, rank 0 writes them to a JSON file, which `show.ranks` draws in a notebook. All ranks enter and leave.

    >>> import tensorwidgets as torch
    >>> import tensorwidgets.distributed as dist
    >>> dist.init_process_group("gloo", rank=0, world_size=1)
    >>> with dist.record() as log:
    ...     dist.all_reduce(torch.ones(2))
    >>> [(call["call"], call["bytes"]) for call in log.ranks[0]["calls"]]
    [('all_reduce', 8)]
    >>> dist.destroy_process_group()
    """

    def __init__(self, path: str | PathLike | None = None):
        self.path = path
        self.ranks: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        self.steps: list[dict[str, Any]] = []
        self._buckets: dict[tuple[str, int], int] = {}

    def __enter__(self) -> record:
        if groups.noting is not None:
            raise RuntimeError("this rank is recorded already: one record() at a time")
        barrier()
        groups.note_with(self)
        return self

    def __exit__(self, kind: Any, *rest: object) -> None:
        groups.note_with(None)
        if kind is not None:
            return
        barrier()
        for call in self.calls:
            call["bucket"] = self._buckets.get((call["group"], call["number"]), -1)
        rank = groups.get_rank()
        self.ranks = [{}] * groups.get_world_size()
        all_gather_object(self.ranks, {"rank": rank, "steps": self.steps, "calls": self.calls})
        if self.path is not None and rank == 0:
            Path(self.path).write_text(json.dumps({"ranks": self.ranks}), encoding="utf-8")

    # -- calls, noted by the thread of a group -------------------------------------------------------------------------

    def arrive(self, group: Any, number: int, call: str, tensors: list) -> dict[str, Any]:
        """This rank has come to a call."""
        size = sum(t.numel() * t.element_size() for t in tensors)
        return {"group": group.group_name, "number": number, "call": call, "bytes": size, "came": time.perf_counter()}

    def met(self, call: dict[str, Any]) -> None:
        """All ranks have come to it."""
        call["met"] = time.perf_counter()

    def done(self, call: dict[str, Any]) -> None:
        """It is done."""
        call["done"] = time.perf_counter()
        self.calls.append(call)

    # -- training ------------------------------------------------------------------------------------------------------

    def forward_begins(self) -> None:
        """A model is called."""
        self.steps.append(
            {"forward": [time.perf_counter(), None], "backward": [None, None], "filled": [], "sent": None}
        )

    def forward_ends(self) -> None:
        """It has returned."""
        if self.steps:
            self.steps[-1]["forward"][1] = time.perf_counter()

    def bucket_filled(self, bucket: int, size: int) -> None:
        """All gradients of a bucket are there."""
        if self.steps:
            self.steps[-1]["filled"].append([bucket, size, time.perf_counter()])

    def bucket_sent(self, group: Any, number: int, bucket: int) -> None:
        """A bucket is on its way, by this call of its group."""
        self._buckets[group.group_name, number] = bucket

    def all_sent(self) -> None:
        """All buckets are on their way: backward waits for them."""
        if self.steps:
            self.steps[-1]["sent"] = time.perf_counter()

    def backward_begins(self) -> None:
        """The first gradient has come."""
        if self.steps and self.steps[-1]["backward"][0] is None:
            self.steps[-1]["backward"][0] = time.perf_counter()

    def backward_ends(self) -> None:
        """All gradients are the mean of all ranks."""
        if self.steps:
            self.steps[-1]["backward"][1] = time.perf_counter()
