"""HDF5: save a dict of tensors as groups of datasets, and load all of it or a slice of one dataset.

h5py does the work. Attributes keep what HDF5 cannot express: `dtype` for dtypes that are stored as raw bytes (bfloat16,
the float8 family), `names` for the names of dimensions.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy import ndarray

from ...errors.reasons import refuse
from ...modes.named_tensors.tensors import names_of
from ...tensor.keys import KEY_NAMES
from ...tensor.tensor import Tensor
from ..disk.atomic import atomic_write
from ..disk.progress import Progress
from ..errors import FileError, refuse_record
from ..pickles.decode import name_dims
from ..pickles.pickle_write import DEEPEST
from ..strangers import reading, refuse_stranger
from .arrays import array_of, check_name, is_numpy_dtype, raw, tensor_for, tensor_of
from .hdf5_links import identity, leads_out, member, names_in, refuse_depth, some_names
from .hdf5_sink import Sink

if TYPE_CHECKING:
    from types import ModuleType

    import h5py


_DTYPE, _NAMES = "dtype", "names"
_SMALL = 1 << 26
"""Files of at most this many bytes are built in memory and written at once."""
_LARGE, _MOST_TIMES = 1 << 30, 200
"""A dataset of more than `_LARGE` bytes is read only if it is at most `_MOST_TIMES` its size in the file."""
_PIECE = 1 << 24
"""Large datasets are read and written in pieces of about this many bytes, so that a progress bar can follow."""


def save_hdf5(
    path: str | os.PathLike[str],
    tensors: Mapping[str, Any],
    *,
    chunks: bool | Sequence[int] | None = None,
    compression: str | None = None,
) -> None:
    """Write a dict of tensors to an HDF5 file; nested dicts become groups. It is replaced completely or not at all.

    `chunks` (True or the shape of a chunk, used for datasets with that many dimensions) and `compression` ("gzip",
    "lzf") are passed to h5py.

    >>> import tempfile
    >>> import tensorwidgets as torch
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     torch.save_hdf5(f"{folder}/points.h5", {"coords": torch.arange(6.).reshape(3, 2)})
    ...     torch.load_hdf5(f"{folder}/points.h5", "coords", slice(-2, None))
    tensor([[2., 3.],
            [4., 5.]])
    """
    if not isinstance(tensors, Mapping):
        refuse(
            TypeError,
            f"save_hdf5 writes a dict of tensors, not a {type(tensors).__name__}",
            "every dataset needs a name",
            "save_hdf5(path, {'x': x})",
            rule="hdf5.names",
        )
    flat = dict(_flat(tensors))
    h5py = the_library()
    nbytes = sum(_nbytes(flat))
    with atomic_write(path) as target, Progress("saving", nbytes) as progress:
        sink = Sink(target) if nbytes > _SMALL else io.BytesIO()
        with h5py.File(sink, "w") as file:
            for name, value in flat.items():
                if value is None:
                    file.create_group(name)
                else:
                    _write(file, name, value, chunks, compression, progress, sink)
        if isinstance(sink, Sink):
            sink.check()
            return
        rest = sink.getbuffer()
        while rest:
            rest = rest[target.write(rest) :]


def load_hdf5(path: str | os.PathLike[str], name: str | None = None, index: Any = None) -> Any:
    """Read an HDF5 file: the whole file as a dict, one group or dataset by name, or part of a dataset by index.

    Only the chunks that the index reaches are read: ``load_hdf5(path, "coords", np.s_[-2:])`` reads two rows.
    """
    h5py = the_library()
    with opened(h5py, path) as file:
        result = file if name is None else member(h5py, file, name)
        if isinstance(result, h5py.Group):
            if index is not None:
                refuse_record(name or "/", "is a group, and only a dataset takes an index",
                              f"it has {some_names(result)}", rule="hdf5.index")  # fmt: skip
            with Progress("loading", _size_of(h5py, result)) as progress:
                return _Walk(h5py, progress).group(result)
        with Progress("loading", result.nbytes if index is None else 0) as progress:
            return _read(result, index, progress)


# -- writing -----------------------------------------------------------------------------------------------------


def _flat(tensors: Mapping[str, Any]) -> Iterator[tuple[str, Tensor | None]]:
    """Yield every tensor with its path; an empty dict yields None."""
    stack = [("", iter(tensors.items()))]
    while stack:
        above, items = stack[-1]
        item = next(items, None)
        if item is None:
            stack.pop()
            continue
        name, value = item
        if not isinstance(name, str) or not name.strip("./"):
            refuse_record(above or "/", f"a dataset cannot be called {name!r}", rule="hdf5.names")
        check_name(name)
        path = f"{above}/{name.strip('/')}" if above else name.strip("/")
        if not isinstance(value, Mapping):
            yield path, tensor_for(path, value)
        elif value:
            stack.append((path, iter(value.items())))
            if len(stack) > DEEPEST:
                refuse_depth(path)
        else:
            yield path, None


def _nbytes(flat: dict[str, Tensor | None]) -> Iterator[int]:
    return (t.nbytes for t in flat.values() if t is not None)


def _write(
    file: h5py.Group,
    name: str,
    t: Tensor,
    chunks: bool | Sequence[int] | None,
    compression: str | None,
    progress: Progress,
    sink: Any,
) -> None:
    array = array_of(t)
    layout = _layout(array.shape, chunks, compression)
    if not is_numpy_dtype(t._dtype):
        array = raw(array)
    try:
        dataset = file.create_dataset(name, array.shape, array.dtype, **layout)
    except (ValueError, TypeError) as error:
        refuse_record(name, f"cannot be written: {error}", rule="hdf5.write")
    if not is_numpy_dtype(t._dtype):
        dataset.attrs[_DTYPE] = t._dtype._name
    if t._keys & KEY_NAMES:
        dataset.attrs[_NAMES] = [name or "" for name in names_of(t)]
    for rows in _pieces(dataset.shape, dataset.dtype.itemsize, dataset.chunks):
        dataset[rows] = array[rows]
        if isinstance(sink, Sink):
            sink.check()
        progress(array[rows].nbytes)


def _layout(shape: tuple[int, ...], chunks: bool | Sequence[int] | None, compression: str | None) -> dict[str, Any]:
    """The storage options of a dataset. Scalars and empty datasets are not chunked; chunks never exceed the shape."""
    if not shape or 0 in shape:
        return {}
    if isinstance(chunks, (tuple, list)):
        chunks = tuple(map(min, chunks, shape)) if len(chunks) == len(shape) else True
    return {"chunks": chunks, "compression": compression}


def _pieces(shape: tuple[int, ...], itemsize: int, chunks: tuple[int, ...] | None) -> Iterator[Any]:
    """Slices of the first dimension that cover the dataset, each a whole number of chunks."""
    row = itemsize
    for n in shape[1:]:
        row *= n
    if not shape or not row * shape[0]:
        yield ()
        return
    step = max(1, _PIECE // row)
    if chunks is not None:
        step = -(-step // chunks[0]) * chunks[0]
    for start in range(0, shape[0], step):
        yield slice(start, start + step)


# -- reading -----------------------------------------------------------------------------------------------------


@contextmanager
def opened(h5py: ModuleType, path: str | os.PathLike[str]) -> Iterator[Any]:
    """An HDF5 file, open for reading."""
    where = os.fspath(path)
    with open(where, "rb") as whole:  # the operating system explains a missing file or a missing permission
        begin = whole.read(64)
    try:
        file = h5py.File(where, "r")
    except OSError as error:
        if begin.startswith(b"\x89HDF"):
            refuse_record(str(where), f"cannot be read as HDF5: {error}", rule="hdf5.open")
        with reading(path):
            refuse_stranger(begin, "an HDF5 file", str(error))
    try:
        yield file
    except FileError:
        raise
    except (KeyError, OSError, RuntimeError) as error:  # what h5py says of a damaged record, wherever it is met
        message = error.args[0] if isinstance(error, KeyError) and error.args else error
        refuse_record(str(where), f"cannot be read as HDF5: {message}"[:300], rule="hdf5.damaged")
    finally:
        file.close()


class _Walk:
    """Reads a group and everything in it. An object with two names is read once and returned as one object."""

    def __init__(self, h5py: ModuleType, progress: Progress):
        self.h5py, self.progress = h5py, progress
        self.read: dict[tuple[int, int], Any] = {}

    def group(self, group: h5py.Group) -> dict[str, Any]:
        whole: dict[str, Any] = {}
        result = self.read[identity(self.h5py, group)] = whole
        stack = [(group, result, iter(names_in(group)))]
        inside = {identity(self.h5py, group)}
        while stack:
            group, result, names = stack[-1]
            name = next(names, None)
            if name is None:
                stack.pop()
                inside.discard(identity(self.h5py, group))
                continue
            value = member(self.h5py, group, name)
            key = identity(self.h5py, value)
            if key in inside:
                refuse_record(value.name, "is a group that contains itself", rule="hdf5.circle")
            if key in self.read:
                result[name] = self.read[key]
            elif isinstance(value, self.h5py.Group):
                result[name] = self.read[key] = {}
                stack.append((value, result[name], iter(names_in(value))))
                inside.add(key)
                if len(stack) > DEEPEST:
                    refuse_depth(value.name)
            else:
                result[name] = self.read[key] = _read(value, None, self.progress)
        return whole


def _read(dataset: Any, index: Any, progress: Progress) -> Tensor:
    name = dataset.name or "the dataset"
    if not hasattr(dataset, "shape") or dataset.shape is None:
        refuse_record(name, "holds no numbers", rule="hdf5.empty")
    if dataset.external or dataset.is_virtual:
        refuse_record(name, "stores its data in external files, which are not opened", rule="hdf5.external")
    if index is None:
        _check_size(dataset, name)
    try:
        dtype_name, names = dataset.attrs.get(_DTYPE), dataset.attrs.get(_NAMES)
    except (OSError, MemoryError, RuntimeError, UnicodeError, KeyError, TypeError, ValueError) as error:
        refuse_record(name, f"has attributes that cannot be read: {error}"[:300], rule="hdf5.read")
    try:
        array = _whole(dataset, progress) if index is None else dataset[_plain_index(index)]
    except (OSError, MemoryError, RuntimeError) as error:
        refuse_record(name, f"cannot be read: {error or 'not enough memory'}"[:300], rule="hdf5.read")
    result = tensor_of(name, array, dtype_name if isinstance(dtype_name, str) else None)
    return _with_names(result, names)


def _check_size(dataset: h5py.Dataset, name: str) -> None:
    """Refuse a dataset that is far larger than its bytes in the file."""
    held = dataset.id.get_storage_size()
    if dataset.nbytes > max(_LARGE, _MOST_TIMES * held):
        refuse_record(
            name,
            f"would unpack to {dataset.nbytes:,} bytes from {held:,} bytes in the file",
            "a small file that unpacks to a huge one is built to exhaust memory",
            "load_hdf5(path, name, np.s_[:1000])",
            rule="hdf5.size",
        )


def _with_names(t: Tensor, names: ndarray | None) -> Tensor:
    """Name the dimensions, unless the index removed some of them."""
    if names is not None and np.shape(names) == (t.dim(),):
        name_dims(t, tuple(str(name) or None for name in names))
    return t


def _whole(dataset: h5py.Dataset, progress: Progress) -> np.ndarray:
    if dataset.dtype.subdtype is not None:
        return dataset[()]  # each element is a small array; NumPy appends its dimensions at the end
    array = np.empty(dataset.shape, dataset.dtype)
    if array.dtype.hasobject:
        return array
    for rows in _pieces(dataset.shape, dataset.dtype.itemsize, dataset.chunks):
        if array.size:
            dataset.read_direct(array, rows, rows)
        progress(array[rows].nbytes)
    return array


def _plain_index(index: Any) -> Any:
    """An index for h5py: tensors in it become arrays."""
    if isinstance(index, tuple):
        return tuple(map(_plain_index, index))
    return np.asarray(array_of(index)) if isinstance(index, Tensor) else index


def _size_of(h5py: ModuleType, group: h5py.Group) -> int:
    total = 0
    for name in names_in(group):
        if not leads_out(h5py, group, name) and isinstance(result := member(h5py, group, name), h5py.Dataset):
            total += result.nbytes or 0
    return total


def the_library() -> Any:
    """h5py, loaded when it is first needed."""
    try:
        import h5py
    except ImportError:
        _refuse_missing("h5py")
    return h5py


def _refuse_missing(package: str) -> NoReturn:
    refuse(
        ImportError,
        f"{package} is not installed, and this format is read and written through it",
        "it is an optional dependency",
        f"pip install {package}",
        rule="file.package",
    )
