"""What does `torch.cuda.memory._snapshot()` return? Everything about the allocators, for PyTorch's viewer and ours."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import lru_cache
from os import PathLike
from typing import Any

from .allocator import CachingAllocator
from .blocks import Block
from .history import Calls, Event, History
from .settings import Settings

PROTOCOL = 4
"""The pickle format of the dump: the viewer of PyTorch's web page reads no later one."""
NO_POOL = (0, 0)


def snapshot(allocators: Iterable[CachingAllocator], include_traces: bool = True) -> dict[str, Any]:
    """The segments, the blocks and the recorded events of some allocators.

    >>> from tensorwidgets.engine.memory.caching import SimulatedDriver
    >>> gpu = CachingAllocator(SimulatedDriver(total=8 << 20))
    >>> block = gpu.allocate(1000)
    >>> segment = snapshot([gpu])["segments"][0]
    >>> segment["total_size"], [b["state"] for b in segment["blocks"]]
    (2097152, ['active_allocated', 'inactive'])
    """
    allocators = list(allocators)
    for allocator in allocators:
        if allocator.record:
            active = allocator.statistics.all.active_bytes.current
            allocator.record("snapshot", 0, active, 0, None)
    count = max((allocator.device for allocator in allocators), default=-1) + 1
    traces: list[list[dict[str, Any]]] = [[] for _ in range(count)]
    for allocator in allocators:
        if include_traces and isinstance(allocator.record, History):
            traces[allocator.device] = [event_facts(event) for event in allocator.record.events]
    return {
        "segments": [segment for allocator in allocators for segment in segments(allocator)],
        "device_traces": traces,
        "allocator_settings": settings_facts(allocators[0].settings if allocators else Settings()),
        "external_annotations": [],
    }


def dump(facts: dict[str, Any], path: str | PathLike[str]) -> None:
    """Write a snapshot to a file that PyTorch's viewer reads."""
    with open(path, "wb") as file:
        pickle.dump(facts, file, protocol=PROTOCOL)


def segments(allocator: CachingAllocator) -> list[dict[str, Any]]:
    """The segments of one allocator, in the order of addresses."""
    history = allocator.record if isinstance(allocator.record, History) else None
    found = []
    for row in allocator.blocks():
        first = row[0]
        active = [block for block in row if block.state != "inactive"]
        found.append({
            "device": allocator.device,
            "address": first.address,
            "total_size": sum(block.size for block in row),
            "allocated_size": sum(block.size for block in row if block.allocated),
            "active_size": sum(block.size for block in active),
            "requested_size": sum(block.requested for block in active),
            "stream": first.stream,
            "segment_type": first.pool.name,
            "segment_pool_id": NO_POOL,
            "is_expandable": False,
            "frames": frames(history.segments.get(first.address) if history else None),
            "blocks": [block_facts(block) for block in row],
        })  # fmt: skip
    return sorted(found, key=lambda segment: segment["address"])  # type: ignore[arg-type, return-value]


def block_facts(block: Block) -> dict[str, Any]:
    """One block."""
    return {
        "address": block.address, "size": block.size, "requested_size": block.requested, "state": block.state,
        "frames": frames(block.where),
    }  # fmt: skip


def event_facts(event: Event) -> dict[str, Any]:
    """One event."""
    where = "device_free" if event.action == "oom" else "addr"
    return {
        "action": event.action, where: event.address, "size": event.size, "stream": event.stream,
        "time_us": event.time_us, "compile_context": "N/A", "user_metadata": event.metadata, "pool_id": NO_POOL,
        "frames": frames(event.calls),
    }  # fmt: skip


def frames(calls: Calls | None) -> list[dict[str, Any]]:
    """The user's calls, the innermost first."""
    return [_frame(call.code.co_name, call.code.co_filename, call.line) for call in calls or ()]


@lru_cache(4096)
def _frame(name: str, filename: str, line: int) -> dict[str, Any]:
    """One call. Events share it, so that the file is a third as long."""
    return {"name": name, "filename": filename, "line": line}


def settings_facts(settings: Settings) -> dict[str, Any]:
    """The settings, by PyTorch's names."""
    unlimited = settings.max_split_size == Settings.max_split_size
    return {
        "PYTORCH_CUDA_ALLOC_CONF": settings.text,
        "max_split_size": -1 if unlimited else settings.max_split_size,
        "garbage_collection_threshold": settings.garbage_collection_threshold,
        "expandable_segments": False,
        "pinned_num_register_threads": 1,
        "release_lock_on_cudamalloc": False,
        "pinned_use_cuda_host_register": False,
        "roundup_power2_divisions": {
            str(1 << power): divisions for power, divisions in enumerate(settings.roundup_power2_divisions)
        },
        "graph_capture_record_stream_reuse": False,
    }
