"""What does a graph keep alive? Each storage once, who holds it, and what goes with the graph. `show.saved(y)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..arrays.graphs.checkpoints import alone, best_plan
from ..arrays.graphs.tape import Kept, Place, Tape, in_ctx, short_name, tape_of
from ..arrays.values import bytes_text, count, shape_text
from ..drawing.html import div, escape, row, table, td, th
from ..drawing.inline import Ink, Line, bold, clash, markup, muted, whole, words
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Title, columns, note
from ..drawing.tokens import LINE, MONO, MUTED, RULE, SANS, TINT
from ..parts.shares import Share, Shares

ROWS, HOLDERS, NAMES, LETTERS = 16, 4, 4, 3
"""How many rows are drawn, and how many holders, names and letters of each."""
NOWRAP = f"color:{MUTED};white-space:nowrap"
CODE = 60
"""Characters of a line of code that are shown."""
WIDTHS = (24, 50, 26)
"""Per cent of the columns."""
GROUPS = (
    ("only the graph", "blue", "solid", "freed with the graph"),
    ("named here, too", "green", "double", "alive as long as the name"),
    ("leaves", "orange", "dashed", "alive anyway"),
)


def saved_picture(root: Any, label: str, names: Mapping[str, Any]) -> Picture:
    """The picture of what the graph of a tensor keeps."""
    return kept_picture(tape_of(root, label, names, "show.saved"), label)


def kept_picture(tape: Tape, label: str) -> Picture:
    """The picture of a graph that is given as facts."""
    held = _held(tape)
    total = sum(tape.storages)
    aside = f"{count(len(tape.storages), 'storage')}, {bytes_text(total)}" if held else ""
    blocks: list[Block] = [Title(("What the graph of ", bold(label), " keeps alive"), aside)]
    others = _others(tape)
    if not held:
        return Picture([*blocks, Sentence(label, others or "keeps nothing for backward", "")])
    groups = [sum(h.total for h in held if h.group == k) for k in range(len(GROUPS))]
    blocks += [_shares(groups), Gap(16), Held(tuple(held[:ROWS]), max(h.total for h in held))]
    rest = held[ROWS:]
    if rest:
        more = sum(len(h.numbers) for h in rest)
        blocks.append(Note(f"And {count(more, 'more storage')}, {bytes_text(sum(h.total for h in rest))}."))
    blocks.append(Note(others))
    return Picture([*blocks, Sentence(held[0].subject, held[0].reason(), _checkpointing(tape, groups[0]))])


def _shares(groups: Sequence[int]) -> Shares:
    """How many of the bytes go with the graph."""
    return Shares(tuple([Share(*group[:3], n, group[3]) for group, n in zip(GROUPS, groups, strict=True)]))


class Holder(NamedTuple):
    """A node that keeps a storage, and under which name."""

    row: int
    node: str
    kept: Kept
    place: Place | None


@dataclass(frozen=True)
class One:
    """A storage that a graph keeps, or several that are alike."""

    numbers: tuple[int, ...]
    nbytes: int
    """Of each."""
    group: int
    """Whose it is: that of `GROUPS`."""
    holders: tuple[Holder, ...]
    """Those of the first."""
    names: tuple[str, ...]
    leaf: bool
    lettered: tuple[str, ...]
    """The letters of the first few."""

    @property
    def total(self) -> int:
        return self.nbytes * len(self.numbers)

    @property
    def letters(self) -> str:
        return ", ".join(self.lettered) + (", …" if len(self.numbers) > LETTERS else "")

    @property
    def subject(self) -> str:
        return f"storage {self.letters}" if len(self.numbers) == 1 else f"storages {self.letters}"

    def reason(self) -> str:
        first = self.holders[0]
        more = len(self.holders) - 1
        also = f" and {count(more, 'more save')}" if more else ""
        kept = f"{first.node} keeps {_as(first.kept)} {shape_text(first.kept.size)}{also}"
        times = f"{len(self.numbers):,} times " if len(self.numbers) > 1 else ""
        size = f"{times}{bytes_text(self.nbytes)}"
        if self.group == 0:
            return f"{kept}: {size} that no name here leads to"
        if self.group == 1:
            return f"{kept}: {size} that {' and '.join(self.names[:NAMES])} would keep alive anyway"
        return f"{kept}: {size} of a leaf, which is alive anyway"


def _as(kept: Kept) -> str:
    return "its result" if kept.name.startswith("result") else kept.name


def _held(tape: Tape) -> list[One]:
    """The storages: those of the graph alone first, the largest first."""
    holders: list[list[Holder]] = [[] for _ in tape.storages]
    for k, step in enumerate(tape.steps):
        for kept in step.kept:
            if kept.storage >= 0:
                holders[kept.storage].append(Holder(k + 1, short_name(step), kept, step.place))
    only, letters = set(alone(tape)), tape.letters()
    alike: dict[Any, list[One]] = {}
    for number, nbytes in enumerate(tape.storages):
        leaf = number in tape.of_leaves
        group = 0 if number in only else 2 if leaf else 1
        names = tape.names[number] if tape.names else ()
        saves = tuple([(h.node, h.kept[:4], h.place) for h in holders[number]])
        one = One((number,), nbytes, group, tuple(holders[number]), names, leaf, (letters[number],))
        alike.setdefault((group, nbytes, saves, bool(names), leaf), []).append(one)
    found = []
    for ones in alike.values():
        names = tuple(dict.fromkeys(name for one in ones for name in one.names))
        first = ones[0]
        numbers = tuple(one.numbers[0] for one in ones)
        lettered = tuple(letters[k] for k in numbers[:LETTERS])
        found.append(One(numbers, first.nbytes, first.group, first.holders, names, first.leaf, lettered))
    return sorted(found, key=lambda one: (one.group, -one.total, one.numbers))


def _others(tape: Tape) -> str:
    """What is not drawn: freed, in the hands of hooks, or without memory that can be measured."""
    kept = [k for step in tape.steps for k in step.kept]
    freed = sum(any(k.state == "freed" for k in step.kept) for step in tape.steps)
    hooked = sum(k.state == "hooked" for k in kept)
    unseen = sum(k.storage < 0 and bool(k.size) and k.nbytes > 0 for k in kept)
    said = []
    if freed:
        said.append(f"{count(freed, 'node')} freed what they kept: backward has already run.")
    if hooked:
        said.append(f"Hooks keep {count(hooked, 'tensor')} in a form of their own, which is not counted.")
    if unseen:
        verb = "is" if unseen == 1 else "are"
        said.append(f"{count(unseen, 'tensor')} without a storage that can be measured {verb} not counted.")
    return " ".join(said)


def _checkpointing(tape: Tape, nbytes: int) -> str:
    plan = best_plan(tape)
    if plan is None:
        return "When the graph goes, nothing is freed: all of this is alive anyway."
    stays = {kept.storage for step in tape.steps for kept in step.kept if in_ctx(kept)} & set(alone(tape))
    left = sum(tape.storages[k] for k in stays)
    freed = f"backward() frees {bytes_text(nbytes - left)}. " if nbytes > left else ""
    if left:
        freed += f"{bytes_text(left)} in attributes of ctx stay until the graph goes. "
    if plan.peak >= nbytes:
        return f"{freed}Checkpointing would not lower the peak of a graph so small."
    return (
        f"{freed}With torch.utils.checkpoint in {count(plan.parts, 'part')} the graph would keep "
        f"{bytes_text(plan.inputs)}, and backward at most about {bytes_text(plan.peak)} at a time; "
        f"{count(plan.nodes, 'node')} would be computed a second time."
    )


@dataclass(frozen=True)
class Held:
    """The list of storages, each with those who keep it."""

    rows: tuple[One, ...]
    largest: int

    def html(self) -> str:
        head = f"text-align:left;vertical-align:bottom;padding:0 12px 4px 0;font:400 11px/16px {SANS};color:{MUTED}"
        head += f";border-bottom:1px solid {RULE}"
        scale = "storage, bar to scale" if len(self.rows) > 1 else "storage"
        heads = zip((scale, "kept by", "also alive as"), WIDTHS, strict=True)
        rows = [row("".join(th(escape(h), "col", f"{head};width:{w}%") for h, w in heads))]
        style = f"text-align:left;vertical-align:top;padding:7px 12px 8px 0;border-bottom:1px solid {RULE}"
        style += ";overflow-wrap:anywhere"
        for one in self.rows:
            key, said = " ".join(f"i-storage{k}" for k in one.numbers[:LETTERS]), note(one.subject, one.reason())
            kept = "".join(
                div(markup(who) + " ") + (div(markup(where) + " ", "padding:0 0 3px") if words(where) else "")
                for who, where in _holders(one)
            )
            rows.append(row(
                td(self._box(one), style, key, said) + td(kept, style, key, said) + td(markup(_also(one)), style)
            ))  # fmt: skip
        look = f"font:400 12px/18px {MONO};width:100%"
        return table(rows, style=look, cls="tw-saved")

    def _box(self, one: One) -> str:
        _, hue, line, _ = GROUPS[one.group]
        wide = max(1.0, round(100 * one.total / self.largest, 1))
        bar = div("", f"width:{wide:g}%;height:4px;background:{LINE[hue]};margin:3px 0 0")
        parts: list[str | Ink] = [bold(one.letters), " ", whole(bytes_text(one.total))]
        more = ""
        if len(one.numbers) > 1:
            more = div(
                markup((muted(f"{len(one.numbers):,} × "), whole(bytes_text(one.nbytes), MUTED))),
                "font-size:11px;line-height:16px",
            )
        edge = f"{5 if line == 'double' else 4}px {line} {LINE[hue]}"
        return div(markup(tuple(parts)) + more + bar, f"border-left:{edge};background:{TINT[hue]};padding:3px 8px 6px")

    def text(self) -> str:
        lines = [["storage", "kept by", "at", "also alive as"]]
        for one in self.rows:
            head = f"{one.letters} {bytes_text(one.total)}"
            head += f" ({len(one.numbers):,} × {bytes_text(one.nbytes)})" if len(one.numbers) > 1 else ""
            also = words(_also(one))
            for who, where in _holders(one):
                lines.append([head, words(who), words(where), also])
                head = also = ""
        return columns(lines, left=True)


def _holders(one: One) -> list[tuple[Line, Line]]:
    """Who keeps a storage, a node at a time: what it keeps, and the line."""
    nodes: dict[int, list[Holder]] = {}
    for holder in one.holders:
        nodes.setdefault(holder.row, []).append(holder)
    lines: list[tuple[Line, Line]] = []
    before: Line = ""
    for saves in list(nodes.values())[:HOLDERS]:
        first = saves[0]
        kept = " and ".join(dict.fromkeys(_as(h.kept) for h in saves))
        who: tuple[str | Ink, ...] = (bold(first.node), f" {kept} ", Ink(shape_text(first.kept.size), NOWRAP))
        if first.kept.nbytes < one.nbytes:
            who += (muted(f", {bytes_text(first.kept.nbytes)} of it"),)
        if any(h.kept.state == "changed" for h in saves):
            who += (" ", clash("✗ written to since"))
        where = _at(first)
        lines.append((who, where if where != before else ""))
        before = where
    if len(nodes) > HOLDERS:
        lines.append((muted(f"and {count(len(nodes) - HOLDERS, 'more node')}"), ""))
    return lines


def _at(holder: Holder) -> Line:
    return muted(f"row {holder.row} of the graph") if holder.place is None else code_at(holder.place)


def code_at(place: Place) -> Line:
    """A line of the user's code: its number and as much of its text as there is room for."""
    code = place.code if len(place.code) <= CODE else place.code[: CODE - 1] + "…"
    return muted(f"line {place.number}" + (f": {code}" if code else ""))


def _also(one: One) -> Line:
    if one.names:
        more = len(one.names) - NAMES
        named: Sequence[str | Ink] = (bold(", ".join(one.names[:NAMES])), f" and {more} more" if more > 0 else "")
        return (*named, " (leaf)" if one.leaf else "")
    return "a leaf" if one.leaf else muted("nothing")
