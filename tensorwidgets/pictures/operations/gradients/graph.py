"""The graph of a result as a list of its nodes, newest below, with rails at the left. `show.graph(loss)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...arrays.graphs.tape import Kept, Step, Tape, short_name, tape_of
from ...arrays.values import bytes_text, count, shape_text
from ...drawing.html import div, framed, row, table, td, th
from ...drawing.inline import Ink, Line, bold, clash, markup, muted, sized, whole, words
from ...drawing.picture import Picture
from ...drawing.scene import Block, Note, Sentence, Title, columns, note
from ...drawing.tokens import MONO, MUTED, RULE, SANS
from ...parts.rails import STEP, Rail, rail_html, rail_texts
from .folds import Fold, rows_of

HEADS = ("", "row", "node", "from", "result", "kept for backward")
MOST_INPUTS = 5
"""How many inputs of a node are named; more are counted."""
FEW = 5
"""Letters of a list of inputs, or of a name, that stays on one line."""


def graph_picture(root: Any, label: str, names: Mapping[str, Any]) -> Picture:
    """The picture of the graph of a tensor."""
    return tape_picture(tape_of(root, label, names), label)


def tape_picture(tape: Tape, label: str) -> Picture:
    """The picture of a graph that is given as facts."""
    steps = tape.steps
    leaves = sum(step.is_leaf for step in steps)
    aside = f"{count(len(steps) - leaves, 'node')}, {count(leaves, 'leaf', 'leaves')}"
    rows = _Rows(tape)
    blocks: list[Block] = [Title(("The graph of ", bold(label)), aside), rows.sheet()]
    blocks.append(Note(_total(tape)))
    last = len(steps) - 1
    sentence = Sentence(rows.subject(last), rows.reason(last), "Backward reads the list from the bottom to the top.")
    return Picture([*blocks, sentence])


def named(step: Step) -> Line:
    """A node with the name of its result, or a leaf."""
    keep = "white-space:nowrap" if len(step.label) <= FEW else ""
    if step.is_leaf:
        return (bold(step.label), Ink(" leaf", keep)) if step.label else "leaf"
    name = bold(short_name(step))
    return (Ink(f"{step.label} = ", f"color:{MUTED};{keep}".rstrip(";")), name) if step.label else name


class Entry(NamedTuple):
    """One row of the list."""

    rail: list[Rail]
    number: str
    node: Line
    source: str
    result: Line
    kept: tuple[Line, ...]
    note: str
    keys: str
    """The classes of the row's own name."""
    source_keys: str
    kept_keys: str


class _Rows:
    """Makes the rows of a graph."""

    def __init__(self, tape: Tape):
        self.steps, self.tape, self.letters = tape.steps, tape, tape.letters()
        self.first: set[tuple[int, int]] = set()
        """Which kept tensors are the first to name their storage."""
        counted = set()
        for k, step in enumerate(tape.steps):
            for at, kept in enumerate(step.kept):
                if kept.storage >= 0 and kept.storage not in counted:
                    counted.add(kept.storage)
                    self.first.add((k, at))
        dtypes = {dtype for step in tape.steps for _, dtype in step.results}
        self.one_dtype = len(dtypes) == 1

    def sheet(self) -> Tracks:
        inputs = [step.inputs for step in self.steps]
        kinds = [(step.name, step.results, tuple([(k.name, k.size) for k in step.kept])) for step in self.steps]
        spans, lines = rows_of(inputs, kinds, [step.is_leaf for step in self.steps])
        return Tracks(tuple([self._entry(span, line) for span, line in zip(spans, lines, strict=True)]))

    def _entry(self, span: Fold, rail: list[Rail]) -> Entry:
        if span.stop - span.start > 1:
            return self._folded_entry(span, rail)
        k = span.start
        step = self.steps[k]
        source = " ".join([f"i-row{one + 1}" for one in list(dict.fromkeys(step.inputs))[:MOST_INPUTS]])
        keys = " ".join(dict.fromkeys([f"i-storage{kept.storage}" for kept in step.kept if kept.storage >= 0]))
        sources = ", ".join([str(one + 1) for one in step.inputs[:MOST_INPUTS]])
        sources += f", … {len(step.inputs):,} in all" if len(step.inputs) > MOST_INPUTS else ""
        return Entry(
            rail, str(k + 1), named(step), sources, self._result(step), self._kept(k),
            note(self.subject(k), self.reason(k)), f"i-row{k + 1}", source, keys,
        )  # fmt: skip

    def _folded_entry(self, span: Fold, rail: list[Rail]) -> Entry:
        inside = self.steps[span.start : span.stop]
        nodes, leaves = sum(not s.is_leaf for s in inside), sum(s.is_leaf for s in inside)
        what = " and ".join(
            [text for n, text in ((nodes, count(nodes, "node")), (leaves, count(leaves, "leaf", "leaves"))) if n]
        )
        if span.times:
            above = "the row above" if span.block == 1 else f"the {span.block} rows above"
            head = f"{count(span.times, 'time')} {above} again"
        else:
            head = f"{len(inside):,} rows more"
        held = sum(self._new_bytes(k) for k in range(span.start, span.stop))
        kept: tuple[Line, ...] = (muted(bytes_text(held)),) if held else ()
        return Entry(
            rail, f"{span.start + 1}–{span.stop}", muted(head), "", what, kept,
            note(head, what + (f", which keep {bytes_text(held)} more" if held else "")), f"i-fold{span.start}", "", "",
        )  # fmt: skip

    def _new_bytes(self, k: int) -> int:
        kept = self.steps[k].kept
        return sum(self.tape.storages[one.storage] for at, one in enumerate(kept) if (k, at) in self.first)

    def _result(self, step: Step) -> Line:
        plain = self.one_dtype and not step.is_leaf
        line: list[str | Ink] = []
        for size, dtype in step.results:
            line += [", ", *sized(shape_text(size)), "" if plain else f" {dtype}"]
        return tuple(line[1:])

    def _kept(self, k: int) -> tuple[Line, ...]:
        lines: list[Line] = []
        for at, kept in enumerate(self.steps[k].kept):
            if kept.state == "freed":
                lines.append(Ink("freed", f"font-style:italic;color:{MUTED}"))
                continue
            parts: list[str | Ink] = [f"{kept.name} "]
            if kept.state != "hooked":
                parts += [*sized(shape_text(kept.size), MUTED), " "]
            parts += self._bytes(kept, (k, at) in self.first)
            if kept.state == "changed":
                parts += [" ", clash("✗ written to since")]
            lines.append(tuple(parts))
        return tuple(lines)

    def _bytes(self, kept: Kept, first: bool) -> list[str | Ink]:
        if kept.state == "hooked":
            return [muted("kept by a hook")]
        if kept.state == "gone":
            return [clash("✗ its storage is empty")]
        if kept.storage < 0:
            return [muted(bytes_text(kept.nbytes))]
        which = bold(self.letters[kept.storage])
        if not first:
            return [which, whole(" again", MUTED)]
        held = self.tape.storages[kept.storage]
        read = min(kept.nbytes, held)  # what is expanded has more elements than its storage
        part: list[str | Ink] = [] if held == read else [" ", whole(f"of {bytes_text(held)}")]
        return [which, whole(f" {bytes_text(read)}"), *part]

    def subject(self, k: int) -> str:
        step = self.steps[k]
        name = step.label or "leaf" if step.is_leaf else short_name(step)
        return f"row {k + 1}, {name}"

    def reason(self, k: int) -> str:
        """The row in words."""
        step = self.steps[k]
        result = " and ".join([f"{shape_text(size)} {dtype}" for size, dtype in step.results])
        if step.is_leaf:
            return f"a leaf of size {result}: backward adds its gradient to .grad"
        uses = dict.fromkeys(step.inputs)
        times = {one: step.inputs.count(one) for one in uses}
        words_of = [
            f"row {one + 1} ({self._called(one)})" + (f" {times[one]} times" if times[one] > 1 else "") for one in uses
        ]
        if len(words_of) > MOST_INPUTS:
            words_of = [*words_of[:MOST_INPUTS], f"{len(words_of) - MOST_INPUTS:,} more"]
        return f"{step.name} sends gradients to {', '.join(words_of) or 'nothing'}; its result is {result or 'unknown'}"

    def _called(self, k: int) -> str:
        step = self.steps[k]
        return step.label or ("leaf" if step.is_leaf else short_name(step))


