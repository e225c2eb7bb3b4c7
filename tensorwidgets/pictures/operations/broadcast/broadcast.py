"""Broadcasting: shapes lined up from the right, what is stretched, which elements meet. `show.broadcast(a, b)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.errors.reasons import Reason
from ....engine.geometry import broadcast, broadcast_verdict
from ...arrays.values import shape_text
from ...drawing.inline import bold
from ...drawing.picture import Picture
from ...drawing.scene import Beside, Block, Gap, Note, Stack, Title
from ...parts.panel import in_a_row
from ...parts.shapes import ShapeTable
from ..meeting import OPS
from ..operands import operands_of
from .clash import clash_picture
from .meetings import Meetings

RULE = (
    "Read from the right. Two sizes fit when they are equal, when one of them is 1, or when one is missing. "
    "A dotted size is stretched: its stride becomes 0."
)


def broadcast_picture(things: Sequence[Any], labels: Sequence[str], op: str = "+") -> Picture:
    """The picture of `show.broadcast`; shapes that do not fit are drawn with the ways out."""
    if op not in OPS:
        raise ValueError(f"op= is one of {', '.join(map(repr, OPS))}, not {op!r}")
    if not things:
        raise TypeError("show.broadcast() takes arrays or shapes: show.broadcast(a, b), show.broadcast((3, 1), (4,))")
    operands = operands_of(things, labels)
    sizes = tuple(o.size for o in operands)
    result = broadcast(*sizes)
    if isinstance(result, Reason):
        return clash_picture(operands, things, result, op)
    meeting = Meetings(operands, things, result, op=op)
    head = f" {op} ".join(o.label for o in operands) + _how(sizes)
    aside = f"{f' {op} '.join(map(shape_text, sizes))} gives {shape_text(result)}"
    table = ShapeTable(tuple(bold(o.label) for o in operands), sizes, result)
    blocks: list[Block] = [Title(head, aside if len(aside) + len(head) < 100 else "")]
    side = Note(RULE, 300, 20)
    blocks.append(Beside([table, side], 32) if table.dims <= 4 else Stack([table, side]))
    blocks += [Gap(20), in_a_row([*meeting.sides(), meeting.result()], [op] * (len(operands) - 1) + ["="])]
    blocks.append(meeting.sentence())
    blocks += [Note(line) for line in meeting.remarks()]
    return Picture(blocks)


def _how(sizes: Sequence[tuple[int, ...]]) -> str:
    stretched = any(kind != "equal" for kind in broadcast_verdict(*sizes))
    return ", when the shapes stretch" if stretched else ", element by element"
