"""An einsum that is refused: the mark, the letter or the dimension that is in the way, and a spelling that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ....engine.errors.reasons import Reason
from ....engine.types.einsum_equation import Equation, Plan, fit, parse
from ...arrays.values import shape_text
from ...arrays.window import Window, edges
from ...drawing.html import row, table, tag, th
from ...drawing.inline import Ink, bold, markup, muted, words
from ...drawing.picture import Picture
from ...drawing.scene import Beside, Block, Cell, Gap, Heading, Note, Title, columns, note
from ...drawing.tokens import MUTED, SANS, TINT, hue, place
from ...parts.grid import cell_html, cell_text
from ...parts.letters import Alphabet, Formula, Spelling, spelled
from ...parts.panel import Panel, in_a_row, panel
from ..broadcast.clash import DRAWN, MOST, WayOut, refusal
from ..broadcast.meetings import Scale
from ..operands import Index, Keys, Operand, keys_of, reading
from .drawn import Drawn
from .known_equations import same_as


def refusal_picture(equation: str, operands: Sequence[Operand], things: Sequence[Any], reason: Reason) -> Picture:
    """The picture of an equation that does not fit its operands, or cannot be read at all."""
    head = f"einsum('{equation}', {', '.join(o.label for o in operands)})"
    blocks: list[Block] = [Title(head, "is refused")]
    read = parse(equation)
    if reason.rule in ("einsum.size", "einsum.repeated") and isinstance(read, Equation):
        letters = Alphabet(
            tuple(dict.fromkeys(c for names in read.inputs for c in names)), (), (reason.facts["letter"],)
        )
        blocks.append(Formula(read, letters))
        blocks.append(in_a_row(_panels(read, letters, operands, things, reason), [","] * (len(operands) - 1)))
    elif reason.rule == "einsum.dims" and isinstance(read, Equation):
        blocks += [
            Spelling(equation),
            Beside([_LettersOverSizes(o, n) for o, n in zip(operands, read.inputs, strict=True)], 40),
        ]
    else:
        blocks.append(Spelling(equation, tuple(_wrong_marks(equation, reason))))
        sizes = [(bold(o.label), f" {shape_text(o.size)}") for o in operands]
        blocks += (
            [Note(tuple(part for k, line in enumerate(sizes) for part in ((",  ", *line) if k else line)))]
            if sizes
            else []
        )
    blocks.append(refusal(reason, _subject(reason, operands)))
    return Picture([*blocks, *_ways_out(operands, things, reason)])


def _subject(reason: Reason, operands: Sequence[Operand]) -> str:
    letter, k = reason.facts.get("letter"), reason.facts.get("operand")
    if letter is not None:
        return spelled(str(letter))
    if isinstance(k, int) and k < len(operands):
        return operands[k].label
    return "equation"


def _wrong_marks(equation: str, reason: Reason) -> list[int]:
    """Where the mistake is in the text."""
    if "at" in reason.facts:
        return [int(reason.facts["at"])]
    letter, arrow = reason.facts.get("letter"), equation.find("->")
    results = [k for k, mark in enumerate(equation) if mark == letter and k > arrow >= 0]
    if reason.rule == "einsum.output.twice":
        return results[1:]
    if reason.rule == "einsum.operands":
        return [k for k, mark in enumerate(equation) if mark == ","]
    return results


@dataclass(frozen=True)
class _LettersOverSizes:
    """An operand's sizes under the letters that are to name them; what finds no partner is marked."""

    operand: Operand
    names: tuple[str, ...]

    def _cells(self) -> tuple[list[Cell], list[Cell]]:
        size, names = self.operand.size, self.names
        wide = max(len(size), len(names))
        top, below = [], []
        for d in range(wide):
            known, there = d < len(names), d < len(size)
            top.append(Cell(spelled(names[d]) if known else "≠", kind="plain" if known else "missing"))
            fill = TINT[hue(d)]
            kind = "missing" if not there else "solid" if known else "clash"
            below.append(Cell(str(size[d]) if there else "≠", fill=fill, kind=kind))
        return top, below

    def html(self) -> str:
        label = f"text-align:left;font:400 12px/16px {SANS};color:{MUTED}"
        rows = [
            row(th(name, "row", label) + "".join(cell_html(cell) for cell in cells), "height:28px")
            for name, cells in zip(("letter", "size"), self._cells(), strict=True)
        ]
        look = "caption-side:top;text-align:left;padding:0 0 4px 4px"
        head = tag("caption", markup(bold(self.operand.label)), look)
        wide = max(len(self.operand.size), len(self.names))
        widths = [56, *[44] * wide]
        return table(
            rows, widths, "4px 3px", f"width:{sum(widths) + 4 * (wide + 2)}px;margin:0 0 0 -4px", "tw-shapes", head
        )

    def text(self) -> str:
        top, below = self._cells()
        lines = [["letter", *map(cell_text, top)], ["size", *map(cell_text, below)]]
        return f"{words(self.operand.label)}\n{columns(lines)}"


