"""How do the streams of a real GPU serve? By CuPy's, known by the number that the driver gives them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType


class CupyStreams:
    """The streams of one real GPU, by number. Stream 0 is the default one; a moment is an event of CuPy."""

    busy = True
    """Times are measured, so calls are not counted."""
    crossed = 0
    """Nor are the bytes of copies."""
    pins = False
    """CuPy's copies to main memory go to ordinary memory."""
    not_waiting = staticmethod(nullcontext)
    """CuPy decides whether a copy waits."""

    def __init__(self, cupy: ModuleType, index: int):
        self._cuda, self._index = cupy.cuda, index
        self._made: dict[int, Any] = {}
        """The streams that were made here: the driver destroys a stream with its object."""

    def _here(self) -> Any:
        return self._cuda.Device(self._index)

    def _stream(self, number: int) -> Any:
        if not number:
            return self._cuda.Stream.null
        return self._made.get(number) or self._cuda.ExternalStream(number, self._index)

    def new(self, priority: int = 0) -> int:
        """The number of another stream."""
        with self._here():
            stream = self._cuda.Stream(non_blocking=True, priority=priority)
        self._made[int(stream.ptr)] = stream
        return int(stream.ptr)

    @property
    def current(self) -> int:
        """The stream to which this thread's calls go."""
        with self._here():
            return int(self._cuda.get_current_stream().ptr)

    def use(self, number: int) -> None:
        """Let this thread's calls go to a stream."""
        with self._here():
            self._stream(number).use()

    def record(self, number: int) -> Any:
        """A mark behind what a stream has to do now."""
        with self._here():
            event = self._cuda.Event()
            event.record(self._stream(number))
        return event

    def wait(self, number: int, moment: Any) -> None:
        """Let a stream's work to come begin after a mark."""
        self._stream(number).wait_event(moment)

    def is_done(self, moment: Any) -> bool:
        """Whether the GPU has come to a mark."""
        return bool(moment.done)

    def synchronize(self, moment: Any = None) -> None:
        """Wait for a mark, or for all streams."""
        if moment is None:
            self._here().synchronize()
        else:
            moment.synchronize()

    def milliseconds(self, begin: Any, end: Any) -> float:
        """The time between two marks, as the GPU measured it."""
        return float(self._cuda.get_elapsed_time(begin, end))
