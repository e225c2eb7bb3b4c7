"""`save`: write an object as a .pt file that PyTorch can read."""

from __future__ import annotations

import os
import sys
from operator import index
from pathlib import Path
from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from .disk.atomic import atomic_write
from .disk.progress import Progress
from .disk.zip_write import ALIGNMENT, ZipWriter
from .gc_pause import no_garbage
from .pickles.encode import Storages, encode
from .pickles.pickle_write import PickleWriter

_SMALL = 1 << 12
"""The largest storage, in bytes, that needs no warning: one page."""


def _check_protocol(protocol: Any) -> None:
    """Refuse what Python's pickler refuses, although every file is written in protocol 2."""
    if protocol is None:
        return
    number = index(protocol)
    if not -(1 << 63) <= number < 1 << 63:
        refuse(OverflowError, "Python int too large to convert to C long", rule="file.protocol")
    if number > _HIGHEST:
        refuse(
            ValueError, f"pickle protocol must be <= {_HIGHEST}", f"there is no protocol {number}", rule="file.protocol"
        )


_HIGHEST = 5
"""The newest protocol of pickles that Python has."""


def save(
    obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, _use_new_zipfile_serialization: bool = True
) -> None:
    """Save tensors, numbers, text, and lists, tuples, dicts and sets of them to a path or an open file.

    A file at a path is replaced completely or not at all; an open file is written to from its position. Tensors that
    share memory share it again after loading. The pickle inside always has protocol 2.

    >>> import io
    >>> import tensorwidgets as torch
    >>> x, file = torch.arange(4), io.BytesIO()
    >>> torch.save({"x": x, "odd": x[1::2]}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'x': tensor([0, 1, 2, 3]), 'odd': tensor([1, 3])}
    """
    if pickle_module is not None and getattr(pickle_module, "__name__", "") != "pickle":
        refuse(
            RuntimeError,
            "pickle_module is not supported",
            "save writes the pickle itself and uses no pickler",
            "save(obj, f)",
            rule="file.pickle_module",
        )
    _check_protocol(pickle_protocol)
    if not _use_new_zipfile_serialization:
        refuse(
            RuntimeError,
            "the format from before PyTorch 1.6 can be loaded but not saved",
            "it cannot be mapped into memory, and one damaged byte makes the rest unreadable",
            "save(obj, f)",
            rule="file.legacy",
        )
    if not isinstance(f, (str, os.PathLike)):
        if not hasattr(f, "write"):
            refuse(
                AttributeError,
                "expected 'f' to be string, path, or a file-like object with a 'write' attribute",
                "this object has no write method",
                "a path, open(path, 'wb'), or io.BytesIO()",
                rule="file.write",
            )
        _write(obj, f, "archive")
        return
    _check_folder(os.path.dirname(os.fspath(f)))
    storages, pickle = _pickled(obj)  # an object that cannot be saved is refused before any file is created
    with atomic_write(f) as file:
        _write_records(file, _prefix(f), storages, pickle)


def _check_folder(folder: str) -> None:
    if folder and not os.path.isdir(folder):
        refuse(
            RuntimeError,
            f"Parent directory {folder} does not exist.",
            "a file is written into a folder that is there",
            f"os.makedirs({folder!r}, exist_ok=True)",
            rule="file.folder",
        )


def _write(obj: Any, file: Any, prefix: str) -> None:
    storages, pickle = _pickled(obj)
    _write_records(file, prefix, storages, pickle)
    if hasattr(file, "flush"):
        file.flush()


def _pickled(obj: Any) -> tuple[Storages, bytes]:
    storages = Storages()
    with no_garbage():
        pickle = PickleWriter(lambda value: encode(value, storages)).dump(obj)
    _warn_of_much_unseen(storages)
    return storages, pickle


def _write_records(file: Any, prefix: str, storages: Storages, pickle: bytes) -> None:
    total = sum(storage.nbytes() for storage in storages.numbers)
    with Progress("saving", total) as progress, no_garbage():
        zip = ZipWriter(_writes_all(file), prefix, progress)
        zip.record("data.pkl", pickle)
        zip.record(".format_version", b"1")
        zip.record(".storage_alignment", b"%d" % ALIGNMENT)
        zip.record("byteorder", sys.byteorder.encode())
        for storage, number in storages.numbers.items():
            zip.record(f"data/{number}", storage._readable())
        zip.record("version", b"3\n")
        zip.record(".data/serialization_id", zip.identity())
        zip.finish()


def _writes_all(file: Any) -> Any:
    """A write function that repeats until all bytes are written: an unbuffered file may accept only some."""

    def write(piece: Any) -> None:
        done = file.write(piece)
        if done is not None and done < len(piece):
            rest = memoryview(piece)[done:]
            while rest:
                rest = rest[file.write(rest) :]

    return write


def _prefix(path: str | os.PathLike[str]) -> str:
    """The folder inside the archive: the file's name without its ending, as in PyTorch."""
    stem = Path(os.fspath(path)).stem
    return stem if stem and stem.isascii() and os.fspath(path).isascii() else "archive"


def _warn_of_much_unseen(storages: Storages) -> None:
    """Warn if most of the written bytes belong to no saved tensor: a view is saved with its whole storage."""
    seen = whole = 0
    for storage, viewed in storages.viewed.items():
        nbytes = storage.nbytes()
        if nbytes > _SMALL and 2 * viewed < nbytes:
            seen, whole = seen + viewed, whole + nbytes
    if whole:
        warn(
            f"save writes whole storages: the saved tensors use {seen:,} of {whole:,} bytes. "
            "To write only those, save x.clone() instead of the view x."
        )
