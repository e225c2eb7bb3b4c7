"""Which line of a cell did what to memory: looks at the names between its statements.

Statements run one after the other, as IPython runs them. Inside of loops and other compound statements a trace
function looks between lines. The number of looks is limited: beyond the limit, what a long loop does is reported for
the loop as a whole.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..arrays.contents import COPIED, Kept, Written, difference, keep
from ..arrays.storages import Storage
from .census import Census, Change, Place, census, is_gone, place, same
from .kept_by_graphs import changed, whose

LOOKS, ARRAY = 200_000, 25
"""How many things are looked at between lines, in all, and how many of them an array counts for."""
COMPARED = 1 << 30
"""How many bytes are compared between lines, in all."""


NOWHERE: Place = ("", 0, 0)
"""Where a storage lay that is gone."""


@dataclass(frozen=True)
class Line:
    """A statement of the cell: its number and its source."""

    number: int
    source: str


@dataclass
class Did:
    """What a line did, each time that it ran."""

    line: Line
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
    graph: tuple[int, int] = (0, 0)
    """Bytes that graphs keep alone behind it and did not before, and the other way around."""
    left_to: list[tuple[str, int, str]] = field(default_factory=list)
    """Names and bytes of storages that only a graph keeps now, and whose it is."""


class Watch:
    """Looks between the lines of a cell."""

    def __init__(self, names: Callable[[], Mapping[str, Any]]):
        self.names = names
        self.did: list[Did] = []
        self.blind = False
        """Whether the limit of looks was reached."""
        self.unread = False
        """Whether the limit of bytes was reached, so that a line may have written more than is shown."""
        self.before = self._now = census(names())
        self._kept: dict[Place, Kept] = dict(self.before.contents)
        self._made: set[Place] = set()
        self._left: set[Place] = set()
        """Storages that had names and that only a graph keeps now."""
        self._gone: list[tuple[str, int]] = []
        self._looks, self._bytes = LOOKS, COMPARED
        self._line: Line | None = None

    # -- running ------------------------------------------------------------------------------------

    def run(self, tree: ast.Module, source: str, run_one: Callable[[ast.stmt], None], filename: str) -> None:
        """Runs the statements of a cell by `run_one`, and looks behind each."""
        lines = lines_of(tree, source)
        for statement in tree.body:
            self._line = lines[id(statement)]
            with self._inside(lines, filename) if _is_compound(statement) else _nothing():
                run_one(statement)
            self.look()

    @contextmanager
    def _inside(self, lines: Mapping[int, Line], filename: str) -> Iterator[None]:
        """Compares between the lines of a compound statement, unless another tracer is active."""
        if sys.gettrace() is not None:
            yield
            return

        def local(frame: FrameType, event: str, arg: Any) -> Any:
            here = lines.get(frame.f_lineno)
            if event == "line" and here is not None and here is not self._line:
                self.look()
                self._line = here
            return None if self.blind else local

        def calls(frame: FrameType, event: str, arg: Any) -> Any:
            mine = frame.f_code.co_filename == filename and frame.f_code.co_name == "<module>"
            return local if mine and not self.blind else None

        sys.settrace(calls)
        try:
            yield
        finally:
            if sys.gettrace() is calls:
                sys.settrace(None)

    # -- looking --------------------------------------------------------------------------------------

    def look(self, last: bool = False) -> None:
        """What the line that has just run did."""
        if self._line is None or (self.blind and not last):
            return
        now = census(self.names(), contents=False)
        self._looks -= 1 + now.looked + ARRAY * len(now.names)
        before, self._now = self._now, now
        did = Did(self._line)
        self._compare_storages(did, before, now)
        self._compare_names(did, before, now)
        self._compare_contents(did, now)
        did.graph = changed(before.graphs, now.graphs)
        if did.made or did.freed or did.bound or did.lost or did.wrote or did.left_to or any(did.graph):
            self._add(did)
        if self._looks < 0:
            self.blind = True

    def _compare_storages(self, did: Did, before: Census, now: Census) -> None:
        for where in [p for p in self._left if p[:2] not in now.graphs.alone]:
            self._left.discard(where)
            self._made.discard(where)
            self._kept.pop(where, None)
            self._forget(where)
        there, here = {place(s) for s in before.storages}, {place(s) for s in now.storages}
        for s in before.storages:
            if place(s) not in here and not any(same(s, one) for one in now.storages):
                names = ", ".join(one.name for one in before.of(s))
                if not is_gone(s, now):
                    did.left_to.append((names, s.nbytes, whose(now.graphs)))
                    self._left.add(place(s))
                    continue
                did.freed.append((names, s.nbytes))
                self._kept.pop(place(s), None)
                self._forget(place(s))
                if place(s) in self._made:
                    self._made.discard(place(s))
                else:
                    self._gone.append((names, s.nbytes))
        for s in now.storages:
            if place(s) not in there and not any(same(s, one) for one in before.storages):
                did.made.append((place(s), s.nbytes, " and ".join(one.name for one in now.of(s))))
                self._made.add(place(s))

    def _forget(self, gone: Place) -> None:
        """Another storage may come to lie at this place, and earlier lines did nothing to that."""
        for did in self.did:
            did.made = [(NOWHERE if p == gone else p, n, names) for p, n, names in did.made]
            did.wrote = [(NOWHERE if p == gone else p, written) for p, written in did.wrote]
            did.bound = [(name, p) for name, p in did.bound if p != gone]
            did.lost = [(name, p) for name, p in did.lost if p != gone]

    def _compare_names(self, did: Did, before: Census, now: Census) -> None:
        new = {where for where, _, _ in did.made}
        old, here = _places(before), _places(now)
        living = {place(s) for s in now.storages}
        did.bound += [(n, p) for n, p in here.items() if old.get(n) != p and p not in new]
        did.lost += [(n, p) for n, p in old.items() if here.get(n) != p and p in living]

    def _compare_contents(self, did: Did, now: Census) -> None:
        fresh: list[Storage] = []
        for s in now.storages:
            where = place(s)
            if where not in self._kept:
                fresh.append(s)
                continue
            self._bytes -= s.nbytes
            if self._bytes < 0:
                self.unread = True
                return
            result = difference(self._kept[where], s)
            if result is not None:
                did.wrote.append((where, result))
                self._keep([s])
        self._keep(fresh)

    def _keep(self, storages: Sequence[Storage]) -> None:
        """Copies what storages hold now, as far as there is room."""
        for s in storages:
            self._kept.pop(place(s), None)
        room = COPIED - sum(len(kept) for kept in self._kept.values() if isinstance(kept, bytes))
        self._kept.update(zip(map(place, storages), keep(storages, max(room, 0)), strict=True))

    def _add(self, did: Did) -> None:
        for known in self.did:
            if known.line is did.line:
                known.times += 1
                known.made, known.bound, known.lost = did.made, did.bound, did.lost
                known.freed, known.wrote = did.freed, did.wrote
                known.graph, known.left_to = did.graph, did.left_to
                return
        did.times = 1
        self.did.append(did)

    # -- the whole cell -------------------------------------------------------------------------------

    def finish(self) -> tuple[Census, Change]:
        """What is alive behind the cell, and what the cell did in all."""
        if self.blind and self._line is not None:
            # Which of the lines did the rest is not known.
            self._line = Line(self._line.number, f"from line {self._line.number} on")
            self.look(last=True)
        after = census(self.names(), contents=False)
        new, unseen, written = [], [], {}
        known = {place(s) for s in self.before.storages}
        for s in after.storages:
            where = place(s)
            if where in self._made:
                new.append(s)
            elif where in known:
                kept = self.before.contents.get(where)
                if kept is None and s.nbytes:
                    unseen.append(s)
                result = difference(kept, s)
                if result is not None:
                    written[s.letter] = result
        return after, Change(
            tuple(new), written, tuple(self._gone), tuple(unseen), changed(self.before.graphs, after.graphs)
        )

    def limits(self) -> list[str]:
        """What was not looked at, in words."""
        said = []
        if self.blind:
            said.append("The cell took many steps: from some line on they are counted together.")
        if self.unread:
            said.append("There was much to compare: for some writes the line is not known.")
        return said


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def _places(now: Census) -> dict[str, Place]:
    return {one.name: place(s) for s in now.storages for one in now.of(s)}


def _is_compound(statement: ast.stmt) -> bool:
    """Whether lines of it run one by one in the cell itself: loops and conditions, not definitions."""
    return hasattr(statement, "body") and not isinstance(
        statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    )


def lines_of(tree: ast.Module, source: str) -> dict[int, Line]:
    """The statement that each line of a cell belongs to, by number, and the line of each outer statement, by its id.

    >>> source = "x = [\\n  1,\\n]\\nfor i in x:\\n    y = i"
    >>> {n: line.source for n, line in lines_of(ast.parse(source), source).items() if n < 9}
    {1: 'x = [1]', 2: 'x = [1]', 3: 'x = [1]', 4: 'for i in x:', 5: 'y = i'}
    """
    text = source.splitlines()
    collected: dict[int, Line] = {}

    def add(body: Sequence[ast.stmt]) -> None:
        starts = [statement.lineno for statement in body]
        for statement in body:
            inner = statement.body if _is_compound(statement) else []  # type: ignore[attr-defined]
            stop = inner[0].lineno if inner else (statement.end_lineno or statement.lineno) + 1
            several = starts.count(statement.lineno) > 1 or stop > statement.lineno + 1
            head = text[statement.lineno - 1].strip()
            if several and not hasattr(statement, "body"):
                head = ast.unparse(statement)
            line = collected[id(statement)] = Line(statement.lineno, head)
            for number in range(statement.lineno, max(stop, statement.lineno + 1)):
                collected.setdefault(number, line)
            if inner:
                branches = [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
                for part in [inner, getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]:
                    add(part)
                for branch in branches:
                    add(branch.body)

    add(tree.body)
    return collected
