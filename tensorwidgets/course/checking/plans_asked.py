"""Exercises whose answer is a plan: lines that allocate and free, which the caching allocator itself runs.

A line is `a = 5`, which takes 5 MiB under the name a, or `del a`. No tensor is made: the allocator only keeps accounts,
so a plan is judged the same on every machine and with every library.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tensorwidgets.engine.memory.caching import Block as Held
from tensorwidgets.engine.memory.caching import CachingAllocator, OutOfMemoryError, SimulatedDriver
from tensorwidgets.engine.memory.caching.history import History
from tensorwidgets.pictures.arrays.allocations import recording_of
from tensorwidgets.pictures.drawing.scene import Block
from tensorwidgets.pictures.memory.allocator import states_picture
from tensorwidgets.pictures.memory.allocator_states import States

from .plainly import as_text, plainly
from .verdict import Exercise, Fact, Verdict, not_started

MIB = 1 << 20
LINE = re.compile(r"\s*(?:(?P<name>[A-Za-z]\w*)\s*=\s*(?P<size>\d+(?:\.\d+)?)|del\s+(?P<gone>[A-Za-z]\w*))\s*")
MOST_LINES = 60


@dataclass
class Ran:
    """What became of a plan."""

    lines: tuple[str, ...]
    allocator: CachingAllocator
    names: dict[int, str] = field(default_factory=dict)
    """The names of the blocks, in the order in which they were allocated."""
    stopped: int = -1
    """The number of the line that was not carried out; -1 if all were."""
    why: str = ""
    """`unreadable`, `unknown` (a name that holds nothing), `refused` (out of memory)."""

    @property
    def free(self) -> int:
        """All bytes that nobody uses, cached or not reserved."""
        return self.allocator.driver.total - self.allocator.allocated

    def pictured(self) -> tuple[Block, ...]:
        """The allocator after the last line."""
        recording = recording_of(self.allocator)
        recording.names, recording.own = self.names, False
        return tuple(states_picture(States(recording)).blocks)


def ran(lines: tuple[str, ...], memory: int) -> Ran:
    """Run a plan on a GPU of so many MiB.

    >>> done = ran(("a = 5", "b = 6", "del a"), 44)
    >>> done.why, done.free // MIB, done.allocator.reserved // MIB
    ('', 38, 20)
    >>> ran(("a = 50",), 44).why, ran(("del a",), 44).why, ran(("a + 5",), 44).why
    ('refused', 'unknown', 'unreadable')
    """
    allocator = CachingAllocator(SimulatedDriver(memory * MIB))
    allocator.record, allocator.what = History(context=None), "simulated GPU"
    result, held = Ran(lines, allocator), dict[str, Held]()
    for number, line in enumerate(lines):
        said = LINE.fullmatch(line)
        result.stopped = number
        if said is None or said["size"] and not 0 < float(said["size"]) <= 1 << 20:
            result.why = "unreadable"
            return result
        if said["gone"]:
            if said["gone"] not in held:
                result.why = "unknown"
                return result
            allocator.free(held.pop(said["gone"]))
            continue
        before = held.pop(said["name"], None)  # as in Python, the new tensor is made before the old one ends
        try:
            held[said["name"]] = allocator.allocate(int(float(said["size"]) * MIB))
        except OutOfMemoryError:
            result.why = "refused"
            return result
        result.names[len(result.names)] = said["name"]
        if before is not None:
            allocator.free(before)
    result.stopped = -1
    return result


@dataclass(frozen=True, kw_only=True)
class PlanExercise(Exercise):
    """A plan that has to lead to something. `outcome` puts into a word where it led."""

    memory: int
    """MiB of the GPU."""
    last: tuple[str, ...] = ()
    """Lines that follow the plan."""
    outcome: Callable[[Ran], str]
    """`done`, or a word for what is wrong. Mistakes with the same word get the same hint."""
    facts_of: Callable[[Ran], tuple[Fact, ...]]

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ... or isinstance(answer, (list, tuple)) and answer and all(line is ... for line in answer):
            return not_started()
        if not isinstance(answer, (list, tuple)) or not all(isinstance(line, str) for line in answer):
            return Verdict(
                "not yet",
                "your plan",
                f"is {as_text(plainly(answer))}; it should be a list of lines in quotation marks",
            )
        if len(answer) > MOST_LINES:
            return Verdict("not yet", "your plan", f"has {len(answer)} lines; {MOST_LINES} are more than enough")
        mine = self.run(answer)
        found, facts, seen = self.outcome(mine), self.facts_of(mine), mine.pictured()
        if found == "done":
            return Verdict("done", f"{len(answer)} lines", "lead to what was asked for", facts=facts, seen=seen)
        hint = next((m.hint for m in self.mistakes if self.outcome(self.run(m.answer)) == found), "")
        return Verdict("not yet", *self._said(mine), hint, facts, seen)

    def run(self, lines: Any) -> Ran:
        """What becomes of an answer and of the lines after it."""
        return ran((*lines, *self.last), self.memory)

    def _said(self, mine: Ran) -> tuple[str, str]:
        if mine.stopped < 0:
            return "the last line", "is carried out"
        line = f"line {mine.stopped + 1}, {as_text(mine.lines[mine.stopped])},"
        return line, {"refused": "is refused: out of memory", "unknown": "ends a tensor that is not there"}.get(
            mine.why, "is not a line of a plan: write 'a = 5' or 'del a'"
        )