def _total(tape: Tape) -> Line:
    """What the graph keeps, each storage once."""
    kept = [k for step in tape.steps for k in step.kept]
    held = [k for k in kept if k.state in ("kept", "changed")]
    freed = sum(any(k.state == "freed" for k in step.kept) for step in tape.steps)
    gone = f"{count(freed, 'node')} freed what they kept. " if freed else ""
    hooked = sum(k.state == "hooked" for k in kept)
    if hooked:
        gone += f"Hooks keep {count(hooked, 'tensor')} in a form of their own, which is not counted. "
    if not held:
        return gone.strip() if hooked else f"{gone}Nothing is kept for backward."
    total = sum(tape.storages)
    text = f"{gone}Kept for backward: {count(len(held), 'tensor')} in {count(len(tape.storages), 'storage')}, "
    text += f"{bytes_text(total)}, each storage counted once."
    shared = sum(tape.storages[one] for one in tape.of_leaves)
    if shared == total:
        text += " All of it belongs to leaves, which are alive anyway."
    elif shared:
        text += f" Of these, {bytes_text(shared)} belong to leaves, which are alive anyway."
    return text


@dataclass(frozen=True)
class Tracks:
    """The list: rails, then the words of each row."""

    entries: tuple[Entry, ...]

    def html(self) -> str:
        left = "text-align:left;vertical-align:top;padding:4px 12px 4px 0"
        head = "text-align:left;vertical-align:bottom;padding:0 12px 4px 0"
        head += f";font:400 11px/16px {SANS};color:{MUTED};border-bottom:1px solid {RULE}"
        wide = max(len(entry.rail) for entry in self.entries) * STEP + 8
        rows = [row("".join(th(markup(h), "col", head) for h in HEADS))]
        for entry in self.entries:
            kept = "".join(div(markup(line) + " ") for line in entry.kept)
            few = left + (";white-space:nowrap" if len(entry.source) <= FEW else "")
            rows.append(row(
                td(rail_html(entry.rail), f"position:relative;width:{wide}px;min-width:{wide}px")
                + th(markup(muted(entry.number)), "row", left)
                + td(markup(entry.node), left, entry.keys, entry.note)
                + td(markup(muted(entry.source)), few, entry.source_keys, entry.note if entry.source_keys else "")
                + td(markup(entry.result), left)
                + td(kept, f"{left};padding-right:0", entry.kept_keys, entry.note if entry.kept_keys else "")
            ))  # fmt: skip
        return framed(table(rows, style=f"font:400 12px/18px {MONO}", cls="tw-graph"))

    def text(self) -> str:
        tracks = rail_texts([entry.rail for entry in self.entries])
        lines = [list(HEADS)]
        for track, e in zip(tracks, self.entries, strict=True):
            kept = ", ".join([words(line) for line in e.kept])
            lines.append([track, e.number, words(e.node), e.source, words(e.result), kept])
        return columns(lines, left=True)
