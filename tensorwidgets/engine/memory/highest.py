"""Counters that only grow, safe to update from any thread, finaliser or signal handler.

`self.n += 1` is a read and a write, and another thread may write between them. Adding to a set is one step.
"""

from __future__ import annotations

from itertools import count as _counter


class Highest:
    """The maximum of all numbers added so far.

    >>> most = Highest()
    >>> most.add(3)
    >>> most.add(2)
    >>> most.value
    3
    """

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen = {0}

    @property
    def value(self) -> int:
        return max(self.seen)

    def add(self, number: int) -> None:
        """Take a number into account."""
        seen = self.seen
        seen.add(number)
        if len(seen) > 8:
            top = max(seen)
            seen.difference_update([n for n in list(seen) if n < top])


class Events(Highest):
    """A counter of events.

    >>> doors = Events()
    >>> doors.count()
    >>> doors.count()
    >>> doors.value
    2
    """

    __slots__ = ("_next",)

    def __init__(self) -> None:
        super().__init__()
        self._next = _counter(1).__next__

    def count(self) -> None:
        """Count one more."""
        seen = self.seen
        seen.add(self._next())
        if len(seen) > 8:
            self.add(0)
