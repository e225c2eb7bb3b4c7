"""`anatomy_of`: describe a .pt file from its record list and its pickle, without reading any tensor's bytes.

The pickle is interpreted as in `load`, but in another world: a storage becomes the name of its record, a tensor becomes
a description, and a global outside the allow-list becomes an `UnknownGlobal`, which is only a name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..types.dtypes import BY_NAME, dtype
from .anatomy import Anatomy, Record, TensorEntry
from .disk.source import Source, check_readable
from .disk.zip_read import Archive
from .errors import FileError
from .old_format import read_header
from .parts import MOST_PICKLE, storage_id
from .pickles.allowed import TENSORS, allowed
from .pickles.decode import bytes_needed, whole_numbers
from .pickles.nesting import check_nesting
from .pickles.pickle_read import Interpreter, Maker

_HDF5 = b"\x89HDF\r\n\x1a\n"


def anatomy_of(f: Any, place: str | None = None, index: Any = None) -> Anatomy:
    """The contents of a file. With the path of a tensor inside it (`place`), also the bytes of that tensor."""
    if not isinstance(f, (str, os.PathLike)):
        check_readable(f)
        begin = f.tell()
        try:
            return _anatomy(Source(f), getattr(f, "name", None) or type(f).__name__, place)
        finally:
            f.seek(begin)
    with open(f, "rb", buffering=0) as file:
        if file.read(8) == _HDF5:
            from .hdf5_inspection import hdf5_anatomy

            return hdf5_anatomy(f, place, index)
        file.seek(0)
        return _anatomy(Source(file), os.path.basename(os.fspath(f)), place)


def _anatomy(source: Source, name: str, place: str | None) -> Anatomy:
    name = str(name)
    begin = source.read(0, 8)
    if begin[:4] != b"PK\3\4":
        return _old(source, name, place)
    try:
        archive = Archive(source)
    except FileError as error:
        return Anatomy(name, "a zip archive", source.size, problems=(str(error),))
    records, problems, starts = [], [], {}
    for key, entry in archive.entries.items():
        try:
            starts[key] = archive.payload(key)
        except FileError as error:
            problems.append(str(error))
        kind = "storage" if key.startswith("data/") else "pickle" if key.endswith(".pkl") else "note"
        records.append(Record(key, starts.get(key, entry.start), entry.packed, kind))
    world = InspectionWorld({key: entry.size for key, entry in archive.entries.items()}, "data/{}")
    try:
        world.read(Interpreter(archive.read("data.pkl", MOST_PICKLE), world))
    except FileError as error:
        problems.append(str(error))
    records.sort(key=lambda record: record.start)
    return world.anatomy(name, "PyTorch's zip format", source, records, problems, starts, place)


def _old(source: Source, name: str, place: str | None) -> Anatomy:
    world, problems, what = InspectionWorld({}, "storage {}"), [], "PyTorch's format before 1.6"
    try:
        data, at, _ = read_header(source)
        world.read(Interpreter(data, world, "the object", at))
    except FileError as error:
        problems.append(str(error))
        reason = getattr(error, "reason", None)
        if reason is not None and reason.rule in ("file.stranger", "file.empty"):
            what = "not a file of PyTorch"
    return world.anatomy(name, what, source, [], problems, {}, place)


class UnknownGlobal:
    """Stands for what a global outside the allow-list would have returned."""

    def __init__(self, name: str):
        self.name = name
        self.parts: list[Any] = []


class TensorRecord:
    """A tensor as the pickle describes it."""

    def __init__(self, kind: str, d: Any, size: tuple, stride: tuple | None, offset: int, storage: str, nbytes: int):
        self.kind, self.dtype, self.size, self.stride = kind, d, size, stride
        self.offset, self.storage, self.nbytes = offset, storage, nbytes
        self.parts: Any = None

    def at(self, place: str) -> TensorEntry:
        name = self.dtype._name if isinstance(self.dtype, dtype) else str(self.dtype)
        return TensorEntry(place, self.kind, name, self.size, self.stride, self.offset, self.storage, self.nbytes)


class NamedStorage:
    """A storage, represented by the name of its record."""

    def __init__(self, record: str, d: dtype | None, nbytes: int):
        self.record, self.dtype, self.nbytes = record, d, nbytes


class InspectionWorld:
    """The `World` of a pickle that is inspected and not loaded."""

    keeps_globals = True

    def __init__(self, sizes: dict[str, int], pattern: str):
        self.sizes, self.pattern = sizes, pattern
        self.refused: dict[str, None] = {}
        self.problems: list[str] = []
        self.tensors: list[TensorRecord] = []
        self.object: Any = None
        self.named: dict[str, int] = {}

    def read(self, interpreter: Interpreter) -> None:
        """Interpret a pickle. If it fails midway, the tensors that were read so far remain."""
        self.object = self.tensors
        self.object = interpreter.run()
        check_nesting(self.object, interpreter.record)

    # -- the World protocol --------------------------------------------------------------------------------------

    def find_class(self, name: str) -> Any:
        """A maker of descriptions for tensors, and of `UnknownGlobal` for names outside the allow-list."""
        result = allowed(name)
        if name in TENSORS:
            return Maker(name, lambda *args: self._tensor(name, args))
        if name == "torch._tensor._rebuild_from_type_v2":
            return Maker(name, self._with_state)
        if result is not None:
            return result
        self.refused[name] = None
        return Maker(name, lambda *args: self._unknown_global(name, args))

    def persistent_load(self, id: Any) -> Any:
        """A storage as the name of its record."""
        kind, key, _, length = storage_id(id[:5] if type(id) is tuple and len(id) == 6 else id)
        record = self.pattern.format(key)
        nbytes = length * (kind.dtype.itemsize if kind.dtype else 1)
        there = self.sizes.get(record)
        self.named[record] = nbytes
        if self.sizes and there is None:
            self.problems.append(f"{record}: the file lacks this record")
        elif there is not None and not nbytes <= there < nbytes + 16:
            self.problems.append(f"{record}: holds {there:,} bytes but the pickle says {nbytes:,}")
        return NamedStorage(record, kind.dtype, nbytes)

    def build(self, made: Any, state: Any) -> None:
        """Keep attributes with the object that they belong to."""
        if isinstance(made, (UnknownGlobal, TensorRecord)):
            made.parts = [made.parts, state]

    def add_items(self, target: Any, items: list[Any]) -> bool:
        """Keep items that are added to an unknown object; return whether it was one."""
        if isinstance(target, UnknownGlobal):
            target.parts.extend(items)
            return True
        return False

    # -- makers --------------------------------------------------------------------------------------------------

    def _unknown_global(self, name: str, args: tuple) -> UnknownGlobal:
        made = UnknownGlobal(name)
        made.parts.extend(args)
        return made

    def _with_state(self, function: Any, kind: Any, args: Any, state: dict[str, Any]) -> Any:
        made = function.make(*args) if type(function) is Maker and type(args) is tuple else None
        if isinstance(made, (TensorRecord, UnknownGlobal)):
            made.parts = [made.parts, state]
        return made

    def _tensor(self, name: str, args: tuple) -> TensorRecord:
        word = name.rpartition("._rebuild_")[2]
        if word.startswith("parameter"):
            made = (
                args[0]
                if args and isinstance(args[0], TensorRecord)
                else TensorRecord("parameter", "?", (), None, 0, "", 0)
            )
            made.kind = "parameter"
            return made
        if word == "meta_tensor_no_storage":
            d, size, stride = args[0], whole_numbers("size", args[1]), whole_numbers("stride", args[2])
            made = TensorRecord("meta tensor", d, size, stride, 0, "", 0)
        elif args and isinstance(args[0], NamedStorage):
            made = self._strided(word, args)
        else:
            kind = f"{word.replace('_tensor', '').replace('_', ' ')} tensor"
            made = TensorRecord(kind, "", (), None, 0, "", 0)
            made.parts = list(args)
        self.tensors.append(made)
        return made

    def _strided(self, word: str, args: tuple) -> TensorRecord:
        held, offset = args[0], args[1] if type(args[1]) is int else 0
        size, stride = whole_numbers("size", args[2]), whole_numbers("stride", args[3])
        d = args[6] if word == "tensor_v3" and len(args) > 6 and isinstance(args[6], dtype) else held.dtype
        nbytes = 0
        if isinstance(d, dtype):
            nbytes = bytes_needed(d, offset, size, stride)
            if nbytes > held.nbytes or offset < 0:
                self.problems.append(
                    f"{held.record}: a tensor of size {list(size)}, stride {list(stride)} and offset {offset} reaches "
                    f"to byte {nbytes:,}, but its storage ends at byte {held.nbytes:,}"
                )
            for n in size:
                if not n:
                    nbytes = 0
        kind = "quantized tensor" if word == "qtensor" else "tensor"
        return TensorRecord(kind, d or "?", size, stride, offset, held.record, nbytes)

    # -- the answer ----------------------------------------------------------------------------------------------

    def anatomy(
        self, name: str, form: str, source: Source, records: list[Record], problems: list[str],
        starts: dict[str, int], place: str | None,
    ) -> Anatomy:  # fmt: skip
        """Everything that was read, as an `Anatomy`."""
        results = [record.at(where) for where, record in _places(self.object)]
        touched: list[tuple[int, int]] = []
        for t in results:
            if place is not None and place in (t.place, t.place.removeprefix("['").removesuffix("']")):
                if t.storage in starts and t.numel:
                    item = _itemsize(t.dtype)
                    touched.append((starts[t.storage] + t.offset * item, starts[t.storage] + t.nbytes))
        return Anatomy(
            name, form, source.size, tuple(records), tuple(results), tuple(self.refused),
            tuple(dict.fromkeys([*self.problems, *problems])), tuple(touched),
        )  # fmt: skip


def _itemsize(name: str) -> int:
    return BY_NAME[name].itemsize if name in BY_NAME else 1


def _places(whole: Any) -> Iterator[tuple[str, TensorRecord]]:
    """Yield every tensor in an object once, with its path. Uses no recursion, so deep nesting is harmless."""
    seen: set[int] = set()
    pending: list[tuple[str, Any]] = [("", whole)]
    while pending:
        place, value = pending.pop()
        if id(value) in seen:
            continue
        if isinstance(value, (TensorRecord, UnknownGlobal, dict, list, tuple, set, frozenset)):
            seen.add(id(value))
        inside: list[tuple[str, Any]] = []
        if isinstance(value, TensorRecord):
            yield place, value
            inside = [(place + part, inner) for part, inner in _parts_of(value.parts)]
        elif isinstance(value, UnknownGlobal):
            inside = [(place + part, inner) for part, inner in _parts_of(value.parts)]
        elif isinstance(value, dict):
            inside = [(f"{place}[{_key(key)}]", inner) for key, inner in value.items()]
        elif isinstance(value, (list, tuple)):
            inside = [(f"{place}[{i}]", inner) for i, inner in enumerate(value)]
        elif isinstance(value, (set, frozenset)):
            inside = [(f"{place}{{…}}", inner) for inner in value]
        pending.extend(reversed(inside))


def _parts_of(parts: Any) -> list[tuple[str, Any]]:
    """The parts of an object as (path, value) pairs; a dict gives attributes."""
    if isinstance(parts, dict):
        return [(f".{key}", inner) for key, inner in parts.items()]
    if isinstance(parts, list):
        return [result for part in parts for result in _parts_of(part)] if parts else []
    return [("", parts)] if isinstance(parts, (TensorRecord, UnknownGlobal, tuple)) else []


def _key(key: Any) -> str:
    text = repr(key)
    return text if len(text) <= 80 else text[:79] + "…"
