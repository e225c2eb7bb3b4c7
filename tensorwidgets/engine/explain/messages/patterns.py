"""The patterns of messages: an error is explained from its message alone, by parsing the numbers out of the text.

This serves errors whose operands are out of reach, for example inside a model. If `geometry` has the same refusal, its
words are used, so that an explanation reads the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...errors.reasons import Reason

Answer = tuple[str, str, tuple[str, ...]]
"""A rule, the explanation, and what to write instead."""

Pattern = tuple[re.Pattern, Callable[..., "Answer | Reason | None"]]

_PATTERNS: list[Pattern] = []


def explains(pattern: str) -> Callable[[Callable], Callable]:
    """Decorator: register a function for messages that match. Each group is an argument, as an int if it is one."""

    def declare(explain: Callable) -> Callable:
        _PATTERNS.append((re.compile(pattern, re.DOTALL), explain))
        return explain

    return declare


def reason_from_message(error: BaseException) -> Reason | None:
    """Explain an error from its message; None if no pattern matches.

    >>> print(reason_from_message(IndexError("index 5 is out of bounds for axis 0 with size 2")).because)
    Dimension 0 has size 2, so its indices go from 0 to 1 (or -2 to -1 from the end); 5 is not among them.
    """
    message = str(error)
    for pattern, explain in _PATTERNS:
        match = pattern.search(message)
        if match is None:
            continue
        answer = explain(*map(_number, match.groups()))
        if answer is None:
            continue
        kind = type(error) if isinstance(error, Exception) else RuntimeError
        if isinstance(answer, Reason):
            return Reason(answer.rule, kind, message, answer.because, answer.instead, answer.facts)
        rule, because, instead = answer
        return Reason(rule, kind, message, because, instead)
    return None


def _number(text: str | None) -> Any:
    return int(text) if text is not None and re.fullmatch(r"-?\d+", text) else text


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a printed shape.

    >>> sizes_in("[2, 3]"), sizes_in("(3,)"), sizes_in("2x3")
    ((2, 3), (3,), (2, 3))
    """
    return tuple(int(n) for n in re.findall(r"-?\d+", text))
