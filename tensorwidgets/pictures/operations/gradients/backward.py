"""A backward pass, step by step: gradients arriving, sums where branches meet, what is freed. `show.backward(loss)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from ...arrays.graphs.gradients import Gradient, Part, Pass, Turn
from ...arrays.graphs.tape import short_name
from ...arrays.values import bytes_text, count, shape_text, short
from ...drawing.html import div, escape, framed, row, table, td, th
from ...drawing.inline import Ink, Line, bold, clash, markup, muted, sized, whole, words
from ...drawing.picture import Picture
from ...drawing.scene import Block, Note, Sentence, Title, columns, note
from ...drawing.tokens import CLASH, LINE, MID, MONO, MUTED, RULE, SANS, TINT, WASH
from ...parts.rails import STEP, Rail, rail_html, rail_texts
from .folds import Fold, rows_of
from .graph import named
from .sums import meeting

LETTER = 7.23
"""Pixels of a letter."""
MOST_NAMED = 4
"""How many senders or receivers of a gradient are named."""


def pass_picture(done: Pass, at: int | None = None, hidden: bool = False) -> Picture:
    """The picture of a pass that is given as facts; `at` is the step that is being taken, None the whole pass.

    `hidden` covers what arrives in that step.
    """
    rows = Rows(done, len(done.turns) if at is None else at, hidden, at is not None)
    steps = done.tape.steps
    leaves = sum(step.is_leaf for step in steps)
    aside = f"{count(len(steps) - leaves, 'node')}, {count(leaves, 'leaf', 'leaves')}"
    blocks: list[Block] = [Title(("Backward from ", bold(done.label)), aside), rows.sheet()]
    shown = rows.at if rows.at < len(done.turns) else _telling(done)
    if not hidden:
        blocks += meeting(done, shown)
    blocks.append(Note(_remarks(done)))
    return Picture([*blocks, rows.sentence(shown)])


def _telling(done: Pass) -> int:
    """The step that is shown in full when all are taken: where it fails, else the first where branches meet."""
    refused = [k for k, turn in enumerate(done.turns) if turn.refused]
    meets = [k for k, turn in enumerate(done.turns) if len(turn.parts) > 1]
    return [*refused, *meets, len(done.turns) - 1][0]


def called(done: Pass, k: int) -> str:
    """What a step is called: the name of its result or leaf, or that of the node."""
    step = done.tape.steps[done.turns[k].step]
    return step.label or ("leaf" if step.is_leaf else short_name(step))


def short_gradient(gradient: Gradient) -> str:
    """A gradient in a few words: its elements if they are few, else its size and norm."""
    return words(_short(gradient))


def _short(gradient: Gradient) -> Line:
    if gradient.numel <= 3 and gradient.values:
        inner = ", ".join([short(v).replace(" ", "") for line in gradient.values for v in line])  # on one line
        return f"[{inner}]" if gradient.size else inner
    norm = (" ", whole(f"norm {short(gradient.norm)}")) if gradient.norm is not None else ()
    return (*sized(shape_text(gradient.size)), *norm)


class Entry(NamedTuple):
    """One row of the list."""

    rail: list[Rail]
    number: str
    node: Line
    arrives: Line
    kept: int | None
    frees: str
    state: str
    """done | now | later | failed"""
    keys: str
    note: str


class Rows:
    """Makes the rows of a pass; `at` is the step that is being taken. One that is `walked` keeps its columns."""

    def __init__(self, done: Pass, at: int, hidden: bool = False, walked: bool = False):
        self.done, self.hidden, self.walked = done, hidden, walked
        self.at = min(max(at, 0), len(done.turns))
        self.steps, self.letters = done.tape.steps, done.tape.letters()
        self.turn_of = {turn.step: k for k, turn in enumerate(done.turns)}

    def sheet(self) -> Sheet:
        turns = self.done.turns
        inputs = [[p.sender for p in turn.parts if p.sender >= 0] for turn in turns]
        kinds = [(self.steps[t.step].name, t.total[:2] if t.total else (), len(t.parts), len(t.frees)) for t in turns]
        spans, lines = rows_of(inputs, kinds, [self.steps[turn.step].is_leaf for turn in turns])
        entries = [self._entry(span, line) for span, line in zip(spans, lines, strict=True)]
        return Sheet(tuple(entries), max(self.done.kept, 1), self._room(spans) if self.walked else (0, 0))

    def _room(self, spans: Sequence[Fold]) -> tuple[int, int]:
        """Letters of the longest number and gradient that a step may show."""
        arrives = [words(self._arrives(one.start, "done")) for one in spans if one.stop - one.start == 1]
        return len(f"▶ {len(self.done.turns)}"), max(map(len, arrives), default=0)

    def _entry(self, span: Fold, rail: list[Rail]) -> Entry:
        if span.stop - span.start > 1:
            return self._folded(span, rail)
        k = span.start
        turn = self.done.turns[k]
        state = "failed" if turn.refused and k <= self.at else self._state(k, k + 1)
        step = self.steps[turn.step]
        past = state != "later"
        frees = ", ".join(self.letters[s] for s in turn.frees[:3]) + (", …" if len(turn.frees) > 3 else "")
        told = past and not (self.hidden and k == self.at)
        return Entry(
            rail, str(k + 1), named(step), self._arrives(k, state), turn.kept if past else None,
            f"frees {frees}" if frees and past else "", state, f"i-step{k + 1}",
            note(self.subject(k), self.reason(k) if told else "is still to come"),
        )  # fmt: skip

    def _folded(self, span: Fold, rail: list[Rail]) -> Entry:
        turns = self.done.turns[span.start : span.stop]
        state = self._state(span.start, span.stop)
        if span.times:
            above = "the row above" if span.block == 1 else f"the {span.block} rows above"
            head = f"{count(span.times, 'time')} {above} again"
        else:
            head = f"{len(turns):,} steps more"
        said = f"step {self.at + 1} is one of these" if state == "now" else ""
        freed = sum(len(turn.frees) for turn in turns)
        return Entry(
            rail, f"{span.start + 1}–{span.stop}", muted(head), said, turns[-1].kept if state == "done" else None,
            f"frees {count(freed, 'storage')}" if freed and state == "done" else "", state,
            f"i-fold{span.start}", note(f"steps {span.start + 1} to {span.stop}", said or head),
        )  # fmt: skip

    def _state(self, start: int, stop: int) -> str:
        return "done" if stop <= self.at else "now" if start <= self.at else "later"

    def _arrives(self, k: int, state: str) -> Line:
        turn = self.done.turns[k]
        if state == "now" and self.hidden:
            return muted("?")
        if state == "later":
            here = sum(p.sender < self.at for p in turn.parts)
            if len(turn.parts) > 1 and here:
                return muted(f"{here} of {len(turn.parts)} parts")
            return muted("waiting" if here else "")
        if turn.refused:
            return clash("✗ refused")
        if turn.total is None:
            return muted("nothing: no gradient arrives")
        what = _short(turn.total)
        if len(turn.parts) == 1:
            return what
        meets = Ink(f"sum of {len(turn.parts)}", f"color:{LINE['purple']};font-weight:700;white-space:nowrap")
        return (meets, " ", *(what if isinstance(what, tuple) else (what,)))

    def subject(self, k: int) -> str:
        return f"step {k + 1}, {called(self.done, k)}"

    def reason(self, k: int) -> str:
        """The step in words."""
        turn = self.done.turns[k]
        step = self.steps[turn.step]
        if turn.refused:
            return turn.refused
        if turn.total is None:
            return f"{step.name} gets no gradient and sends none"
        arrives = f"{short_gradient(turn.total)} arrives"
        if len(turn.parts) > 1:
            senders = _listed([str(p.sender + 1) for p in turn.parts])
            arrives = (
                f"{len(turn.parts)} gradients meet, from steps {senders}: their sum is {short_gradient(turn.total)}"
            )
        elif turn.parts[0].sender < 0:
            arrives = f"backward starts with {short_gradient(turn.total)}"
        else:
            arrives += f" from step {turn.parts[0].sender + 1}"
        if step.is_leaf:
            return f"{arrives} and is added to .grad"
        to = dict.fromkeys([called(self.done, self.turn_of[s]) for s, _ in turn.sends if s in self.turn_of])
        freed = sum(self.done.tape.storages[s] for s in turn.frees)
        return f"{arrives}; sends to {_listed(list(to)) or 'nobody'}" + (
            f"; frees {bytes_text(freed)}" if freed else ""
        )

    def sentence(self, k: int) -> Sentence:
        turn = self.done.turns[k]
        if self.hidden:
            return Sentence(self.subject(k), "what arrives?")
        place = self.steps[turn.step].place
        where = f"Recorded by line {place.number}: {place.code}. " if place is not None and place.code else ""
        if turn.refused:
            why = f"{turn.because[0].upper()}{turn.because[1:]}. " if turn.because else where
            return Sentence(self.subject(k), turn.refused, f"{why}The steps after it are not reached.", "clash")
        after = f"{where}After it the graph keeps {bytes_text(turn.kept) if turn.kept else 'nothing'} alone"
        after += f", and {bytes_text(turn.waiting)} of gradients are on the way." if turn.waiting else "."
        return Sentence(self.subject(k), self.reason(k), after)


def _listed(parts: list[str]) -> str:
    more = len(parts) - MOST_NAMED
    parts = [*parts[:MOST_NAMED], f"{more} more"] if more > 0 else parts
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _remarks(done: Pass) -> str:
    left = len(done.tape.steps) - len(done.turns)
    said = f"{count(left, 'step')} not reached. " if left else ""
    hooked = sum(kept.state == "hooked" for step in done.tape.steps for kept in step.kept)
    if hooked:
        said += f"Hooks keep {count(hooked, 'tensor')} in a form of their own, which is not counted. For this picture "
        said += "they gave them back, a checkpoint by computing them again. "
    others = "other hooks" if hooked else "hooks"
    return f"{said}Drawn without touching .grad, the graph, or {others}: backward() itself has still to be called."


@dataclass(frozen=True)
class Sheet:
    """The list: rails, the gradient that arrives, and a bar for what the graph still keeps."""

    entries: tuple[Entry, ...]
    total: int
    room: tuple[int, int] = (0, 0)
    """Letters that its numbers and its gradients may need in another step: so their columns stay as wide."""

    def html(self) -> str:
        left = "text-align:left;vertical-align:top;padding:4px 12px 4px 0"
        head = f"text-align:left;vertical-align:bottom;padding:0 12px 4px 0;font:400 11px/16px {SANS};color:{MUTED}"
        head += f";border-bottom:1px solid {RULE}"
        wide = max(len(entry.rail) for entry in self.entries) * STEP + 8
        heads = ("", "step", "node", "gradient that arrives", "kept by graph alone")
        pad = (18, 0, 12)  # in pixels, as of the cells below
        room = [f";box-sizing:border-box;width:{ceil(LETTER * n) + p}px" if n else ""
                for n, p in zip((self.room[0], 0, self.room[1]), pad, strict=True)]  # fmt: skip
        rows = [row("".join(th(escape(h), "col", head + r) for h, r in zip(heads, ("", *room, ""), strict=True)))]
        for e in self.entries:
            back = {"now": f";background:{TINT['blue']}", "failed": f";background:{WASH}"}.get(e.state, "")
            number = (
                bold(f"▶ {e.number}")
                if e.state == "now"
                else clash(e.number)
                if e.state == "failed"
                else muted(e.number)
            )
            node = muted(words(e.node)) if e.state == "later" else e.node
            rows.append(row(
                td(rail_html(e.rail), f"position:relative;width:{wide}px;min-width:{wide}px")
                + th(markup(number), "row", f"{left};padding-left:6px{back};white-space:nowrap")
                + td(markup(node), left + back, e.keys, e.note)
                + td(markup(e.arrives), left + back)
                + td(self._bar(e), left + back + ";padding-right:0;width:130px")
            ))  # fmt: skip
        return framed(table(rows, style=f"font:400 12px/18px {MONO}", cls="tw-backward"))

    def _bar(self, e: Entry) -> str:
        if e.kept is None:
            return ""
        share = round(100 * e.kept / self.total, 1)
        hue = CLASH if e.state == "failed" else MID["blue"]
        bar = div("", f"width:{max(share, 0.5):g}%;height:5px;background:{hue};margin:1px 0 0") if e.kept else ""
        freed = markup(Ink(f" {e.frees}", f"color:{LINE['green']}")) if e.frees else ""
        return div(markup(whole(bytes_text(e.kept))) + freed) + bar

    def text(self) -> str:
        tracks = rail_texts([e.rail for e in self.entries])
        lines = [["", "step", "node", "gradient that arrives", "kept by graph alone"]]
        for track, e in zip(tracks, self.entries, strict=True):
            number = f"▶ {e.number}" if e.state == "now" else e.number
            kept = "" if e.kept is None else bytes_text(e.kept) + (f", {e.frees}" if e.frees else "")
            lines.append([track, number, words(e.node), words(e.arrives), kept])
        return columns(lines, left=True)


__all__ = ["Part", "Turn", "called", "pass_picture", "short_gradient"]
