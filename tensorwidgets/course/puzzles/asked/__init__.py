"""The thirty puzzles, by number. How an answer may look is in none of these files: the tests know."""

from __future__ import annotations

from ..puzzle import Puzzle
from .broadcasting import BROADCASTING
from .einsum import EINSUM
from .gradients import GRADIENTS
from .memory import MEMORY
from .names import NAMES
from .strides import STRIDES

ROOMS: dict[str, tuple[Puzzle, ...]] = {
    "Strides": STRIDES,
    "Bits and bytes": MEMORY,
    "Broadcasting": BROADCASTING,
    "Einsum": EINSUM,
    "Names": NAMES,
    "Gradients": GRADIENTS,
}
ALL = {puzzle.number: puzzle for room in ROOMS.values() for puzzle in room}
