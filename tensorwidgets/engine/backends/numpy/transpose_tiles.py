"""Reading an array across the order in which it lies, as a transposed copy does, without missing the cache.

Neighbours in the result are a whole row apart in the source. Where that distance is a power of two, all of them fall
into the same few places of the cache and push each other out. So the source is taken a strip at a time, in its own
order, into a scratch array whose rows are a little longer: there neighbours lie in different places.
"""

from __future__ import annotations

import numpy as np

STRIP = 64
"""So many rows of the source are read at a time."""

LONGEST = 2048
"""Of at most so many elements: the scratch array has to fit into a core's cache."""

PAD_BYTES = 64
SHORTEST = 16
"""Below such lengths there is nothing to gain."""


def axes(target: tuple[int, ...], source: np.ndarray) -> tuple[int, int] | None:
    """The axis along which the target's elements are neighbours and the one along which the source's are.

    None where they are the same, or too short to matter. The target is told by its strides.

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
    """The axis of the shortest steps, or None where a step of 0 repeats elements."""
    long = [d for d in range(len(size)) if size[d] > 1]
    if len(long) < 2 or any(not strides[d] for d in long):
        return None
    return min(long, key=lambda d: strides[d])


def strips(size: tuple[int, ...], inner: int, own: int) -> list[tuple[slice, ...]]:
    """Keys of the pieces: a strip of rows of the source each, and one place in all other dimensions."""
    keys: list[tuple[slice, ...]] = [()]
    for d, n in enumerate(size):
        step = STRIP if d == inner else LONGEST if d == own else 1
        keys = [(*key, slice(at, at + step)) for key in keys for at in range(0, n, step)]
    return keys


def in_scratch(piece: np.ndarray) -> np.ndarray:
    """A copy of a strip that lies in its own order, with longer rows.

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
