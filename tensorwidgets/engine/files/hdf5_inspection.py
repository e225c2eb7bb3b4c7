"""`hdf5_anatomy`: the datasets of an HDF5 file, and the bytes that reading part of a dataset touches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from .anatomy import Anatomy, Record, TensorEntry
from .errors import FileError, refuse_record
from .formats.hdf5 import opened, the_library
from .formats.hdf5_links import identity, member, names_in, refuse_depth
from .pickles.pickle_write import DEEPEST

if TYPE_CHECKING:
    from types import ModuleType

    import h5py


_MOST_CHUNKS = 4096
"""A dataset with at most this many chunks lists each of them; a larger one lists the byte range of all of them."""


def hdf5_anatomy(path: str | os.PathLike[str], name: str | None, index: Any) -> Anatomy:
    """The datasets of an HDF5 file, with the byte range of each chunk."""
    h5py = the_library()
    records: list[Record] = []
    tensors: list[TensorEntry] = []
    problems: list[str] = []
    touched: list[tuple[int, int]] = []
    with opened(h5py, path) as file:
        for place in _datasets(h5py, file, problems):
            dataset = member(h5py, file, place)
            if dataset.shape is None or dataset.external or dataset.is_virtual:
                problems.append(f"{place}: has no data in this file")
                continue
            dtype_name = dataset.attrs.get("dtype")
            kind = dtype_name if isinstance(dtype_name, str) else dataset.dtype.name
            stored = _stored(dataset, place)
            records += [record for record, _ in stored]
            how = f"chunked {list(dataset.chunks)} dataset" if dataset.chunks else "dataset"
            tensors.append(
                TensorEntry(place, how, kind[:40], dataset.shape, None, 0, place, dataset.id.get_storage_size())
            )
            if name is not None and place == name.strip("/"):
                touched += [(r.start, r.start + r.nbytes) for r in _reached(dataset, stored, index)]
    if name is not None and name.strip("/") not in [t.place for t in tensors]:
        refuse_record(name, "the file has no dataset of that name", rule="hdf5.missing")
    size = os.path.getsize(path)
    shown = os.path.basename(os.fspath(path))
    records.sort(key=lambda record: record.start)
    return Anatomy(shown, "HDF5", size, tuple(records), tuple(tensors), (), tuple(problems), tuple(touched))


def _datasets(h5py: ModuleType, file: h5py.Group, problems: list[str]) -> list[str]:
    """The paths of all datasets. A group with two names is visited once."""
    results: list[str] = []
    seen = {identity(h5py, file["/"])}
    stack = [(file["/"], "", iter(names_in(file)))]
    while stack:
        group, above, names = stack[-1]
        key = next(names, None)
        if key is None:
            stack.pop()
            continue
        place = f"{above}/{key}" if above else key
        try:
            value = member(h5py, group, key)
            if isinstance(value, h5py.Dataset):
                results.append(place)
            elif isinstance(value, h5py.Group) and identity(h5py, value) not in seen:
                seen.add(identity(h5py, value))
                stack.append((value, place, iter(names_in(value))))
                if len(stack) > DEEPEST:
                    stack.pop()
                    refuse_depth(place)
        except FileError as error:
            problems.append(str(error))
    return results


def _stored(dataset: h5py.Dataset, place: str) -> list[tuple[Record, tuple[int, ...] | None]]:
    """The byte ranges of a dataset: one for each chunk with its first index, or one for a contiguous dataset."""
    if dataset.chunks is None:
        start = dataset.id.get_offset()
        nbytes = dataset.id.get_storage_size()
        return [(Record(place, start, nbytes, "storage"), None)] if start is not None else []
    chunks: list[tuple[Record, tuple[int, ...] | None]] = []
    for number in range(min(dataset.id.get_num_chunks(), _MOST_CHUNKS)):
        info = dataset.id.get_chunk_info(number)
        record = Record(f"{place} {list(info.chunk_offset)}", info.byte_offset, info.size, "chunk")
        chunks.append((record, tuple(info.chunk_offset)))
    return chunks


def _reached(dataset: h5py.Dataset, stored: list[tuple[Record, tuple[int, ...] | None]], index: Any) -> list[Record]:
    """The byte ranges that an index reaches: whole chunks, or rows of a contiguous dataset."""
    if index is None:
        return [record for record, _ in stored]
    picks = _picked(dataset.shape, index)
    if dataset.chunks is not None:
        chunks = dataset.chunks
        reached = [{i // n for i in pick} for pick, n in zip(picks, chunks, strict=True)]
        return [
            record
            for record, first in stored
            if first is not None and all(f // n in w for f, n, w in zip(first, chunks, reached, strict=True))
        ]
    record = stored[0][0] if stored else None
    if record is None or not picks or not len(picks[0]):
        return []
    row = record.nbytes // max(dataset.shape[0], 1)
    first, last = min(picks[0]), max(picks[0])
    return [Record(record.name, record.start + first * row, (last + 1 - first) * row, "storage")]


def _picked(shape: tuple[int, ...], index: Any) -> list[list[int]]:
    """The indices that are read, for each dimension."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if any(part is Ellipsis for part in parts):
        at = next(k for k, part in enumerate(parts) if part is Ellipsis)
        parts[at : at + 1] = [slice(None)] * (len(shape) - len(parts) + 1)
    parts += [slice(None)] * (len(shape) - len(parts))
    return [np.atleast_1d(np.arange(n)[part]).tolist() for n, part in zip(shape, parts, strict=True)]
