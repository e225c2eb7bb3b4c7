"""The caching allocator against PyTorch's own: 150 programs that PyTorch 2.13's CUDA allocator ran.

They ran on a runtime that hands out addresses and computes nothing: grains of 2 MiB, the lowest free address from
0x700000000000. The file holds each program's lines, the events of every line, and at the end all blocks, statistics and
messages.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.allocator.programs import Run, segments

REFERENCE = json.loads(gzip.decompress((Path(__file__).parent / "reference.json.gz").read_bytes()))


def test_the_reference_is_whole() -> None:
    assert len(REFERENCE) == 150
    assert sum(len(program["ops"]) for program in REFERENCE) == 9262
    assert sum(len(program["errors"]) for program in REFERENCE) == 410


@pytest.mark.parametrize("number", range(150))
def test_events_blocks_statistics_and_messages(number: int) -> None:
    program = REFERENCE[number]
    run = Run(program["total"], ",".join(f"{name}:{value}" for name, value in program["settings"].items()))
    for step, (line, events) in enumerate(zip(program["ops"], program["trace"], strict=True)):
        message = run.step(line)
        assert message == program["errors"].get(str(step)), (step, line)
        assert _in_order(run.events) == _in_order(events), (step, line)
    assert segments(run.allocator) == program["segments"]
    counted: dict[str, Any] = dict(vars(run.allocator.statistics))
    for name, stat in run.allocator.statistics.stats().items():
        counted[name] = [stat.current, stat.peak, stat.allocated, stat.freed]
    assert {name: counted[name] for name in program["stats"]} == program["stats"]


def _in_order(events: list[list[Any]]) -> list[list[Any]]:
    """What several streams free in one step comes in any order; what one stream does, in its own."""
    freed = [event for event in events if event[0] == "free_completed"]
    if len({event[3] for event in freed}) < 2:
        return events
    return sorted(freed) + [event for event in events if event[0] != "free_completed"]
