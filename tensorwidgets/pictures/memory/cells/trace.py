"""What the watch over a cell wrote down: for each line, what it did; and what was alive when."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...arrays.contents import Written
from ...arrays.tracing.log import Log
from ..census import Place
from .leaks import Leak
from .statements import Line

Key = tuple[str, int]
"""The device and the address of a storage."""
NOWHERE: Place = ("", 0, 0)
"""Where a storage lay that is gone."""


@dataclass
class Did:
    """What a line did, each time that it ran."""

    line: Line
    number: int = 0
    """Which of the cell's statements it is, counted from 0."""
    times: int = 0
    """How often it did anything that can be seen."""
    made: list[tuple[Place, int, str]] = field(default_factory=list)
    """Storages that were not there before: place, bytes, names."""
    freed: list[tuple[str, int]] = field(default_factory=list)
    """Names and bytes of storages that are there no more."""
    bound: list[tuple[str, Place]] = field(default_factory=list)
    """Names that lead to a storage that was there before."""
    lost: list[tuple[str, Place]] = field(default_factory=list)
    """Names that lead no more to a storage that is still there."""
    wrote: list[tuple[Place, Written]] = field(default_factory=list)
    rewrote: list[Place] = field(default_factory=list)
    """Storages that were written to, and each place what it had."""
    graph: tuple[int, int] = (0, 0)
    """Bytes that graphs keep alone after it and did not before, and the other way around."""
    left_to: list[tuple[str, int, str]] = field(default_factory=list)
    """Names and bytes of storages that only a graph keeps now, and whose it is."""
    hidden: list[tuple[str, int]] = field(default_factory=list)
    """Names and bytes of storages that live on, and no name leads there."""

    def is_something(self) -> bool:
        """Whether there is anything to say."""
        lists = (self.made, self.freed, self.bound, self.lost, self.wrote, self.rewrote, self.left_to, self.hidden)
        return any(lists) or any(self.graph)


@dataclass(frozen=True)
class Trace:
    """What each line of a cell did, and what was alive when. Empty where nothing was traced."""

    did: tuple[Did, ...] = ()
    lines: tuple[Line, ...] = ()
    log: Log | None = None
    leaks: tuple[Leak, ...] = ()
    """What is alive after the cell and no name leads to."""
    remarks: tuple[str, ...] = ()
    """What was not looked at, in words."""
