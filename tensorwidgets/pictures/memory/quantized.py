"""A quantized tensor: the ladder of integers next to the axis of values, and what each element lost on it.

`show(q)` shows what is stored. `show(x, q)` also shows the original values: how far each value was rounded, and
which values were clipped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays.labels import atom
from ..arrays.layout import Layout
from ..arrays.sources import source_of
from ..arrays.special_kinds import is_quantized
from ..arrays.values import bytes_text, count, index_text, short
from ..arrays.window import Window
from ..drawing.inline import Ink, Line, bold, muted
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Cell, Gap, Note, Sentence, Title, note
from ..drawing.tokens import CLASH, value
from ..parts.grid import Framed, Grid
from ..parts.ladder import Ladder, Mark, Rungs
from ..parts.view_grid import with_gaps

WHOLE = 48
"""Elements that are drawn at most; of more, the edges."""
LANES = 4
"""Ladders that are drawn at most, where each channel has one."""
ENDS = {"quint8": (0, 255), "qint8": (-128, 127), "qint32": (-(2**31), 2**31 - 1)}


def quantized_picture(arrays: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of `show` for one quantized tensor, alone or behind what it was made of."""
    quantized = [k for k, a in enumerate(arrays) if is_quantized(a)]
    if len(quantized) != 1 or len(arrays) > 2:
        raise TypeError("show draws one quantized tensor at a time, alone or with what it was made of: show(x, q)")
    k = quantized[0]
    q, label = arrays[k], labels[k]
    meant = None
    if len(arrays) == 2:
        meant = arrays[1 - k]
        source_of(meant)  # refuses what is no array
        if not hasattr(meant, "shape") or tuple(meant.shape) != tuple(q.shape):
            raise TypeError(f"{labels[1 - k]} and {label} can be drawn together only if they have the same size")
    return Drawing(q, label, meant, labels[1 - k] if meant is not None else "").picture()


@dataclass(frozen=True)
class Element:
    """One element: its stored integer, the value of that integer, and the original value, if known."""

    index: tuple[int, ...]
    rung: int
    rungs: Rungs
    meant: float | None

    @property
    def stored(self) -> float:
        return self.rungs.stored(self.rung)

    @property
    def at_an_end(self) -> bool:
        return self.rung in (self.rungs.first, self.rungs.last)

    @property
    def clipped(self) -> bool:
        """Beyond the last rung by more than half a step."""
        return self.meant is not None and self.at_an_end and abs(self.error) > abs(self.rungs.scale) / 2 * (1 + 1e-5)

    @property
    def error(self) -> float:
        return math.nan if self.meant is None else self.stored - self.meant

    def reason(self) -> str:
        """`(60 - 10) × 0.1 = 5`, and what was lost."""
        zero = self.rungs.zero_point
        text = f"({self.rung} - {_number(zero)}) × {_number(self.rungs.scale)} = {self.stored:.7g}"
        if self.clipped:
            side = "above the last" if self.meant is not None and self.meant > self.stored else "below the first"
            return f"{text}; meant {_number(self.meant)}, {side} rung: clipped"
        if self.meant is not None:
            return f"{text}; meant {_number(self.meant)}, off by {_number(self.error)}"
        return text + ("; at an end of the ladder, so it may have been clipped" if self.at_an_end else "")


def _number(value: float | None) -> str:
    """A number in at most about eight characters."""
    return "none" if value is None else f"{value:.5g}"


