"""Sizes of arguments, counted in bounded time: no number grows past `CAP`, and no array's elements are computed with.

>>> times(10**6, 10**6), power(10**5, 10**9) == CAP
(1000000000000, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ..interop.foreign_arrays import is_array, is_dtype, shape_of

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor

CAP = 1 << 80
"""Counts end here: a number of this size is refused whatever it counts."""

Shape = tuple[int, ...]


def times(*numbers: int) -> int:
    """The product of sizes. A size of 0 counts as 1, because a fold over no elements still writes its result.

    >>> times(0, 10**9)
    1000000000
    """
    total = 1
    for n in numbers:
        total *= max(abs(n), 1)
        if total >= CAP:
            return CAP
    return total


def power(base: int, exponent: int) -> int:
    """`base ** exponent` of whole numbers from 0 on."""
    if base <= 1 or exponent <= 0:
        return 1
    return CAP if exponent > CAP.bit_length() else times(*[base] * exponent)


def logarithm(n: int) -> int:
    """How often a number can be halved, which is how many rounds a sort takes."""
    return max(abs(n), 1).bit_length()


def numel(x: Any) -> int:
    """Elements of an array, a nested list or one value."""
    return times(*shape(x))


def shape(x: Any) -> Shape:
    """The shape of an array, of a nested list (by its first items) or of one value.

    >>> shape([[1, 2, 3], [4, 5, 6]]), shape(7), shape(range(5))
    ((2, 3), (), (5,))
    """
    outer: Shape = ()
    while isinstance(x, (list, tuple, range)):
        if isinstance(x, range):
            return (*outer, max(0, -((x.start - x.stop) // x.step)))
        outer = (*outer, len(x))
        if not x or len(outer) > 64:
            return outer
        x = x[0]
    return (*outer, *shape_of(x)) if is_array(x) else outer


def flat(values: Any) -> Iterator[Any]:
    """What nested lists hold, one after the other."""
    stack = [iter(values)]
    while stack:
        for v in stack[-1]:
            if isinstance(v, (list, tuple)):
                stack.append(iter(v))
                break
            yield v
        else:
            stack.pop()


def arrays(values: Iterable[Any]) -> list[Any]:
    """The arrays among arguments, also those in lists."""
    return [v for v in flat(values) if type(v) not in PLAIN and is_array(v)]


PLAIN = frozenset((int, float, bool, type(None)))
"""The types of most elements of a long list."""


def whole(x: Any, default: int = 0) -> int:
    """The absolute value of an integer argument; 0 for any other value, which the op refuses.

    >>> whole(-3), whole(None, 5), whole(2.5), whole("a")
    (3, 5, 3, 0)
    """
    if x is None:
        return default
    if is_array(x) and not isinstance(x, np.generic):
        x = _only(x)
    if isinstance(x, (float, np.floating)):
        return min(ceil(abs(float(x))), CAP) if isfinite(x) else 0
    try:
        return min(abs(x.__index__()), CAP)
    except (AttributeError, TypeError, RuntimeError, ValueError):
        return 0


def _only(x: Tensor | ndarray) -> Any:
    """The value of an array of one element; an array of more is not a number."""
    try:
        return x.item() if numel(x) == 1 else None
    except (RuntimeError, ValueError, TypeError, NotImplementedError):
        return None


MOST_NUMBERS = 10_000
"""Elements of an array that are read in order to count with them."""


def wholes(*values: Any) -> list[int]:
    """All whole numbers of some arguments, also those in lists and small arrays; a large array counts as `CAP`."""
    results: list[int] = []
    for v in flat(values):
        if type(v) is int:
            results.append(min(abs(v), CAP))
        elif isinstance(v, range):
            results += [max(abs(v.start), abs(v.stop))] * min(numel(v), MOST_NUMBERS)
        elif not is_array(v) or numel(v) == 1:
            results.append(whole(v))
        elif numel(v) > MOST_NUMBERS:
            return [CAP]
        else:
            try:
                results += map(whole, flat([v.tolist()]))
            except (RuntimeError, ValueError, TypeError, NotImplementedError):
                return [CAP]
    return results


def together(shapes: Iterable[Shape]) -> int:
    """Elements of shapes stretched to one. Where they clash the op refuses them; they count as the longest of each.

    >>> together([(3, 1), (4,)])
    12
    """
    longest: list[int] = []
    for one in shapes:
        for k, n in enumerate(reversed(one)):
            if k == len(longest):
                longest.append(n)
            else:
                longest[k] = max(longest[k], n)
    return times(*longest)


def width(values: Iterable[Any]) -> int:
    """How many ordinary elements of 8 bytes one element of a result takes."""
    most = 1
    for v in flat(values):
        if type(v) in PLAIN:
            continue
        if isinstance(v, complex) or isinstance(v, str) or isinstance(v, type) or is_dtype(v):
            most = max(most, 2)
        elif is_array(v):
            most = max(most, -(-int(getattr(v, "itemsize", 8) or 8) // 8))
    return most
