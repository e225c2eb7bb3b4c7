"""A teacher's rules for points, from a TOML file.

partial = true                     # functions: a share of the points for a share of the cases
[points]                           # 1 where nothing is said
"03.8" = 2
[weights]                          # of lessons in the total; 1 where nothing is said
"10" = 0.5
[due]
"03" = 2026-11-20T23:59:00
[late]
free_days = 2                      # for each student, over all lessons
per_day = 10                       # per cent of the points, for each further day
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.shelf import LESSONS

TABLES = ("points", "weights", "due", "late")


class BadRules(ValueError):
    """The rules cannot be followed; the message names the line at fault and what would be right."""


@dataclass(frozen=True)
class Rules:
    """How much each exercise counts, and what lateness costs. Without a file, each exercise counts one point."""

    points: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    partial: bool = False
    due: Mapping[str, float] = field(default_factory=dict)
    """In seconds since 1970."""
    free_days: int = 0
    per_day: float = 0.0
    """Per cent."""


def rules_of(file: Path) -> Rules:
    """The rules of a file."""
    try:
        return rules_from(file.read_text(encoding="utf-8"))
    except OSError as refused:
        raise BadRules(f"{file} cannot be read: {refused.strerror or refused}") from None
    except (BadRules, tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadRules(f"{file}: {wrong}") from None


def rules_from(text: str) -> Rules:
    """The rules of a text.

    >>> rules_from('[points]\\n"03.8" = 2').points
    {'03.8': 2.0}
    >>> rules_from('[points]\\n"03.1" = 2')
    Traceback (most recent call last):
    tensorwidgets.course.grading.rules.BadRules: [points] "03.1" is not an exercise: tensorwidgets list has them
    """
    told = tomllib.loads(text)
    if unknown := [key for key in told if key not in (*TABLES, "partial")]:
        raise BadRules(f"{unknown[0]} is not a rule: the rules are partial, {', '.join(f'[{one}]' for one in TABLES)}")
    for table in TABLES:
        if not isinstance(told.get(table, {}), dict):
            raise BadRules(f"{table} must be a table: a line [{table}], and its entries below it")
    partial = told.get("partial", False)
    if not isinstance(partial, bool):
        raise BadRules(f"partial is {partial!r}: it must be true or false")
    late = told.get("late", {})
    if unknown := [key for key in late if key not in ("free_days", "per_day")]:
        raise BadRules(f"[late] {unknown[0]} is not a rule: the rules are free_days and per_day")
    free = late.get("free_days", 0)
    if not isinstance(free, int) or isinstance(free, bool) or free < 0:
        raise BadRules(f"[late] free_days is {free!r}: it must be a whole number of days")
    return Rules(
        points={key: _number("points", key, value, _is_exercise) for key, value in told.get("points", {}).items()},
        weights={key: _number("weights", key, value, _is_lesson) for key, value in told.get("weights", {}).items()},
        partial=partial,
        due={key: _moment(key, value) for key, value in told.get("due", {}).items()},
        free_days=free,
        per_day=_number("late", "per_day", late.get("per_day", 0), lambda _: ""),
    )


def _is_exercise(key: str) -> str:
    known = isinstance(exercises.find(key), Exercise)
    return "" if known else "is not an exercise: tensorwidgets list has them"


def _is_lesson(key: str) -> str:
    return "" if any(lesson.number == key for lesson in LESSONS) else "is no lesson: tensorwidgets list names them"


def _number(table: str, key: str, value: Any, wrong: Any) -> float:
    if why := wrong(key):
        raise BadRules(f'[{table}] "{key}" {why}')
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
        raise BadRules(f'[{table}] "{key}" is {value!r}: it must be a number, 0 or more')
    return float(value)


def _moment(key: str, value: Any) -> float:
    if why := _is_lesson(key):
        raise BadRules(f'[due] "{key}" {why}')
    if not isinstance(value, datetime):
        raise BadRules(f'[due] "{key}" is {value!r}: it must be a date with a time, such as 2026-11-20T23:59:00')
    return value.timestamp() if value.tzinfo is None else value.astimezone(UTC).timestamp()
