"""Fixes for shapes that do not broadcast: a new axis, a transposed operand, every element with every element.

Each uses views of the operands, without a copy, and each gives a different result. Only the user knows which is right.

>>> [(fix.code, fix.result) for fix in fixes(((3, 4), (3,)), ("p", "q"), 1)]
[('p + q[:, None]', (3, 4)), ('p.T + q', (4, 3))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple

from ....engine.errors.reasons import Reason
from ....engine.geometry import broadcast
from ...arrays.labels import atom
from ...arrays.values import shape_text

Order = tuple[int | None, ...]
"""The order of the dimensions; None is a new dimension of size 1."""
Shapes = Sequence[tuple[int, ...]]
KINDS = ("axis", "turn", "pairs")
"""A new axis for one operand, a transposed operand, a new axis for two; the simplest first."""


class Fix(NamedTuple):
    """What to write instead, and what it does."""

    names: tuple[str, ...]
    """How each operand is written."""
    said: str
    orders: tuple[Order, ...]
    sizes: tuple[tuple[int, ...], ...]
    result: tuple[int, ...]
    kind: str
    op: str = "+"

    @property
    def code(self) -> str:
        return f" {self.op} ".join(self.names)

    @property
    def changed(self) -> tuple[int, ...]:
        """The operands that change."""
        return tuple(k for k, order in enumerate(self.orders) if order != tuple(range(len(order))))


def fixes(
    sizes: Shapes, labels: Sequence[str], position: int, numpy: bool = False, most: int = 2, op: str = "+"
) -> list[Fix]:
    """At most `most` ways to make these shapes fit, the smallest results first, no two of one kind.

    `position` is the first operand that does not fit, `op` the sign between the operands.
    """
    results: list[Fix] = []
    for kind, orders in _candidates(sizes, position):
        new = tuple(_sized(order, size) for order, size in zip(orders, sizes, strict=True))
        result = broadcast(*new)
        if isinstance(result, Reason):
            continue
        names = tuple(_code(label, order, numpy) for label, order in zip(labels, orders, strict=True))
        results.append(Fix(names, _words(kind, orders, new, result, labels), orders, new, result, kind, op))
    results.sort(key=lambda fix: (prod(fix.result), KINDS.index(fix.kind), sum(map(len, fix.orders))))
    chosen: list[Fix] = []
    for fix in results:
        if all(fix.kind != other.kind for other in chosen):
            chosen.append(fix)
    return chosen[:most]


def _candidates(sizes: Shapes, position: int) -> Iterator[tuple[str, tuple[Order, ...]]]:
    same = [tuple(range(len(size))) for size in sizes]

    def with_order(changes: dict[int, Order]) -> tuple[Order, ...]:
        return tuple(changes.get(k, order) for k, order in enumerate(same))

    others = [k for k in range(len(sizes)) if k != position]
    deepest = max(map(len, sizes))
    for k in [position, *others]:
        rank = len(sizes[k])
        for count in range(1, deepest - rank + 1):
            for order in _with_new_axes(rank, count):
                yield "axis", with_order({k: order})
        if 2 <= rank <= 4:
            for turned in permutations(range(rank)):
                if turned != same[k]:
                    yield "turn", with_order({k: turned})
    for other in others:
        left, right = sizes[other], sizes[position]
        for back in range(1, min(len(left), len(right)) + 1):
            one: Order = (*range(len(left) - back + 1), None, *range(len(left) - back + 1, len(left)))
            two: Order = (*range(len(right) - back), None, *range(len(right) - back, len(right)))
            yield "pairs", with_order({other: one, position: two})


def _with_new_axes(rank: int, count: int) -> Iterator[Order]:
    """Orders with new axes, but none in front: broadcasting puts those there by itself."""
    for places in combinations(range(1, rank + count), count):
        dims = iter(range(rank))
        yield tuple(None if k in places else next(dims) for k in range(rank + count))


def _sized(order: Order, size: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if d is None else size[d] for d in order)


def _code(label: str, order: Order, numpy: bool) -> str:
    known = [d for d in order if d is not None]
    name = atom(label)
    if len(known) < len(order):
        return f"{name}[{', '.join('None' if d is None else ':' for d in order)}]"
    if known == sorted(known):
        return name
    if len(order) == 2:
        return f"{name}.T"
    return f"{name}.{'transpose' if numpy else 'permute'}({', '.join(map(str, known))})"


def _words(
    kind: str, orders: tuple[Order, ...], sizes: tuple[tuple[int, ...], ...], result: tuple[int, ...],
    labels: Sequence[str],
) -> str:  # fmt: skip
    changed = [k for k, order in enumerate(orders) if order != tuple(range(len(order)))]
    if kind == "pairs":
        return "Every element of one along that axis meets every element of the other."
    k = changed[0]
    if kind == "turn":
        return f"{labels[k]} has its dimensions in another order: {shape_text(sizes[k])}; nothing is copied."
    size, which = sizes[k], {1: "the columns", 2: "the rows"}
    axes = [len(size) - d for d, n in enumerate(size) if n != 1]
    if len(result) == 2 and len(axes) == 1:
        return f"{labels[k]} belongs to {which[axes[0]]}: {shape_text(size)} stretches to {shape_text(result)}."
    return f"{labels[k]} has size {shape_text(size)}, which stretches to {shape_text(result)}."
