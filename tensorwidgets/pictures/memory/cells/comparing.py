"""What a line changed: storages, names and contents after it, compared with those before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...arrays.contents import COPIED, Kept, difference, keep
from ...arrays.storages import Storage
from ...arrays.tracing.log import Log
from ..census import Census, Place, census, is_gone, place, same, taken
from ..kept_by_graphs import changed, whose
from .statements import Line
from .trace import NOWHERE, Did, Key

LOOKS, ARRAY = 200_000, 25
"""How many things are looked at between lines, in all, and how many of them an array counts for."""
COMPARED = 1 << 30
"""How many bytes are compared between lines, in all."""


class Comparison:
    """Looks at the names of a notebook, again and again, and says what changed since the last look.

    The log of allocations knows when most storages are freed; others count as freed when no name leads to them.
    """

    def __init__(self, names: Callable[[], Mapping[str, Any]]):
        self.names = names
        self.did: list[Did] = []
        self.blind = False
        """Whether the limit of looks was reached."""
        self.unread = False
        """Whether the limit of bytes was reached, so that a line may have written more than is shown."""
        self.before = self.now = census(names())
        self.log = Log(taken(self.before.storages))
        self.made: set[Place] = set()
        """Storages that were not there at first."""
        self.gone: list[tuple[str, int]] = []
        """Names and bytes of storages that were there at first and are freed."""
        self.guessed: set[Key] = set()
        """Storages whose end nothing reports: they count as freed when no name leads to them."""
        self.prepared = True
        """Whether all that is there is copied, so that a write would be found."""
        self.looks = 0
        self._kept: dict[Place, Kept] = dict(self.before.contents)
        self._left: set[Place] = set()
        """Storages that had names and that only a graph keeps now."""
        self._things, self._bytes = LOOKS, COMPARED
        self._heard = 0
        """The number of the log's last event at the last look."""

    def prepare(self, looked: bool) -> None:
        """Copies what is there, as far as it is not yet; `looked` says that the last look was just now."""
        with self.log.resting():
            now = self.now if looked else census(self.names(), contents=False)
            self._keep([s for s in now.storages if place(s) not in self._kept])
        self.prepared = True

    def nothing_heard(self) -> bool:
        """Whether nothing was allocated or freed since the last look."""
        return self.log.events == self._heard

    def look(self, line: Line, number: int, may_write: bool) -> None:
        """What the line that has just run did."""
        with self.log.resting():
            self._look(line, number, may_write)
        self._settle()
        self.prepared = all(place(s) in self._kept for s in self.now.storages)

    def _look(self, line: Line, number: int, may_write: bool) -> None:
        now = census(self.names(), contents=False)
        self.looks += 1
        self._things -= 1 + now.looked + ARRAY * len(now.names)
        before, self.now = self.now, now
        did = Did(line, number)
        self._compare_storages(did, before, now)
        self._compare_names(did, before, now)
        if may_write:
            self._compare_contents(did, before, now)
        did.graph = changed(before.graphs, now.graphs)
        if did.is_something():
            self._add(did)
        self._heard = self.log.events
        if self._things < 0:
            self.blind = True

    def _settle(self) -> None:
        """Adds to the log what no source reported: storages that were made or freed in some other way."""
        living = set()
        for s in self.now.storages:
            where = key_of(s)
            living.add(where)
            if s.nbytes and where[0] != "meta" and self.log.find(*where) is None:
                self.guessed.add(where)
                self.log.born(where, s.nbytes, small=True)
        for where in [w for w in self.guessed if w not in living and w not in self.now.graphs.alone]:
            self.guessed.discard(where)
            self.log.died(where)
        self._heard = self.log.events

    def _compare_storages(self, did: Did, before: Census, now: Census) -> None:
        for where in [p for p in self._left if p[:2] not in now.graphs.alone]:
            self._left.discard(where)
            self.made.discard(where)
            self._kept.pop(where, None)
            self._forget(where)
        again = {place(s) for s in now.storages if self._is_newer(s)}
        """Where memory was freed and other memory allocated since the last look."""
        there, here = ({place(s) for s in at.storages} - again for at in (before, now))
        for s in before.storages:
            if place(s) in again:
                self._freed(did, s, ", ".join(one.name for one in before.of(s)))
                continue
            if place(s) not in here and not any(same(s, one) for one in now.storages):
                names = ", ".join(one.name for one in before.of(s))
                if self._lives(s) and is_gone(s, now):
                    did.hidden.append((names, s.nbytes))
                    self._kept.pop(place(s), None)
                    continue
                if not is_gone(s, now):
                    did.left_to.append((names, s.nbytes, whose(now.graphs)))
                    self._left.add(place(s))
                    continue
                self._freed(did, s, names)
        old = [one for one in before.storages if place(one) not in again]
        for s in now.storages:
            if place(s) not in there and not any(same(s, one) for one in old):
                self.made.add(place(s))
                if self.log.line_of(*key_of(s)) in (None, did.number):
                    did.made.append((place(s), s.nbytes, " and ".join(one.name for one in now.of(s))))

    def _freed(self, did: Did, s: Storage, names: str) -> None:
        if not s.planned:
            did.freed.append((names, s.nbytes))
        self._kept.pop(place(s), None)
        self._forget(place(s))
        if place(s) in self.made:
            self.made.discard(place(s))
        elif not s.planned:
            self.gone.append((names, s.nbytes))

    def _is_newer(self, s: Storage) -> bool:
        """Whether memory was allocated since the last look."""
        where = self.log.find(*key_of(s))
        return where is not None and self.log.blocks[where].number > self._heard

    def _lives(self, s: Storage) -> bool:
        """Whether a storage without names is still alive: the log would have noticed its end."""
        where = self.log.find(*key_of(s))
        return where is not None and where not in self.guessed and self.log.blocks[where].nbytes == s.nbytes

    def _forget(self, gone: Place) -> None:
        """Another storage may come to lie at this place, and earlier lines did nothing to that."""
        for did in self.did:
            did.made = [(NOWHERE if p == gone else p, n, names) for p, n, names in did.made]
            did.wrote = [(NOWHERE if p == gone else p, written) for p, written in did.wrote]
            did.rewrote = [NOWHERE if p == gone else p for p in did.rewrote]
            did.bound = [(name, NOWHERE if p == gone else p) for name, p in did.bound]
            did.lost = [(name, NOWHERE if p == gone else p) for name, p in did.lost]

    def _compare_names(self, did: Did, before: Census, now: Census) -> None:
        new = {where for where, _, _ in did.made}
        old, here = _places(before), _places(now)
        living = {place(s) for s in now.storages}
        did.bound += [(n, p) for n, p in here.items() if old.get(n) != p and p not in new]
        did.lost += [(n, p) for n, p in old.items() if here.get(n) != p and p in living]

    def _compare_contents(self, did: Did, before: Census, now: Census) -> None:
        versions = _versions(before)
        new = {where for where, _, _ in did.made}
        for s in now.storages:
            where = place(s)
            if where not in self._kept:
                continue
            self._bytes -= s.nbytes
            if self._bytes < 0:
                self.unread = True
                return
            result = difference(self._kept[where], s)
            if result is not None:
                did.wrote.append((where, result))
                self._kept.pop(where)
            elif where not in new and any(k in versions and v > versions[k] for k, v in _versions(now, s).items()):
                did.rewrote.append(where)

    def _keep(self, storages: Sequence[Storage]) -> None:
        """Copies what storages hold now, as far as there is room."""
        for s in storages:
            self._kept.pop(place(s), None)
        room = COPIED - sum(len(kept) for kept in self._kept.values() if isinstance(kept, bytes))
        self._kept.update(zip(map(place, storages), keep(storages, max(room, 0)), strict=True))

    def _add(self, did: Did) -> None:
        for k, known in enumerate(self.did):
            if known.number == did.number:
                did.times = known.times + 1
                self.did[k] = did
                return
        did.times = 1
        self.did.append(did)


def _places(now: Census) -> dict[str, Place]:
    return {one.name: place(s) for s in now.storages for one in now.of(s)}


def _versions(at: Census, storage: Storage | None = None) -> dict[tuple[str, Place], int]:
    """The versions of tensors, by their names and the places of their storages; of one storage or all."""
    storages = at.storages if storage is None else [storage]
    pairs = [(one, place(s)) for s in storages for one in at.of(s)]
    return {(one.name, where): one.version for one, where in pairs if one.version is not None}


def key_of(storage: Storage) -> Key:
    """Where a storage begins."""
    return storage.layouts[0].device, storage.start
