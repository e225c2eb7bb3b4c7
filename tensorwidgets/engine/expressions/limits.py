"""Limits on an expression: its length, its nesting, and the integers and lists that Python itself creates.

Asked before a step is taken, so that `9**9**9` ends in a sentence. What calls cost is counted in `costs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ..errors.reasons import Reason

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor

TEXT = 1000
"""Characters of an expression."""
DEPTH = 60
"""How deep parentheses, calls and operators may be nested."""
BITS = 256
"""The largest integer that a computation may make."""
ITEMS = 10_000
"""Items of a list or a tuple."""
LEVELS = 32
"""How deep lists may be nested in one another, and in what the caller gave."""


def too_long(text: str) -> Reason | None:
    """Whether an expression has more characters than are read."""
    if len(text) <= TEXT:
        return None
    return Reason(
        "expression.length",
        ValueError,
        f"the expression has {len(text)} characters, and at most {TEXT} are read",
        "An expression given as text is one line of tensor arithmetic.",
        ("y = ...  # first, in Python", "why('y.view(-1)', y=y)"),
        {"length": len(text), "limit": TEXT},
    )


def whole_number(op: str, a: Tensor | int | ndarray, b: Tensor | int | ndarray) -> Reason | None:
    """Whether Python's own arithmetic on whole numbers would run away.

    >>> whole_number("pow", 9, 9**9).message
    '9 ** 387420489 is a number of about 1228093895 bits, and at most 256 are computed'
    """
    if not (isinstance(a, int) and isinstance(b, int)):
        return None
    bits = max(a.bit_length(), b.bit_length()) + 1
    symbol = {"pow": "**", "lshift": "<<", "mul": "*"}.get(op)
    if op == "pow" and b > 0:
        bits = int(log2(abs(a)) * b) + 1 if abs(a) > 1 else 1
    elif op == "lshift":
        bits = a.bit_length() + max(b, 0)
    elif op == "mul":
        bits = a.bit_length() + b.bit_length()
    if symbol is None or bits <= BITS:
        return None
    return Reason(
        "expression.number",
        ValueError,
        f"{short(a)} {symbol} {short(b)} is a number of about {short(bits)} bits, and at most {BITS} are computed",
        "No size, stride or index needs so large a number.",
        (f"torch.tensor({short(a)}) {symbol} {short(b)}, which wraps at 64 bits",) if a.bit_length() < 64 else (),
        {"bits": bits, "limit": BITS},
    )


def repetition(a: Any, b: int | Sequence[int]) -> Reason | None:
    """Whether a list times a number would be too long, or a list of lists be repeated at all."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return _too_many(len(a) + len(b))
    items, times = (a, b) if isinstance(a, (list, tuple)) else (b, a)
    if not isinstance(items, (list, tuple)) or not isinstance(times, int):
        return None
    if len(items) * max(times, 0) <= ITEMS and not any(isinstance(i, (list, tuple)) for i in items):
        return None
    return Reason(
        "expression.repetition",
        ValueError,
        f"a {type(items).__name__} of {len(items)} times {short(times)} is not made: at most {ITEMS} items, and no "
        "lists in them",
        "Repeated lists are Python objects; a tensor can repeat with a stride of 0.",
        ("x.expand(...)",),
        {"items": len(items), "times": times, "limit": ITEMS},
    )


def _too_many(count: int) -> Reason | None:
    if count <= ITEMS:
        return None
    return Reason(
        "expression.repetition",
        ValueError,
        f"a list of {count} items is not made, and at most {ITEMS} are",
        "A tensor holds more.",
        ("torch.cat([a, b])",),
        {"items": count, "limit": ITEMS},
    )


def short(n: int) -> str:
    """A whole number as text, or how long it is."""
    return str(n) if abs(n) < 10**24 else f"a number of {n.bit_length()} bits"
