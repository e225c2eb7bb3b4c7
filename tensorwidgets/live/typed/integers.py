"""Reads integers from what a person types or sets. Invalid input gives None and never raises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.errors.reasons import Reason


def integer(given: Any) -> int | None:
    """An integer, or None if the value is not one.

    >>> integer(3), integer("3"), integer(np.int64(3)), integer(3.5), integer(True)
    (3, 3, 3, None, None)
    """
    if isinstance(given, bool):
        return None
    if isinstance(given, (int, np.integer)):
        return int(given)
    if isinstance(given, str) and re.fullmatch(r"\s*[-+]?\d{1,30}\s*", given, re.ASCII):
        return int(given)
    return None


def integers(given: Any) -> tuple[int, ...] | None:
    """Integers from a list, a tuple, a single number, or a text such as "3, 4"; None if the value is invalid.

    >>> [integers(given) for given in ([3, 4], 5, "(3, 4)", "3 x 4", "()", "a")]
    [(3, 4), (5,), (3, 4), (3, 4), (), None]
    """
    if isinstance(given, str):
        inner = given.strip().strip("()[]").strip().rstrip(",")
        given = re.split(r"\s*[,x×]\s*|\s+", inner) if inner else []
    many: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
    results = [integer(n) for n in many]
    return None if None in results else tuple(n for n in results if n is not None)


def refused(rule: str, because: str) -> Reason:
    """The reason why a value is invalid, if no rule of the engine gives one."""
    return Reason(f"live.{rule}", ValueError, "", because)
