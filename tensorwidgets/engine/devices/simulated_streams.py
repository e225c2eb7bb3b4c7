"""When is the work of a stream done? Simulated work is computed at once, and its time is modelled.

Each stream has a time at which its work ends. The program itself takes no time: it waits where it synchronizes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .sync_debug import about_to_wait
from .times import seconds_of_copy

MOST = 32
"""How many streams a GPU has besides the default one; PyTorch hands them out in turn, too."""


class _Thread(threading.local):
    number, busy, waits = 0, False, True


class SimulatedStreams:
    """The streams of one simulated GPU, by number. Stream 0 is the default one.

    >>> streams = SimulatedStreams()
    >>> streams.work(1.5)
    >>> streams.is_done(streams.record(0)), streams.record(0)
    (False, 1.5)
    >>> streams.synchronize(1.5)
    >>> streams.is_done(1.5)
    True
    """

    pins = True
    """Whether a copy that is not waited for goes to pinned memory."""

    def __init__(self) -> None:
        self.now = 0.0
        """What the program has waited for, in seconds."""
        self.crossed = 0
        """How many bytes were copied from and to main memory."""
        self._ends: dict[int, float] = {}
        self._made = 0
        self._thread = _Thread()

    def new(self, priority: int = 0) -> int:
        """The number of another stream."""
        self._made += 1
        return (self._made - 1) % MOST + 1

    @property
    def current(self) -> int:
        """The stream to which this thread's calls go."""
        return self._thread.number

    def use(self, number: int) -> None:
        """Let this thread's calls go to a stream."""
        self._thread.number = number

    def work(self, seconds: float) -> None:
        """Work for the current stream: it begins when the stream and the program have come to it."""
        number = self.current
        self._ends[number] = max(self._ends.get(number, 0.0), self.now) + seconds

    @property
    def busy(self) -> bool:
        """Whether this thread computes a call: its parts take no time of their own."""
        return self._thread.busy

    @busy.setter
    def busy(self, value: bool) -> None:
        self._thread.busy = value

    def copy(self, nbytes: int) -> None:
        """A copy from or to main memory; the program waits for it, unless it is asked not to."""
        if self._thread.waits:
            about_to_wait()
        self.crossed += nbytes
        if not self.busy:
            self.work(seconds_of_copy(nbytes, "pageable"))
            if self._thread.waits:
                self.catch_up()

    def catch_up(self) -> None:
        """Wait for the current stream, as where a number is read."""
        self.synchronize(self.record(self.current))

    @contextmanager
    def not_waiting(self) -> Iterator[None]:
        """A block whose copies nobody waits for, or that a GPU would not make: it would compute there."""
        before, self._thread.waits = self._thread.waits, False
        try:
            yield
        finally:
            self._thread.waits = before

    def record(self, number: int) -> float:
        """When the work that a stream has now will be done."""
        return max(self._ends.get(number, 0.0), self.now)

    def wait(self, number: int, moment: float) -> None:
        """Let a stream's work to come begin after a moment."""
        self._ends[number] = max(self._ends.get(number, 0.0), moment)

    def is_done(self, moment: float) -> bool:
        """Whether the program has come to a moment."""
        return moment <= self.now

    def synchronize(self, moment: float | None = None) -> None:
        """Wait for a moment, or for all streams."""
        self.now = max(self.now, max(self._ends.values(), default=0.0) if moment is None else moment)

    def milliseconds(self, begin: float, end: float) -> float:
        """The time between two moments."""
        return (end - begin) * 1e3
