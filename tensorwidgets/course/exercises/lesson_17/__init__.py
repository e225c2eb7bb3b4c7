"""Lesson 17, the tape and its memory: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from .kept import BROKEN, CHAIN, NOTES, ONE_STORAGE, REPAIRED, TWO_REFUSE
from .letting_go import FIVE_GRAPHS, HALVES
from .meter import METER
from .own_function import FLAT, LEVELS
from .wall import WALL

ALL = (
    ONE_STORAGE, CHAIN, TWO_REFUSE, BROKEN, REPAIRED, NOTES, FIVE_GRAPHS, HALVES, FLAT, LEVELS, METER, WALL,
)  # fmt: skip
