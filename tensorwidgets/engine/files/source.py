"""Bytes to read from: a file by its path, or an open file from where it stands."""

from __future__ import annotations

import io
import os
from typing import Any, NoReturn

from ..errors.reasons import refuse
from .errors import refuse_record

_AT_ONCE = 1 << 22
"""Files of up to this size are read in one go: many small reads would cost more."""


class Source:
    """Reads at any place of a file, counted from where the file begins for us.

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
        """Whether several threads may read at once, each at a place of its own."""
        if self.size <= _AT_ONCE:
            self._all = self._read_file(0, self.size)

    def read(self, start: int, size: int) -> bytes:
        """So many bytes from a place; fewer only where the file ends."""
        if self._all is not None:
            return self._all[start : start + size]
        return self._read_file(start, size)

    def read_into(self, start: int, room: memoryview) -> None:
        """Fill a buffer with the bytes from a place on."""
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
        refuse_record(self.name, "the file has become shorter while it was read", rule="file.short")

    def _read_file(self, start: int, size: int) -> bytes:
        self._file.seek(self._begin + start)
        pieces: list[bytes] = []
        while size > 0:
            piece = self._file.read(size)
            if not isinstance(piece, (bytes, bytearray)):
                refuse(
                    TypeError,
                    f"a file of tensors holds bytes, and this one gives {type(piece).__name__}",
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
    """Refuse, as PyTorch does, what is neither a path nor a file that can be read at any place."""
    for name in ("read", "seek", "tell"):
        if not hasattr(file, name):
            refuse(
                AttributeError,
                f"'{type(file).__name__}' object has no attribute '{name}'. You can only torch.load from a file that "
                "is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.",
                "the records of a file lie at places of their own, and are read from there",
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
            "the records of a file lie at places of their own, and are read from there",
            "io.BytesIO(file.read())",
            rule="file.seek",
        )
