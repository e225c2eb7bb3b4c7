"""PyTorch's own readers, `torch.cuda._memory_viz` and `memory_summary`, on our snapshots and statistics."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tensorwidgets.engine.memory.caching.history import History
from tensorwidgets.engine.memory.caching.snapshot import snapshot
from tensorwidgets.engine.memory.caching.summary import summary
from tests.allocator.programs import Run
from tests.allocator.test_reference import REFERENCE

pytestmark = pytest.mark.torch


def whole_run(number: int) -> Run:
    program = REFERENCE[number]
    run = Run(program["total"], ",".join(f"{name}:{value}" for name, value in program["settings"].items()))
    run.allocator.record = History()
    for line in program["ops"]:
        run.step(line)
    return run


def original(number: int) -> dict[str, Any]:
    """What PyTorch's own run left, in the form that its readers take."""
    program = REFERENCE[number]
    events = []
    for action, where, size, stream in (event for step in program["trace"] for event in step):
        name = "device_free" if action == "oom" else "addr"
        events.append({"action": action, name: where, "size": size, "stream": stream, "frames": []})
    parts = []
    for address, total, kind, stream, allocated, *_, blocks in program["segments"]:
        named = [{"size": s, "requested_size": r, "state": state, "frames": []} for s, r, state in blocks]
        parts.append({
            "address": address, "total_size": total, "allocated_size": allocated, "segment_type": kind,
            "stream": stream, "blocks": named,
        })  # fmt: skip
    return {"segments": parts, "device_traces": [events]}


@pytest.mark.parametrize("number", range(150))
def test_the_viewer_reads_it_as_pytorchs_own(number: int) -> None:
    from torch.cuda import _memory_viz as viz

    allocator = whole_run(number).allocator
    facts, theirs, rows = snapshot([allocator]), original(number), list(allocator.blocks())
    facts["device_traces"][0].pop()  # the snapshot itself
    plain = copy.deepcopy(facts)
    for each in (*plain["device_traces"][0], *(block for s in plain["segments"] for block in s["blocks"])):
        each["frames"] = []
    assert viz.segsum(facts) == viz.segsum(theirs)
    if number != 97:  # several streams free in one step, in any order
        assert viz.trace(facts).splitlines()[:-1] == viz.trace(theirs).splitlines()[:-1]
    for draw in (viz.segments, viz.memory):
        assert draw(plain, format_flamegraph=str) == draw(theirs, format_flamegraph=str)
        drawn = draw(facts, format_flamegraph=str)
        assert "active_allocated;<non-python>" not in drawn
        assert ("programs.py" in drawn) == any(block.allocated for row in rows for block in row)
    before = original(random.Random(number).randrange(150))["segments"]
    assert viz.compare(before, plain["segments"], format_flamegraph=str) == viz.compare(
        before, theirs["segments"], format_flamegraph=str
    )
    assert "snapshot.pickle" in viz.trace_plot(facts)
    assert "snapshot.pickle" in viz.segment_plot(facts)


@pytest.mark.parametrize("abbreviated", [False, True])
@pytest.mark.parametrize("factor", [1, 3, 1000, 4_000_000])
def test_the_summary_is_pytorchs_to_the_character(
    abbreviated: bool, factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    for number in range(0, 150, 7):
        stats = {name: value * factor for name, value in whole_run(number).allocator.statistics.flat().items()}
        monkeypatch.setattr(torch.cuda.memory, "memory_stats", lambda device=None, stats=stats: stats)
        monkeypatch.setattr(torch.cuda.memory, "_get_device_index", lambda device, optional=False: 3)
        assert summary(stats, 3, abbreviated) == torch.cuda.memory.memory_summary(3, abbreviated)
