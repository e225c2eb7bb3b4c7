"""What one expression may spend: memory, arithmetic and Python objects, over all of its steps together.

An expression may come from a text box, and a slip of a digit must not take the machine with it. Arrays that the caller
gave may be of any size, and what is spent on them may grow with them; all else has one limit.

>>> Budget().charge("zeros", (10**6, 10**6), {}).message
'zeros would make 1000000000000 elements, and at most 67108864 are made out of little'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ..errors.reasons import Reason
from ..interop.foreign_arrays import facts_of, is_array
from .costs import Cost, Uncounted, cost_of
from .counting import numel
from .limits import ITEMS, short

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor

ELEMENTS = 2**26
"""Elements of 8 bytes that an expression may make out of little."""
WORK = 5 * 10**8
"""Steps of arithmetic that an expression may take; one takes about a nanosecond."""
_ELEMENTS_EACH, _WORK_EACH = 6, 320
"""The same for each element of the arrays that were given, where those are many."""

_WAYS = ("a smaller size", "the same call in Python, outside the text")


class Budget:
    """What an expression has spent, and what it may."""

    def __init__(self) -> None:
        self.spent = Cost()
        self._given: dict[int, int] = {}

    def give(self, array: Tensor | ndarray) -> None:
        """An array that the caller gave: it may be worked on, however large it is."""
        facts = facts_of(array)
        if facts is not None and facts.start:
            self._given[facts.start] = max(
                self._given.get(facts.start, 0), facts.storage_nbytes // (facts.itemsize or 1)
            )

    @property
    def given(self) -> int:
        return sum(self._given.values())

    def charge(self, name: str, args: tuple, kwargs: Mapping[str, Any], linalg: bool = False) -> Reason | None:
        """Count a step before it is taken; a reason where it costs too much."""
        try:
            cost = cost_of(name, args, kwargs, linalg)
        except Uncounted as uncounted:
            return _uncounted(name, str(uncounted))
        given = self.given
        elements, work = max(ELEMENTS, _ELEMENTS_EACH * given), max(WORK, _WORK_EACH * given)
        spent = Cost(
            self.spent.elements + cost.elements, self.spent.work + cost.work, 0, self.spent.objects + cost.objects
        )
        if spent.elements + cost.scratch > elements:
            return self._growth(name, cost, elements, args)
        if cost.objects > ITEMS or spent.objects > 4 * ITEMS:
            return _objects(name, cost.objects)
        if spent.work > work:
            return self._work(name, cost, work)
        self.spent = spent
        return None

    def _growth(self, name: str, cost: Cost, limit: int, args: tuple) -> Reason:
        made, does = cost.elements, f"{name} would make"
        if made <= limit:
            made, does = cost.elements + cost.scratch, f"{name} would need, to compute with,"
        if made <= limit:
            made, does = self.spent.elements + made, f"{name} and the steps before it would make"
        held = max((numel(a) for a in args if is_array(a)), default=0)
        return Reason(
            "expression.growth",
            ValueError,
            f"{does} {short(made)} elements, and at most {limit} are made out of little",
            f"The arrays given hold {self.given} elements." if held else "It is made from numbers alone.",
            _WAYS,
            {"elements": made, "limit": limit, "held": self.given},
        )

    def _work(self, name: str, cost: Cost, limit: int) -> Reason:
        taken, does = cost.work, name
        if taken <= limit:
            taken, does = self.spent.work + taken, f"{name} and the steps before it"
        return Reason(
            "expression.work",
            ValueError,
            f"{does} would take about {short(_rounded(taken))} steps of arithmetic, and at most {limit} are taken",
            "Python would be busy with it for more than a second, and could do nothing else.",
            _WAYS,
            {"work": taken, "limit": limit},
        )


def _rounded(n: int) -> int:
    """A number with two digits that count: more would claim to know the machine."""
    return round(n, 2 - len(str(n)))


def _objects(name: str, count: int) -> Reason:
    return Reason(
        "expression.objects",
        ValueError,
        f"{name} would make {short(count)} objects, and at most {ITEMS} are made",
        "Each of them costs more memory than many elements of a tensor.",
        ("a part of it, such as x[:10]",),
        {"objects": count, "limit": ITEMS},
    )


def _uncounted(name: str, what: str) -> Reason:
    return Reason(
        "expression.uncounted",
        ValueError,
        f"{name} is not called with {what}: how much that computes is not known beforehand",
        "A step is taken once its memory and its time are known to be small.",
        ("the same call without it", "the same call in Python, outside the text"),
        {"argument": what},
    )
