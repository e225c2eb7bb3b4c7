"""Which elements of the storage does a view touch, and do two views touch the same ones?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..errors.reasons import Reason
from .contiguity import is_non_overlapping_and_dense
from .layout import Geometry, Ints, numel


def extent(size: Ints, stride: Ints) -> int:
    """How many elements of storage from the first to the last one touched?

    >>> extent((2, 3), (4, 1)), extent((5, 3), (0, 1)), extent((0, 3), (3, 1))
    (7, 3, 0)
    """
    span = 1
    for n, step in zip(size, stride, strict=True):
        if not n:
            return 0
        span += (n - 1) * abs(step)
    return span


def overlap(size: Ints, stride: Ints) -> str:
    """Do two indices mean one element? "no", "yes", or "maybe" where PyTorch does not look closer.

    >>> overlap((2, 3), (3, 1)), overlap((4, 3), (0, 1)), overlap((3, 2), (1, 1))
    ('no', 'yes', 'maybe')
    """
    if is_non_overlapping_and_dense(size, stride):
        return "no"
    for n, step in zip(size, stride, strict=True):
        if n > 1 and not step:
            return "yes"
    return "maybe"


def walk(size: Ints, stride: Ints, *others: Ints) -> list[int]:
    """The dimensions in the order in which memory is walked, the innermost last. `others` are the strides of what is
    read meanwhile, which decide where those of the result do not.

    >>> walk((2, 3), (1, 2)), walk((3, 4), (1, 1)), walk((2, 2), (1, 1), (1, 2))
    ([1, 0], [1, 0], [1, 0])
    """
    order = [*range(len(size))][::-1]
    for at in range(1, len(order)):  # sorted by insertion as in PyTorch: not every pair of dimensions has an order
        for place in range(at - 1, -1, -1):
            found = _further_out(size, (stride, *others), order[place], order[place + 1])
            if found > 0:
                order[place], order[place + 1] = order[place + 1], order[place]
            elif found < 0:
                break
    return order[::-1]


def _further_out(size: Ints, strides: tuple[Ints, ...], one: int, other: int) -> int:
    """Whether one dimension is walked further out than another: 1 if it is, -1 if not, 0 if nothing decides it."""
    for stride in strides:
        if stride[one] and stride[other]:
            if stride[one] != stride[other]:
                return 1 if stride[one] > stride[other] else -1
            if size[one] > size[other]:
                return 1
    return 0


def rows_share(size: Ints, stride: Ints) -> bool:
    """Whether elements that differ in more than the innermost dimension may lie on top of each other.

    >>> rows_share((4, 3), (1, 1)), rows_share((2, 3), (6, 2))
    (True, False)
    """
    extent = 0
    for d in reversed(walk(size, stride)):
        if size[d] > 1:
            if stride[d] <= extent:
                return True
            extent += (size[d] - 1) * stride[d]
    return False


def memory_overlap(a: Geometry, a_itemsize: int, b: Geometry, b_itemsize: int) -> str:
    """Do two views of one storage share bytes? "no", "full", "partial", or "maybe" if PyTorch does not look.

    >>> left, right = Geometry((3,), (1,), 0), Geometry((3,), (1,), 2)
    >>> memory_overlap(left, 4, right, 4), memory_overlap(left, 4, left, 4), memory_overlap(left, 4, right, 8)
    ('partial', 'full', 'no')
    """
    a_count, b_count = numel(a.size), numel(b.size)
    if not a_count or not b_count:
        return "no"
    if not (is_non_overlapping_and_dense(a.size, a.stride) and is_non_overlapping_and_dense(b.size, b.stride)):
        return "maybe"
    a_first, b_first = a.offset * a_itemsize, b.offset * b_itemsize
    a_end, b_end = a_first + a_count * a_itemsize, b_first + b_count * b_itemsize
    if a_first == b_first and a_end == b_end:
        return "full" if a.stride == b.stride else "partial"
    return "partial" if a_first < b_end and b_first < a_end else "no"


def offsets(g: Geometry) -> Iterator[int]:
    """The places in storage that the elements are read from, in row-major order.

    >>> list(offsets(Geometry((2, 3), (1, 2), 5)))
    [5, 7, 9, 6, 8, 10]
    """
    *outer, inner = [[i * step for i in range(n)] for n, step in zip(g.size, g.stride, strict=True)] or [[0]]
    for steps in product(*outer):
        start = g.offset + sum(steps)
        for step in inner:
            yield start + step


def offset_of(g: Geometry, index: Sequence[int]) -> int | Reason:
    """The place in storage of one element; left-out trailing indices count as 0.

    >>> g = Geometry((2, 3), (1, 2), 5)
    >>> offset_of(g, (1, -1))
    10
    >>> offset_of(g, (2, 0)).message
    'index 2 is out of bounds for dimension 0 with size 2'
    """
    if len(index) > len(g.size):
        return Reason(
            "index.many",
            IndexError,
            f"too many indices for tensor of dimension {len(g.size)}",
            because=f"{len(index)} indices for the {len(g.size)} dimensions of {list(g.size)}.",
            facts={"index": tuple(index), "size": g.size},
        )
    place = g.offset
    for dim, i in enumerate(index):
        n = g.size[dim]
        if not -n <= i < n:
            return out_of_bounds(i, dim, g.size)
        place += (i + n if i < 0 else i) * g.stride[dim]
    return place


def reads(g: Geometry) -> dict[int, int]:
    """How often is each place in storage read?

    >>> reads(Geometry((2, 2), (1, 1), 0))
    {0: 1, 1: 2, 2: 1}
    """
    counts: dict[int, int] = {}
    for place in offsets(g):
        counts[place] = counts.get(place, 0) + 1
    return counts


def out_of_bounds(index: int, dim: int, size: Ints, entry: int | None = None) -> Reason:
    """What `x[index]` says beyond the end of a dimension; `entry` is the index's place in the brackets.

    >>> out_of_bounds(7, 0, (2, 3)).message
    'index 7 is out of bounds for dimension 0 with size 2'
    """
    n = size[dim]
    if entry is None:
        entry = dim
    return Reason(
        "index.range",
        IndexError,
        f"index {index} is out of bounds for dimension {entry} with size {n}",
        because=because_index(index, n, f"Dimension {dim}" if entry == dim else "The dimension that is left there"),
        instead=(f"an index from {-n} to {n - 1}",) if n else (),
        facts={"index": index, "dim": dim, "size": size},
    )


def because_index(index: int, n: int, which: str) -> str:
    """Our words for an index that a dimension does not have.

    >>> because_index(2, 2, "Dimension 0")
    'Dimension 0 has size 2, so its indices go from 0 to 1 (or -2 to -1 from the end); 2 is not among them.'
    """
    if not n:
        return f"{which} has size 0: there is nothing to pick."
    return (
        f"{which} has size {n}, so its indices go from 0 to {n - 1} "
        f"(or {-n} to -1 from the end); {index} is not among them."
    )
