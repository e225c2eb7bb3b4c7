"""Memories of one size: those in use, and those that came back.

An array that dies runs no code of ours. Two weak references to it call a method of a set and one of a deque, and both
are steps of C that nothing can interrupt: the array is no longer counted, and its memory is back on the shelf. There it
is only a candidate. Before a memory is used again, `take` proves that nothing else refers to it. A memory that
something refers to is dropped: it goes back to the system when the last reference is gone.
"""

from __future__ import annotations

from collections import deque
from typing import Any
from weakref import ref

import numpy as np

from .interface import ALIGNMENT, Memory
from .references import others


class Loan(ref):
    """A weak reference to an array, that holds the array's memory and comes back to the shelf when the array dies."""

    __slots__ = ("memory", "start", "number")
    memory: Memory | None
    start: int
    number: int
    """Later loans have larger numbers."""


class Tally(ref):
    """A weak reference to an array in use. It holds the loan of an array whose memory is to come back."""

    __slots__ = ("loan",)
    loan: Loan | None
    # By identity: other weak references compare and hash the arrays that they refer to.
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__  # type: ignore[assignment]


class Shelf:
    """The memories of one size.

    >>> from .interface import system_memory
    >>> shelf = Shelf(100)
    >>> array = np.ndarray((100,), np.uint8, memory := system_memory(100))
    >>> shelf.lend(array, memory, 0, number=1)
    >>> len(shelf.lent), len(shelf.back)
    (1, 0)
    >>> del array
    >>> len(shelf.lent), len(shelf.back)
    (0, 1)
    >>> shelf.take() is None    # `memory` still refers to it
    True
    """

    __slots__ = ("size", "lent", "apart", "back")

    def __init__(self, size: int):
        self.size = size
        self.lent: set[Tally] = set()
        """Arrays in use whose memory comes back."""
        self.apart: set[Tally] = set()
        """Arrays in use whose memory goes back to the system."""
        self.back: deque[Loan] = deque()
        """Loans of arrays that died, the latest last."""

    def take(self) -> tuple[Memory, int] | None:
        """A memory that nothing refers to, and where it begins; None if there is none."""
        while True:
            try:
                loan = self.back.pop()
            except IndexError:
                return None
            box = [loan.memory]
            loan.memory = None
            if others(box) == 0 and self._as_made(box):
                return box.pop(), loan.start  # type: ignore[return-value]

    def _as_made(self, box: list[Any]) -> bool:
        """Whether a memory is what the system gave: its holders could resize it, replace it or forbid writes."""
        flags = box[0].flags
        return flags.carray and flags.owndata and box[0].nbytes == self.size + ALIGNMENT

    def lend(self, array: np.ndarray, memory: Memory, start: int, number: int) -> None:
        """Count an array as in use, and let its memory come back."""
        loan = Loan(array, self.back.append)
        loan.memory, loan.start, loan.number = memory, start, number
        tally = Tally(array, self.lent.discard)
        tally.loan = loan
        self.lent.add(tally)

    def lend_apart(self, array: np.ndarray) -> None:
        """Count an array as in use. Its memory does not come back."""
        tally = Tally(array, self.apart.discard)
        tally.loan = None
        self.apart.add(tally)

    def oldest(self) -> tuple[int, Shelf, Loan] | None:
        """The memory that has been back the longest, with the number of its loan."""
        try:
            loan = self.back[0]
        except IndexError:
            return None
        return loan.number, self, loan

    def line(self) -> list[tuple[int, Shelf, Tally | Loan]]:
        """What there is to forget: each with the number of its loan."""
        line: list[tuple[int, Shelf, Tally | Loan]] = [(loan.number, self, loan) for loan in list(self.back)]
        for tally in list(self.lent):
            loan = tally.loan
            if loan is not None:
                line.append((loan.number, self, tally))
        return line

    def forget(self, which: Tally | Loan) -> None:
        """Let a memory go: now if it is back, else when its array dies. One that has just moved on stays."""
        if isinstance(which, Loan):
            try:
                self.back.remove(which)
            except ValueError:
                return
        else:
            try:
                self.lent.remove(which)
            except KeyError:
                return
            which.loan = None
            array = which()
            if array is not None:
                self.lend_apart(array)

    def kept_and_held(self) -> tuple[int, int]:
        """How many memories are back: those that nothing refers to, and those that something still refers to."""
        boxes = [[loan.memory] for loan in list(self.back)]
        held = sum([others(box) > 1 for box in boxes if box[0] is not None])  # the loan refers to it, too
        return len(boxes) - held, held
