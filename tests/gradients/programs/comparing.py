"""Whether two engines saw the same after each line of a program, but for rounding."""

from __future__ import annotations

import math
import re
import struct
from typing import Any

from tests.gradients.programs.running import Seen


def differences(ours: Seen, theirs: Seen) -> list[str]:
    """Where two engines saw different things after a line, as paths."""
    found = []
    if ours.get("error") != theirs.get("error"):
        found.append(f"error: {ours.get('error')} for {theirs.get('error')}")
    if not same_texts(ours.get("log"), theirs.get("log")):
        found.append(f"log: {ours.get('log')} for {theirs.get('log')}")
    _unlike("", ours.get("tensors"), theirs.get("tensors"), found)
    return found


def _unlike(path: str, a: Any, b: Any, found: list[str]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted((a.keys() | b.keys()) - {"numbers"}):
            if key != "text" or not same_shown(a, b):
                _unlike(f"{path}.{key}" if path else key, a.get(key), b.get(key), found)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and any(isinstance(v, dict) for v in a):
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            _unlike(f"{path}[{at}]", x, y, found)
    elif not same_texts(a, b):
        found.append(f"{path}: {a} for {b}")


PRINTED = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)j?,?")
"""A number as it is printed in a tensor."""
ALL_DIGITS = re.compile(r"-?\d+\.\d{13,}(?:e[+-]?\d+)?")
"""A float that is printed with all its digits, not rounded to a few."""
ROUNDINGS = 64
"""Numbers differ by rounding if they differ by no more than so many units in the last place of the largest of them, or
of 1. A program has at most 14 lines of a few roundings each, and so has the way back. Its numbers are about 1, so where
two of them cancel, the rest is as inexact as these. A wrong derivative is off by far more.
"""


def same_shown(a: Seen, b: Seen) -> bool:
    """Whether two tensors print the same, or the same but for numbers that differ by rounding. Zeros have a sign."""
    if a["text"] == b["text"]:
        return True
    words = [re.sub(r"[\s+]", "", PRINTED.sub("", each["text"])) for each in (a, b)]
    x, y = a.get("numbers"), b.get("numbers")
    return words[0] == words[1] and isinstance(x, list) and isinstance(y, list) and same_numbers(x, y, a["text"])


def same_numbers(a: list[float], b: list[float], text: str = "") -> bool:
    """Whether numbers are the same but for rounding."""
    unit = 2.0**-23 if "float32" in text or "complex64" in text or all(map(_is_single, (*a, *b))) else 2.0**-52
    near = ROUNDINGS * unit * max([1.0, *[abs(x) for x in a if math.isfinite(x)]])
    return len(a) == len(b) and all(
        math.copysign(1, x) == math.copysign(1, y) if x == y else abs(x - y) <= near or x != x and y != y
        for x, y in zip(a, b, strict=True)
    )


def _is_single(x: float) -> bool:
    return not math.isfinite(x) or abs(x) < 1e30 and struct.unpack("f", struct.pack("f", x))[0] == x


def same_texts(a: Any, b: Any) -> bool:
    """Whether two answers are the same but for rounding in numbers that have all their digits."""
    if a == b:
        return True
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_texts, a, b))
    if not isinstance(a, str) or not isinstance(b, str) or ALL_DIGITS.sub("", a) != ALL_DIGITS.sub("", b):
        return False
    x, y = [[float(number) for number in ALL_DIGITS.findall(text)] for text in (a, b)]
    return same_numbers(x, y)


def first_difference(ours: list[Seen], theirs: list[Seen]) -> tuple[int, list[str]] | None:
    """The first line after which two runs differ, and how."""
    for at, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        found = differences(a, b)
        if found:
            return at, found
    return None
