"""The shape of a result: one unknown size computed, or several shapes broadcast to one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod

from ..errors.reasons import Reason
from .layout import Ints


def infer_size(shape: Sequence[int], numel: int) -> Ints | Reason:
    """The shape with its one -1 worked out, if `numel` elements fill it.

    >>> infer_size((2, -1), 6)
    (2, 3)
    >>> infer_size((4,), 6).message
    "shape '[4]' is invalid for input of size 6"
    """
    known = 1
    unknown = -1
    for dim, n in enumerate(shape):
        if n >= 0:
            known *= n
        elif n != -1:
            return _negative(shape, dim)
        elif unknown >= 0:
            return _two_unknowns(shape, unknown, dim)
        else:
            unknown = dim
    if unknown < 0:
        return tuple(shape) if known == numel else _does_not_fit(shape, known, numel)
    if known and not numel % known:
        return (*shape[:unknown], numel // known, *shape[unknown + 1 :])
    return _does_not_fit(shape, known, numel) if known or numel else _ambiguous(shape, unknown)


def broadcast(*sizes: Ints) -> Ints | Reason:
    """The one shape that all of these stretch to.

    >>> broadcast((3, 1), (4,), ())
    (3, 4)
    >>> broadcast((2, 3), (3, 2)).message
    'The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1'
    """
    result: Ints = ()
    for position, size in enumerate(sizes):
        if size == result or not size:
            continue
        if not result:
            result = size
            continue
        merged = list(result) if len(result) >= len(size) else [1] * (len(size) - len(result)) + list(result)
        lead = len(merged) - len(size)
        for dim in range(len(size) - 1, -1, -1):
            n, m = merged[lead + dim], size[dim]
            if n == 1:
                merged[lead + dim] = m
            elif m != 1 and m != n:
                return _clash(sizes, position, lead + dim, len(merged), n, m)
        result = tuple(merged)
    return result


def broadcast_verdict(*sizes: Ints) -> list[str]:
    """For each axis, from the left: "equal", "stretch" (some are 1), "missing" (some lack it), or "clash".

    >>> broadcast_verdict((2, 3, 1, 5), (3, 4, 6))
    ['missing', 'equal', 'stretch', 'clash']
    """
    columns = zip_longest(*(reversed(size) for size in sizes))
    return [_verdict(column) for column in columns][::-1]


def _verdict(column: tuple[int | None, ...]) -> str:
    if len({n for n in column if n is not None and n != 1}) > 1:
        return "clash"
    if None in column:
        return "missing"
    return "equal" if len(set(column)) == 1 else "stretch"


def _clash(sizes: tuple[Ints, ...], position: int, dim: int, ndim: int, n: int, m: int) -> Reason:
    from_end = dim - ndim
    holder = next(s for s in sizes if len(s) >= -from_end and s[from_end] == n)
    return Reason(
        "broadcast.clash",
        RuntimeError,
        f"The size of tensor a ({n}) must match the size of tensor b ({m}) at non-singleton dimension {dim}",
        because=(
            f"In dimension {from_end}, {list(holder)} has {n} and {list(sizes[position])} has {m}: "
            "not equal, and neither is 1."
        ),
        instead=_ways_together(holder, sizes[position]),
        facts={
            "shapes": sizes,
            "dim": dim,
            "from_end": from_end,
            "sizes": (n, m),
            "position": position,
            "verdict": tuple(broadcast_verdict(*sizes)),
        },
    )


def _ways_together(a: Ints, b: Ints) -> tuple[str, ...]:
    """What people mostly mean by two shapes that clash: new axes on the right, or one of them turned."""
    short, long = sorted((a, b), key=len)
    ways = []
    widened = (*short, *(1,) * max(len(long) - len(short), 1))
    if (len(short) < len(long) or len(short) == 1) and "clash" not in broadcast_verdict(widened, long):
        calls = ".unsqueeze(-1)" * (len(widened) - len(short))
        ways.append(f"{list(short)} as {list(widened)}, by {calls}")
    if len(short) == len(long) == 2 and "clash" not in broadcast_verdict(a, b[::-1]):
        ways.append(f"{list(b)} as {list(b[::-1])}, by .t()")
    if not ways and len(a) == len(b):
        ways += _cropped(a, b)
    if not ways and len(short) == 2 < len(long):
        spread = (short[0], *(1,) * (len(long) - 2), short[1])
        if "clash" not in broadcast_verdict(spread, long):
            ways.append(f"{list(short)} as {list(spread)}, by [:, {'None, ' * (len(long) - 2)}:]")
    return tuple(ways)


NEARLY = 2
"""By how much sizes may differ that a convolution without padding, or a pool, may have made unequal."""


def _cropped(a: Ints, b: Ints) -> list[str]:
    """How the larger of two shapes becomes the smaller one, where one is a little larger in each clash."""
    clash = [dim for dim, (n, m) in enumerate(zip(a, b, strict=True)) if n != m and 1 not in (n, m)]
    large, small = (a, b) if a[clash[0]] > b[clash[0]] else (b, a)
    if any(not 0 <= large[dim] - small[dim] <= NEARLY for dim in clash):
        return []
    parts = [f":{small[dim]}" if dim in clash else ":" for dim in range(clash[0], len(a))]
    size = [small[dim] if dim in clash else n for dim, n in enumerate(large)]
    return [f"{list(large)} as {size}, by [{', '.join(['...', *parts])}], if the rest may be left out"]


def _negative(shape: Sequence[int], dim: int) -> Reason:
    return Reason(
        "shape.negative",
        RuntimeError,
        f"invalid shape dimension {shape[dim]} at index {dim} of shape {list(shape)}",
        because=f"Size {dim} of the shape is {shape[dim]}; a size is 0 or more, or -1 for the unknown.",
        instead=("-1 in one place, and PyTorch fills in the rest",),
        facts={"shape": tuple(shape), "dim": dim},
    )


def _two_unknowns(shape: Sequence[int], first: int, second: int) -> Reason:
    return Reason(
        "shape.unknowns",
        RuntimeError,
        "only one dimension can be inferred",
        because=f"Sizes {first} and {second} of {list(shape)} are both -1; many pairs would fit.",
        instead=("one -1, and numbers for the rest",),
        facts={"shape": tuple(shape), "dims": (first, second)},
    )


def _ambiguous(shape: Sequence[int], dim: int) -> Reason:
    return Reason(
        "shape.ambiguous",
        RuntimeError,
        f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
        "dimension size -1 can be any value and is ambiguous",
        because=f"A 0 in {list(shape)} makes 0 elements whatever size {dim} is.",
        instead=("a number in place of -1",),
        facts={"shape": tuple(shape), "dim": dim},
    )


def _does_not_fit(shape: Sequence[int], known: int, numel: int) -> Reason:
    if -1 in shape:
        because = f"The sizes given in {list(shape)} multiply to {known}, which does not divide {numel}."
    else:
        because = f"{list(shape)} holds {known} elements, and there are {numel}."
    return Reason(
        "shape.count",
        RuntimeError,
        f"shape '{list(shape)}' is invalid for input of size {numel}",
        because=because,
        instead=_fitting(shape, numel),
        facts={"shape": tuple(shape), "known": known, "numel": numel},
    )


def _fitting(shape: Sequence[int], numel: int) -> tuple[str, ...]:
    """Shapes that would hold `numel` elements, one size changed."""
    ways = []
    for dim in range(len(shape)):
        others = (*shape[:dim], *shape[dim + 1 :])
        rest = prod(others)
        if rest > 0 and not numel % rest:
            sizes = ", ".join(map(str, (*shape[:dim], numel // rest, *shape[dim + 1 :])))
            ways.append(f"x.reshape({sizes})")
    return tuple(ways[:2])
