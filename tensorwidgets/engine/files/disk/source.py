"""`Source`: read bytes at any position of a file, opened by path or passed as an open file."""

from __future__ import annotations

import io
import os
from typing import Any, NoReturn

from ...errors.reasons import refuse
from ..errors import refuse_record

_AT_ONCE = 1 << 22
"""Files up to this size are read at once: many small reads would cost more."""


class Source:
    """Reads at any position of a file, counted from the file object's position when the source was created.

    >>> Source(io.BytesIO(b"abcdef")).read(2, 3)
    b'cde'
    """

    def __init__(self, file: Any, name: str = ""):
        self.name = name
        self._file = file
        self._begin = file.tell()
        self.size = file.seek(0, os.SEEK_END) - self._begin
        self._all: bytes | None = None
        self.has_places = isinstance(file, io.FileIO) and hasattr(os, "preadv")
        """Whether several threads may read at different positions at the same time."""
        if self.size <= _AT_ONCE:
            self._all = self._read_file(0, self.size)

    def read(self, start: int, size: int) -> bytes:
        """Read `size` bytes at `start`; fewer only at the end of the file."""
        if self._all is not None:
            return self._all[start : start + size]
        return self._read_file(start, size)

    def read_into(self, start: int, room: memoryview) -> None:
        """Fill a buffer with the bytes at `start`."""
        if self._all is not None:
            room[:] = self._all[start : start + len(room)]
            return
        if self.has_places:
            self._read_at(start, room)
            return
        self._file.seek(self._begin + start)
        fill = getattr(self._file, "readinto", None)
        while room:
            if fill is not None:
                done = fill(room)
            else:
                piece = self._file.read(len(room))
                done = len(piece)
                room[:done] = piece
            if not done:
                self._too_short()
            room = room[done:]

    def _read_at(self, start: int, room: memoryview) -> None:
        place, handle = self._begin + start, self._file.fileno()
        while room:
            done = os.preadv(handle, [room], place)
            if not done:
                self._too_short()
            place, room = place + done, room[done:]

    def _too_short(self) -> NoReturn:
        refuse_record(self.name, "the file became shorter while it was read", rule="file.short")

    def _read_file(self, start: int, size: int) -> bytes:
        self._file.seek(self._begin + start)
        pieces: list[bytes] = []
        while size > 0:
            piece = self._file.read(size)
            if not isinstance(piece, (bytes, bytearray)):
                refuse(
                    TypeError,
                    f"a file of tensors must give bytes, and this one gives {type(piece).__name__}",
                    "it was opened as text",
                    "open(path, 'rb')",
                    rule="file.text",
                )
            if not piece:
                break
            pieces.append(bytes(piece))
            size -= len(piece)
        return b"".join(pieces)


def check_readable(file: Any) -> None:
    """Refuse, as PyTorch does, an object that is neither a path nor a seekable file."""
    for name in ("seek", "tell", "read"):
        if not hasattr(file, name):
            refuse(
                AttributeError,
                f"'{type(file).__name__}' object has no attribute '{name}'. You can only torch.load from a file that "
                "is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.",
                "load reads each record of the file at its own position",
                "io.BytesIO(data)",
                rule="file.seek",
            )
    try:
        file.seek(file.tell())
    except OSError as error:
        refuse(
            type(error),
            f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer "
            "like io.BytesIO and try to load from it instead.",
            "load reads each record of the file at its own position",
            "io.BytesIO(file.read())",
            rule="file.seek",
        )
    try:
        file.read(0)
    except io.UnsupportedOperation as error:
        mode = getattr(file, "mode", "wb")
        refuse(
            io.UnsupportedOperation,
            str(error),
            f"the file is open for writing (mode {mode!r}), and a mode with w empties it at once",
            'open(path, "rb"), which reads',
            rule="file.mode",
        )
