"""NumPy's own formats: one array (.npy), or several by name (.npz). No pickle inside is ever read."""

from __future__ import annotations

import os
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from .arrays import array_for, check_name, is_numpys, tensor_for, tensor_of
from .atomic import written_whole
from .errors import FileError, refuse_record

_WRONG = (
    ValueError, EOFError, OSError, KeyError, zipfile.BadZipFile, zlib.error, MemoryError, SyntaxError, TypeError,
    RuntimeError, NotImplementedError, tokenize.TokenError,
)  # fmt: skip
_LARGE, _MOST_TIMES = 1 << 30, 200
"""An array of more bytes than this is unpacked if it is at most so many times as large as what the file holds."""
"""What NumPy's readers raise at damaged files."""


def save_npy(path: str | os.PathLike[str], tensor: Any) -> None:
    """Write one tensor as NumPy's .npy, whole or not at all.

    >>> import tempfile
    >>> import tensorwidgets as torch
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     torch.save_npy(f"{folder}/x.npy", torch.arange(3))
    ...     torch.load_npy(f"{folder}/x.npy")
    tensor([0, 1, 2])
    """
    array = _array("the array", tensor)
    with written_whole(path) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def load_npy(path: str | os.PathLike[str], index: Any = None, *, mmap: bool = False) -> Tensor:
    """Read a .npy file, or the part of it that an index reaches; with `mmap=True` the numbers stay on disk."""
    _check_there(path)
    try:
        array = np.load(path, mmap_mode="c" if mmap or index is not None else None, allow_pickle=False)
        if not isinstance(array, np.ndarray):
            array.close()
            refuse_record("the file", "holds several arrays: it is an .npz", "", "load_npz(path)", rule="file.npz")
        part = array if index is None else np.array(array[index])
    except FileError:
        raise
    except IndexError:
        raise
    except _WRONG as error:
        _refuse_damaged(path, error)
    return tensor_of("the array", part)


def save_npz(path: str | os.PathLike[str], tensors: Mapping[str, Any], *, compressed: bool = False) -> None:
    """Write a dict of tensors as NumPy's .npz, whole or not at all."""
    if not isinstance(tensors, Mapping):
        refuse(
            TypeError,
            f"save_npz writes a dict of tensors, not a {type(tensors).__name__}",
            "an array is found by its name",
            "save_npz(path, {'x': x})",
            rule="file.names",
        )
    for name in tensors:
        check_name(name)
    arrays = {name: _array(name, value) for name, value in tensors.items()}
    with written_whole(path) as file:
        # NumPy's own function takes the names as keywords, where "file" is its own.
        how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
        with zipfile.ZipFile(file, "w", how) as archive:
            for name, array in arrays.items():
                entry = zipfile.ZipInfo(f"{name}.npy")  # without a date: the same input gives the same bytes
                entry.compress_type = how
                with archive.open(entry, "w", force_zip64=True) as record:
                    np.lib.format.write_array(record, array, allow_pickle=False)


def load_npz(path: str | os.PathLike[str], name: str | None = None) -> Any:
    """Read an .npz file as a dict of tensors, or one of them by its name."""
    _check_there(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            if isinstance(archive, np.ndarray):
                refuse_record("the file", "holds one array: it is an .npy", "", "load_npy(path)", rule="file.npy")
            if name is None:
                return {each: tensor_of(each, _unpacked(archive, each)) for each in archive.files}
            if name not in archive.files:
                refuse_record(name, "the file has no such array", f"it has {', '.join(archive.files[:6])}",
                              rule="file.missing")  # fmt: skip
            return tensor_of(name, _unpacked(archive, name))
    except FileError:
        raise
    except _WRONG as error:
        _refuse_damaged(path, error)


def _unpacked(archive: Any, name: str) -> Any:
    """An array of an archive, if it does not grow huge out of little."""
    records = [r for r in archive.zip.infolist() if r.filename in (name, f"{name}.npy")]
    size, held = sum(r.file_size for r in records), sum(r.compress_size for r in records)
    if size > max(_LARGE, _MOST_TIMES * held):
        refuse_record(
            name,
            f"would unpack to {size:,} bytes, and the file holds {held:,} of it",
            "a small file that unpacks to a huge one is made to fill up a computer's memory",
            "unpack it by hand, and read it with load_npy",
            rule="file.size",
        )
    return archive[name]


def _array(name: str, value: Any) -> np.ndarray:
    t = tensor_for(name, value)
    if not is_numpys(t._dtype):
        refuse_record(
            name,
            f"NumPy's formats have no word for {t._dtype}",
            "its readers would find bytes of no kind",
            "x.float()",
            "save_hdf5(path, {'x': x}), or save(x, path)",
            rule="file.dtype",
        )
    return array_for(t)


def _check_there(path: str | os.PathLike[str]) -> None:
    with open(path, "rb"):
        pass  # a file that is missing or closed to us is told by the system


def _refuse_damaged(path: str | os.PathLike[str], error: BaseException) -> NoReturn:
    told = str(error) or type(error).__name__
    if "allow_pickle" in told or "pickled" in told:
        refuse_record("the file", "is no array of numbers: it holds, or is, a pickle, which is not read",
                      rule="file.pickle")  # fmt: skip
    refuse_record("the file", f"{os.fspath(path)} cannot be read as NumPy's: {told}"[:300], rule="file.numpy")
