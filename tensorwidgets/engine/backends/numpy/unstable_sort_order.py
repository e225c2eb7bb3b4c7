"""The order of equal elements in PyTorch's unstable sort, topk, kthvalue and mode.

On the CPU these use the algorithms of the C++ library, which exchange distant elements, so the order of equal ones
follows from the exact exchanges. This file repeats them on *ranks* (integers, the lowest first), and only if there are
equal elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Item = tuple[int, int]
"""A rank and its original position."""

SMALL = 16
"""Up to this many elements the library uses insertion sort, which is stable."""


def sorted_positions(ranks: np.ndarray) -> list[int]:
    """The positions in the order of the unstable sort.

    >>> sorted_positions(np.array([2, 1, 2, 1]))
    [1, 3, 0, 2]
    """
    depth = 2 * (len(ranks).bit_length() - 1)
    # The rest is insertion sort, which any stable sort can replace.
    if len(ranks) <= LARGE:
        items = _items(ranks)
        _part(items, 0, len(items), depth)
        return [position for _, position in sorted(items, key=_rank)]
    ranks, positions = ranks.copy(), np.arange(len(ranks))
    _part_arrays(ranks, positions, 0, len(ranks), depth, np.bincount(ranks) > 1)
    result: list[int] = positions[np.argsort(ranks, kind="stable")].tolist()
    return result


def topk_positions(ranks: np.ndarray, k: int, in_order: bool) -> list[int]:
    """The positions of the first k, as topk returns them.

    >>> topk_positions(np.array([1, 0, 0, 2, 0]), 2, True)
    [2, 4]
    """
    items = _items(ranks)
    n = len(items)
    if k * 64 <= n:
        _heap_select(items, 0, k, n)
        for last in range(k - 1, 0, -1):
            _pop_heap(items, 0, last, last)
    else:
        _select(items, k - 1)
        if in_order:
            head = items[: k - 1]
            _, order = np.unique([rank for rank, _ in head], return_inverse=True)
            items[: k - 1] = [head[i] for i in sorted_positions(order)]
    return [position for _, position in items[:k]]


def last_position(values: np.ndarray, value: Any) -> int:
    """The position of the element that the unstable sort puts last among those equal to a value. None may be NaN.

    >>> last_position(np.array([2, 1, 2, 1]), 1), last_position(np.zeros(17), 0)
    (3, 1)
    """
    values, positions = values.copy(), np.arange(len(values))
    first, last = 0, len(values)
    depth = 2 * (last.bit_length() - 1)
    while last - first > 6 * SMALL and depth:
        depth -= 1
        cut = _divide_arrays(values, positions, first, last)
        first, last = (cut, last) if (values[cut:last] == value).any() else (first, cut)
    items: list[Any] = list(zip(values[first:last].tolist(), positions[first:last].tolist(), strict=True))
    first, last, value = 0, len(items), value.item() if isinstance(value, np.generic) else value
    while last - first > SMALL:
        if not depth:
            _part(items, first, last, 0)
            break
        depth -= 1
        cut = _divide(items, first, last)
        later = any(items[i][0] == value for i in range(cut, last))
        first, last = (cut, last) if later else (first, cut)
    return next(items[i][1] for i in range(last - 1, first - 1, -1) if items[i][0] == value)


def inserted(values: list[float]) -> list[int]:
    """The positions of a few elements in the order of the library's insertion sort, which NaN stops wherever it is.

    >>> inserted([2.0, float("nan"), 3.0, 1.0]), inserted([2.0, float("nan"), 1.5])
    ([3, 0, 1, 2], [2, 0, 1])
    """
    order: list[int] = []
    for i, value in enumerate(values):
        place = i
        if order and value < values[order[0]]:
            place = 0
        else:
            while place and value < values[order[place - 1]]:
                place -= 1
        order.insert(place, i)
    return order


def kth_position(ranks: np.ndarray, k: int) -> int:
    """The position of the k-th (from 0), as kthvalue returns it: quickselect with the median of three."""
    items = _items(ranks)
    low, high = 0, len(items) - 1
    while high > low + 1:
        middle = low + (high - low) // 2
        _swap(items, middle, low + 1)
        for a, b in ((low + 1, high), (low, high), (low + 1, low)):
            if items[a][0] > items[b][0]:
                _swap(items, a, b)
        pivot = items[low][0]
        i, j = low + 1, high
        while True:
            i += 1
            while items[i][0] < pivot:
                i += 1
            j -= 1
            while items[j][0] > pivot:
                j -= 1
            if j < i:
                break
            _swap(items, i, j)
        _swap(items, low, j)
        if j <= k:
            low = i
        if j >= k:
            high = j - 1
    if high == low + 1 and items[low][0] > items[high][0]:
        _swap(items, low, high)
    return items[k][1]


def _items(ranks: np.ndarray) -> list[Item]:
    return list(zip(ranks.tolist(), range(len(ranks)), strict=True))


def _rank(item: Item) -> int:
    return item[0]


def _swap(items: list[Item], i: int, j: int) -> None:
    items[i], items[j] = items[j], items[i]


# -- partitions --------------------------------------------------------------------------------------------------


LARGE = 512
"""Pieces of more elements are divided as arrays."""


def _part_arrays(
    ranks: np.ndarray, positions: np.ndarray, first: int, last: int, depth: int, shared: np.ndarray
) -> None:
    """Divide until all pieces are small, or hold no element whose rank is `shared`: their order is clear."""
    while shared[ranks[first:last]].any():
        if last - first <= LARGE or not depth:
            items = list(zip(ranks[first:last].tolist(), positions[first:last].tolist(), strict=True))
            _part(items, 0, len(items), depth)
            ranks[first:last], positions[first:last] = zip(*items, strict=True)
            return
        depth -= 1
        cut = _divide_arrays(ranks, positions, first, last)
        _part_arrays(ranks, positions, cut, last, depth, shared)
        last = cut


def _divide_arrays(ranks: np.ndarray, positions: np.ndarray, first: int, last: int) -> int:
    """`_divide` with all exchanges at once: the first element that is too large with the last that is too small."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    median = _median_of(ranks[a], ranks[b], ranks[c], a, b, c)
    for array in (ranks, positions):
        array[first], array[median] = array[median], array[first]
    pivot, rest = ranks[first], ranks[first + 1 : last]
    large = np.flatnonzero(rest >= pivot) + first + 1
    small = np.append(np.flatnonzero(rest <= pivot)[::-1] + first + 1, first)
    both = min(len(large), len(small))
    count = np.count_nonzero(large[:both] < small[:both])
    left, right = large[:count], small[:count]
    for array in (ranks, positions):
        array[left], array[right] = array[right], array[left]
    ends = [*large[count : count + 1].tolist(), *right[-1:].tolist()]
    return min(ends)


