"""What did an allocator hold at each step? Rewound from the end, and replayed.

The trace of a long program begins somewhere in its middle, so the state at the beginning is found by undoing every
event from the end. States are kept for every `APART` steps; others are replayed from the one before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ...engine.memory.caching.rules import SMALL_SEGMENT, is_split, rounded
from ...engine.memory.caching.settings import Settings
from ..arrays.allocations import Event, Held, Recording, Segment

APART = 128
TAKEN, RETURNED = ("segment_alloc", "segment_map"), ("segment_free", "segment_unmap")


class Step(NamedTuple):
    """What one line of the user's program made the allocator do."""

    kind: str
    """alloc, free, late (a block whose stream is done), empty (segments go back), oom."""
    first: int
    last: int
    """Its first event, and the one after its last."""


class Span(NamedTuple):
    """A run of bytes of a segment: a block in use, or a hole (`held` is None)."""

    address: int
    size: int
    held: Held | None


@dataclass
class State:
    """What is held at one time."""

    segments: dict[int, Segment]
    blocks: dict[int, Held]

    def copy(self) -> State:
        return State(dict(self.segments), dict(self.blocks))


class Order:
    """The addresses of blocks and segments in order, to find what follows an address."""

    def __init__(self, state: State) -> None:
        self.blocks = sorted(state.blocks)
        self.segments = sorted(state.segments.values())

    def size(self, address: int, requested: int, settings: Settings) -> int:
        """How much a block takes: its rounded size, and what is left of its hole if that is not split off."""
        size = rounded(requested, settings)
        at = bisect_right(self.segments, (address, 1 << 63)) - 1
        if at < 0 or address >= self.segments[at].address + self.segments[at].size:
            return size
        segment = self.segments[at]
        end = segment.address + segment.size
        follows = bisect_right(self.blocks, address)
        if follows < len(self.blocks):
            end = min(end, self.blocks[follows])
        rest = end - address - size
        return end - address if rest > 0 and not is_split(rest, size, segment.small, settings) else size

    def note(self, event: Event) -> None:
        """Keep the order through one event."""
        action, address = event.action, event.address
        if action == "alloc":
            insort(self.blocks, address)
        elif action == "free_completed":
            at = bisect_left(self.blocks, address)
            if at < len(self.blocks) and self.blocks[at] == address:
                del self.blocks[at]
        elif action in TAKEN:
            insort(self.segments, Segment(address, event.size, event.stream, event.size <= SMALL_SEGMENT))
        elif action in RETURNED:
            self.segments = [segment for segment in self.segments if segment.address != address]


