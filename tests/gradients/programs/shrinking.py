"""A program that two engines answer differently is made small."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.gradients.programs.comparing import first_difference
from tests.gradients.programs.running import Program, limited


def compared(program: Program, ours: Any, theirs: Any, each: bool) -> tuple[int, list[str]] | None:
    return first_difference(limited(program, ours, each), limited(program, theirs, each))


def shrink(program: Program, fails: Callable[[Program], bool]) -> Program:
    """The program without the lines that its failure does not need."""
    again = True
    while again:
        again = False
        for at in reversed(range(len(program))):
            shorter = program[:at] + program[at + 1 :]
            if shorter and fails(shorter):
                program, again = shorter, True
    return program


def told(program: Program, ours: Any, theirs: Any, each: bool) -> tuple[Program, list[str]]:
    """A failing program made small, and what differs at its end."""

    found = compared(program, ours, theirs, each)
    assert found is not None
    wanted = kind(found[1])[:40]

    def fails(p: Program) -> bool:
        now = compared(p, ours, theirs, each)
        return now is not None and kind(now[1])[:40] == wanted and all("NameError" not in d for d in now[1])

    small = program[: found[0] + 1]
    small = shrink(small, fails) if fails(small) else shrink(program, fails)
    found = compared(small, ours, theirs, each)
    assert found is not None
    return small[: found[0] + 1], found[1]


def kind(differing: list[str]) -> str:
    """What sort of difference it is, for counting: the first one without names and numbers."""
    return re.sub(r"[\d.]+", "#", re.sub(r"^[a-h](\[\d\])*\.", "", differing[0]))[:90]
