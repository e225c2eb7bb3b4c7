"""A log of allocations: how many bytes were alive at which moment, and which line of code allocated and freed them.

>>> log = Log(start=100)
>>> log.enter(1); log.born("a", 800); log.born("b", 400); log.died("a")
>>> log.enter(2); log.died("b")
>>> log.finish()
>>> log.peak, log.alive, [(run.line, run.allocated, run.freed, run.peak, run.end) for run in log.runs]
(1300, 100, [(1, 1200, 800, 1300, 500), (2, 0, 400, 500, 100)])
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

SMALL = 16
"""The largest block, in bytes, that is a number in passing and not an array: counted only if a name keeps it."""
BEFORE = -1
"""The line of blocks that were there before the first one."""
RUNS = 80
"""How many runs of lines have a column of their own in the timeline; of more, neighbours are joined."""


class Block(NamedTuple):
    """Memory that was allocated and is alive."""

    nbytes: int
    line: int
    """The line that allocated it."""
    number: int = 0
    """The number of the event that it was allocated by, counted from 1."""


@dataclass(slots=True)
class Run:
    """A line as it ran once; or several lines that ran one after the other, joined."""

    line: int
    last: int
    """The last of the lines, if there are several."""
    allocated: int = 0
    freed: int = 0
    peak: int = 0
    """The most bytes that were alive while it ran."""
    end: int = 0
    """The bytes that are alive after it."""

    def join(self, later: Run) -> None:
        """Adds the run that follows."""
        self.last = later.last
        self.allocated += later.allocated
        self.freed += later.freed
        self.peak = max(self.peak, later.peak)
        self.end = later.end


@dataclass(slots=True)
class Spent:
    """What all runs of a line allocated and freed."""

    allocated: int = 0
    freed: int = 0
    blocks: int = 0
    """How many blocks it allocated."""
    peak: int = 0
    end: int = 0
    before: int = 0
    """Bytes that were alive before its last run."""
    runs: int = 0


@dataclass
class Log:
    """What was allocated and freed, in order."""

    start: int = 0
    """Bytes that are alive at the beginning."""
    runs: list[Run] = field(default_factory=list)
    by_line: dict[int, Spent] = field(default_factory=dict)
    blocks: dict[Hashable, Block] = field(default_factory=dict)
    """What was allocated and is alive, by device and address."""

    def __post_init__(self) -> None:
        self.alive = self.peak = self.start
        self.peak_line = BEFORE
        self.events = 0
        """How many allocations and frees there were."""
        self.interrupted = False
        """Whether Ctrl-C came while an allocation was noted: the next line raises it."""
        self._run: Run | None = None
        self._joined = 1
        self._in_a_row = 0
        self.is_resting = False
        self._expected: int | None = None

    # -- lines ----------------------------------------------------------------------------------------

    def enter(self, line: int) -> None:
        """From now on this line runs."""
        self.finish()
        if self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt
        self._run = Run(line, line, peak=self.alive)
        spent = self.by_line.get(line)
        if spent is None:
            spent = self.by_line[line] = Spent()
        spent.before = self.alive
        spent.runs += 1

    def finish(self) -> None:
        """The line that runs has come to its end."""
        run, self._run = self._run, None
        if run is None:
            return
        run.end = self.alive
        spent = self.by_line[run.line]
        spent.allocated += run.allocated
        spent.freed += run.freed
        spent.peak = max(spent.peak, run.peak)
        spent.end = run.end
        if self.runs and self._in_a_row:
            self.runs[-1].join(run)
        else:
            self.runs.append(run)
        self._in_a_row = (self._in_a_row + 1) % self._joined
        if len(self.runs) > RUNS:
            self._halve()

    def _halve(self) -> None:
        for one, other in zip(self.runs[::2], self.runs[1::2], strict=False):
            one.join(other)
        self._in_a_row = self._joined if len(self.runs) % 2 else 0
        self.runs = self.runs[::2]
        self._joined *= 2

    @contextmanager
    def resting(self) -> Iterator[None]:
        """What is allocated in this context does not belong to the cell."""
        before, self.is_resting = self.is_resting, True
        try:
            yield
        finally:
            self.is_resting = before

    # -- blocks ---------------------------------------------------------------------------------------

    def born(self, key: Hashable, nbytes: int, small: bool = False) -> None:
        """A block is allocated; a `small` one is counted, too."""
        if self._expected is not None:
            nbytes, self._expected = self._expected, None
        if self.is_resting or (nbytes <= SMALL and not small) or key in self.blocks:
            return
        run = self._run
        line = run.line if run is not None else BEFORE
        self.events += 1
        self.blocks[key] = Block(nbytes, line, self.events)
        self.alive += nbytes
        if run is not None:
            run.allocated += nbytes
            self.by_line[line].blocks += 1
            if self.alive > run.peak:
                run.peak = self.alive
        if self.alive > self.peak:
            self.peak, self.peak_line = self.alive, line

    def expect(self, nbytes: int) -> None:
        """The next block counts this many bytes: what it has besides aligns it."""
        self._expected = nbytes

    def died(self, key: Hashable) -> None:
        """A block is freed, if the log knows it."""
        block = self.blocks.pop(key, None)
        if block is not None:
            self.events += 1
            self.alive -= block.nbytes
            if self._run is not None:
                self._run.freed += block.nbytes

    def was_there(self, key: tuple[str, int], nbytes: int) -> None:
        """A block that is alive at the beginning: no line allocated it."""
        self.blocks[key] = Block(nbytes, BEFORE)

    def find(self, device: str, address: int) -> Hashable | None:
        """The block that an address lies in."""
        if (device, address) in self.blocks:
            return device, address
        for key, block in self.blocks.items():
            if isinstance(key, tuple) and key[0] == device and key[1] <= address < key[1] + block.nbytes:
                return key
        return None

    def line_of(self, device: str, address: int) -> int | None:
        """The line that allocated the block that an address lies in; None if no source reported it."""
        key = self.find(device, address)
        return None if key is None else self.blocks[key].line
