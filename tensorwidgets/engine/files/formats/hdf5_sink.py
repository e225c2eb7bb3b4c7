"""`Sink`: the file object that HDF5 writes to, which never raises and keeps the first error for later.

HDF5 does not survive a failed write: the unwritten data stays in its caches, closing the file fails too, and the
process crashes some time later. A `Sink` therefore keeps the first error to itself and every later byte in memory, and
the caller calls `check` between two pieces.
"""

from __future__ import annotations

import io
import os
from typing import Any, BinaryIO


class Sink(io.RawIOBase):
    """A file whose writes never fail; `check` raises the first error.

    >>> class Full(io.BytesIO):
    ...     def write(self, data): raise OSError(28, "No space left on device")
    >>> sink = Sink(Full())
    >>> sink.write(b"abc"), sink.seek(1), sink.read(2)
    (3, 1, b'bc')
    >>> sink.check()
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device
    """

    def __init__(self, file: BinaryIO):
        self._file = file
        self._at = self._end = 0
        self._error: BaseException | None = None
        self._kept: list[tuple[int, bytes]] = []

    def check(self) -> None:
        """Raise the first error of a write, if any."""
        if self._error is not None:
            raise self._error

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._end)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        piece = memoryview(data).cast("B")
        at, self._at = self._at, self._at + len(piece)
        self._end = max(self._end, self._at)
        done = 0
        if self._error is None:
            try:
                self._file.seek(at)
                while done < len(piece):
                    done += self._file.write(piece[done:])
                return len(piece)
            except BaseException as error:  # an interrupt too: HDF5 must not see it either
                self._error = error
        self._kept.append((at, bytes(piece)))
        return len(piece)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = max(min(len(view), self._end - self._at), 0)
        view[:] = bytes(len(view))
        try:
            self._file.seek(self._at)
            self._file.readinto(view[:count])  # type: ignore[attr-defined]
        except BaseException as error:
            self._error = self._error or error
        for at, piece in self._kept:
            first, last = max(at, self._at), min(at + len(piece), self._at + count)
            if first < last:
                view[first - self._at : last - self._at] = piece[first - at : last - at]
        self._at += count
        return count

    def truncate(self, size: int | None = None) -> int:
        self._end = self._at if size is None else size
        if self._error is None:
            try:
                self._file.truncate(self._end)
            except BaseException as error:
                self._error = error
        return self._end

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True
