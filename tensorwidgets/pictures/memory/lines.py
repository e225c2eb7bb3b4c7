"""Which line of a cell did what to memory: looks at the names between its statements, and records each allocation.

Statements run one after the other, as IPython runs them; those inside of loops and conditions have a call before them.
A line that can write to no array is not compared, and one that touches plain numbers alone is not looked at. The number
of looks is limited: beyond the limit, what a long loop writes is reported for the loop as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from ..arrays.contents import difference
from ..arrays.inside import arrays_in
from ..arrays.tracing.alive import Alive
from ..arrays.tracing.log import Log
from ..arrays.tracing.numpy_blocks import numpy_blocks
from ..arrays.tracing.torch_storages import torch_storages
from ..arrays.values import count
from .cells.comparing import Comparison, key_of
from .cells.harmless import ANYTHING, PLAIN, Harmless, Names, names_of
from .cells.leaks import Leak, leaks
from .cells.statements import LOOK, Line, inner_lines, lines_of, watch
from .cells.trace import Trace
from .census import Census, Change, census, change, place
from .kept_by_graphs import changed

MANY = 5000
"""From how many allocations on it is said that tracing took time; a look counts for twenty."""


class Watch:
    """Looks between the lines of a cell, and records what they allocate and free.

    `more` are further sources of allocations: contexts that write to a log. With `by_line=False` nothing is traced: the
    names before the cell are compared with those after it.
    """

    def __init__(
        self, names: Callable[[], Mapping[str, Any]],
        more: Callable[[Log], AbstractContextManager[Any]] = lambda log: nullcontext(), by_line: bool = True,
    ):  # fmt: skip
        self.names = names
        self.more = more
        self.by_line = by_line
        self.seen = Comparison(names)
        self.log = self.seen.log
        self._lines: list[Line] = []
        self._number, self._level, self._pending = -1, ANYTHING, False

    # -- running ------------------------------------------------------------------------------------

    def run(
        self, tree: ast.Module, source: str, run_one: Callable[[ast.stmt], None], space: MutableMapping[str, Any]
    ) -> None:
        """Runs the statements of a cell by `run_one`, in the namespace `space`, and looks after each."""
        if not self.by_line:
            for statement in tree.body:
                run_one(statement)
            return
        self._lines = lines_of(tree, source)
        self._simple: list[Names | None] = [names_of(line.statement) for line in self._lines]
        self._space = space
        self._harmless = Harmless()
        numbers = {id(line.statement): k for k, line in enumerate(self._lines)}
        space[LOOK] = self.step
        with ExitStack() as stack:
            stack.callback(space.pop, LOOK, None)
            stack.enter_context(numpy_blocks(self.log))
            stack.enter_context(self.more(self.log))
            with self.log.resting():
                arrays = [array for _, array in arrays_in(self.names())]
                alive = Alive(arrays, self.log)
                for s in self.seen.before.storages:
                    if s.planned:
                        continue
                    where = key_of(s)
                    self.log.was_there(where, s.nbytes)
                    if where not in alive.keys:
                        self.seen.guessed.add(where)
                listening = self._listen_to_torch(stack, arrays)
                del arrays
            for statement in tree.body:
                self._start(statement, numbers)
                run_one(statement)
                if not listening:
                    listening = self._listen_to_torch(stack, ())
            if self._pending:
                self._line_is_done()
            self.log.finish()

    def _listen_to_torch(self, stack: ExitStack, known: Sequence[Any]) -> bool:
        """Records PyTorch's storages, once PyTorch is imported."""
        with self.log.resting():
            storages = torch_storages(self.log, known, self.seen.guessed)
            if storages is None:
                return False
            self.seen.guessed -= storages.keys
            stack.enter_context(storages.mode)
        return True

    def _start(self, statement: ast.stmt, numbers: Mapping[int, int]) -> None:
        """An outer statement comes now. A loop that counts with plain numbers alone runs as it is."""
        inner = [self._simple[numbers[id(one)]] for one in inner_lines(statement)]
        plain = self._harmless.all_plain([self._simple[numbers[id(statement)]], *inner], self._space)
        if inner and not plain:
            watch(statement, numbers)
        self.step(numbers[id(statement)])

    def step(self, number: int) -> None:
        """The line with this number comes now."""
        level = self._harmless.judge(self._simple[number], self._space)
        looked = self._pending and self._line_is_done()
        self._level = level
        if level == ANYTHING and not self.seen.blind and not self.seen.prepared:
            self.seen.prepare(looked)
        if level != PLAIN:
            self._number = number
            self._pending = True
            self.log.enter(number)

    def _line_is_done(self) -> bool:
        """The line that ran last is done. Whether it was looked at."""
        self._pending = False
        if self.seen.blind or (self._level != ANYTHING and self._did_nothing()):
            return False
        self.seen.look(self._lines[self._number], self._number, self._level == ANYTHING)
        return True

    def _did_nothing(self) -> bool:
        """Whether a line that writes to no array has set plain numbers to what they were, and allocated nothing."""
        names = self._simple[self._number]
        assert names is not None
        if not self.seen.nothing_heard():
            return False
        sets = (*names.sets, *names.in_place)
        if any(one.name in sets for one in self.seen.now.names):
            return False
        return all(self._harmless.is_plain(self._space.get(name)) for name in sets)

    # -- the whole cell -------------------------------------------------------------------------------

    def finish(self) -> tuple[Census, Change]:
        """What is alive after the cell, and what the cell did in all."""
        if not self.by_line:
            after = census(self.names(), contents=False)
            return after, change(self.seen.before, after)
        if self.seen.blind:
            # Which of the lines did the rest is not known.
            line = self._lines[self._number]
            rest = Line(line.number, f"from line {line.number} on", line.statement)
            self.seen.look(rest, len(self._lines), may_write=True)
        after = self.seen.now = census(self.names(), contents=False)
        new, unseen, written = [], [], {}
        known = {place(s) for s in self.seen.before.storages}
        for s in after.storages:
            where = place(s)
            if where in self.seen.made:
                new.append(s)
            elif where in known:
                kept = self.seen.before.contents.get(where)
                if kept is None and s.nbytes:
                    unseen.append(s)
                result = difference(kept, s)
                if result is not None:
                    written[s.letter] = result
        return after, Change(
            tuple(new), written, tuple(self.seen.gone), tuple(unseen), changed(self.seen.before.graphs, after.graphs)
        )

    def trace(self) -> Trace:
        """What each line did, and what was alive when. Call it after `finish`."""
        if not self.by_line:
            return Trace()
        remarks = []
        if self.seen.blind:
            remarks.append("The cell took many steps: from some line on, what they wrote is counted together.")
        if self.seen.unread:
            remarks.append("There was much to compare: for some writes the line is not known.")
        if self.log.events > MANY or self.seen.looks > MANY // 20:
            notes, looks = (
                count(self.log.events, "allocation or free", "allocations and frees"),
                count(self.seen.looks, "look"),
            )
            remarks.append(f"Tracing took time: {notes}, {looks} between lines. %%memory whole traces nothing.")
        return Trace(tuple(self.seen.did), tuple(self._lines), self.log, self._hidden(), tuple(remarks))

    def _hidden(self) -> tuple[Leak, ...]:
        """What the cell allocated, or took the last name of, and what is alive all the same."""
        named = {self.log.find(*key_of(s)) for s in self.seen.now.storages}
        hidden = {
            key: block
            for key, block in self.log.blocks.items()
            if key not in named and key not in self.seen.guessed and key not in self.seen.now.graphs.alone
        }
        # Old outputs first: names such as _3 lead to them, too.
        outputs = {"Out": self._space["Out"]} if "Out" in self._space else {}
        return leaks(hidden, {**outputs, **self.names()}) if hidden else ()
