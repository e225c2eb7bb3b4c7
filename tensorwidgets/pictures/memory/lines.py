"""Which line of a cell did what to memory: looks at the names between its statements, and hears of each allocation.

Statements run one after the other, as IPython runs them; those inside of loops and conditions have a call before them.
A line that can write to no array is not compared, and one that touches plain numbers alone is not looked at. The number
of looks is limited: beyond the limit, what a long loop writes is reported for the loop as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from ..arrays.contents import COPIED, Kept, difference, keep
from ..arrays.inside import arrays_in
from ..arrays.storages import Storage
from ..arrays.tracing.alive import Alive
from ..arrays.tracing.log import Log
from ..arrays.tracing.numpy_blocks import numpy_blocks
from ..arrays.tracing.torch_storages import torch_storages
from .cells.harmless import Harmless, Names, names_of
from .cells.leaks import Leak, leaks
from .cells.statements import LOOK, Line, lines_of, watched
from .cells.trace import NOWHERE, Did, Key, Trace
from .census import Census, Change, Place, census, change, is_gone, place, same
from .kept_by_graphs import changed, whose

LOOKS, ARRAY = 200_000, 25
"""How many things are looked at between lines, in all, and how many of them an array counts for."""
COMPARED = 1 << 30
"""How many bytes are compared between lines, in all."""


class Watch:
    """Looks between the lines of a cell, and hears of what they allocate and free.

    `more` are further sources of allocations: contexts that tell a log. With `by_line=False` nothing is traced: the
    names before the cell are compared with those behind it.
    """

    def __init__(
        self, names: Callable[[], Mapping[str, Any]],
        more: Callable[[Log], AbstractContextManager[Any]] = lambda log: nullcontext(), by_line: bool = True,
    ):  # fmt: skip
        self.names = names
        self.more = more
        self.by_line = by_line
        self.did: list[Did] = []
        self.blind = False
        """Whether the limit of looks was reached."""
        self.unread = False
        """Whether the limit of bytes was reached, so that a line may have written more than is shown."""
        self.before = self._now = census(names())
        self.log = Log(sum(s.nbytes for s in self.before.storages))
        self._kept: dict[Place, Kept] = dict(self.before.contents)
        self._made: set[Place] = set()
        self._left: set[Place] = set()
        """Storages that had names and that only a graph keeps now."""
        self._gone: list[tuple[str, int]] = []
        self._looks, self._bytes = LOOKS, COMPARED
        self._line: Line | None = None
        self._number, self._level = -1, 0
        self._heard = 0
        """The number of the log's last event at the last look."""
        self._guessed: set[Key] = set()
        """Storages of which nobody tells when they die: they die when no name leads to them."""

    # -- running ------------------------------------------------------------------------------------

    def run(
        self, tree: ast.Module, source: str, run_one: Callable[[ast.stmt], None], space: MutableMapping[str, Any]
    ) -> None:
        """Runs the statements of a cell by `run_one`, in the namespace `space`, and looks behind each."""
        if not self.by_line:
            for statement in tree.body:
                run_one(statement)
            return
        self._lines = lines_of(tree, source)
        self._simple: list[Names | None] = [names_of(line.statement) for line in self._lines]
        self._space = space
        self._harmless = Harmless()
        numbers = {id(line.statement): k for k, line in enumerate(self._lines)}
        watched(self._lines)
        space[LOOK] = self.step
        with ExitStack() as stack:
            stack.callback(space.pop, LOOK, None)
            stack.enter_context(numpy_blocks(self.log))
            stack.enter_context(self.more(self.log))
            with self.log.resting():
                arrays = [array for _, array in arrays_in(self.names())]
                alive = Alive(arrays, self.log)
                for s in self.before.storages:
                    where = key_of(s)
                    self.log.was_there(where, s.nbytes)
                    if where not in alive.keys:
                        self._guessed.add(where)
                listening = self._listen_to_torch(stack, arrays)
                del arrays
            for statement in tree.body:
                self.step(numbers[id(statement)])
                run_one(statement)
                if not listening:
                    listening = self._listen_to_torch(stack, ())
            self._behind()
            self.log.finish()

    def _listen_to_torch(self, stack: ExitStack, known: Sequence[Any]) -> bool:
        """Hears of PyTorch's storages, once PyTorch is imported."""
        with self.log.resting():
            storages = torch_storages(self.log, known, self._guessed)
            if storages is None:
                return False
            self._guessed -= storages.keys
            stack.enter_context(storages.mode)
        return True

    def step(self, number: int) -> None:
        """The line with this number comes now."""
        self._behind()
        self._number = number
        self._line = self._lines[number]
        self._level = self._harmless.judge(self._simple[number], self._space)
        self.log.enter(number)

    def _behind(self) -> None:
        """The line that ran last is done."""
        if self._number >= 0 and self._level < 2 and not self.blind:
            with self.log.resting():
                self.look()
            self._settle()

    # -- looking --------------------------------------------------------------------------------------

    def look(self) -> None:
        """What the line that has just run did."""
        if self._line is None:
            return
        now = census(self.names(), contents=False)
        self._looks -= 1 + now.looked + ARRAY * len(now.names)
        before, self._now = self._now, now
        did = Did(self._line, self._number)
        self._compare_storages(did, before, now)
        self._compare_names(did, before, now)
        if self._level == 0 or did.made:
            self._compare_contents(did, now, self._level == 0)
        did.graph = changed(before.graphs, now.graphs)
        if did.is_something():
            self._add(did)
        self._heard = self.log.events
        if self._looks < 0:
            self.blind = True

    def _settle(self) -> None:
        """Tells the log what nobody told it: storages that were made or freed in some other way."""
        living = set()
        for s in self._now.storages:
            where = key_of(s)
            living.add(where)
            if s.nbytes and where[0] != "meta" and self.log.find(*where) is None:
                self._guessed.add(where)
                self.log.born(where, s.nbytes, small=True)
        for where in [w for w in self._guessed if w not in living and w not in self._now.graphs.alone]:
            self._guessed.discard(where)
            self.log.died(where)
        self._heard = self.log.events

    def _compare_storages(self, did: Did, before: Census, now: Census) -> None:
        for where in [p for p in self._left if p[:2] not in now.graphs.alone]:
            self._left.discard(where)
            self._made.discard(where)
            self._kept.pop(where, None)
            self._forget(where)
        again = {place(s) for s in now.storages if self._is_newer(s)}
        """Where memory was freed and other memory allocated since the last look."""
        there, here = ({place(s) for s in at.storages} - again for at in (before, now))
        for s in before.storages:
            if place(s) in again:
                self._freed(did, s, ", ".join(one.name for one in before.of(s)))
                continue
            if place(s) not in here and not any(same(s, one) for one in now.storages):
                names = ", ".join(one.name for one in before.of(s))
                if self._lives(s) and is_gone(s, now):
                    did.hidden.append((names, s.nbytes))
                    self._kept.pop(place(s), None)
                    continue
                if not is_gone(s, now):
                    did.left_to.append((names, s.nbytes, whose(now.graphs)))
                    self._left.add(place(s))
                    continue
                self._freed(did, s, names)
        for s in now.storages:
            old = [one for one in before.storages if place(one) not in again]
            if place(s) not in there and not any(same(s, one) for one in old):
                self._made.add(place(s))
                if self.log.line_of(*key_of(s)) in (None, self._number):
                    did.made.append((place(s), s.nbytes, " and ".join(one.name for one in now.of(s))))

    def _freed(self, did: Did, s: Storage, names: str) -> None:
        did.freed.append((names, s.nbytes))
        self._kept.pop(place(s), None)
        self._forget(place(s))
        if place(s) in self._made:
            self._made.discard(place(s))
        else:
            self._gone.append((names, s.nbytes))

    def _is_newer(self, s: Storage) -> bool:
        """Whether memory was allocated since the last look."""
        where = self.log.find(*key_of(s))
        return where is not None and self.log.blocks[where].number > self._heard

    def _lives(self, s: Storage) -> bool:
        """Whether a storage without names is alive all the same: its death would have been told."""
        where = self.log.find(*key_of(s))
        return where is not None and where not in self._guessed and self.log.blocks[where].nbytes == s.nbytes

    def _forget(self, gone: Place) -> None:
        """Another storage may come to lie at this place, and earlier lines did nothing to that."""
        for did in self.did:
            did.made = [(NOWHERE if p == gone else p, n, names) for p, n, names in did.made]
            did.wrote = [(NOWHERE if p == gone else p, written) for p, written in did.wrote]
            did.bound = [(name, NOWHERE if p == gone else p) for name, p in did.bound]
            did.lost = [(name, NOWHERE if p == gone else p) for name, p in did.lost]

    def _compare_names(self, did: Did, before: Census, now: Census) -> None:
        new = {where for where, _, _ in did.made}
        old, here = _places(before), _places(now)
        living = {place(s) for s in now.storages}
        did.bound += [(n, p) for n, p in here.items() if old.get(n) != p and p not in new]
        did.lost += [(n, p) for n, p in old.items() if here.get(n) != p and p in living]

    def _compare_contents(self, did: Did, now: Census, all_of_them: bool) -> None:
        fresh: list[Storage] = []
        for s in now.storages:
            where = place(s)
            if where not in self._kept:
                fresh.append(s)
                continue
            if not all_of_them:
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
        for k, known in enumerate(self.did):
            if known.number == did.number:
                did.times = known.times + 1
                self.did[k] = did
                return
        did.times = 1
        self.did.append(did)

    # -- the whole cell -------------------------------------------------------------------------------

    def finish(self) -> tuple[Census, Change]:
        """What is alive behind the cell, and what the cell did in all."""
        if not self.by_line:
            after = census(self.names(), contents=False)
            return after, change(self.before, after)
        if self.blind and self._line is not None:
            # Which of the lines did the rest is not known.
            self._line = Line(self._line.number, f"from line {self._line.number} on", self._line.statement)
            self._number, self._level = len(self._lines), 0
            self.look()
        after = self._now = census(self.names(), contents=False)
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

    def trace(self) -> Trace:
        """What each line did, and what was alive when. To be asked behind `finish`."""
        if not self.by_line:
            return Trace()
        remarks = []
        if self.blind:
            remarks.append("The cell took many steps: from some line on, what they wrote is counted together.")
        if self.unread:
            remarks.append("There was much to compare: for some writes the line is not known.")
        return Trace(tuple(self.did), tuple(self._lines), self.log, self._hidden(), tuple(remarks))

    def _hidden(self) -> tuple[Leak, ...]:
        """What the cell allocated, or took the last name of, and what is alive all the same."""
        named = {self.log.find(*key_of(s)) for s in self._now.storages}
        hidden = {
            key: block
            for key, block in self.log.blocks.items()
            if key not in named and key not in self._guessed and key not in self._now.graphs.alone
        }
        return leaks(hidden, self.names()) if hidden else ()


def _places(now: Census) -> dict[str, Place]:
    return {one.name: place(s) for s in now.storages for one in now.of(s)}


def key_of(storage: Storage) -> Key:
    """Where a storage begins."""
    return storage.layouts[0].device, storage.start
