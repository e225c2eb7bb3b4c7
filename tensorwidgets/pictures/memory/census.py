"""Who is alive: every array that a name leads to, the memory it lies in, and what a cell did to that memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any

from ..arrays.contents import Kept, Written, difference, keep
from ..arrays.inside import LOOKED_AT, arrays_in
from ..arrays.layout import Layout
from ..arrays.storages import Storage, storages_of
from ..arrays.values import bytes_text
from .kept_by_graphs import Graphs, changed, graphs_of
from .roles import role_of

Place = tuple[str, int, int]


@dataclass(frozen=True)
class Alive:
    """A name and the array behind it."""

    name: str
    layout: Layout
    role: str = "other"
    """What it is for in a training: that of `ROLES`."""
    version: int | None = None
    """How often the memory of a tensor was written to in place, where the library counts that."""


@dataclass(frozen=True)
class Census:
    """Everything alive at one moment."""

    names: tuple[Alive, ...]
    storages: tuple[Storage, ...]
    contents: Mapping[Place, Kept]
    looked: int = 0
    """How many things were looked at for it."""
    more: bool = False
    """Whether a container has more than was looked at."""
    cut: bool = False
    """Whether there are more things than are looked at in all."""
    graphs: Graphs = field(default_factory=Graphs)
    """What the graphs of named results keep besides."""

    def of(self, storage: Storage) -> list[Alive]:
        """The names that lead into a storage."""
        names = [self._by_layout[id(layout)] for layout in storage.layouts if id(layout) in self._by_layout]
        return [one for _, one in sorted(names, key=itemgetter(0))]

    @cached_property
    def _by_layout(self) -> dict[int, tuple[int, Alive]]:
        """Each name and its place among them, by the identity of its layout."""
        return {id(one.layout): (k, one) for k, one in enumerate(self.names)}


def size_text(storage: Storage) -> str:
    """How much memory a storage takes: `48 bytes`, or `48 bytes planned` on meta."""
    return bytes_text(storage.nbytes) + (" planned" if storage.planned else "")


def taken(storages: Iterable[Storage]) -> int:
    """The bytes that storages take; those of meta tensors are planned only."""
    return sum(s.nbytes for s in storages if not s.planned)


def place(storage: Storage) -> Place:
    """Where a storage lies, which identifies it as long as it lives."""
    return storage.layouts[0].device, storage.start, storage.nbytes or storage.layouts[0].owner.identity


def census(names: Mapping[str, Any], contents: bool = True) -> Census:
    """What is alive in a namespace now; with `contents` so that a later census can find what was written."""
    alive = []
    left = [LOOKED_AT]
    arrays = list(arrays_in(names, left))
    for name, array in arrays:
        try:
            layout = Layout.of(array, 0, values=False)
            alive.append(Alive(name, layout, role_of(name, array), _version_of(array)))
        except (TypeError, ValueError, RuntimeError, BufferError):
            # Its memory is hidden: there are no strides to draw.
            continue
    storages = tuple(storages_of([one.layout for one in alive], [one.name for one in alive]))
    kept = dict(zip(map(place, storages), keep(storages), strict=True)) if contents else {}
    graphs = graphs_of(arrays)
    looked = LOOKED_AT - max(left[0], 0) + graphs.nodes
    return Census(tuple(alive), storages, kept, looked, len(left) > 1, left[0] < 0, graphs)


def _version_of(array: Any) -> int | None:
    try:
        version = getattr(array, "_version", None)
    except RuntimeError:
        return None  # tensors of inference are not counted
    return version if isinstance(version, int) else None


@dataclass(frozen=True)
class Change:
    """What happened to the memory between two censuses."""

    new: tuple[Storage, ...] = ()
    written: Mapping[str, Written] = field(default_factory=dict)
    """Which places differ, by the letter of the storage (in the later census)."""
    freed: tuple[tuple[str, int], ...] = ()
    """Names that the lost storages had, and how many bytes they were."""
    unseen: tuple[Storage, ...] = ()
    """Storages that are too large, or on another device, to compare."""
    graph: tuple[int, int] = (0, 0)
    """Bytes that graphs keep alone now and did not before, and the other way around."""


def change(before: Census, after: Census) -> Change:
    """What a cell did: which storages are new, which were written to and where, which are gone.

    The storages of the later census are compared as they are now: they have to be alive still.
    """
    new, unseen, written = [], [], {}
    known = {place(s) for s in before.storages}
    for storage in after.storages:
        where = place(storage)
        if where not in known:
            if not any(same(storage, old) for old in before.storages):
                new.append(storage)
            continue
        old = before.contents.get(where)
        if old is None and storage.nbytes:
            unseen.append(storage)
        result = difference(old, storage)
        if result is not None:
            written[storage.letter] = result
    gone = [s for s in before.storages if is_gone(s, after) and not s.planned]
    freed = tuple((", ".join(one.name for one in before.of(s)), s.nbytes) for s in gone)
    return Change(tuple(new), written, freed, tuple(unseen), changed(before.graphs, after.graphs))


def is_gone(storage: Storage, after: Census) -> bool:
    """Whether a storage is freed: no name leads to it, and no graph of a named result keeps it."""
    if (storage.layouts[0].device, storage.start) in after.graphs.alone:
        return False
    return not any(same(storage, one) for one in after.storages)


def same(one: Storage, other: Storage) -> bool:
    """Whether storages of two moments are one: they share memory, or are the same without any.

    Memory that was made longer or shorter is new memory, even where it begins at the old address.
    """
    if place(one) == place(other):
        return True
    device = one.layouts[0].device == other.layouts[0].device
    shared = device and one.start < other.start + other.nbytes and other.start < one.start + one.nbytes
    return shared and not (one.start == other.start and _is_all_of(one) and _is_all_of(other))


def _is_all_of(storage: Storage) -> bool:
    """Whether each of its views has the whole storage for its owner: then no view has reached over an edge."""
    return all(layout.owner.nbytes == storage.nbytes for layout in storage.layouts)
