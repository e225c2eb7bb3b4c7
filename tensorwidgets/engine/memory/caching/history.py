"""What did the allocator do, and which of the user's lines made it do so?"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Collection
from time import time_ns
from types import CodeType
from typing import NamedTuple

from ...errors.package import PACKAGE
from ...errors.reasons import refuse
from .blocks import Block

ACTIONS = ("alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "oom", "snapshot")
DEEPEST = 32
"""Calls further out than this are not recorded."""


class Call(NamedTuple):
    """A call that led to an event, and the line that it had reached."""

    code: CodeType
    line: int

    def __str__(self) -> str:
        name = self.code.co_name
        return f"line {self.line}" if name == "<module>" else f"line {self.line}, in {name}"


class Calls(tuple[Call, ...]):
    """The user's calls that led to an event, the innermost first."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(self[0]) if self else "a call outside Python"


class Event(NamedTuple):
    """Something that the allocator did."""

    action: str
    address: int
    """Of a refusal (`oom`): how many bytes the driver has free."""
    size: int
    stream: int
    time_us: int
    calls: Calls
    metadata: str


class History:
    """Records the events of one allocator, by being its `record`.

    >>> from tensorwidgets.engine.memory.caching import CachingAllocator, SimulatedDriver
    >>> gpu = CachingAllocator(SimulatedDriver(total=8 << 20))
    >>> gpu.record = history = History()
    >>> block = gpu.allocate(1000)
    >>> gpu.free(block)
    >>> [event.action for event in history.events]
    ['segment_alloc', 'alloc', 'free_requested', 'free_completed']
    """

    def __init__(
        self, enabled: str = "all", context: str | None = "all", max_entries: int = sys.maxsize,
        skip_actions: Collection[str] = (),
    ) -> None:  # fmt: skip
        check("state", enabled, ("state", "all"))
        if context is not None:
            check("context", context, ("state", "alloc", "all"))
        for action in skip_actions:
            if action not in ACTIONS:
                _refuse(f"Unknown action type in skip_actions: {action}", ACTIONS)
        self.keeps_events = enabled == "all"
        self.context = context
        self.skipped = frozenset(skip_actions)
        self.events: deque[Event] = deque(maxlen=max_entries if max_entries < sys.maxsize else None)
        self.segments: dict[int, Calls] = {}
        """The calls that made the allocator request each segment."""
        self.metadata = ""
        """What the user wants to be added to all further events."""

    def __call__(self, action: str, address: int, size: int, stream: int, block: Block | None) -> None:
        begins = action in ("alloc", "segment_alloc")
        wanted = self.context == "all" or self.context == "alloc" and (begins or action == "oom")
        last = self.events[-1] if action == "free_completed" and self.events else None
        if last is not None and last.action == "free_requested" and last.address == address and last.calls:
            calls = last.calls  # one call of free() makes both events
        else:
            calls = users_calls() if wanted or begins and self.context else Calls()
        if block is not None and begins:
            block.where = calls if self.context else None
        elif action == "segment_alloc":
            self.segments[address] = calls
        elif action == "segment_free":
            self.segments.pop(address, None)
        if self.keeps_events and action not in self.skipped:
            if not wanted:
                calls = Calls()
            self.events.append(Event(action, address, size, stream, time_ns() // 1000, calls, self.metadata))


def users_calls() -> Calls:
    """The calls that led here, without those inside this package and outside the user's program."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back  # type: ignore[assignment]
    found: list[Call] = []
    while frame is not None and len(found) < DEEPEST:
        code = frame.f_code
        found.append(tuple.__new__(Call, (code, frame.f_lineno or 0)))  # as Call(…), in half the time
        if code.co_name == "<module>":  # the user's file or cell; what follows runs it
            break
        frame = frame.f_back  # type: ignore[assignment]
    return Calls(found)


def check(name: str, value: object, allowed: Collection[str]) -> None:
    """Refuse a word that is none of those allowed."""
    if value not in allowed:
        words = [f"'{word}'" for word in allowed]
        listed = f"{words[0]}, or {words[1]}" if name == "stacks" else f"{', '.join(words)}, or None"
        _refuse(f"expected {name} to be {listed}", allowed)


def _refuse(message: str, allowed: Collection[str]) -> None:
    refuse(RuntimeError, message, f"possible are {', '.join(allowed)}", rule="allocator.history")