def _part(items: list[Item], first: int, last: int, depth: int) -> None:
    """Divide until all pieces are small."""
    while last - first > SMALL:
        if depth == 0:
            _heap_select(items, first, last, last)
            for end in range(last - 1, first, -1):
                _pop_heap(items, first, end, end)
            return
        depth -= 1
        cut = _divide(items, first, last)
        _part(items, cut, last, depth)
        last = cut


def _select(items: list[Item], nth: int) -> None:
    """Move the nth to its position, with no later one before it."""
    first, last = 0, len(items)
    if nth >= last:
        return
    depth = 2 * (last.bit_length() - 1)
    while last - first > 3:
        if depth == 0:
            _heap_select(items, first, nth + 1, last)
            _swap(items, first, nth)
            return
        depth -= 1
        cut = _divide(items, first, last)
        if cut <= nth:
            first = cut
        else:
            last = cut
    items[first:last] = sorted(items[first:last], key=_rank)


def _divide(items: list[Item], first: int, last: int) -> int:
    """Partition around the median of three, which moves to the front; return where the later half begins."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    _swap(items, first, _median_of(items[a][0], items[b][0], items[c][0], a, b, c))
    pivot = items[first][0]
    low, high = first + 1, last
    while True:
        while items[low][0] < pivot:
            low += 1
        high -= 1
        while pivot < items[high][0]:
            high -= 1
        if low >= high:
            return low
        items[low], items[high] = items[high], items[low]
        low += 1


def _median_of(x: int, y: int, z: int, a: int, b: int, c: int) -> int:
    """The place of the middle one of three numbers at these places."""
    if x < y:
        return b if y < z else c if x < z else a
    return a if x < z else c if y < z else b


# -- heaps -------------------------------------------------------------------------------------------------------


def _heap_select(items: list[Item], first: int, middle: int, last: int) -> None:
    """Move the earliest elements into a heap at the front."""
    length = middle - first
    for parent in range((length - 2) // 2, -1, -1):
        _sift(items, first, parent, length, items[first + parent])
    for i in range(middle, last):
        if items[i][0] < items[first][0]:
            _pop_heap(items, first, middle, i)


def _pop_heap(items: list[Item], first: int, last: int, result: int) -> None:
    """Move the top of a heap to another position, and the element from there into the heap."""
    value = items[result]
    items[result] = items[first]
    _sift(items, first, 0, last - first, value)


def _sift(items: list[Item], first: int, hole: int, length: int, value: Item) -> None:
    """Let a hole sink to the bottom, along the later children, and a value rise from there."""
    top = hole
    child = hole
    while child < (length - 1) // 2:
        child = 2 * (child + 1)
        if items[first + child][0] < items[first + child - 1][0]:
            child -= 1
        items[first + hole] = items[first + child]
        hole = child
    if length & 1 == 0 and child == (length - 2) // 2:
        child = 2 * (child + 1) - 1
        items[first + hole] = items[first + child]
        hole = child
    while hole > top:
        parent = (hole - 1) // 2
        if not items[first + parent][0] < value[0]:
            break
        items[first + hole] = items[first + parent]
        hole = parent
    items[first + hole] = value