# -- sizes that differ -----------------------------------------------------------------------------


def _panels(
    read: Equation, letters: Alphabet, operands: Sequence[Operand], things: Sequence[Any], reason: Reason
) -> list[Panel]:
    """The operands as they are, with what finds no partner along the dimensions that one letter names."""
    wrong = _wrong_dims(reason)
    reach = {k: _reach(operands[k], dims, reason) for k, dims in wrong.items()}
    least = min(reason.facts["sizes"])
    windows = [
        Window(reach.get(k, o.size), tuple(edges(n, min(n, 6)) for n in reach.get(k, o.size)))
        for k, o in enumerate(operands)
    ]
    known = [
        reading(o, thing, [[i for i in kept if i < n] for kept, n in zip(window.kept, o.size, strict=True)])
        for o, thing, window in zip(operands, things, windows, strict=True)
    ]
    keys = keys_of(known)
    scale = Scale([v for o in known for v in (o.values or {}).values()])
    out = []
    for k, (operand, window, names) in enumerate(zip(known, windows, read.inputs, strict=True)):
        cells = {index: _cell(operand, keys[k], index, wrong.get(k, ()), least, scale) for index in window.indices()}
        simple = "..." not in names
        caption: list[str | Ink] = [bold(operand.label)]
        for d, letter in enumerate(names):
            arrow = {1: "→", 2: "↓"}.get(len(names) - d, "") if simple else ""
            caption += [" ", letters.ink(letter), muted(arrow)]
        axes = tuple(letters.hue(letter) for letter in names) if simple else tuple(range(len(operand.size)))
        out.append(panel((tuple(caption), shape_text(operand.size)), window, cells, axes, small=True))
    return out


def _wrong_dims(reason: Reason) -> dict[int, tuple[int, ...]]:
    """Which dimensions of which operands the refusal is about."""
    facts = reason.facts
    if reason.rule == "einsum.repeated":
        return {facts["operand"]: tuple(facts["dims"])}
    return {k: (d,) for k, d in zip(facts["operands"], facts["dims"], strict=True)}


def _reach(operand: Operand, dims: Sequence[int], reason: Reason) -> tuple[int, ...]:
    most = max(reason.facts["sizes"])
    return tuple(max(n, min(most, MOST)) if d in dims else n for d, n in enumerate(operand.size))


def _cell(operand: Operand, keys: Keys, index: Index, dims: Sequence[int], least: int, scale: Scale) -> Cell:
    size = operand.size
    short = [d for d, (i, n) in enumerate(zip(index, size, strict=True)) if i >= n]
    if short:
        said = f"does not exist: dim {short[0]} of {operand.label} has {size[short[0]]}"
        return Cell("≠", keys="", note=note(operand.at(index), said), kind="missing")
    text = operand.text(index)
    description = "" if operand.kind == "shape" else f"= {text}, "
    if any(index[d] >= least for d in dims):
        return Cell(text, keys.of(index), note(operand.at(index), f"{description}meets nothing"), kind="clash")
    fill = (
        place(operand.offset(index), operand.numel)
        if operand.kind == "shape"
        else scale.fill((operand.values or {}).get(index))
    )
    return Cell(text, keys.of(index), note(operand.at(index), f"{description}has a partner"), fill)


# -- ways out --------------------------------------------------------------------------------------


def _ways_out(operands: Sequence[Operand], things: Sequence[Any], reason: Reason) -> list[Block]:
    """The first spelling that fits with its result; other advice in words."""
    if not reason.instead:
        return []
    first = reason.instead[0]
    plan = None
    if first.startswith("einsum('"):
        equation = first.split("'")[1]
        plan = fit(parse(equation), [o.size for o in operands])
    if not isinstance(plan, Plan):
        return [Note("Instead: " + "; or ".join(reason.instead) + ".", top=12)]
    labels = [o.label for o in operands]
    code = f"einsum('{equation}', {', '.join(labels)})"
    known = same_as(plan, labels)
    said = f"The result is {shape_text(plan.result)}" + (f": the same as {known}." if known else ".")
    panels: tuple[Panel, ...] = ()
    if 0 < prod(plan.result) <= DRAWN and len(plan.result) <= 2:
        meet = Drawn(plan, operands, things)
        panels = (meet.panels()[-1],) if meet.values else ()
    return [Heading("One way out, if the letters were meant so:", 16), WayOut(code, said, panels), Gap(4)]
