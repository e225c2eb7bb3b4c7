"""What a file is that is not of the format that was asked for, and how to read it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from .errors import FileError, refuse_record

WHOLE = "the file"
_KNOWN = (
    (b"\x89HDF", "an HDF5 file", "load_hdf5(path)"),
    (b"\x93NUMPY", "a NumPy file", "load_npy(path)"),
    (b"PK\5\6", "an empty zip archive", ""),
    (b"PK\3\4", "a zip archive, such as a .pt or an .npz file", "load(path), or load_npz(path)"),
    (b"\x80", "a pickle, or a .pt file from before PyTorch 1.6", "load(path)"),
    (b"\x1f\x8b", "packed by gzip", "gzip.open(path), read into io.BytesIO()"),
    (b"version https://git-lfs", "a pointer of Git LFS, without the data that it points to", "git lfs pull"),
    (b"<!doctype html", "a web page", "download the file itself: the address leads to a page about it"),
    (b"<html", "a web page", "download the file itself: the address leads to a page about it"),
)
_LONGEST_HEADER = 100_000_000


def kind_of(begin: bytes) -> tuple[str, str] | None:
    """What begins like this, and what to do with it; None if it is not known.

    >>> kind_of(b"<!DOCTYPE html>")
    ('a web page', 'download the file itself: the address leads to a page about it')
    """
    if begin[8:9] == b"{" and int.from_bytes(begin[:8], "little") < _LONGEST_HEADER:
        return "a safetensors file", "load_safetensors(path)"
    low = begin.lstrip().lower()
    for sign, what, way in _KNOWN:
        if begin.startswith(sign) or (sign.startswith(b"<") and low.startswith(sign)):
            return what, way
    return None


def refuse_stranger(begin: bytes, wanted: str, made_of: str) -> NoReturn:
    """Refuse a file by its first bytes, with the way to read it where there is one."""
    if not begin:
        refuse_record(WHOLE, "is empty: there is nothing to load", rule="file.empty")
    known = kind_of(begin)
    if known is None:
        refuse_record(WHOLE, f"is not {wanted}: it begins with {begin[:24]!r}", made_of, rule="file.stranger")
    what, way = known
    refuse_record(WHOLE, f"is not {wanted} but {what}", "", *filter(None, [way]), rule="file.stranger")


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """Notes the file on the errors about it."""
    try:
        yield
    except FileError as error:
        error.add_note(f"The file: {os.fspath(path)}")
        raise
