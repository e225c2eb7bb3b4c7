"""Who is alive: every array that a name leads to, the memory it lies in, and what a cell did to that memory.

A census is taken before and after a cell. In between it holds the arrays, so that no address is used twice, and a copy
of the bytes of small storages; of large ones it keeps check sums, and of those that are too large it says that it did
not look.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .kinds import is_sparse
from .layout import Layout
from .sources import is_array
from .storages import Storage, storages_of

COPIED, SUMMED, BLOCK = 1 << 20, 1 << 28, 1 << 16
"""Bytes of a storage up to which its contents are kept, up to which check sums are, and the size of one of these."""
INSIDE = 64
"""How many items of one list or dictionary are looked at."""


@dataclass(frozen=True)
class Alive:
    """A name and the array behind it."""

    name: str
    layout: Layout


@dataclass(frozen=True)
class Census:
    """Everything alive at one moment."""

    names: tuple[Alive, ...]
    storages: tuple[Storage, ...]
    contents: Mapping[tuple[str, int, int], Any]
    held: tuple[Any, ...] = field(default=(), repr=False)

    def of(self, storage: Storage) -> list[Alive]:
        """The names that lead into a storage."""
        return [one for one in self.names if any(one.layout is layout for layout in storage.layouts)]


def place(storage: Storage) -> tuple[str, int, int]:
    """Where a storage lies: what tells it from all others as long as it lives."""
    return storage.layouts[0].device, storage.start, storage.nbytes or storage.layouts[0].owner.identity


def arrays_in(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every array that a name leads to, also inside of lists, tuples and dictionaries.

    >>> import numpy as np
    >>> [name for name, _ in arrays_in({"x": np.ones(2), "pair": [1, np.ones(3)], "_": np.ones(1), "n": 3})]
    ['x', 'pair[1]']
    """
    for name, value in list(names.items()):
        if name.startswith("_") or name in ("In", "Out"):
            continue
        if is_array(value):
            yield from _plain(name, value)
        elif type(value) in (list, tuple):
            for k, item in enumerate(value[:INSIDE]):
                if is_array(item):
                    yield from _plain(f"{name}[{k}]", item)
        elif type(value) is dict:
            for key in list(value)[:INSIDE]:
                if is_array(value[key]) and isinstance(key, (str, int)):
                    yield from _plain(f"{name}[{key!r}]", value[key])


def _plain(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """An array; of a sparse tensor, the arrays that it keeps."""
    if not is_sparse(array):
        yield name, array
        return
    from .sparse import kept_by_name

    for part, inner in kept_by_name(array).items():
        yield f"{name}.{part}", inner


def census(names: Mapping[str, Any], contents: bool = True) -> Census:
    """What is alive in a namespace now; with `contents` so that a later census can tell what was written."""
    alive, held = [], []
    for name, array in arrays_in(names):
        try:
            alive.append(Alive(name, Layout.of(array, 0, values=False)))
        except TypeError:
            # Its memory is hidden: there are no strides to draw.
            continue
        held.append(array)
    storages = tuple(storages_of([one.layout for one in alive]))
    kept = {place(s): _contents(s) for s in storages} if contents else {}
    return Census(tuple(alive), storages, kept, tuple(held))


def _contents(storage: Storage) -> bytes | list[int] | None:
    device = storage.layouts[0].device
    if device != "cpu" or not storage.start or storage.nbytes > SUMMED:
        return None
    if storage.nbytes <= COPIED:
        return ctypes.string_at(storage.start, storage.nbytes)
    return [
        zlib.crc32((ctypes.c_char * min(BLOCK, storage.nbytes - at)).from_address(storage.start + at))
        for at in range(0, storage.nbytes, BLOCK)
    ]


@dataclass(frozen=True)
class Change:
    """What happened to the memory between two censuses."""

    new: tuple[Storage, ...] = ()
    written: Mapping[str, tuple[range, ...]] = field(default_factory=dict)
    """Runs of bytes that differ, by the letter of the storage (in the later census)."""
    freed: tuple[tuple[str, int], ...] = ()
    """Names that the lost storages had, and how many bytes they were."""
    unseen: tuple[Storage, ...] = ()
    """Storages that are too large, or on another device, to tell."""


def change(before: Census, after: Census) -> Change:
    """What a cell did: which storages are new, which were written to and where, which are gone."""
    new, unseen, written = [], [], {}
    known = {place(s): s for s in before.storages}
    for storage in after.storages:
        where = place(storage)
        if where not in known:
            if not any(_overlap(storage, old) for old in before.storages):
                new.append(storage)
            continue
        old, now = before.contents.get(where), after.contents.get(where)
        if old is None or now is None:
            if storage.nbytes:
                unseen.append(storage)
        elif old != now:
            written[storage.letter] = tuple(_runs(old, now, storage.nbytes))
    gone = [s for s in before.storages if not any(_overlap(s, one) for one in after.storages)]
    freed = tuple((", ".join(one.name for one in before.of(s)), s.nbytes) for s in gone)
    return Change(tuple(new), written, freed, tuple(unseen))


def _overlap(one: Storage, other: Storage) -> bool:
    if place(one) == place(other):
        return True
    same = one.layouts[0].device == other.layouts[0].device
    return same and one.start < other.start + other.nbytes and other.start < one.start + one.nbytes


def _runs(old: Sequence[int], now: Sequence[int], nbytes: int) -> Iterator[range]:
    """Runs of bytes (or of blocks, as bytes) that differ."""
    step = 1 if isinstance(old, bytes) else BLOCK
    first = None
    for k in range(len(old) + 1):
        differs = k < len(old) and old[k] != now[k]
        if differs and first is None:
            first = k
        elif not differs and first is not None:
            yield range(first * step, min(k * step, nbytes))
            first = None