class Drawing:
    """What is drawn of one tensor."""

    def __init__(self, q: Any, label: str, meant: Any, meant_label: str):
        self.label, self.meant_label = label, meant_label
        self.dtype = str(q.dtype).rpartition(".")[2]
        inner = getattr(q, "_array", None)
        layout = Layout.of(q.int_repr() if inner is None else inner, WHOLE)
        values = None if meant is None else Layout.of(meant, WHOLE).values
        self.window: Window = layout.window
        self.size, self.ladders, self.axis = layout.size, *_ladders(q, self.dtype)
        self.elements = [
            Element(index, int(rung), self.ladder(index), None if values is None else float(values[k]))
            for k, (index, rung) in enumerate(zip(self.window.indices(), layout.values or (), strict=True))
        ]

    def ladder(self, index: tuple[int, ...]) -> Rungs:
        return self.ladders[0] if self.axis is None else self.ladders[index[self.axis]]

    def picture(self) -> Picture:
        first, last = ENDS[self.dtype]
        rungs = f"{last - first + 1:,} rungs"
        head = f"{self.label}: {count(math.prod(self.size), 'value')} on a ladder of {rungs}"
        if self.axis is not None:
            head = f"{self.label}: {count(len(self.ladders), 'channel')}, each on a ladder of its own"
        blocks: list[Block] = [Title(head, self.facts())]
        if self.elements:
            blocks += [
                self.axes() if self.drawable else Note("Such a scale has no places to draw."),
                Gap(20),
                Beside(self.grids(), gap=28, below=12),
                self.sentence(),
            ]
        else:
            blocks.append(Sentence(self.label, "no element, so no rung is taken"))
        blocks += [Note(line) for line in self.remarks()]
        return Picture(blocks)

    @property
    def drawable(self) -> bool:
        """Whether every rung has a place of its own on the axis."""
        return all(math.isfinite(r.value(r.first)) and r.low < r.high for r in self.ladders)

    def facts(self) -> str:
        one = self.ladders[0]
        if self.axis is None:
            return f"{self.dtype}, scale {_number(one.scale)}, zero point {_number(one.zero_point)}"
        return f"{self.dtype}, channels along dimension {self.axis}"

    def axes(self) -> Ladder:
        shown = list(range(min(LANES, len(self.ladders))))
        lanes = []
        for k in shown:
            marks = [
                Mark(n, e.rung, e.meant, e.clipped, note(atom(self.label) + index_text(e.index), e.reason()))
                for n, e in enumerate(self.elements)
                if self.axis is None or e.index[self.axis] == k
            ]
            name = "whole numbers" if self.axis is None else f"channel {k}"
            lanes.append((name, self.ladders[k], tuple(marks)))
        return Ladder(tuple(lanes), self.hand().index if self.elements else (), self._rank(self.hand()))

    def _rank(self, element: Element) -> int:
        return self.elements.index(element)

    def hand(self) -> Element:
        """The example: what lost most without being clipped, or simply one in the middle."""
        kept = [e for e in self.elements if not e.clipped and not math.isnan(e.error) and abs(e.error) > 0]
        return max(kept, key=lambda e: abs(e.error)) if kept else self.elements[len(self.elements) // 2]

    def grids(self) -> list[Framed]:
        """The integers, the values that they mean, and what was lost."""
        grids = [
            self.grid("int_repr()", "whole numbers, as stored", [str(e.rung) for e in self.elements], True),
            self.grid(
                "dequantize()", "the values that they mean", [short(_rounded(e.stored)) for e in self.elements], False
            ),
        ]
        if self.elements[0].meant is not None:
            text = ["clip" if e.clipped else short(_rounded(e.error)) for e in self.elements]
            grids.append(self.grid("error", f"stored, less {self.meant_label}", text, False))
        return grids

    def grid(self, name: str, fact: str, texts: list[str], coloured: bool) -> Framed:
        columns = self.window.kept[-1] if self.window.kept else (0,)
        across = with_gaps(columns)
        lines = self.window.kept[-2] if len(self.size) > 1 else (0,)
        cells, rows = [], []
        for at in range(0, len(self.elements), len(columns)):
            line = at // len(columns) % len(lines)
            if line and lines[line - 1] + 1 != lines[line]:
                cells.append([Cell("⋮", kind="gap") for _ in across])
                rows.append("")
            here = iter(range(at, at + len(columns)))
            cells.append(
                [Cell("…", kind="gap") if j is None else self.cell(next(here), texts, coloured) for j in across]
            )
            rows.append(",".join(map(str, self.elements[at].index[:-1])))
        dims = len(self.size)
        caption: tuple[Line, ...] = (bold(f"{self.label}.{name}" if name != "error" else name), muted(fact))
        return Framed(
            Grid(
                cells,
                rows if dims > 1 else (),
                ["…" if c is None else str(c) for c in across] if dims else (),
                gap=(4, 4),
                width=48,
                caption=caption,
                axes=(max(dims - 2, 0), max(dims - 1, 0)),
                gutter=12 + 8 * max(map(len, rows)),
                cls="tw-view",
            )  # fmt: skip
        )

    def cell(self, n: int, texts: list[str], coloured: bool) -> Cell:
        e, (low, high) = self.elements[n], self.axes().ends
        share = (e.stored - low) / (high - low) if coloured and self.drawable else 0.0
        kind = "clash" if e.clipped else "agrees" if e.at_an_end else "solid"
        mark = ("hand" if coloured else "linked") if e is self.hand() else ""
        said = note(atom(self.label) + index_text(e.index), e.reason())
        return Cell(texts[n], f"i-e{n}", said, value(share) if coloured else "", kind, mark)

    def sentence(self) -> Sentence:
        hand = self.hand()
        return Sentence(atom(self.label) + index_text(hand.index), hand.reason(), self._step(hand))

    def _step(self, hand: Element) -> str:
        half = _number(abs(hand.rungs.scale) / 2)
        return f"A value falls on the nearest rung: between two ends no error is larger than half a step, {half}."

    def remarks(self) -> list[Line]:
        total = math.prod(self.size)
        item = 4 if self.dtype == "qint32" else 1
        lines: list[Line] = []
        if self.elements and self.elements[0].meant is not None:
            lines.append(self._losses())
        elif any(e.at_an_end for e in self.elements):
            lines.append(
                f"Underlined: at an end of the ladder. What was clipped there is drawn by show(x, {self.label}), "
                "with the tensor that it was made of."
            )
        if self.window.left_out:
            lines.append(f"{self.window.left_out:,} of {total:,} elements are not drawn, and not marked on the ladder.")
        if len(self.ladders) > LANES:
            lines.append(f"{len(self.ladders) - LANES} of {len(self.ladders)} ladders are not drawn.")
        lines.append(f"Stored: {bytes_text(total * item)}; as float32 it would be {bytes_text(total * 4)}.")
        return lines

    def _losses(self) -> Line:
        clipped = sum(e.clipped for e in self.elements)
        errors = [abs(e.error) for e in self.elements if not e.clipped and not math.isnan(e.error)]
        drawn = " of those drawn" if self.window.left_out else ""
        largest = f"the largest error of the others is {_number(max(errors))}" if errors else "no other value is left"
        many = Ink(f"{clipped} clipped{drawn}", f"color:{CLASH};font-weight:700" if clipped else "")
        return (many, f"; {largest}. Blue on the axis: what was meant.")


def _rounded(value: float) -> float:
    """A value in as many digits as float32 has."""
    return float(f"{value:.7g}")


def _ladders(q: Any, dtype: str) -> tuple[list[Rungs], int | None]:
    """The ladders of a tensor, and along which dimension there are several."""
    if dtype not in ENDS:
        raise TypeError(f"show draws the ladders of {', '.join(ENDS)}, and this tensor is {dtype}")
    if str(q.qscheme()).rpartition(".")[2].startswith("per_tensor"):
        return [Rungs(q.q_scale(), q.q_zero_point(), *ENDS[dtype])], None
    scales, zero_points = q.q_per_channel_scales().tolist(), q.q_per_channel_zero_points().tolist()
    return [Rungs(s, z, *ENDS[dtype]) for s, z in zip(scales, zero_points, strict=True)], q.q_per_channel_axis()