class States:
    """The states of a recording: number 0 is before the first step, number k after the k-th."""

    def name(self, number: int) -> str:
        """The name of a block: its own, or a letter."""
        return self.recording.names.get(number) or name_of(number)

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.steps = list(steps_of(recording.events))
        self.numbers: dict[int, int] = {}
        """The numbers of blocks by the event that allocated them."""
        self.sizes: dict[int, int] = {}
        """Their sizes, which depend on the hole that each was allocated in."""
        state = self._first()
        order = Order(state)
        self.kept = [state.copy()]
        self.about = [-1]
        """The number of the block that each step is about; -1 if there is none."""
        self.used = [sum(held.requested for held in state.blocks.values())]
        self.reserved = [sum(segment.size for segment in state.segments.values())]
        for k, step in enumerate(self.steps, 1):
            used, reserved = self.used[-1], self.reserved[-1]
            held = state.blocks.get(recording.events[step.first].address) if step.kind in ("free", "late") else None
            for at in range(step.first, step.last):
                event = recording.events[at]
                if event.action == "alloc":
                    self.numbers[at] = self._count
                    self._count += 1
                    self.sizes[at] = order.size(event.address, event.size, recording.settings)
                order.note(event)
                more_used, more_reserved = self._apply(state, at)
                used, reserved = used + more_used, reserved + more_reserved
            self.about.append(self.numbers[step.last - 1] if step.kind == "alloc" else held.number if held else -1)
            self.used.append(used)
            self.reserved.append(reserved)
            if k % APART == 0:
                self.kept.append(state.copy())
        self.refused = [k for k, step in enumerate(self.steps, 1) if step.kind == "oom"]
        """The steps at which a request was refused."""
        self.highest = max(recording.total or 0, *self.reserved, *self.used, 1)
        """The bytes at the top of a chart."""
        segments = [segment for state in self.kept for segment in state.segments.values()]
        self.largest = max((segment.size for segment in segments), default=0)
        """The size of the largest segment."""

    def at(self, k: int) -> State:
        """The state after the k-th step."""
        nearest = k // APART
        state = self.kept[nearest].copy()
        for step in self.steps[nearest * APART : k]:
            for at in range(step.first, step.last):
                self._apply(state, at)
        return state

    def _apply(self, state: State, at: int) -> tuple[int, int]:
        """One event; by how much it changes the bytes in use and those reserved."""
        action, address, size, stream, _ = self.recording.events[at]
        if action == "alloc":
            state.blocks[address] = Held(self.numbers[at], size, self.sizes[at], stream, False)
            return size, 0
        if action == "free_requested" and address in state.blocks:
            state.blocks[address] = state.blocks[address]._replace(waiting=True)
        elif action == "free_completed":
            gone = state.blocks.pop(address, None)
            return -gone.requested if gone else 0, 0
        elif action in TAKEN:
            state.segments[address] = Segment(address, size, stream, size <= SMALL_SEGMENT)
            return 0, size
        elif action in RETURNED:
            lost = state.segments.pop(address, None)
            return 0, -lost.size if lost else 0
        return 0, 0

    def _first(self) -> State:
        """The state before the first event."""
        recording = self.recording
        segments = {segment.address: segment for segment in recording.segments}
        blocks = dict(recording.blocks)
        for action, address, size, stream, _ in reversed(recording.events):
            if action == "alloc":
                blocks.pop(address, None)
            elif action == "free_requested":
                blocks[address] = Held(-1, size, 0, stream, False)
            elif action == "free_completed":
                blocks[address] = Held(-1, size, 0, stream, True)
            elif action in TAKEN:
                segments.pop(address, None)
            elif action in RETURNED:
                segments[address] = Segment(address, size, stream, size <= SMALL_SEGMENT)
        self._count = len(blocks)
        state = State({at: segments[at] for at in sorted(segments)}, {})
        order = Order(State(state.segments, blocks))
        for k, at in enumerate(sorted(blocks)):
            held = blocks[at]
            size = held.size or order.size(at, held.requested, recording.settings)
            state.blocks[at] = held._replace(number=k, size=size)
        return state

    def rows(self, state: State) -> list[tuple[Segment, list[Span]]]:
        """The spans of each segment; the oldest segment first."""
        order = sorted(state.blocks)
        return [(segment, list(self._spans(segment, state, order))) for segment in state.segments.values()]

    def _spans(self, segment: Segment, state: State, order: list[int]) -> Iterator[Span]:
        end = segment.address + segment.size
        inside = order[bisect_left(order, segment.address) : bisect_left(order, end)]
        if not inside or inside[0] > segment.address:
            yield Span(segment.address, (inside[0] if inside else end) - segment.address, None)
        for address, follows in pairwise([*inside, end]):
            held = state.blocks[address]
            size = min(held.size, follows - address)
            yield Span(address, size, held)
            if follows - address > size:
                yield Span(address + size, follows - address - size, None)


def steps_of(events: list[Event]) -> Iterator[Step]:
    """The events grouped by what the user did."""
    at, count = 0, len(events)
    while at < count:
        action = events[at].action
        begin = at
        if action.startswith("segment_"):
            while at + 1 < count and _goes_on(events[at], events[at + 1]):
                at += 1
            last = events[at].action
            kind = last if last in ("alloc", "oom") else "empty"
        elif action == "free_requested":
            done = at + 1 < count and events[at + 1].action == "free_completed"
            at += done and events[at + 1].address == events[at].address
            kind = "free"
        elif action in ("alloc", "oom"):
            kind = action
        elif action == "free_completed":
            kind = "late"
        else:  # a note of the allocator, such as a snapshot
            at += 1
            continue
        at += 1
        yield Step(kind, begin, at)


def _goes_on(one: Event, other: Event) -> bool:
    """Whether the next event belongs to the same call of the user."""
    same = _innermost(one) == _innermost(other)
    if one.action == "segment_free":
        return other.action == "segment_free" or same and other.action in ("segment_alloc", "oom")
    return one.action == "segment_alloc" and other.action == "alloc"


def _innermost(event: Event) -> object:
    return event.frames[0] if event.frames else None


def name_of(number: int) -> str:
    """The name of a block: a letter or more.

    >>> name_of(0), name_of(25), name_of(26), name_of(701), name_of(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    text = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(97 + letter) + text
    return text
