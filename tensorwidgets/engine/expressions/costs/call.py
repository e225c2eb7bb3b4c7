"""A call whose cost is estimated, and the parts of the cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ...interop.foreign_arrays import is_array
from ..counting import CAP, arrays, numel, shape, together, width


class Cost(NamedTuple):
    """What a call takes at most."""

    elements: int = 0
    """Elements of 8 bytes that it makes and hands out."""
    work: int = 0
    """Steps of arithmetic; one takes about a nanosecond."""
    scratch: int = 0
    """Elements that it needs for a while."""
    objects: int = 0
    """Python objects that it hands out."""


class Uncounted(Exception):
    """A call passes what its rule does not read, so its cost is not known."""


class Call:
    """A name with its arguments; a method's tensor comes first."""

    def __init__(self, name: str, args: tuple, kwargs: Mapping[str, Any]):
        self.name, self.args, self.kwargs = name, args, kwargs

    @cached_property
    def given(self) -> tuple[Any, ...]:
        """All arguments in one row."""
        return (*self.args, *self.kwargs.values())

    @cached_property
    def first(self) -> Any:
        """What the call is about: the first argument, or where all are keywords the first array."""
        return self.args[0] if self.args else next((v for v in self.given if is_array(v)), None)

    @cached_property
    def arrays(self) -> list[Any]:
        return arrays(self.given)

    @cached_property
    def total(self) -> int:
        """Elements of all operands together; a number in a list is one."""
        return min(sum(map(numel, self.arrays)) + sum(numel(v) for v in self.given if not is_array(v)), CAP)

    @cached_property
    def stretched(self) -> int:
        """Elements of all operands stretched to one shape; a list counts as an array, and as the arrays in it."""
        shapes = [shape(v) for v in self.given]
        return together([*shapes, *map(shape, self.arrays)])

    @cached_property
    def width(self) -> int:
        return width(self.given)

    def dim(self, at: int | None = 1) -> int | None:
        """The dimension that a call names: by keyword, or in this place."""
        for word in ("dim", "axis"):
            if word in self.kwargs:
                value = self.kwargs[word]
                return value if type(value) is int else None
        value = self.args[at] if at is not None and len(self.args) > at else None
        return value if type(value) is int else None

    def along(self, dim: int | None) -> int:
        """The length of a dimension of the first operand; 1 if it does not have this dimension."""
        size = shape(self.first)
        return max(size[dim], 1) if dim is not None and -len(size) <= dim < len(size) else 1


Rule = Callable[[Call], Cost]

_SIZELESS = frozenset(
    "out axis axes dim dims keepdim keepdims ddof correction initial offset diagonal side fill_value value values "
    "alpha beta base dtype device layout where p ord tol rtol atol rcond driver".split()
)
"""Keywords that change no size, whatever they are given."""


def bound(parameters: str, rule: Callable[..., Cost]) -> Rule:
    """A rule that gets its arguments by name: alternatives are written `input|x`, the rest is `*operands`.

    What has another name and could be a size is not counted, so the call is refused.

    >>> square = bound("n|N m|M", lambda call, n, m: Cost(n * m))
    >>> square(Call("eye", (3,), {"M": 5})).elements
    15
    """
    names = [one.split("|") for one in parameters.split()]
    rest = names.pop()[0][1:] if names and names[-1][0].startswith("*") else None
    place = {word: k for k, words in enumerate(names) for word in words}

    def read(call: Call) -> Cost:
        results: list[Any] = [None] * len(names)
        results[: len(call.args)] = call.args[: len(names)]
        for word, value in call.kwargs.items():
            if word in place:
                results[place[word]] = value
            elif word not in _SIZELESS and not isinstance(value, (bool, float, str, type(None))):
                raise Uncounted(word)
        return rule(call, *results, *call.args[len(names) :]) if rest is not None else rule(call, *results)

    return read
