"""Numbers that only grow, correct whichever thread, finaliser or signal handler raises them, and in which order.

`self.n += 1` is a read and a write, and between them another may write. A set takes an element in one step.
"""

from __future__ import annotations

from itertools import count


class Highest:
    """The largest of the numbers that it was given.

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
    """How often something happened.

    >>> doors = Events()
    >>> doors.happened()
    >>> doors.happened()
    >>> doors.value
    2
    """

    __slots__ = ("_next",)

    def __init__(self) -> None:
        super().__init__()
        self._next = count(1).__next__

    def happened(self) -> None:
        """Count one more."""
        seen = self.seen
        seen.add(self._next())
        if len(seen) > 8:
            self.add(0)
