"""`Archive`: read the records of an untrusted zip archive.

The central directory at the end lists the records. Names, sizes and positions are checked against each other and
against the file before anything is read, and each record is checked again when it is read. Sizes that exceed the file
are refused, so are records that would unpack to far more bytes, and every checksum is compared.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, NoReturn

from ..errors import refuse_record
from .checksum import joined
from .helpers import begun
from .source import Source

_END, _WIDE_END = struct.Struct("<4sHHHHIIH"), struct.Struct("<4sQHHIIQQQQ")
_LOCATOR, _CENTRAL = struct.Struct("<4sIQI"), struct.Struct("<4sHHHHHHIIIHHHHHII")
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _DESCRIBED = 0x0001, 0x0008
_WIDE = 0xFFFFFFFF
_PIECE = 1 << 20
_MOST_THREADS = 4
LARGE = 1 << 25
"""Records of at least this many bytes are read by several threads."""

GROWTH, ALLOWANCE = 16, 1 << 24
"""All compressed records together may unpack to `GROWTH` times the size of the file plus `ALLOWANCE` bytes."""


class Entry(NamedTuple):
    """One entry of the central directory."""

    name: str
    start: int
    packed: int
    size: int
    checksum: int
    method: int


class Archive:
    """The records of a .pt file, by their names inside the archive's only folder."""

    def __init__(self, source: Source):
        self.source = source
        self.title = "the archive"
        start, size, count = self._find_list()
        entries = self._read_list(start, size, count)
        self.prefix = self._one_folder(entries)
        cut = len(self.prefix)
        self.entries = {entry.name[cut:]: entry for entry in entries if not entry.name.endswith("/")}
        self._next = self._places(entries, start)

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def entry(self, name: str) -> Entry:
        """The entry of a record; raises if the file lacks it."""
        result = self.entries.get(name)
        if result is None:
            refuse_record(name, "the file lacks this record", f"it has {_some(self.entries)}", rule="file.missing")
        return result

    def read(self, name: str, most: int) -> bytes:
        """The bytes of a small record."""
        entry = self.entry(name)
        if entry.size > most:
            self._refuse(name, f"has {entry.size:,} bytes; at most {most:,} are expected")
        room = bytearray(entry.size)
        self.read_into(name, memoryview(room))
        return bytes(room)

    def read_into(self, name: str, room: memoryview, done: Callable[[int], Any] | None = None) -> None:
        """Read the bytes of a record into a buffer of its size."""
        entry = self.entry(name)
        at = self.payload(name)
        checksum = self._unpack(entry, at, room) if entry.method == _DEFLATED else self._copy(at, room, done)
        if checksum != entry.checksum:
            self._refuse(
                name,
                f"is damaged: its checksum is {checksum:08x}, but {entry.checksum:08x} was written",
                "at least one byte has changed since",
            )

    def payload(self, name: str) -> int:
        """The position of the first byte of a record's payload."""
        entry = self.entry(name)
        head = self.source.read(entry.start, _LOCAL.size)
        if len(head) < _LOCAL.size or head[:4] != b"PK\3\4":
            self._refuse(name, f"does not begin at byte {entry.start:,}, as the list of records says")
        _, _, flags, method, _, _, checksum, packed, size, name_length, extra = _LOCAL.unpack(head)
        raw = self.source.read(entry.start + _LOCAL.size, name_length)
        if raw != entry.name.encode("utf-8", "surrogateescape") or method != entry.method:
            self._refuse(name, "has a header that differs from its entry in the list of records")
        if not flags & _DESCRIBED and not (packed == size == _WIDE):
            if (checksum, packed, size) != (entry.checksum, min(entry.packed, _WIDE), min(entry.size, _WIDE)):
                self._refuse(name, "has a header that differs from its entry in the list of records")
        at = entry.start + _LOCAL.size + name_length + extra
        if at + entry.packed > self._next[entry.start]:
            self._refuse(name, f"has {entry.packed:,} bytes at byte {at:,}, which would overlap the next record")
        return at

    def stored(self, name: str) -> bool:
        """Whether a record is stored uncompressed."""
        return self.entry(name).method == _STORED

    # -- the central directory -----------------------------------------------------------------------------------

    def _find_list(self) -> tuple[int, int, int]:
        source = self.source
        tail_size = min(source.size, _END.size + 0xFFFF)
        tail = source.read(source.size - tail_size, tail_size)
        result = tail.rfind(b"PK\5\6")
        if result < 0 or len(tail) - result < _END.size:
            self._refuse(self.title, "is truncated: the list of records at its end is missing")
        at = source.size - tail_size + result
        _, disk, list_disk, here, count, size, start, comment = _END.unpack_from(tail, result)
        behind = source.size - at - _END.size
        if comment != behind:
            self._refuse(self.title, f"has {behind:,} bytes after its end")
        if disk or list_disk or here != count:
            self._refuse(self.title, "is one part of a split archive")
        limit = at
        if at >= _LOCATOR.size and (locator := source.read(at - _LOCATOR.size, _LOCATOR.size))[:4] == b"PK\6\7":
            place = _LOCATOR.unpack(locator)[2]
            limit = at - _LOCATOR.size
            if place > limit - _WIDE_END.size:
                self._refuse(self.title, f"lacks its zip64 end record, expected at byte {place:,}")
            wide = source.read(place, _WIDE_END.size)
            if wide[:4] != b"PK\6\6":
                self._refuse(self.title, f"lacks its zip64 end record, expected at byte {place:,}")
            _, _, _, _, _, _, here, count, size, start = _WIDE_END.unpack(wide)
            limit = place
            if here != count:
                self._refuse(self.title, "is one part of a split archive")
        if start + size != limit or count * _CENTRAL.size > size:
            self._refuse(
                self.title,
                f"the list of {count:,} records in {size:,} bytes at byte {start:,} does not fit into the file",
            )
        return start, size, count

    def _read_list(self, start: int, size: int, count: int) -> list[Entry]:
        raw = self.source.read(start, size)
        entries, at, growth = [], 0, 0
        unpack, head_size = _CENTRAL.unpack_from, _CENTRAL.size
        for number in range(count):
            if at + head_size > size:
                self._refuse(self.title, f"the list of records ends within record {number:,} of {count:,}")
            (
                sign, _, _, flags, method, _, _, checksum, packed, whole, name_length, extra_length, comment, disk, _,
                _, place,
            ) = unpack(raw, at)  # fmt: skip
            at += head_size
            end = at + name_length + extra_length + comment
            if sign != b"PK\1\2" or end > size:
                self._refuse(self.title, f"the list of records is damaged at record {number:,} of {count:,}")
            name = self._checked_name(raw[at : at + name_length])
            if whole == _WIDE or packed == _WIDE or place == _WIDE:
                extra = raw[at + name_length : at + name_length + extra_length]
                whole, packed, place = self._wide_numbers(name, extra, whole, packed, place)
            at = end
            if method not in (_STORED, _DEFLATED) or flags & _ENCRYPTED or disk:
                self._refuse(name, "uses an unsupported compression", "only stored and deflated records are supported")
            if method == _STORED and packed != whole:
                self._refuse(name, f"is stored uncompressed, but claims {whole:,} bytes in {packed:,}")
            if place + _LOCAL.size + name_length + packed > start:
                self._refuse(name, f"{packed:,} bytes at byte {place:,} do not fit in a file of {self.source.size:,}")
            growth += whole if method == _DEFLATED else 0
            if growth > GROWTH * self.source.size + ALLOWANCE:
                self._refuse(
                    name,
                    f"would unpack to {whole:,} bytes from a file of {self.source.size:,}",
                    "a small file that unpacks to a huge one is built to exhaust memory",
                    "unzip it yourself and zip it again without compression",
                )
            entries.append(Entry(name, place, packed, whole, checksum, method))
        if at != size:
            self._refuse(self.title, "the list of records has bytes left over after its last record")
        return entries

    def _wide_numbers(self, name: str, extra: bytes, *numbers: int) -> list[int]:
        """Replace the numbers that do not fit in 32 bits by those of the zip64 extra field."""
        at, result = 0, b""
        while at + 4 <= len(extra):
            kind, length = struct.unpack_from("<HH", extra, at)
            if kind == 1:
                result = extra[at + 4 : at + 4 + length]
            at += 4 + length
        wanted = sum(n == _WIDE for n in numbers)
        if len(result) < 8 * wanted:
            self._refuse(name, "the list of records lacks its size or position")
        wide = iter(struct.unpack_from(f"<{wanted}Q", result))
        return [next(wide) if n == _WIDE else n for n in numbers]

    def _checked_name(self, raw: bytes) -> str:
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            self._refuse(self.title, f"has a record whose name is not text: {raw[:60]!r}")
        if name.startswith("/") or "\\" in name or "\0" in name or ":" in name or ".." in name.split("/"):
            self._refuse(name, "has a name that leads out of the archive", "load never writes records to a folder")
        return name

    def _one_folder(self, entries: list[Entry]) -> str:
        prefix = entries[0].name.partition("/")[0] + "/" if entries else ""
        for entry in entries:
            if entry.name.endswith(".npy"):
                self._refuse("the file", "is not a .pt file but an .npz file", "", "load_npz(path)")
            if not entry.name.startswith(prefix) or "/" not in entry.name:
                self._refuse(
                    entry.name, "is outside the archive's folder", "all records of a .pt file share one folder"
                )
        return prefix

    def _places(self, entries: list[Entry], list_start: int) -> dict[int, int]:
        """The start of the next record for each record; refuses records that share a name or a byte."""
        names, places, before = set(), {}, None
        for entry in sorted(entries, key=lambda e: e.start):
            if entry.name in names:
                self._refuse(entry.name, "appears twice in the list of records")
            names.add(entry.name)
            if before is not None:
                if before.start + _LOCAL.size + len(before.name) + before.packed > entry.start:
                    self._refuse(entry.name, f"overlaps the record {before.name}")
                places[before.start] = entry.start
            before = entry
        if before is not None:
            places[before.start] = list_start
        return places

    # -- payloads ------------------------------------------------------------------------------------------------

    def _copy(self, at: int, room: memoryview, done: Callable[[int], Any] | None) -> int:
        """Read an uncompressed record; several threads each read one part of a large record."""
        size, threads = len(room), min(os.cpu_count() or 1, _MOST_THREADS)
        if size < LARGE or threads == 1 or not self.source.has_places:
            return self._copy_run(at, room, done)
        run = -(-size // threads)
        starts = range(0, size, run)
        checksum = 0
        with begun([partial(self._copy_run, at + s, room[s : s + run], done) for s in starts]) as sums:
            for start, each in zip(starts, sums, strict=bool(sums)):
                checksum = joined(checksum, each.result(), min(run, size - start))
        return checksum if sums else self._copy_run(at, room, None)

    def _copy_run(self, at: int, room: memoryview, done: Callable[[int], Any] | None) -> int:
        checksum = 0
        for start in range(0, len(room), _PIECE):
            piece = room[start : start + _PIECE]
            self.source.read_into(at + start, piece)
            checksum = zlib.crc32(piece, checksum)
            if done is not None:
                done(len(piece))
        return checksum

    def _unpack(self, entry: Entry, at: int, room: memoryview) -> int:
        unpacker = zlib.decompressobj(-15)
        filled, checksum, left = 0, 0, entry.packed
        pending = b""
        try:
            while filled < len(room):
                if not pending and left:
                    pending = self.source.read(at, min(left, _PIECE))
                    at, left = at + len(pending), left - len(pending)
                piece = unpacker.decompress(pending, min(_PIECE, len(room) - filled))
                pending = unpacker.unconsumed_tail
                if not piece and not pending and not left:
                    break
                room[filled : filled + len(piece)] = piece
                checksum = zlib.crc32(piece, checksum)
                filled += len(piece)
        except zlib.error as error:
            self._refuse(entry.name, f"is damaged: {error}")
        if filled < len(room):
            self._refuse(entry.name, f"unpacks to {filled:,} bytes, but {len(room):,} were expected")
        return checksum

    def _refuse(self, name: str, message: str, because: str = "", *ways: str) -> NoReturn:
        refuse_record(name, message, because, *ways, rule="file.zip")


def _some(names: dict[str, Any]) -> str:
    listed = [*names][:6]
    return ", ".join(listed) + (", …" if len(names) > 6 else "") if listed else "none"
