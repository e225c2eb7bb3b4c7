"""Lesson 22, a small language model: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from .attention import ATTEND, MAY_SEE, NO_ORDER, NO_VETO
from .bugs import DOCTOR, LEAKS, TOO_GOOD
from .heads import MIXED_UP, SPLIT_HEADS
from .text import FIRST_LOSS, WINDOWS
from .writing import CHOOSE, COLDER, KEEP

ALL = (
    WINDOWS, FIRST_LOSS, MIXED_UP, SPLIT_HEADS, NO_VETO, MAY_SEE, ATTEND, NO_ORDER, TOO_GOOD, LEAKS, COLDER, CHOOSE,
    DOCTOR, KEEP,
)  # fmt: skip
