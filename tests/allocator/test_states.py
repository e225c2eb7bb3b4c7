"""The states that pictures rewind from a snapshot are those that the allocator had at every step."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from tensorwidgets.engine.memory.caching.history import Event, History
from tensorwidgets.pictures.arrays.allocations import Recording, recording_of
from tensorwidgets.pictures.memory.allocator_states import APART, States
from tests.allocator.programs import Run, made_up

Row = tuple[int, list[tuple[int, int | None]]]


def true_rows(run: Run) -> list[Row]:
    """Segments and the sizes of their blocks, with the bytes requested of those in use; free ones have None."""
    return sorted(
        (row[0].address, [(b.size, b.requested if b.state != "inactive" else None) for b in row])
        for row in run.allocator.blocks()
    )


def drawn_rows(states: States, k: int) -> list[Row]:
    return sorted(
        (segment.address, [(s.size, s.held.requested if s.held else None) for s in spans])
        for segment, spans in states.rows(states.at(k))
    )


def run_and_note(seed: int) -> tuple[Run, list[tuple[int, list[Row]]]]:
    """A made-up program with its history, and the rows after each number of events."""
    total, settings, lines = made_up(seed)
    run = Run(total, settings)
    run.allocator.record = history = History()
    noted = [(0, true_rows(run))]
    for line in lines:
        run.step(line)
        noted.append((len(history.events), true_rows(run)))
    return run, noted


@pytest.mark.parametrize("seed", range(40))
def test_every_state_is_the_true_one(seed: int) -> None:
    run, noted = run_and_note(seed)
    states = States(recording_of(run.allocator))
    after = {step.last: k for k, step in enumerate(states.steps, 1)} | {0: 0}
    compared = 0
    for events, rows in noted:
        if events in after:
            k = after[events]
            assert drawn_rows(states, k) == rows
            assert states.reserved[k] == sum(size for _, blocks in rows for size, _ in blocks)
            assert states.used[k] == sum(asked or 0 for _, blocks in rows for _, asked in blocks)
            compared += 1
    assert compared > len(noted) / 2


def test_a_history_that_lost_its_beginning_is_rewound() -> None:
    run, noted = run_and_note(3)
    history = run.allocator.record
    assert isinstance(history, History)
    cut = len(history.events) - 25
    history.events = deque[Event](list(history.events)[cut:])
    states = States(recording_of(run.allocator))
    after = {step.last + cut: k for k, step in enumerate(states.steps, 1)}
    compared = [drawn_rows(states, after[events]) == rows for events, rows in noted if events in after]
    assert all(compared) and len(compared) > 5


def test_states_far_from_the_kept_ones() -> None:
    run = Run(1 << 30, "")
    run.allocator.record = History()
    rows: list[Any] = []
    for number in range(3 * APART):
        run.step(f"a {number} {5000 * number + 1} 0" if number % 3 else f"f {number - 2}")
        rows.append(true_rows(run))
    states = States(recording_of(run.allocator))
    missing = 3 * APART - len(states.steps)  # the first line frees what was never there
    for k in (1, APART - 1, APART, APART + 1, 2 * APART + 5, len(states.steps)):
        assert drawn_rows(states, k) == rows[k + missing - 1]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (7, "int where 'segments' is looked up"),
        ({}, "'segments' is None"),
        ({"segments": [{"address": -1, "total_size": 1, "blocks": []}]}, "not a whole number"),
        ({"segments": [], "device_traces": [[{"action": 3}]], "x": 0}, "'action' is an int"),
        ({"segments": [], "device_traces": 3}, "device_traces is not a list"),
        ({"segments": [], "device_traces": [[{"action": "alloc", "addr": 1 << 70, "size": 1}]]}, "not a whole number"),
    ],
)
def test_what_is_no_snapshot_is_refused(facts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        recording_of(facts)


def test_an_empty_snapshot_is_read() -> None:
    found = recording_of({"segments": [], "device_traces": []})
    assert isinstance(found, Recording)
    assert States(found).steps == []
