"""Copies of storages, from which a later comparison finds the places that differ.

Small storages are copied, up to a total number of bytes. For larger ones a checksum of each block is kept, which only
says whether the block differs. For even larger storages, and those on another device, nothing is kept.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .storages import Storage

COPIED, SUMMED = 1 << 28, 1 << 30
"""Bytes of all storages together up to which copies are kept, and up to which check sums are."""
BLOCK = 1 << 12
"""Bytes in each block with a checksum."""
PIECE = 1 << 20
"""About how many bytes are compared at once."""


class Sums(NamedTuple):
    """A checksum for each block of a storage."""

    sums: tuple[int, ...]


Kept = bytes | Sums | None


def keep(storages: Sequence[Storage], copied: int = COPIED, summed: int = SUMMED) -> list[Kept]:
    """The current contents of each storage; the smallest are copied first."""
    results: list[Kept] = [None] * len(storages)
    for k in sorted(range(len(storages)), key=lambda k: storages[k].nbytes):
        s = storages[k]
        if not readable(s):
            continue
        if s.nbytes <= copied:
            results[k] = ctypes.string_at(s.start, s.nbytes)
            copied -= s.nbytes
        elif s.nbytes <= summed:
            results[k] = Sums(_sums(s))
            summed -= s.nbytes
    return results


def readable(storage: Storage) -> bool:
    """Whether the bytes lie in this process."""
    return storage.layouts[0].device == "cpu" and bool(storage.start)


def _bytes_of(storage: Storage) -> np.ndarray:
    """The bytes of a storage, without a copy."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * storage.nbytes).from_address(storage.start))


def _sums(storage: Storage) -> tuple[int, ...]:
    data = _bytes_of(storage)
    return tuple(zlib.crc32(data[at : at + BLOCK].data) for at in range(0, storage.nbytes, BLOCK))


@dataclass(frozen=True)
class Written:
    """Which places of a storage differ: one bit for each place, or for each block if only checksums were kept."""

    bits: np.ndarray
    step: int
    """Bytes of a place, or of a block."""
    nbytes: int
    exact: bool = True

    @property
    def count(self) -> int:
        """The number of places, or blocks, that differ."""
        return int(np.bitwise_count(self.bits).sum())

    @property
    def first(self) -> int:
        """The first byte that differs."""
        at = int(np.flatnonzero(self.bits)[0])
        return (8 * at + int(np.unpackbits(self.bits[at : at + 1]).argmax())) * self.step

    def among(self, start: int, stop: int) -> bool:
        """Whether any of these bytes differs."""
        first, last = start // self.step, -(-stop // self.step)
        result = np.unpackbits(self.bits[first // 8 : -(-last // 8)])
        return bool(result[first % 8 : first % 8 + last - first].any())

    def runs(self) -> Iterator[range]:
        """Runs of bytes whose places differ."""
        edges = np.flatnonzero(np.diff(np.unpackbits(self.bits), prepend=0, append=0).astype(bool)) * self.step
        for start, stop in edges.reshape(-1, 2).tolist():
            yield range(start, min(stop, self.nbytes))

    def __or__(self, other: Written) -> Written:
        return Written(self.bits | other.bits, self.step, self.nbytes, self.exact and other.exact)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether bytes are equal, eight at a time as far as there are eight."""
    whole = len(one) & ~7
    if whole and (one[:whole].view(np.uint64) != other[:whole].view(np.uint64)).any():
        return False
    return bool((one[whole:] == other[whole:]).all())


def difference(old: Kept, storage: Storage) -> Written | None:
    """How a storage differs from its earlier contents; None if it does not."""
    if old is None or not storage.nbytes:
        return None
    if isinstance(old, Sums):
        now = _sums(storage)
        bits = np.packbits(np.array(old.sums) != np.array(now))
        return Written(bits, BLOCK, storage.nbytes, False) if bits.any() else None
    unit = storage.unit
    before, after = np.frombuffer(old, np.uint8), _bytes_of(storage)
    # Whole pieces hold a multiple of eight places, so that their bits fill bytes.
    piece = max(PIECE // (8 * unit), 1) * 8 * unit
    parts = []
    for at in range(0, storage.nbytes, piece):
        one, other = before[at : at + piece], after[at : at + piece]
        if _same(one, other):
            parts.append(np.zeros(-(-len(one) // (8 * unit)), np.uint8))
            continue
        differs = one != other
        if len(differs) % unit:
            differs = np.append(differs, np.zeros(unit - len(differs) % unit, bool))
        parts.append(np.packbits(differs.reshape(-1, unit).any(1)))
    bits = np.concatenate(parts)
    return Written(bits, unit, storage.nbytes) if bits.any() else None
