"""The order of equal elements in PyTorch's unstable sort, topk, kthvalue and mode.

On the CPU these use the algorithms of the C++ library, which exchange distant elements, so the order of equal ones
follows from the exact exchanges. This file repeats them on *ranks* (integers, the lowest first), and only if there are
equal elements. An item is one integer, of a rank and below it the original position, because Python compares one
integer faster than a part of a pair.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heapreplace

import numpy as np

BITS = 15
"""An item has so many bits for its position, and as many for its rank: together they fit into one digit of Python's
integers."""
PLACE = (1 << BITS) - 1
TOLD_APART = 1 << BITS
"""Rows of up to this many elements get PyTorch's order of equal elements, longer ones NumPy's."""

SMALL = 16
"""Up to this many elements the library uses insertion sort, which is stable."""

LARGE = 512
"""Pieces of more elements are divided as arrays."""


def sorted_positions(ranks: np.ndarray) -> np.ndarray:
    """The positions in the order of the unstable sort.

    >>> sorted_positions(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    items = _items(ranks)
    _part_arrays(items, 0, len(items), _depth(len(items)), np.bincount(ranks) > 1)
    # The rest is insertion sort, which any stable sort can replace.
    return items[np.argsort(items >> BITS, kind="stable")] & PLACE


def selected_positions(ranks: np.ndarray, k: int, in_order: bool) -> list[int]:
    """The positions of the first k, as topk returns them if they are more than one in 64.

    >>> selected_positions(np.array([1, 0, 0, 2, 0]), 2, True)
    [2, 4]
    """
    items = _items(ranks)
    first, last, depth = 0, len(items), _depth(len(items))
    while last - first > LARGE and depth:
        depth -= 1
        cut = _divide_arrays(items, first, last)
        first, last = (cut, last) if cut < k else (first, cut)
    found = items[:last].tolist()
    _select(found, first, k - 1, depth)
    if not in_order:
        return [item & PLACE for item in found[:k]]
    head = found[: k - 1]
    if len(head) <= SMALL:
        head.sort(key=_rank)
    else:
        head = [head[i] for i in sorted_positions(np.array(head) >> BITS)]
    return [item & PLACE for item in (*head, found[k - 1])]


def last_position(ranks: np.ndarray, rank: int) -> int:
    """The position of the element that the unstable sort puts last among those with a rank.

    >>> last_position(np.array([1, 0, 1, 0]), 0), last_position(np.zeros(17, int), 0)
    (3, 1)
    """
    items = _items(ranks)
    first, last, depth = 0, len(items), _depth(len(items))
    least, most = _span(rank << BITS)
    while last - first > 6 * SMALL and depth:
        depth -= 1
        cut = _divide_arrays(items, first, last)
        later = items[cut:last]
        first, last = (cut, last) if ((later >= least) & (later <= most)).any() else (first, cut)
    found = items[first:last].tolist()
    first, last = 0, len(found)
    while last - first > SMALL:
        if not depth:
            found[first:last] = _sorted_by_heap(found[first:last])
            break
        depth -= 1
        cut = _divide(found, first, last)
        first, last = (cut, last) if any(least <= item <= most for item in found[cut:last]) else (first, cut)
    return next(item & PLACE for item in reversed(found[first:last]) if least <= item <= most)


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
    items = _items(ranks).tolist()
    low, high = 0, len(items) - 1
    while high > low + 1:
        middle = low + (high - low) // 2
        _swap(items, middle, low + 1)
        for a, b in ((low + 1, high), (low, high), (low + 1, low)):
            if items[a] >> BITS > items[b] >> BITS:
                _swap(items, a, b)
        least, most = _span(items[low])
        i, j = low + 1, high
        while True:
            i += 1
            while items[i] < least:
                i += 1
            j -= 1
            while items[j] > most:
                j -= 1
            if j < i:
                break
            items[i], items[j] = items[j], items[i]
        _swap(items, low, j)
        if j <= k:
            low = i
        if j >= k:
            high = j - 1
    if high == low + 1 and items[low] >> BITS > items[high] >> BITS:
        _swap(items, low, high)
    return items[k] & PLACE


def _items(ranks: np.ndarray) -> np.ndarray:
    return ranks << BITS | np.arange(len(ranks), like=ranks)


def _span(item: int) -> tuple[int, int]:
    """The first and the last item that would have the rank of this one."""
    return item & ~PLACE, item | PLACE


def _depth(count: int) -> int:
    """After so many divisions a piece is sorted by a heap, for it divides badly."""
    return 2 * (count.bit_length() - 1)


def _swap(items: list[int], i: int, j: int) -> None:
    items[i], items[j] = items[j], items[i]


# -- partitions --------------------------------------------------------------------------------------------------


def _part_arrays(items: np.ndarray, first: int, last: int, depth: int, shared: np.ndarray) -> None:
    """Divide until all pieces are small, or hold no element whose rank is `shared`: their order is clear."""
    while shared[items[first:last] >> BITS].any():
        if last - first <= LARGE or not depth:
            equal: list[tuple[int, int]] = []
            piece = items[first:last].tolist()
            _part(piece, 0, len(piece), depth, 0, len(shared), equal)
            items[first:last] = piece
            for a, b in equal:
                items[first + a : first + b] = items[first + a : first + b][_order_of_equals(b - a)]
            return
        depth -= 1
        cut = _divide_arrays(items, first, last)
        _part_arrays(items, cut, last, depth, shared)
        last = cut


def _divide_arrays(items: np.ndarray, first: int, last: int) -> int:
    """`_divide` with all exchanges at once: the first element that is too large with the last that is too small."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    x, y, z = (items[[a, b, c]] >> BITS).tolist()
    median = _median_of(x, y, z, a, b, c)
    items[[first, median]] = items[[median, first]]
    least, most = _span(int(items[first]))
    rest = items[first + 1 : last]
    large = np.flatnonzero(rest >= least) + first + 1
    small = np.append(np.flatnonzero(rest <= most)[::-1] + first + 1, first)
    both = min(len(large), len(small))
    count = np.count_nonzero(large[:both] < small[:both])
    left, right = large[:count], small[:count]
    items[left], items[right] = items[right], items[left]
    ends = [*large[count : count + 1].tolist(), *right[-1:].tolist()]
    return min(ends)


def _part(
    items: list[int], first: int, last: int, depth: int, lowest: int, highest: int, equal: list[tuple[int, int]]
) -> None:
    """Divide until all pieces are small, or their ranks, which lie between these, are `equal`."""
    while last - first > SMALL:
        if lowest == highest and depth >= (last - first).bit_length():
            equal.append((first, last))
            return
        if depth == 0:
            items[first:last] = _sorted_by_heap(items[first:last])
            return
        depth -= 1
        cut = _divide(items, first, last)
        pivot = items[first] >> BITS
        _part(items, cut, last, depth, pivot, highest, equal)
        last, highest = cut, pivot


@lru_cache(maxsize=256)
def _order_of_equals(count: int) -> np.ndarray:
    """Where the division of so many equal elements takes each of them from."""
    items = list(range(count))
    cut = _divide(items, 0, count)
    order = np.array(items, np.int16)
    for half in (order[:cut], order[cut:]):
        if len(half) > SMALL:
            half[:] = half[_order_of_equals(len(half))]
    return order


def _select(items: list[int], first: int, nth: int, depth: int) -> None:
    """Move the nth to its position, with no later one between it and the first."""
    last = len(items)
    while last - first > 3:
        if depth == 0:
            items[first:last] = _heaped(items[first:last], nth + 1 - first)
            _swap(items, first, nth)
            return
        depth -= 1
        cut = _divide(items, first, last)
        first, last = (cut, last) if cut <= nth else (first, cut)
    items[first:last] = sorted(items[first:last], key=_rank)


def _rank(item: int) -> int:
    return item >> BITS


def _divide(items: list[int], first: int, last: int) -> int:
    """Partition around the median of three, which moves to the front; return where the later half begins."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    _swap(items, first, _median_of(items[a] >> BITS, items[b] >> BITS, items[c] >> BITS, a, b, c))
    least, most = _span(items[first])
    low, high = first + 1, last
    while True:
        while items[low] < least:
            low += 1
        high -= 1
        while items[high] > most:
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


class Placed(int):
    """A number that is compared as it is, and remembers where it was."""

    place: int


def _placed(number: int, place: int) -> Placed:
    result = Placed(number)
    result.place = place
    return result


def _heap_of(items: list[int]) -> list[Placed]:
    """A heap with the latest item on top; Python's has the smallest number there."""
    heap = [_placed(-(item >> BITS), item) for item in items]
    heapify(heap)
    return heap


def _sorted_by_heap(items: list[int]) -> list[int]:
    heap = _heap_of(items)
    return [heappop(heap).place for _ in items][::-1]


def _heaped(items: list[int], count: int) -> list[int]:
    """The earliest items as a heap at the front."""
    heap, rest = _heap_of(items[:count]), items[count:]
    for i, item in enumerate(rest):
        if heap[0] < -(item >> BITS):
            rest[i] = heapreplace(heap, _placed(-(item >> BITS), item)).place
    return [each.place for each in heap] + rest


def heaped_positions(keys: np.ndarray, k: int) -> list[int]:
    """The positions of the k largest keys, the largest first, as topk returns them if they are few.

    Python's heaps exchange as those of the C++ library do.

    >>> heaped_positions(np.array([1, 3, 3, 0, 3]), 2)
    [2, 1]
    """
    # What is not larger than k of the first ones comes into no heap.
    start = min(len(keys), k * 8)
    bound = np.partition(keys[:start], start - k)[start - k]
    later = np.flatnonzero(keys[start:] > bound) + start
    heap = list(map(_placed, keys[:k].tolist(), range(k)))
    heapify(heap)
    places = [*range(k, start), *later.tolist()]
    for key, place in zip(keys[k:start].tolist() + keys[later].tolist(), places, strict=True):
        if heap[0] < key:
            heapreplace(heap, _placed(key, place))
    return [heappop(heap).place for _ in range(k)][::-1]
