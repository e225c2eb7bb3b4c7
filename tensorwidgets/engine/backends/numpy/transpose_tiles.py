"""Transposed copies that use the cache well.

Neighbours in the result are a whole row apart in the source. If that distance is a power of two, all of them map to
the same few cache lines and evict each other. So the source is copied a strip at a time, in its own order, into a
scratch array with slightly longer rows, where neighbours map to different cache lines.
"""

from __future__ import annotations

import numpy as np

STRIP = 64
"""Rows of the source that are read at a time."""

LONGEST = 2048
"""Elements of each of these rows at most: the scratch array has to fit into a core's cache."""

PAD_BYTES = 64
SHORTEST = 16
"""Shorter dimensions gain nothing."""


def axes(target: tuple[int, ...], source: np.ndarray) -> tuple[int, int] | None:
    """The axis along which the target's elements are neighbours and the one along which the source's are.

    None if they are the same, or too short to matter. `target` are the strides of the target.

    >>> axes((800, 8), np.zeros((100, 100)).T)
    (1, 0)
    """
    inner = _inner(source.shape, target)
    own = _inner(source.shape, source.strides)
    if inner == own or inner is None or own is None:
        return None
    if source.strides[own] != source.itemsize or source.strides[inner] < SHORTEST * source.itemsize:
        return None
    if min(source.shape[inner], source.shape[own]) < SHORTEST:
        return None
    return inner, own


def _inner(size: tuple[int, ...], strides: tuple[int, ...]) -> int | None:
    """The axis of the smallest stride, or None if a stride of 0 repeats elements."""
    long = [d for d in range(len(size)) if size[d] > 1]
    if len(long) < 2 or any(not strides[d] for d in long):
        return None
    return min(long, key=lambda d: strides[d])


def strips(size: tuple[int, ...], inner: int, own: int) -> list[tuple[slice, ...]]:
    """Keys of the pieces: a strip of rows of the source each, and one index in all other dimensions."""
    keys: list[tuple[slice, ...]] = [()]
    for d, n in enumerate(size):
        step = STRIP if d == inner else LONGEST if d == own else 1
        keys = [(*key, slice(at, at + step)) for key in keys for at in range(0, n, step)]
    return keys


def in_scratch(piece: np.ndarray) -> np.ndarray:
    """A copy of a strip in the same order in memory, with padded rows.

    >>> in_scratch(np.zeros((64, 4), "f4").T).strides
    (4, 80)
    """
    order = sorted(range(piece.ndim), key=piece.strides.__getitem__, reverse=True)
    pad = PAD_BYTES // piece.itemsize
    size = [piece.shape[d] for d in order]
    size[-1] += pad
    scratch = np.empty(size, piece.dtype)[..., : size[-1] - pad]
    result = scratch.transpose([order.index(d) for d in range(piece.ndim)])
    result[...] = piece
    return result
