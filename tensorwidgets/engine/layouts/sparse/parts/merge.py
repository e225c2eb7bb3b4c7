"""Merge the coordinates of two sparse tensors, given as sorted linear indices."""

from __future__ import annotations

import numpy as np

from .checks import AT_ONCE
from .coalescing import in_order


def added(
    first: np.ndarray, a: np.ndarray, second: np.ndarray, b: np.ndarray, rising: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The union of both sets of coordinates, with the sums of their values.

    Duplicates within one operand are not added up: the two lists are merged side by side, as PyTorch does.

    >>> one, two = np.array([1, 4]), np.array([4, 6])
    >>> added(one, np.array([1.0, 2.0]), two, np.array([10.0, 20.0]), True)
    (array([1, 4, 6]), array([ 1., 12., 20.]))
    """
    if rising:
        keys, order = in_order(np.concatenate([first, second]))
        new = np.empty(len(keys), bool)
        new[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        place = np.empty(len(keys), np.int64)
        place[order] = np.cumsum(new) - 1
        values = np.zeros((int(new.sum()), *a.shape[1:]), a.dtype)
        values[place[: len(first)]] = a
        values[place[len(first) :]] += b
        return keys[new], values
    if len(first) + len(second) > AT_ONCE:
        return np.concatenate([first, second]), np.concatenate([a, b])
    from_a, from_b = _side_by_side(first.tolist(), second.tolist())
    keys = np.where(from_a >= 0, first[from_a] if len(first) else 0, second[from_b] if len(second) else 0)
    values = np.zeros((len(keys), *a.shape[1:]), a.dtype)
    values[from_a >= 0] = a[from_a[from_a >= 0]]
    values[from_b >= 0] += b[from_b[from_b >= 0]]
    return keys, values


def _side_by_side(first: list, second: list) -> tuple[np.ndarray, np.ndarray]:
    """For each element of the sum, its position in each operand, or -1."""
    from_a, from_b = [], []
    i = j = 0
    while i < len(first) or j < len(second):
        a = first[i] if i < len(first) else None
        b = second[j] if j < len(second) else None
        take_a = b is None or a is not None and a <= b
        take_b = a is None or b is not None and b <= a
        from_a.append(i if take_a else -1)
        from_b.append(j if take_b else -1)
        i += take_a
        j += take_b
    return np.array(from_a, np.int64), np.array(from_b, np.int64)


def intersected(walked: np.ndarray, rising: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The position of each number in a sorted array, and whether the array contains it.

    >>> intersected(np.array([4, 5]), np.array([1, 4]))
    (array([1, 1]), array([ True, False]))
    """
    place = np.minimum(np.searchsorted(rising, walked), max(len(rising) - 1, 0))
    if not len(rising):
        return place, np.zeros(len(walked), bool)
    return place, rising[place] == walked
