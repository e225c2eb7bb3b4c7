"""Coalesce: sort the coordinates and add the values of duplicates."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....declare.by_parts import Made, computes
from ....geometry import Geometry
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....tensor.wrapping import view_of
from .checks import ready
from .tensors import Coordinates, coo, expects, fresh, int64, is_coo


def linear(indices: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """Coordinates as linear indices into a contiguous tensor.

    >>> linear(np.array([[0, 1], [2, 1]]), (2, 3))
    array([2, 4])
    """
    keys = np.zeros(indices.shape[1], np.int64)
    for row, n in zip(indices, size, strict=False):
        keys = keys * n + row
    return keys


def rising(parts: Coordinates) -> bool:
    """Whether the coordinates are sorted and unique."""
    return bool((np.diff(linear(parts.indices._array, parts.shape)) > 0).all())


def coordinates(keys: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """The inverse of `linear`: coordinates from linear indices.

    >>> coordinates(np.array([2, 4]), (2, 3))
    array([[0, 1],
           [2, 1]])
    """
    rows = np.empty((len(size), len(keys)), np.int64)
    for dim in range(len(size) - 1, 0, -1):
        keys, rest = np.divmod(keys, size[dim])
        rows[dim] = rest
    if size:
        rows[0] = keys
    return rows


def in_order(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort numbers; return them with their original positions. The sort is stable.

    >>> in_order(np.array([7, 3, 7]))
    (array([3, 7, 7]), array([1, 0, 2]))
    """
    n = len(keys)
    place_bits = n.bit_length()
    if int(keys.max(initial=0)).bit_length() + place_bits < 64:
        # Key and position in one integer: sorting integers is many times faster than a stable argsort.
        packed = keys << place_bits
        packed |= np.arange(n)
        packed.sort()
        return packed >> place_bits, packed & ((1 << place_bits) - 1)
    order = np.argsort(keys, kind="stable")
    return keys[order], order


def merged(indices: np.ndarray, values: np.ndarray, size: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Sorted unique indices, with the values of duplicates added in their original order."""
    keys, order = in_order(linear(indices, size))
    first = np.empty(len(keys), bool)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    if first.all():
        return np.take(indices, order, axis=1), np.take(values, order, axis=0)
    begins = order[first]
    result = np.take(values, begins, axis=0)
    group = np.cumsum(first)
    group -= 1
    again = ~first
    np.add.at(result, group[again], values[order[again]])
    return np.take(indices, begins, axis=1), result


@computes(merged)
def coalesce(input: Tensor) -> Any:
    """The coalesced tensor; the tensor itself if it is marked as coalesced."""
    if not is_coo(input):
        expects(input, "coalesce", "sparse coordinate")
    parts = input._array
    if parts.coalesced:
        return input
    if parts.nnz < 2 or input._keys & KEY_META:
        return coo(parts.indices, parts.values, parts.shape, True, parts.checked)
    ready(parts)

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        return coo(narrowed(both[0], parts.nnz), fresh(both[1], input._dtype), parts.shape, True)

    return Made(make, (parts.indices._array, parts.values._array, parts.shape))


def narrowed(indices: np.ndarray, room: int) -> Tensor:
    """Indices as PyTorch leaves them where it made a matrix for more: its first columns, which are not contiguous."""
    n = indices.shape[1]
    if n == room:
        return int64(np.ascontiguousarray(indices))
    wide = np.empty((len(indices), room), np.int64)
    wide[:, :n] = indices
    return view_of(int64(wide), Geometry((len(indices), n), (room, 1), 0))


def coalesced(t: Tensor) -> Coordinates:
    """The parts of a tensor after coalescing."""
    return coalesce(t)._array


__all__ = ["coalesce", "coalesced", "coordinates", "in_order", "linear", "merged", "narrowed"]
