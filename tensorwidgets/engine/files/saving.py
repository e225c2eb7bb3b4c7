"""`save`: an object as a .pt file that PyTorch reads, too."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from .atomic import written_whole
from .pause import no_garbage
from .pickle_write import PickleWriter
from .progress import Progress
from .telling import Storages, tell
from .zip_write import ALIGNMENT, ZipWriter

_SMALL = 1 << 12
"""Storages of less than a page are not worth a warning."""


def save(
    obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, _use_new_zipfile_serialization: bool = True
) -> None:
    """Write tensors, and lists, tuples, dicts and sets of them with numbers and text, to a path or an open file.

    A file that is given by its path is replaced whole or not at all; an open file is written to as it stands. Tensors
    that share memory share it again when they are loaded. The pickle inside is always of protocol 2.

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
            "pickle_module is not used here",
            "what is written is a fixed set of words, and no pickler is asked for others",
            "save(obj, f)",
            rule="file.pickle_module",
        )
    if not _use_new_zipfile_serialization:
        refuse(
            RuntimeError,
            "the format from before PyTorch 1.6 is read here, and no longer written",
            "it cannot be mapped, and one damaged byte spoils all that follows",
            "save(obj, f)",
            rule="file.legacy",
        )
    if not isinstance(f, (str, os.PathLike)):
        if not hasattr(f, "write"):
            refuse(
                AttributeError,
                "expected 'f' to be string, path, or a file-like object with a 'write' attribute",
                "nothing can be written to it",
                "a path, open(path, 'wb'), or io.BytesIO()",
                rule="file.write",
            )
        _write(obj, f, "archive")
        return
    storages, pickle = _pickled(obj)  # what cannot be written is refused before any file is made
    with written_whole(f) as file:
        _write_records(file, _prefix(f), storages, pickle)


def _write(obj: Any, file: Any, prefix: str) -> None:
    storages, pickle = _pickled(obj)
    _write_records(file, prefix, storages, pickle)
    if hasattr(file, "flush"):
        file.flush()


def _pickled(obj: Any) -> tuple[Storages, bytes]:
    storages = Storages()
    with no_garbage():
        pickle = PickleWriter(lambda value: tell(value, storages)).dump(obj)
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
    """Write that goes on until all bytes are out: a file without a buffer may take only some."""

    def write(piece: Any) -> None:
        done = file.write(piece)
        if done is not None and done < len(piece):
            rest = memoryview(piece)[done:]
            while rest:
                rest = rest[file.write(rest) :]

    return write


def _prefix(path: str | os.PathLike[str]) -> str:
    """The folder inside the archive: the file's name, as PyTorch has it."""
    stem = Path(os.fspath(path)).stem
    return stem if stem and stem.isascii() and os.fspath(path).isascii() else "archive"


def _warn_of_much_unseen(storages: Storages) -> None:
    """A view is written with all of its storage: say so once, where most of what is written is in no tensor."""
    seen = whole = 0
    for storage, looked_at in storages.looked_at.items():
        nbytes = storage.nbytes()
        if nbytes > _SMALL and 2 * looked_at < nbytes:
            seen, whole = seen + looked_at, whole + nbytes
    if whole:
        warn(
            f"save writes whole storages: of {whole:,} bytes, the tensors that are saved look at {seen:,}. "
            "To write only those, save x.clone() in place of the view x."
        )
