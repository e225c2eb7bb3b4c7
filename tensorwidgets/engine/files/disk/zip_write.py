"""`ZipWriter`: write a zip archive as PyTorch does: uncompressed, payloads aligned to 64 bytes, without dates.

Equal input gives equal bytes. A record is a local header (whose extra field pads the payload to its alignment), the
payload, and a descriptor with its checksum. The central directory at the end lists all records. Small pieces are
collected and written together.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

from .helpers import begun

ALIGNMENT = 64
WIDE = 0xFFFFFFFF
"""The first number that does not fit in a 32-bit field and needs a zip64 field."""
_ELSEWHERE = 0xFFFFFFFF
"""The value of a 32-bit field whose number is in a zip64 field."""

_LOCAL = struct.Struct("<4sHHHHHIIIHH").pack
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII").pack
_DESCRIPTOR = struct.Struct("<4sIII").pack
_WIDE_DESCRIPTOR = struct.Struct("<4sIQQ").pack
_UTF8, _DESCRIBED = 0x0800, 0x0008
_GATHER = 1 << 20
CHUNK = 1 << 22
"""Large payloads are written in pieces of this size, so that a progress bar can follow."""


class ZipWriter:
    """Writes records one after another.

    >>> pieces = []
    >>> zip = ZipWriter(pieces.append, "archive")
    >>> zip.record("byteorder", b"little")
    >>> zip.finish()
    >>> b"".join(pieces)[64:70]
    b'little'
    """

    def __init__(self, write: Callable[[Any], Any], prefix: str, wrote: Callable[[int], Any] | None = None):
        self._write, self._wrote = write, wrote
        self._prefix = prefix
        self._at = 0
        self._pieces: list[bytes] = []
        self._gathered = 0
        self._central: list[bytes] = []
        self._sums = self._names = 0

    def record(self, name: str, payload: Any) -> None:
        """Write one record. The payload is bytes or any one-dimensional buffer of bytes."""
        path = f"{self._prefix}/{name}".encode()
        start, size = self._at, len(payload)
        wide = size >= WIDE or start >= WIDE
        extra = _wide_numbers(size, start) if wide else b""
        flags = _UTF8 | _DESCRIBED if size else _UTF8
        padding = -(start + 30 + len(path) + len(extra) + 4) % ALIGNMENT
        head = _LOCAL(b"PK\3\4", 0, flags, 0, 0, 0, 0, 0, 0, len(path), len(extra) + 4 + padding)
        self._gather(head + path + extra + b"FB" + padding.to_bytes(2, "little") + b"Z" * padding)
        if size > _GATHER:
            checksum = self._stream(payload)
        else:
            payload = bytes(payload)
            checksum = zlib.crc32(payload)
            self._gather(payload)
        if size:
            self._gather((_WIDE_DESCRIPTOR if wide else _DESCRIPTOR)(b"PK\7\x08", checksum, size, size))
        shown = size if size < WIDE else _ELSEWHERE
        self._central.append(
            _CENTRAL(
                b"PK\1\2", 0, 0, flags, 0, 0, 0, checksum, shown, shown, len(path), len(extra), 0, 0, 0, 0,
                start if start < WIDE else _ELSEWHERE,
            ) + path + extra
        )  # fmt: skip
        self._sums = zlib.crc32(checksum.to_bytes(4, "little"), self._sums)
        self._names = zlib.crc32(name.encode(), self._names)

    def identity(self) -> bytes:
        """A number of forty digits computed from everything written so far: PyTorch's serialization id."""
        return b"%020d%020d" % (self._names, self._sums)

    def finish(self) -> None:
        """Write the central directory and everything still in the buffer."""
        start, count = self._at, len(self._central)
        for entry in self._central:
            self._gather(entry)
        size, end = self._at - start, self._at
        self._gather(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 0x031E, 45, 0, 0, count, count, size, start))
        self._gather(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        few, shown = min(count, 0xFFFF), (min(size, _ELSEWHERE), min(start, _ELSEWHERE))
        self._gather(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, few, few, *shown, 0))
        self._flush()

    def _gather(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._at += len(piece)
        self._gathered += len(piece)
        if self._gathered > _GATHER:
            self._flush()

    def _flush(self) -> None:
        if self._gathered:
            self._send(b"".join(self._pieces))
            self._pieces.clear()
            self._gathered = 0

    def _stream(self, payload: Any) -> int:
        """Write a large payload while another thread computes its checksum."""
        self._flush()
        whole = memoryview(payload)
        with begun([partial(zlib.crc32, whole)]) as checksums:
            for start in range(0, len(whole), CHUNK):
                self._send(whole[start : start + CHUNK])
            self._at += len(whole)
            return checksums[0].result() if checksums else zlib.crc32(whole)

    def _send(self, piece: Any) -> None:
        self._write(piece)
        if self._wrote is not None:
            self._wrote(len(piece))


def _wide_numbers(size: int, start: int) -> bytes:
    """The zip64 extra field with the numbers that do not fit in 32 bits."""
    numbers = [size, size] if size >= WIDE else []
    if start >= WIDE:
        numbers.append(start)
    return struct.pack(f"<HH{len(numbers)}Q", 1, 8 * len(numbers), *numbers)
