"""NumPy's formats: one array (.npy) or several by name (.npz). A pickle inside them is never read."""

from __future__ import annotations

import os
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ..disk.atomic import atomic_write
from ..errors import FileError, refuse_record
from ..strangers import reading, refuse_stranger
from .arrays import array_of, check_name, is_numpy_dtype, tensor_for, tensor_of

_WRONG = (
    ValueError, EOFError, OSError, KeyError, zipfile.BadZipFile, zlib.error, MemoryError, SyntaxError, TypeError,
    RuntimeError, NotImplementedError, tokenize.TokenError,
)  # fmt: skip
"""The exceptions that NumPy's readers raise for damaged files."""
_LARGE, _MOST_TIMES = 1 << 30, 200
"""An array larger than the first number of bytes is unpacked only if it grows at most by the second, a factor."""


def save_npy(path: str | os.PathLike[str], tensor: Tensor) -> None:
    """Write one tensor as a .npy file, completely or not at all.

    >>> import tempfile
    >>> import tensorwidgets as torch
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     torch.save_npy(f"{folder}/x.npy", torch.arange(3))
    ...     torch.load_npy(f"{folder}/x.npy")
    tensor([0, 1, 2])
    """
    array = _array("the array", tensor)
    with atomic_write(path) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def load_npy(path: str | os.PathLike[str], index: Any = None, *, mmap: bool = False) -> Tensor:
    """Read a .npy file, or the part that `index` selects; with `mmap=True` the data stays on disk until it is used."""
    _check_begin(path)
    try:
        array = np.load(path, mmap_mode="c" if mmap or index is not None else None, allow_pickle=False)
        if not isinstance(array, np.ndarray):
            _refuse_pt(array)
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
    """Write a dict of tensors as an .npz file, completely or not at all."""
    if not isinstance(tensors, Mapping):
        refuse(
            TypeError,
            f"save_npz writes a dict of tensors, not a {type(tensors).__name__}",
            "every array needs a name",
            "save_npz(path, {'x': x})",
            rule="file.names",
        )
    for name in tensors:
        check_name(name)
    arrays = {name: _array(name, value) for name, value in tensors.items()}
    with atomic_write(path) as file:
        # numpy.savez takes the names as keywords, so it cannot write an array called "file".
        how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
        with zipfile.ZipFile(file, "w", how) as archive:
            for name, array in arrays.items():
                entry = zipfile.ZipInfo(f"{name}.npy")  # no date, so that equal input gives equal bytes
                entry.compress_type = how
                with archive.open(entry, "w", force_zip64=True) as record:
                    np.lib.format.write_array(record, array, allow_pickle=False)


def load_npz(path: str | os.PathLike[str], name: str | None = None) -> Any:
    """Read an .npz file as a dict of tensors, or one tensor by name."""
    _check_begin(path)
    try:
        opened = np.load(path, allow_pickle=False)
        if isinstance(opened, np.ndarray):
            refuse_record("the file", "holds one array: it is an .npy", "", "load_npy(path)", rule="file.npy")
        with opened as archive:
            _refuse_pt(archive)
            if name is None:
                return {each: tensor_of(each, _unpacked(archive, each)) for each in archive.files}
            if name not in archive.files:
                refuse_record(name, "the file has no array of that name", f"it has {', '.join(archive.files[:6])}",
                              rule="file.missing")  # fmt: skip
            return tensor_of(name, _unpacked(archive, name))
    except FileError:
        raise
    except _WRONG as error:
        _refuse_damaged(path, error)


def _unpacked(archive: Any, name: str) -> Any:
    """An array of an archive; refused if it would unpack to far more bytes than the file holds."""
    records = [r for r in archive.zip.infolist() if r.filename in (name, f"{name}.npy")]
    size, held = sum(r.file_size for r in records), sum(r.compress_size for r in records)
    if size > max(_LARGE, _MOST_TIMES * held):
        refuse_record(
            name,
            f"would unpack to {size:,} bytes from {held:,} bytes in the file",
            "a small file that unpacks to a huge one is built to exhaust memory",
            "unzip it yourself and read it with load_npy",
            rule="file.size",
        )
    return archive[name]


def _array(name: str, value: Any) -> np.ndarray:
    t = tensor_for(name, value)
    if not is_numpy_dtype(t._dtype):
        refuse_record(
            name,
            f"NumPy's formats cannot store {t._dtype}",
            "a reader would see raw bytes without a dtype",
            "x.float()",
            "save_hdf5(path, {'x': x}), or save(x, path)",
            rule="file.dtype",
        )
    return array_of(t)


def _refuse_pt(archive: Any) -> None:
    if any(name.endswith("/data.pkl") for name in archive.files):
        refuse_record("the file", "is not a file of NumPy but a .pt file", "", "load(path)", rule="file.stranger")


def _check_begin(path: str | os.PathLike[str]) -> None:
    """Refuse what is neither an .npy nor an .npz file, nor a pickle, which NumPy refuses."""
    with open(os.fspath(path), "rb") as file:  # the operating system explains a missing file or permission
        begin = file.read(64)
    if not begin.startswith((b"\x93NUMPY", b"PK\3\4", b"PK\5\6", b"\x80")):
        with reading(path):
            refuse_stranger(begin, "a file of NumPy", "an .npy file begins with \x93NUMPY, and an .npz file is a zip")


def _refuse_damaged(path: str | os.PathLike[str], error: BaseException) -> NoReturn:
    message = str(error) or type(error).__name__
    if "allow_pickle" in message or "pickled" in message:
        refuse_record("the file", "is not an array of numbers: it is or contains a pickle, which is never read",
                      rule="file.pickle")  # fmt: skip
    refuse_record("the file", f"{os.fspath(path)} cannot be read as a NumPy file: {message}"[:300], rule="file.numpy")
