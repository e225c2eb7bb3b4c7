"""The size of gradients and of weights, layer by layer, on one scale. `show.flow(model)`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from math import ceil
from typing import Any

from ..arrays.models.flows import Flow, Parameter, Size, flow_of
from ..arrays.values import count, shape_text, short
from ..drawing.html import breaking, div, escape, framed, row, table, tag, td, th, whole_or_none
from ..drawing.inline import bold, clash, markup, muted, sized, whole
from ..drawing.picture import Picture
from ..drawing.scene import Block, Note, Sentence, Title, columns, note
from ..drawing.tokens import CLASH, EDGE, LINE, MONO, MUTED, RULE, SANS, WASH
from ..parts.rails import MIDDLE, circle
from .flow_words import marks, verdict

LEAST, LETTERS = 150, 30
"""Pixels of the scale, and its characters in the text."""
WIDE, NUMBERS, RIGHT, LETTER = 780, 150, 40, 7.23
"""Pixels of the table, of its numbers with the space between the columns, at the right of the scale, of a letter."""
MOST, SHORT = 60, 18
"""How many parameters are drawn; letters of a name with its size that stays on one line."""


def flow_picture(module: Any, label: str) -> Picture:
    """The picture of a model after backward()."""
    return sizes_picture(flow_of(module, label))


def sizes_picture(flow: Flow) -> Picture:
    """The picture of sizes that are given as facts."""
    got = sum(p.grad is not None for p in flow.parameters)
    aside = f"{got} of {count(len(flow.parameters), 'parameter')} {'has' if got == 1 else 'have'} one"
    blocks: list[Block] = [Title(("Gradients of ", bold(flow.label)), aside)]
    said = verdict(flow)
    sentence = Sentence(said.subject, said.reason, said.after, "clash" if said.bad else "ink")
    if not flow.parameters:
        return Picture([*blocks, sentence])
    shown, hidden = flow.parameters, len(flow.parameters) - MOST
    if hidden > 0:
        shown = (*shown[: MOST // 2], *shown[-MOST // 2 :])
    blocks += [Scale(shown, said.subject, max(hidden, 0)), Note(
        "● gradient, ○ weight: how large one number is (the root of the mean of the squares), in powers of ten."
    ), sentence]  # fmt: skip
    return Picture(blocks)


@dataclass(frozen=True)
class Scale:
    """A row for each parameter, with two dots on a scale of powers of ten."""

    parameters: tuple[Parameter, ...]
    told: str
    """The parameter that the sentence is about."""
    hidden: int = 0
    """How many are left out in the middle."""

    @property
    def powers(self) -> range:
        """The powers of ten that have a line."""
        sizes = [s.rms for p in self.parameters for s in (p.value, p.grad) if s and s.rms and not s.odd]
        if not sizes:
            return range(-1, 2)
        low, high = math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes)))
        high = max(high, low + 2)
        step = max(1, -(-(high - low) // 10))
        return range(low, high + step, step)

    def at(self, rms: float) -> float:
        """Where a size lies, from 0 to 1."""
        first, last = self.powers[0], self.powers[-1]
        return min(max((math.log10(rms) - first) / (last - first), 0.0), 1.0)

    def html(self) -> str:
        left = "text-align:left;vertical-align:top;padding:4px 14px 4px 0"
        head = f"text-align:left;vertical-align:bottom;padding:0 14px 4px 0;font:400 11px/16px {SANS};color:{MUTED}"
        head += f";border-bottom:1px solid {RULE}"
        heads = "".join(th(escape(text), "col", head) for text in ("parameter", "gradient", "weight"))
        ticks = div(self._ticks(), f"position:relative;margin-right:{RIGHT}px;height:16px;white-space:nowrap")
        heads += th(ticks, "col", f"{head};padding-right:0;width:{self._wide()}%")
        rows = [row(heads + th("", "col", head))]
        calm = not any(marks(p)[0] for p in self.parameters)
        for k, p in enumerate(self.parameters):
            if self.hidden and k == MOST // 2:
                rows.append(self._gap(left))
            words, bad = marks(p)
            grad = _text(p.grad)
            path = tag("b", breaking(p.path), f"color:{CLASH}" if bad else "")
            name = f"{path} {markup(sized(shape_text(p.size), MUTED))}"
            back = f";background:{WASH}" if p.path == self.told else ""
            keep = ";white-space:nowrap" if calm and _letters(p) <= SHORT else ""
            cells = th(name, "row", left + back + keep, cls=f"i-flow{k}")
            cells = cells.replace("<th class=", f'<th title="{escape(self.note(p))}" class=', 1)
            cells += td(markup(clash(grad) if bad else grad), f"{left};text-align:right;white-space:nowrap{back}")
            cells += td(escape(_text(p.value)), f"{left};text-align:right;white-space:nowrap{back}")
            cells += td(self._dots(p), f"{left};padding:0;position:relative;height:26px;min-width:{LEAST}px{back}",
                        f"i-flow{k}", self.note(p))  # fmt: skip
            said = " ".join(markup(whole(part, CLASH if bad else MUTED)) for part in re.split(" (?=in this)", words))
            cells += td(said, f"{left}{';font-weight:700' if bad else ''}{back}")
            rows.append(row(cells))
        return framed(table(rows, style=f"width:100%;max-width:{WIDE}px;font:400 12px/18px {MONO}", cls="tw-flow"))

    def _wide(self) -> int:
        """Per cent of the table that the scale takes: what the words leave, where the page is wide."""
        names = max(map(_letters, self.parameters))
        said = max(len(marks(p)[0]) for p in self.parameters)
        return max(20, 100 * (WIDE - NUMBERS - ceil(LETTER * (names + said))) // WIDE)

    def _ticks(self) -> str:
        """The powers of ten above the lines; where there is little room, every second one."""
        ticks = list(self.powers[:: 2 if len(self.powers) > 4 else 1])
        apart = 100 * (self._share(ticks[1]) - self._share(ticks[0])) if len(ticks) > 1 else 100
        html = ""
        for k, p in enumerate(ticks):
            place = f"position:absolute;left:{100 * self._share(p):.4g}%;margin-left:-2px;bottom:0"
            room = f"{apart:.4g}%" if k + 1 < len(ticks) else f"{RIGHT}px"
            text = _power(p)
            html += div(whole_or_none(text, 16), f"{place};width:{room}") if k % 2 else div(escape(text), place)
        return html

    def _gap(self, style: str) -> str:
        """The row of those that are left out."""
        said = markup(muted(f"⋮ {self.hidden:,} more"))
        lines = td(self._lines(), "padding:0;position:relative;height:26px")
        return row(th(said, "row", style) + td("") + td("") + lines + td(""))

    def _share(self, power: float) -> float:
        return (power - self.powers[0]) / (self.powers[-1] - self.powers[0])

    def _lines(self, dots: str = "") -> str:
        """The lines of the powers of ten, as high as the row, with dots on them."""
        html = ""
        for power in self.powers:
            look = f"position:absolute;left:{100 * self._share(power):.4g}%;top:0;bottom:0;border-left:1px solid {RULE}"
            html += div("", look)
        return div(html + dots, f"position:absolute;left:0;right:{RIGHT}px;top:0;bottom:0")

    def _dots(self, p: Parameter) -> str:
        html = ""
        if p.grad and not p.grad.odd and p.grad.rms:
            x = 100 * self.at(p.grad.rms)
            look = f"position:absolute;left:0;top:{MIDDLE - 2}px;width:{x:.4g}%;height:4px;background:{LINE['blue']}"
            html += div("", look) + circle(x, MIDDLE, LINE["blue"], False, part=True)
        elif p.grad and p.grad.known:
            html += div("", f"position:absolute;left:0;top:{MIDDLE - 5}px;width:3px;height:10px;background:{CLASH}")
        if p.value.rms and not p.value.odd:
            colour = EDGE if p.grad is None else LINE["purple"]
            html += circle(100 * self.at(p.value.rms), MIDDLE, colour, True, part=True)
        return self._lines(html)

    def note(self, p: Parameter) -> str:
        """What a row says when it is pointed at."""
        if not p.value.known:
            return note(p.path, "is on meta, and has no numbers")
        if p.grad is None:
            said = "has no gradient" if p.trains else "is frozen and gets no gradient"
        else:
            ratio = f", 1 to {p.value.rms / p.grad.rms:,.0f} of the weight" if p.grad.rms and p.value.rms else ""
            said = f"gradients are about {short(p.grad.rms)} each{ratio}"
            if p.grad.zeros:
                said += f"; {p.grad.zeros:,} of {p.grad.numel:,} are zero"
        return note(p.path, f"{said}; weights are about {short(p.value.rms)} each")

    def text(self) -> str:
        ends = f"{_power(self.powers[0])} {'·' * (LETTERS - 10)} {_power(self.powers[-1])}"
        lines = [["parameter", "size", "gradient", "weight", ends, ""]]
        for k, p in enumerate(self.parameters):
            if self.hidden and k == MOST // 2:
                lines.append([f"⋮ {self.hidden:,} more"])
            line = ["·"] * LETTERS
            if p.value.rms and not p.value.odd:
                line[round(self.at(p.value.rms) * (LETTERS - 1))] = "○"
            if p.grad and p.grad.rms and not p.grad.odd:
                line[round(self.at(p.grad.rms) * (LETTERS - 1))] = "●"
            grad = _text(p.grad)
            lines.append([p.path, shape_text(p.size), grad, _text(p.value), "".join(line), marks(p)[0]])
        return columns(lines, left=True)


def _text(size: Size | None) -> str:
    """How large the numbers of a tensor are, in a few characters."""
    return "" if size is None else "·" if not size.known else "nan" if size.odd else short(size.rms)


def _letters(p: Parameter) -> int:
    """Letters of its name and size."""
    return len(f"{p.path} {shape_text(p.size)}")


def _power(p: int) -> str:
    """A power of ten as a number where that is short."""
    return f"{10.0**p:g}" if -3 <= p <= 3 else f"1e{p}"
