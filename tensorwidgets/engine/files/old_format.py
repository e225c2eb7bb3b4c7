"""Read PyTorch's file format from before 1.6: five pickles, then each storage as its length and its bytes.

The first three pickles hold a magic number, the version and facts about the machine; the fourth holds the object; the
fifth lists the storages in the order of their bytes. The object comes before the bytes, so storages are allocated first
and filled later. They never take more memory than there are bytes left in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..tensor.storages.untyped import UntypedStorage
from .disk.source import Source
from .errors import refuse_global, refuse_record
from .map_location import is_meta, mover
from .parts import MOST_PICKLE, as_text, part_size, set_state
from .pickles.allowed import allowed
from .pickles.decode import RECORDS, StorageKind, read_as
from .pickles.pickle_read import Interpreter
from .strangers import WHOLE, refuse_stranger

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..types.device import device


MAGIC = 0x1950A86A20F9469CFC6C
VERSION = 1001


def load_legacy(
    source: Source,
    map_location: str | device | dict[str, str] | Callable[..., Any] | None,
    encoding: str | None = None,
) -> Any:
    """Load the object from a file of the old format; refuse a file of any other kind."""
    data, at, little = read_header(source)
    world = _Loading(map_location, source.size)
    reader = Interpreter(data, world, "the object", at, encoding)
    result = reader.run()
    keys = Interpreter(data, _Nothing("the list of storages"), "the list of storages", reader.at)
    names = keys.run()
    world.fill(source, names, keys.at, little)
    return result


def read_header(source: Source) -> tuple[bytes, int, bool]:
    """The file's bytes, the position of the object's pickle, and whether the byte order is little-endian."""
    begin = source.read(0, 64)
    if not begin.startswith(b"\x80"):
        if source.read(257, 5) == b"ustar":
            refuse_record(WHOLE, "is a tar archive, PyTorch's format before 2017, which is not supported",
                          rule="file.stranger")  # fmt: skip
        made_of = "a .pt file is a zip archive or, before PyTorch 1.6, a sequence of pickles"
        refuse_stranger(begin, "a .pt file", made_of)
    data = source.read(0, min(source.size, MOST_PICKLE))
    at = 0
    header = []
    for name in ("the magic number", "the version", "the machine"):
        reader = Interpreter(data, _Nothing(name), name, at)
        header.append(reader.run())
        at = reader.at
        if len(header) == 1 and header[0] != MAGIC:
            _refuse_pickle()
    if header[1] != VERSION:
        refuse_record("the version", f"is {header[1]!r}, and only {VERSION} is supported"[:200], rule="file.version")
    return data, at, not (isinstance(header[2], dict) and header[2].get("little_endian") is False)


class _Nothing:
    """The `World` of a pickle that may hold only plain values: no globals, no storages."""

    def __init__(self, record: str):
        self.record = record

    def find_class(self, name: str) -> Any:
        refuse_global(self.record, name)

    def persistent_load(self, id: str) -> Any:
        refuse_record(self.record, "asks for a storage", rule="file.storage")

    def build(self, made: Any, state: Any) -> None:
        refuse_record(self.record, "sets the state of an object", rule="file.state")


class _Loading:
    """The `World` of the object: it allocates storages, and `fill` reads their bytes afterwards."""

    def __init__(self, map_location: str | device | dict[str, str] | Callable[..., Any] | None, left: int):
        self.map_location, self.move = map_location, mover(map_location)
        self.left = left
        self.storages: dict[str, tuple[UntypedStorage, StorageKind]] = {}
        self.parts: dict[tuple[str, int, int], UntypedStorage] = {}

    def find_class(self, name: str) -> Any:
        """The value of a global on the allow-list."""
        result = allowed(name)
        if result is None:
            refuse_global("the object", name)
        return result

    def persistent_load(self, id: Any) -> Any:
        """The storage with this id, or a part of one."""
        known = type(id) is tuple and len(id) == 6 and as_text(id[0]) == "storage" and type(id[1]) is StorageKind
        if not known:
            refuse_record("the object", f"refers to something that is not a storage: {id!r}"[:200], rule="file.storage")
        _, kind, key, location, length, part = id
        key, location = as_text(key), as_text(location)
        if type(key) is not str or type(location) is not str or type(length) is not int or length < 0:
            refuse_record("the object", f"refers to an impossible storage: {id!r}"[:200], rule="file.storage")
        itemsize = kind.dtype.itemsize if kind.dtype else 1
        if key not in self.storages:
            self.storages[key] = self._room(key, length * itemsize, location), kind
        storage = self.storages[key][0]
        if part is not None:
            storage = self._part(storage, part, itemsize)
        RECORDS[storage] = f"storage {key}"[:100]
        return read_as(storage, kind.dtype)

    def _room(self, key: str, nbytes: int, location: str) -> UntypedStorage:
        self.left -= nbytes
        if self.left < 0:
            refuse_record(
                f"storage {key}"[:100],
                f"claims {nbytes:,} bytes, more than the file has left",
                rule="file.size",
            )
        if is_meta(self.map_location):
            return UntypedStorage._meta(nbytes)
        # Moved now, so that an unavailable device is refused early; the bytes are read later.
        return self.move(UntypedStorage(np.empty(nbytes, np.uint8)), location)

    def _part(self, storage: UntypedStorage, part: Any, itemsize: int) -> UntypedStorage:
        good = type(part) is tuple and len(part) == 3 and type(part[0]) is str
        if not good or type(part[1]) is not int or type(part[2]) is not int:
            refuse_record(
                "the object", f"refers to an impossible part of a storage: {part!r}"[:200], rule="file.storage"
            )
        key, offset, length = part
        start, end = offset * itemsize, (offset + length) * itemsize
        if not 0 <= start <= end <= storage.nbytes():
            refuse_record("the object", f"asks for elements {offset} to {offset + length} of a storage of "
                          f"{storage.nbytes() // itemsize}", rule="file.bounds")  # fmt: skip
        result = self.parts.get((key, start, end))
        if result is None:
            whole = (
                storage._meta(end - start)
                if is_meta(self.map_location)
                else UntypedStorage(storage._readable()[start:end])
            )
            result = self.parts[key, start, end] = whole
        return result

    def build(self, made: Any, state: Any) -> None:
        """Set attributes of an OrderedDict or a tensor."""
        set_state(made, state)

    def fill(self, source: Source, names: Any, at: int, little: bool) -> None:
        """Read the length and the bytes of each storage."""
        if type(names) is not list or {*map(type, names)} - {str} or {*names} != {*self.storages}:
            refuse_record("the list of storages", "does not match the storages of the object", rule="file.storage")
        for name in names:
            storage, kind = self.storages[name]
            itemsize = kind.dtype.itemsize if kind.dtype else 1
            record = f"storage {name}"[:100]
            length = int.from_bytes(source.read(at, 8), "little" if little else "big")
            nbytes = storage.nbytes()
            if length * itemsize == nbytes and at + 8 + nbytes > source.size:
                refuse_record(
                    record,
                    f"is truncated: {source.size - at - 8:,} of its {nbytes:,} bytes are in the file",
                    rule="file.size",
                )
            if length * itemsize != nbytes:
                refuse_record(
                    record,
                    f"{length:,} elements follow at byte {at:,}, but the object says {nbytes // itemsize:,}",
                    "the file is truncated, or two storages are swapped",
                    rule="file.size",
                )
            if nbytes and not is_meta(self.map_location) and storage.device.type != "meta":
                room = storage._readable()
                source.read_into(at + 8, memoryview(room.data))
                part = part_size(kind.dtype)
                if not little and part > 1:
                    room[:] = room.view(f"u{part}").byteswap().view(np.uint8)
            at += 8 + nbytes


def _refuse_pickle() -> NoReturn:
    refuse_record(
        "the magic number",
        "is a pickle, but not in PyTorch's format",
        "a file written by pickle.dump can only be read by running it",
        "save(obj, path), whose files are read without running anything",
        rule="file.pickle",
    )
