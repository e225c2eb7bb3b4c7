"""`load`: read a .pt file without running code from it."""

from __future__ import annotations

import mmap as memory_maps
import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..memory import MAIN_MEMORY
from ..tensor.storages.untyped import UntypedStorage
from .disk.progress import Progress
from .disk.source import Source, check_readable
from .disk.zip_read import Archive
from .errors import refuse_global, refuse_record
from .gc_pause import no_garbage
from .map_location import Mover, is_meta, mover
from .old_format import load_legacy
from .parts import MOST_PICKLE, part_size, set_state, storage_id
from .pickles.allowed import allowed
from .pickles.decode import RECORDS, read_as
from .pickles.pickle_read import Interpreter
from .strangers import reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ..types.device import device


_BYTE = np.dtype(np.uint8)


def load(
    f: Any,
    map_location: str | device | dict[str, str] | Callable[..., Any] | None = None,
    pickle_module: ModuleType | None = None,
    *,
    weights_only: bool | None = True,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load an object that `save` or `torch.save` wrote to a path or an open file.

    The pickle in the file is interpreted against an allow-list and never run; a damaged or hostile file raises
    `FileError`. `map_location` says where the storages go: a device, a dict from device to device, or a function of a
    storage and the device it was saved from; with 'meta' only shapes are read. With `mmap=True` the file is mapped into
    memory, and the bytes of a tensor are read on first access.

    >>> import io
    >>> import tensorwidgets as torch
    >>> file = io.BytesIO()
    >>> torch.save([torch.ones(2, 3), "text"], file)
    >>> _ = file.seek(0)
    >>> torch.load(file, map_location="meta")
    [tensor(..., device='meta', size=(2, 3)), 'text']
    """
    _check_arguments(weights_only, pickle_module)
    encoding = _encoding(pickle_load_args)
    if not isinstance(f, (str, os.PathLike)):
        check_readable(f)
        if mmap:
            refuse(
                ValueError,
                "f must be a file path in order to use the mmap argument",
                "only a file with a path can be mapped into memory",
                "load(path, mmap=True)",
                rule="file.mmap",
            )
        return _load(f, map_location, None, encoding)
    if os.fspath(f).endswith(".safetensors"):
        from .formats.safetensors import load_safetensors

        return load_safetensors(f, map_location=map_location)
    with reading(f), open(f, "rb", buffering=0) as file:
        return _load(file, map_location, file if mmap else None, encoding)


def _load(
    file: Any,
    map_location: str | device | dict[str, str] | Callable[..., Any] | None,
    mapped: Any,
    encoding: str | None,
) -> Any:
    source = Source(file, "the file")
    start = source.read(0, 8)
    if start[:4] == b"PK\3\4":
        with no_garbage():
            return _load_zip(Archive(source), map_location, mapped, encoding)
    if mapped is not None and start[:1] == b"\x80":
        refuse(
            RuntimeError,
            f"mmap can only be used with files saved with `torch.save({mapped.name}, "
            "_use_new_zipfile_serialization=True), "
            "please torch.save your checkpoint with this option in order to use mmap.",
            "the older format does not align storages, so they cannot be mapped",
            "load(path)",
            rule="file.mmap",
        )
    return load_legacy(source, map_location, encoding)


def _load_zip(
    archive: Archive,
    map_location: str | device | dict[str, str] | Callable[..., Any] | None,
    mapped: Any,
    encoding: str | None,
) -> Any:
    if "constants.pkl" in archive:
        refuse_record(
            "constants.pkl",
            "this is a TorchScript archive: a program, not tensors",
            "reading it would run code from the file",
            "torch.save(model.state_dict(), path) in PyTorch",
            rule="file.script",
        )
    pickle = archive.read("data.pkl", MOST_PICKLE)
    total = sum(entry.size for name, entry in archive.entries.items() if name.startswith("data/"))
    with Progress("loading", total) as progress:
        records = Records(archive, mapped, progress)
        return Interpreter(pickle, Loading(records, map_location), encoding=encoding).run()


class Records:
    """The storages of an archive, each read on first use."""

    def __init__(self, archive: Archive, mapped: Any, progress: Progress):
        self.archive, self.progress = archive, progress
        self.swapped = self._byte_order() != sys.byteorder
        self.memory: Any = None
        if mapped is not None:
            # A private map: writes to a tensor stay in memory and never reach the file.
            self.memory = np.frombuffer(memory_maps.mmap(mapped.fileno(), 0, access=memory_maps.ACCESS_COPY), np.uint8)

    def _byte_order(self) -> str:
        if "byteorder" not in self.archive:
            return "little"
        order = self.archive.read("byteorder", 16)
        if order not in (b"little", b"big"):
            refuse_record("byteorder", f"names an unknown byte order: {order!r}", rule="file.order")
        return order.decode()

    def check(self, key: str, nbytes: int, itemsize: int) -> None:
        """Refuse a storage whose record differs in size from what the pickle says."""
        there = self.archive.entry(f"data/{key}").size
        if not nbytes <= there < nbytes + itemsize:
            refuse_record(
                f"data/{key}",
                f"holds {there:,} bytes but the pickle says {nbytes:,}",
                "the tensors are views of a storage of exactly that size",
                rule="file.size",
            )

    def storage(self, key: str, itemsize: int, part: int) -> UntypedStorage:
        """The storage in a record whose elements take `itemsize` bytes; bytes are swapped in units of `part`."""
        name = f"data/{key}"
        size = self.archive.entry(name).size
        if self.memory is not None and not self.swapped:
            return self._mapped(name, size, itemsize)
        room = MAIN_MEMORY.empty((size,), _BYTE)  # reuses freed memory of the pool
        self.archive.read_into(name, memoryview(room.data), self.progress)
        if self.swapped and part > 1:
            whole = room[: size - size % part]
            whole[:] = whole.view(f"u{part}").byteswap().view(np.uint8)
        return UntypedStorage(room)

    def _mapped(self, name: str, size: int, itemsize: int) -> UntypedStorage:
        if not self.archive.stored(name):
            refuse_record(
                name,
                "is compressed and cannot be mapped",
                "only uncompressed bytes can be mapped into memory",
                "load(path)",
                rule="file.mmap",
            )
        start = self.archive.payload(name)
        if start % itemsize:
            room = np.empty(size, np.uint8)
            room[:] = self.memory[start : start + size]
            return UntypedStorage(room)
        storage = UntypedStorage(self.memory[start : start + size])
        storage._lent = True
        return storage


class Loading:
    """The `World` of `load`: the allow-list and the storages of an archive."""

    def __init__(self, records: Records, map_location: str | device | dict[str, str] | Callable[..., Any] | None):
        self.records = records
        self.move: Mover = mover(map_location)
        self.only_shapes = is_meta(map_location)
        self.storages: dict[str, UntypedStorage] = {}

    def find_class(self, name: str) -> Any:
        """The value of a global on the allow-list."""
        result = allowed(name)
        if result is None:
            refuse_global("data.pkl", name)
        return result

    def persistent_load(self, id: Any) -> Any:
        """The storage with this id."""
        kind, key, location, length = storage_id(id)
        itemsize = kind.dtype.itemsize if kind.dtype else 1
        self.records.check(key, length * itemsize, itemsize)
        storage = self.storages.get(key)
        if storage is None:
            if self.only_shapes:
                storage = UntypedStorage._meta(length * itemsize)
            else:
                storage = self.move(self.records.storage(key, itemsize, part_size(kind.dtype)), location)
            self.storages[key] = storage
            RECORDS[storage] = f"data/{key}"
        return read_as(storage, kind.dtype)

    def build(self, made: Any, state: Any) -> None:
        """Set attributes of an OrderedDict or a tensor."""
        set_state(made, state)


def _encoding(pickle_load_args: dict[str, Any]) -> str | None:
    """How the caller wants text of Python 2 to be read; other settings of Python's pickle reader are refused."""
    if not pickle_load_args:
        return None
    warn("pickle_load_args only works if `weights_only=False`.")
    other = next((name for name in pickle_load_args if name != "encoding"), None)
    if other is not None:
        refuse(
            TypeError,
            f"Unpickler.__init__() got an unexpected keyword argument '{other}'",
            "load reads pickles by itself, and of Python's reader it knows only encoding",
            "load(f, encoding='latin1')",
            rule="file.pickle_load_args",
        )
    encoding: str = pickle_load_args["encoding"]
    return encoding


def _check_arguments(weights_only: bool | None, pickle_module: ModuleType | None) -> None:
    if weights_only is not None and not weights_only:
        refuse(
            RuntimeError,
            "weights_only=False is refused: load never runs code from a file",
            "a pickle is a program, and running it gives its author control of the computer",
            "load(f), which reads tensors, numbers, text and containers without running anything",
            rule="file.weights_only",
        )
    if pickle_module is not None:
        refuse(
            RuntimeError,
            "Can not safely load weights when explicit pickle_module is specified",
            "load uses its own interpreter, which cannot call what a file names",
            "load(f)",
            rule="file.pickle_module",
        )
