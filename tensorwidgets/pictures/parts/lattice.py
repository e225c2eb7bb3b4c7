"""The lattice of dtypes: which dtype promotes to which, and the first dtype to which both of two promote.

>>> way(dtypes.int32, dtypes.float16)
(torch.int32, torch.int64, torch.float16)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...engine.types import dtypes
from ...engine.types.dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype
from ...engine.types.promotion import promote_types
from ..drawing.html import div, escape, framed, row, table, tag, td, th
from ..drawing.scene import columns, note
from ..drawing.tokens import CLASH, CLASH_TINT, EDGE, HOT, INK, LINE, MONO, MUTED, RULE, TINT, axis_colour, line

PLACES: dict[dtype, tuple[int, int]] = {
    dtypes.bool_: (0, 3), dtypes.uint8: (1, 2), dtypes.int8: (1, 4), dtypes.int16: (2, 3), dtypes.int32: (3, 3),
    dtypes.int64: (4, 3), dtypes.float16: (5, 2), dtypes.bfloat16: (5, 4), dtypes.float32: (6, 3),
    dtypes.float64: (7, 3), dtypes.complex32: (6, 0), dtypes.complex64: (7, 0), dtypes.complex128: (8, 0),
}  # fmt: skip
"""The level of each type, from below, and its half column."""
MAIN = tuple(PLACES)
APART = (dtypes.uint16, dtypes.uint32, dtypes.uint64, dtypes.float8_e4m3fn, dtypes.float8_e5m2)
"""Types outside the lattice: the unsigned ones meet floats and themselves, the small floats only themselves."""
KINDS = {
    BOOL: ("purple", "bool"),
    INTEGER: ("blue", "integer"),
    FLOAT: ("orange", "float"),
    COMPLEX: ("green", "complex"),
}
WIDE, HIGH, STEP, HALF = 84, 26, 44, 54
TOP, BESIDE = 8, 330
"""The highest level, and the pixels to the left of the types outside."""


@cache
def steps_up() -> dict[dtype, tuple[dtype, ...]]:
    """For each dtype, the dtypes directly above it."""

    def above(a: dtype, b: dtype) -> bool:
        return a is not b and promote_types(a, b) is b

    return {
        a: tuple(b for b in MAIN if above(a, b) and not any(above(a, c) and above(c, b) for c in MAIN)) for a in MAIN
    }


def way(start: dtype, goal: dtype) -> tuple[dtype, ...]:
    """A shortest way up from one dtype to another, both included."""
    ways: list[tuple[dtype, ...]] = [(start,)]
    while ways:
        if any(result[-1] is goal for result in ways):
            return next(result for result in ways if result[-1] is goal)
        ways = [(*result, after) for result in ways for after in steps_up().get(result[-1], ())]
    return ()


@dataclass(frozen=True)
class Lattice:
    """The dtypes with their steps, and the ways of the operands to the dtype of the result."""

    ways: tuple[tuple[dtype, ...], ...] = ()
    result: dtype | None = None
    refused: tuple[dtype, ...] = ()

    def html(self) -> str:
        parts = [self._step(a, b, None) for a, after in steps_up().items() for b in after]
        for k, result in enumerate(self.ways):
            parts += [self._step(a, b, k) for a, b in zip(result, result[1:], strict=False)]
        parts += [self._node(d, *self._spot(d)) for d in MAIN]
        look = f"font:400 11px/16px {MONO};color:{MUTED};white-space:nowrap"
        parts.append(_place(BESIDE, 3 * STEP + 6, 110, 16, look, "outside:"))
        parts += [self._node(d, BESIDE, (4 + k) * STEP, 108) for k, d in enumerate(APART)]
        inner = div("".join(parts), f"position:relative;width:{BESIDE + 108}px;height:{TOP * STEP + HIGH + 14}px")
        return framed(table([row(td(inner, "text-align:left"))], cls="tw-lattice"))

    def _spot(self, d: dtype) -> tuple[int, int]:
        level, half = PLACES[d]
        return half * HALF, (TOP - level) * STEP

    def _node(self, d: dtype, x: int, y: int, wide: int = WIDE) -> str:
        hue = KINDS[d._kind][0]
        wrong = d in self.refused
        starts = [k for k, result in enumerate(self.ways) if result and result[0] is d]
        look = f"background:{TINT[hue]};color:{INK};border:"
        if wrong:
            look = f"background:{CLASH_TINT};color:{CLASH};font-weight:700;border:2px solid {CLASH}"
        elif d is self.result:
            look += f"3px solid {HOT};font-weight:700"
        elif starts:
            look += f"2px {line(starts[0])} {axis_colour(starts[0])};font-weight:700"
        else:
            look += f"1px solid {LINE[hue]}"
        name = d._name + (" ≠" if wrong else "")
        cls = f"i-t{dtypes.ALL.index(d)}"
        place = f"position:absolute;left:{x}px;top:{y}px;width:{wide}px;height:{HIGH}px;box-sizing:border-box"
        style = f"{place};{look};border-radius:4px;font-size:11px;line-height:22px;text-align:center;white-space:nowrap"
        return tag("div", escape(name), style, cls, note(d._name, describe_dtype(d)))

    def _step(self, a: dtype, b: dtype, k: int | None) -> str:
        """A line from one type to one above it: up, to the left or right in the gap, and on."""
        (x0, y0), (x1, y1) = self._spot(a), self._spot(b)
        shift = 0 if k is None else 3 * k - (2 if len(self.ways) > 1 else 0)
        x0, x1 = x0 + WIDE // 2 + shift, x1 + WIDE // 2 + shift
        # What leads to complex types turns earlier, so that no line seems to join it that does not.
        early = b._kind == COMPLEX != a._kind
        turn = (y0 - 4 if early else y1 + HIGH + (STEP - HIGH) // 2) + shift
        pen = f"1px solid {EDGE}" if k is None else f"3px {line(k)} {axis_colour(k)}"
        thick = 1 if k is None else 3
        out = _stroke(x0, turn, 0, y0 - turn, f"border-left:{pen}")
        if x0 != x1:
            out += _stroke(min(x0, x1), turn, abs(x1 - x0) + thick, 0, f"border-top:{pen}")
        return out + _stroke(x1, y1 + HIGH, 0, turn - y1 - HIGH + thick, f"border-left:{pen}")

    def text(self) -> str:
        lines = [f"  {a._name} -> {', '.join(b._name for b in after)}" for a, after in steps_up().items() if after]
        said = ["Each type and those just above it:", *lines, f"Outside: {', '.join(d._name for d in APART)}."]
        for result in self.ways:
            said.append(f"From {result[0]._name}: {' -> '.join(d._name for d in result)}")
        return "\n".join(said)


def describe_dtype(d: dtype) -> str:
    """What a dtype is, and which dtypes are directly above it."""
    above = steps_up().get(d)
    size = f"{d.itemsize} {'byte' if d.itemsize == 1 else 'bytes'}"
    if above is None:
        return f"{KINDS[d._kind][1]}, {size}, outside the lattice"
    place = f"next above: {', '.join(b._name for b in above)}" if above else "the top"
    return f"{KINDS[d._kind][1]}, {size}, {place}"


def _place(x: int, y: int, width: int, height: int, look: str, text: str) -> str:
    return div(escape(text), f"position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px;{look}")


def _stroke(x: int, y: int, width: int, height: int, look: str) -> str:
    return div("", f"position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px;{look}")


@dataclass(frozen=True)
class Triangle:
    """The table of all pairs, each once."""

    pair: tuple[dtype, ...] = ()

    def html(self) -> str:
        small = f"font-size:11px;color:{MUTED}"
        rows = []
        for k, a in enumerate(MAIN):
            html = th(escape(a._name), "row", f"text-align:left;font-size:11px;color:{INK}")
            for b in MAIN[: k + 1]:
                won = promote_types(a, b)
                hue = KINDS[won._kind][0]
                mine = len(self.pair) == 2 and set(self.pair) == {a, b}
                edge = f"2px solid {HOT}" if mine else f"1px solid {RULE}"
                look = f"background:{TINT[hue]};border:{edge};font-size:11px" + (";font-weight:700" if mine else "")
                said = note(f"{a._name} + {b._name}", f"meet in {won._name}")
                html += td(escape(won.abbr), look, f"i-t{dtypes.ALL.index(won)}", said)
            rows.append(row(html + (td(span=len(MAIN) - k - 1) if k + 1 < len(MAIN) else ""), "height:22px"))
        foot = td() + "".join(th(escape(b.abbr), "col", small) for b in MAIN)
        rows.append(row(foot, "height:18px"))
        look = f"width:{80 + 35 * len(MAIN) + 4}px;margin:0 0 0 -2px"
        return framed(table(rows, [80, *[33] * len(MAIN)], "2px", look, "tw-promotion"))

    def text(self) -> str:
        lines = [[a._name, *(promote_types(a, b).abbr for b in MAIN[: k + 1])] for k, a in enumerate(MAIN)]
        return columns([*lines, ["", *(b.abbr for b in MAIN)]])
