"""Puzzles on what lies in memory: bits, bytes, and the order of elements."""

from __future__ import annotations

import math
import struct
from typing import Any

from ..puzzle import BRACKETS, COMPARING, Puzzle, Slip, numbers


def _signed(torch: Any) -> list[tuple[Any, ...]]:
    return [
        (torch.tensor([1.5, -2.0, 0.0, -0.0, 3.0, -math.inf]),),
        (torch.tensor([-0.0, 0.0, -7.5, 8.0, math.inf, -1.0]),),
    ]


SIGN = Puzzle(
    number=9,
    title="The sign bit",
    stars=2,
    par=21,
    takes=("x",),
    given=_signed,
    wanted=lambda x: [math.copysign(1, v) < 0 for v in x],
    rule="Whose sign bit is set? Of the two zeros only one has it.",
    tools=("view", "int32", COMPARING),
    dtype="bool",
    nudge="A whole number with the same 32 bits has the same first bit. When is a whole number negative?",
    slips=(
        Slip("x < 0", "-0.0 equals 0.0, so no comparison of floats tells them apart. Look at the bits."),
        Slip("x <= 0", "This takes both zeros: as floats they are equal."),
        Slip("x.view(torch.int32) > 0", "These are the others: a whole number whose first bit is set is negative."),
        Slip("x.view(torch.int32) == 0", "Only 0.0 has no bit set at all. Look at the first bit alone."),
    ),
)

BYTES = Puzzle(
    number=10,
    title="Four bytes each",
    stars=2,
    par=29,
    takes=("x",),
    given=lambda torch: [(torch.tensor([1.0, -2.0, 0.1]),), (torch.tensor([3.14, 255.0, -0.5]),)],
    wanted=lambda x: [list(struct.pack("<f", v)) for v in x],
    rule="A row for each number, with its bytes as they lie in memory. No copy.",
    tools=("view", "uint8", "int32", "t", BRACKETS),
    asks="view",
    dtype="uint8",
    nudge="view takes a dtype as well as a size. It multiplies the last dimension by four.",
    slips=(
        Slip("x.view(torch.uint8)", "All twelve bytes, in one row. Give each number a row of its own."),
        Slip("x[None].view(torch.uint8)", "None in front makes one row of all. The numbers should run down."),
        Slip("x.view(torch.uint8).view(4, 3)", "Rows of three cut across the numbers: each has four bytes."),
        Slip("x.view(torch.uint8).view(4, 3).t()", "Each row takes every third byte. A number has four neighbours."),
        Slip("x.view(torch.int32)[:, None]", "The 32 bits are one whole number here. There should be four of 8 bits."),
    ),
)

PIXELS = Puzzle(
    number=11,
    title="Pixel by pixel",
    stars=4,
    par=44,
    takes=("x",),
    given=lambda torch: [(_image(torch, 0),), (_image(torch, 100),)],
    wanted=lambda x: (x, [x[c][i][j] for i in range(2) for j in range(2) for c in range(3)]),
    rule="The same image. Only its memory changes: the three colours of a pixel become neighbours.",
    tools=("permute", "contiguous", "clone", "view", "reshape", "t", "T"),
    asks="memory",
    nudge="Turn the image so that colours come last, put that order into memory, and turn it back.",
    slips=(
        Slip("x.contiguous()", "It is contiguous already, so this is x itself: nothing was moved."),
        Slip("x.permute(1, 2, 0)", "Only the reading has changed. Not one number was moved."),
        Slip(
            "x.permute(1, 2, 0).contiguous()",
            "The memory is right. The image must be read with its colours first, as before.",
        ),
        Slip(
            "x.permute(1, 2, 0).contiguous().permute(1, 2, 0)",
            "The way back is a different order: the last comes first.",
        ),
        Slip(
            "x.view(3, 4).t().contiguous().view(3, 2, 2)",
            "The memory is right. Turn back before you cut it into rows, or the colours are mixed.",
        ),
    ),
)


def _image(torch: Any, first: int) -> Any:
    """Tens for the colour, ones for the pixel."""
    return numbers(torch, 3, 1, 1, first=first + 10, step=10) + numbers(torch, 1, 2, 2, first=1)


MEMORY: tuple[Puzzle, ...] = (SIGN, BYTES, PIXELS)
