"""Snapshots: the facts of blocks, segments, events and lines, the file, and PyTorch's own viewer."""

from __future__ import annotations

import inspect
import pickle
import pickletools
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.engine.memory.caching import CachingAllocator, OutOfMemoryError, SimulatedDriver
from tensorwidgets.engine.memory.caching.history import History
from tensorwidgets.engine.memory.caching.snapshot import dump, snapshot

MIB = 1 << 20


def recorded(total: int = 44 * MIB, **options: Any) -> tuple[CachingAllocator, History]:
    allocator = CachingAllocator(SimulatedDriver(total))
    allocator.record = history = History(**options)
    return allocator, history


def test_segments_and_blocks() -> None:
    allocator, _ = recorded()
    first = allocator.allocate(6 * MIB)
    allocator.allocate(1000)
    allocator.free(first)
    small, large = sorted(snapshot([allocator])["segments"], key=lambda segment: segment["total_size"])
    assert {key: small[key] for key in small if key not in ("frames", "blocks")} == {
        "device": 0, "address": 0x700001400000, "total_size": 2 * MIB, "allocated_size": 1024, "active_size": 1024,
        "requested_size": 1000, "stream": 0, "segment_type": "small", "segment_pool_id": (0, 0), "is_expandable": False,
    }  # fmt: skip
    assert [(b["size"], b["requested_size"], b["state"]) for b in small["blocks"]] == [
        (1024, 1000, "active_allocated"), (2 * MIB - 1024, 0, "inactive"),
    ]  # fmt: skip
    assert [(b["size"], b["state"]) for b in large["blocks"]] == [(20 * MIB, "inactive")]


def test_events_have_the_users_line() -> None:
    allocator, history = recorded()
    here = inspect.currentframe()
    assert here is not None
    block = allocator.allocate(1000)
    line = here.f_lineno - 1
    allocator.free(block)
    facts = snapshot([allocator])["device_traces"][0]
    assert [event["action"] for event in facts] == [
        "segment_alloc", "alloc", "free_requested", "free_completed", "snapshot",
    ]  # fmt: skip
    frame = facts[1]["frames"][0]
    assert (frame["filename"], frame["line"], frame["name"]) == (__file__, line, here.f_code.co_name)
    assert facts[2]["frames"][0]["line"] == line + 2
    assert set(facts[1]) == {
        "action", "addr", "size", "stream", "time_us", "compile_context", "user_metadata", "pool_id", "frames",
    }  # fmt: skip
    assert len(history.events) == 5


def test_a_refusal_is_an_event_and_names_the_line_whose_end_makes_room() -> None:
    allocator, _ = recorded(44 * MIB)
    held = [allocator.allocate(size * MIB) for size in (12, 12, 14)]
    with pytest.raises(OutOfMemoryError) as refused:
        allocator.allocate(13 * MIB)
    event = snapshot([allocator])["device_traces"][0][-2]
    assert (event["action"], event["device_free"], event["size"]) == ("oom", 6 * MIB, 13 * MIB)
    assert "addr" not in event
    assert "free the block of 14.00 MiB that line " in refused.value.__notes__[0]
    assert len(held) == 3


@pytest.mark.parametrize(
    ("options", "traced", "in_block", "in_free"),
    [
        ({}, 4, True, True),
        ({"enabled": "state"}, 0, True, False),
        ({"context": None}, 4, False, False),
        ({"context": "state"}, 4, True, False),
        ({"context": "alloc"}, 4, True, False),
        ({"max_entries": 2}, 2, True, True),
        ({"skip_actions": ["free_requested", "snapshot"]}, 3, True, True),
    ],
)
def test_what_is_recorded(options: dict[str, Any], traced: int, in_block: bool, in_free: bool) -> None:
    allocator, history = recorded(**options)
    allocator.free(allocator.allocate(1000))
    assert len(history.events) == traced
    assert [bool(e.calls) for e in history.events if e.action == "free_completed"] == [in_free] * bool(traced)
    allocator.allocate(1000)
    assert bool(snapshot([allocator])["segments"][0]["blocks"][0]["frames"]) is in_block


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"enabled": "some"}, "expected state to be 'state', 'all', or None"),
        ({"context": "some"}, "expected context to be 'state', 'alloc', 'all', or None"),
        ({"skip_actions": ["some"]}, "Unknown action type in skip_actions: some"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        History(**options)


def test_the_file_has_only_plain_numbers_of_an_old_pickle(tmp_path: Path) -> None:
    allocator, _ = recorded()
    allocator.allocate(1000)
    facts = snapshot([allocator])
    dump(facts, tmp_path / "snapshot.pickle")
    data = (tmp_path / "snapshot.pickle").read_bytes()
    assert pickle.loads(data) == facts
    operations = [(op.name, argument) for op, argument, _ in pickletools.genops(data)]
    assert ("PROTO", 4) in operations
    assert not {"GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD"} & {name for name, _ in operations}
    assert all(argument < 1 << 53 for _, argument in operations if isinstance(argument, int))
