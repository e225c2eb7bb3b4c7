"""A model as a tree: its layers, the sizes that go through them, and what each keeps. `show.module(model, *inputs)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..arrays.models.modules import Kept, Layer, Model, walked
from ..arrays.models.sizes_through import Walk, sizes_through
from ..arrays.values import bytes_text, count, shape_text, with_article
from ..drawing.html import MAY_BREAK, div, escape, framed, row, table, td, th
from ..drawing.inline import LONGEST_SIZE, Ink, Line, bold, clash, markup, muted, sized, whole, words
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Title, columns, note
from ..drawing.tokens import CLASH, LINE, MID, MONO, MUTED, RULE, SANS, WASH
from ..parts.rails import STEP, Rail, rail_html, rail_texts
from ..parts.shares import Share, Shares
from .module_rows import Row, rows_of

SHARES = (
    ("trained", "blue", "solid", "trains"),
    ("frozen", "sky", "dashed", "frozen"),
    ("buffers", "orange", "dotted", "buffer"),
)
MOST_KEPT = 6
"""How many parameters and buffers of one layer are listed."""
DEEP = 240
"""Pixels of the rails at most."""


def module_picture(module: Any, label: str, inputs: Sequence[Any] = ()) -> Picture:
    """The picture of a model; with inputs it is called once, to see the sizes."""
    model, modules = walked(module, label, "show.module")
    lazy = any(kept.size is None for layer in model.layers for kept in layer.kept)
    walk = sizes_through(model, modules, inputs) if inputs and not lazy else None
    return model_picture(model, walk, lazy)


def model_picture(model: Model, walk: Walk | None, lazy: bool = False) -> Picture:
    """The picture of a model that is given as facts."""
    parameters = [kept for kept in model.kept() if kept.kind != "buffer"]
    total = sum(kept.numel for kept in parameters)
    nbytes = sum(kept.nbytes for kept in model.kept())
    aside = f"{count(total, 'parameter')}, {bytes_text(nbytes)}"
    rows = Rows(model, walk)
    blocks: list[Block] = [Title(_title(model), aside)]
    shares = [
        Share(name, hue, line, sum(kept.nbytes for kept in model.kept(kind)), _numbers(model.kept(kind)))
        for name, hue, line, kind in SHARES
    ]
    if nbytes:
        blocks += [Shares(tuple(shares), "tw-shares"), Gap(16)]
    blocks.append(rows.sheet())
    blocks.append(Note(_remarks(walk, lazy, rows.hidden)))
    return Picture([*blocks, _sentence(model, walk, rows)])


def _title(model: Model) -> Line:
    top = model.layers[0].kind
    article, _, _ = with_article(top).partition(" ")
    return (bold(model.label), f" is {article} {top}") if model.label else (f"{article.capitalize()} ", bold(top))


USUAL = {
    "bias=True", "inplace=False", "elementwise_affine=True", "affine=True", "track_running_stats=True", "eps=1e-05",
    "momentum=0.1", "approximate='none'",
}  # fmt: skip
"""What most layers say of themselves."""
BRIEF = 44


def _brief(facts: str) -> str:
    """What a layer says of itself, without what is usual.

    >>> _brief("in_features=3, out_features=2, bias=True"), _brief("inplace=False")
    ('(3, 2)', '')
    """
    parts = [part.strip() for part in facts.split(", ")]
    kept = [part.removeprefix("in_features=").removeprefix("out_features=") for part in parts if part not in USUAL]
    text = ", ".join(kept)
    return f"({text if len(text) <= BRIEF else text[: BRIEF - 1] + '…'})" if text else ""


def _numbers(kept: Sequence[Kept]) -> str:
    """How many numbers there are in how many tensors; those without a size yet are counted apart."""
    lazy = sum(one.size is None for one in kept)
    numbers = f"{sum(one.numel for one in kept):,} in {count(len(kept) - lazy, 'tensor')}"
    return f"{numbers}, and {lazy} without a size yet" if lazy else numbers


class Entry(NamedTuple):
    """One row of the tree."""

    rail: list[Rail]
    name: str
    kind: Line
    sizes: Line
    kept: tuple[Line, ...]
    numel: int
    bad: bool
    keys: str
    note: str


class Rows:
    """Makes the rows of a model."""

    def __init__(self, model: Model, walk: Walk | None):
        self.model, self.walk = model, walk
        self.passed = walk.passed if walk is not None else {}
        self.rows, self.hidden = rows_of(model, self.passed)
        self.tensors = {f"{layer.path}.{kept.name}".lstrip("."): n for n, (layer, kept) in enumerate(
            (layer, kept) for layer in model.layers for kept in layer.kept if not kept.same_as)}  # fmt: skip

    def sheet(self) -> Tree:
        entries = tuple([self._entry(one) for one in self.rows])
        arrives = self.walk.arrives if self.walk is not None else ""
        return Tree(entries, arrives)

    def _entry(self, one: Row) -> Entry:
        if one.is_fold:
            return self._fold(one)
        k = one.layers[0]
        layer = self.model.layers[k]
        own = [kept for kept in layer.kept if not kept.same_as]
        brief = _brief(layer.facts)
        kind: Line = (bold(layer.kind), whole(brief, MUTED) if len(brief) <= LONGEST_SIZE else muted(brief))
        if layer.same_as is not None:
            kind = (bold(layer.kind), muted(f" the same layer as {layer.same_as or 'the top'}"))
        keys = [f"i-layer{k}"]
        keys += [f"i-tensor{self.tensors[self._full(layer, kept)]}" for kept in layer.kept]
        bad = self.walk is not None and self.walk.refused == k
        numel = sum(kept.numel for kept in own if kept.kind != "buffer")
        return Entry(
            one.rail, layer.name or self.model.label, kind, self._sizes(k), self._kept(layer), numel, bad,
            " ".join(dict.fromkeys(keys)), note(self.subject(k), self.reason(k)),
        )  # fmt: skip

    def _full(self, layer: Layer, kept: Kept) -> str:
        return kept.same_as or (f"{layer.path}.{kept.name}" if layer.path else kept.name)

    def _fold(self, one: Row) -> Entry:
        first, last = self.model.layers[one.layers[0]], self.model.layers[one.layers[-1]]
        inside = [
            kept
            for k, layer in enumerate(self.model.layers)
            if k in one.layers or set(layer.parents) & set(one.layers)
            for kept in layer.kept
            if not kept.same_as
        ]
        numel = sum(kept.numel for kept in inside if kept.kind != "buffer")
        said = f"{len(one.layers)} more like the one above: {first.name} to {last.name}"
        kept: tuple[Line, ...] = (muted(f"{count(len(inside), 'tensor')} in all"),) if inside else ()
        return Entry(
            one.rail, f"{first.name}–{last.name}", muted(f"{len(one.layers)} more {first.kind}, all alike"), "", kept,
            numel, False, f"i-fold{one.layers[0]}", note(f"{first.path} to {last.path}", said),
        )  # fmt: skip

    def _sizes(self, k: int) -> Line:
        if k not in self.passed:
            return muted("not called") if self.walk is not None and self.walk.refused is None else ""
        one = self.passed[k]
        arrives = (*sized(one.arrives), whole(" →"))
        if one.refused:
            return (*arrives, " ", Ink("✗ refused", f"color:{CLASH};font-weight:700;white-space:nowrap"))
        if not one.leaves:
            return arrives
        times = (" ", whole(f"{one.calls} times", MUTED)) if one.calls > 1 else ()
        first = () if one.leaves == one.arrives else (*arrives, " ")
        return (*first, *sized(one.leaves), *times)

    def _kept(self, layer: Layer) -> tuple[Line, ...]:
        lines: list[Line] = []
        for kept in layer.kept[:MOST_KEPT]:
            size = shape_text(kept.size) if kept.size is not None else "lazy"
            line: tuple[str | Ink, ...] = (f"{kept.name} ", *sized(size, MUTED))
            if kept.same_as:
                line += (" ", Ink(f"= {kept.same_as}", f"color:{LINE['purple']};font-weight:700"))
            if kept.kind == "frozen":
                line += (" ", Ink("frozen", f"color:{LINE['sky']};border-bottom:2px dashed {LINE['sky']}"))
            if kept.kind == "buffer":
                line += (" ", Ink("buffer", f"color:{LINE['orange']};border-bottom:2px dotted {LINE['orange']}"))
            lines.append(line)
        if len(layer.kept) > MOST_KEPT:
            lines.append(muted(f"and {len(layer.kept) - MOST_KEPT} more"))
        return tuple(lines)

    def subject(self, k: int) -> str:
        layer = self.model.layers[k]
        return f"{layer.path or self.model.label}, {layer.kind}" if layer.path or self.model.label else layer.kind

    def reason(self, k: int) -> str:
        """The layer in words."""
        layer, said = self.model.layers[k], []
        if k in self.passed:
            one = self.passed[k]
            if one.refused:
                return f"gets {one.arrives} and raises {one.refused}"
            said.append(f"gets {one.arrives} and returns {one.leaves}" if one.leaves else f"gets {one.arrives}")
        if layer.same_as is not None:
            said.append(f"is the same layer as {layer.same_as or 'the top'}, and is counted there")
        said += [_kept_words(kept) for kept in layer.kept[:MOST_KEPT]]
        return "; ".join(said) or "keeps nothing of its own"


def _kept_words(kept: Kept) -> str:
    size = shape_text(kept.size) if kept.size is not None else "without a size yet"
    if kept.same_as:
        return f"{kept.name} is {kept.same_as}, and is counted there"
    state = {"trains": "", "frozen": ", frozen", "buffer": ", a buffer"}[kept.kind]
    return f"{kept.name} {size}: {kept.numel:,} of {kept.dtype}, {bytes_text(kept.nbytes)}{state}"


def _remarks(walk: Walk | None, lazy: bool, hidden: int) -> str:
    said = []
    if hidden:
        said.append(f"And {count(hidden, 'more layer')} below.")
    if lazy:
        said.append("A lazy layer gets its size with its first call, so the model was not called.")
    elif walk is None:
        said.append("With an input the sizes are shown, too: show.module(model, x), or a size such as (32, 784).")
    elif walk.written:
        verb = "is" if len(walk.written) == 1 else "are"
        more = f" and {len(walk.written) - 3} more" if len(walk.written) > 3 else ""
        said.append(
            f"The model was called once, and wrote to {', '.join(walk.written[:3])}{more}, which {verb} "
            "now as the call left them; the rest, buffers and random numbers are as before."
        )
    else:
        said.append(
            "The model was called once to see the sizes; weights, buffers and random numbers are as they were before."
        )
    return " ".join(said)


def _sentence(model: Model, walk: Walk | None, rows: Rows) -> Sentence:
    if walk is not None and walk.refused is not None:
        return Sentence(rows.subject(walk.refused), rows.reason(walk.refused), "The layers after it are not reached.",
                        "clash")  # fmt: skip
    tied = [(layer, kept) for layer in model.layers for kept in layer.kept if kept.same_as]
    trained = sum(kept.nbytes for kept in model.kept("trains"))
    # Gradients are as many as what is trained; Adam keeps two more numbers for each.
    training = (
        f"Training adds {bytes_text(trained)} of gradients, and Adam {bytes_text(2 * trained)} of averages."
        if trained
        else ""
    )
    if tied:
        layer, kept = tied[0]
        full = f"{layer.path}.{kept.name}".lstrip(".")
        more = f" So are {len(tied) - 1} more." if len(tied) > 1 else ""
        return Sentence(full, f"is {kept.same_as}: one tensor under two names, counted once", f"{training}{more}")
    own = [sum(kept.numel for kept in layer.kept if kept.kind != "buffer") for layer in model.layers]
    total = sum(own)
    waiting = sum(kept.size is None and kept.kind != "buffer" for layer in model.layers for kept in layer.kept)
    if waiting:
        return Sentence(rows.subject(0), f"has {count(waiting, 'parameter')} whose sizes are not known yet",
                        "Its first input decides them.")  # fmt: skip
    if not total:
        return Sentence(rows.subject(0), "has no parameters: there is nothing to train")
    k = max(range(len(own)), key=own.__getitem__)
    share = 100 * own[k] / total
    rounded = f"{share:.0f}" if share < 99.5 else "more than 99"
    part = "all of the parameters" if own[k] == total else f"{rounded} % of the parameters"
    return Sentence(rows.subject(k), f"holds {part}: {own[k]:,} of {total:,}", training)


@dataclass(frozen=True)
class Tree:
    """The list: rails, layers, sizes, and what is kept, with a bar to scale."""

    entries: tuple[Entry, ...]
    arrives: str

    @property
    def heads(self) -> tuple[str, ...]:
        sizes = ("size through it",) if self.arrives else ()
        return ("", "name", "layer", *sizes, "keeps", "parameters")

    def html(self) -> str:
        left = "text-align:left;vertical-align:top;padding:4px 14px 4px 0"
        head = f"text-align:left;vertical-align:bottom;padding:0 14px 4px 0;font:400 11px/16px {SANS};color:{MUTED}"
        head += f";border-bottom:1px solid {RULE}"
        rails = max(len(entry.rail) for entry in self.entries)
        step = max(min(STEP, DEEP // rails), 4)  # the rails of a deep tree leave room for its layers
        wide = (rails - 1) * step + STEP + 4
        rows = [row("".join(th(escape(h), "col", head) for h in self.heads))]
        most = max(max(e.numel for e in self.entries), 1)
        for e in self.entries:
            back = f";background:{WASH}" if e.bad else ""
            cells = td(rail_html(e.rail, step), f"position:relative;width:{wide}px;min-width:{wide}px")
            name = clash(f"✗ {e.name}") if e.bad else bold(e.name)
            cells += th(markup(name), "row", f"{left};white-space:nowrap{back}", cls=e.keys)
            cells = cells.replace("<th class=", f'<th title="{escape(e.note)}" class=', 1)
            kind = (e.kind,) if isinstance(e.kind, (str, Ink)) else e.kind
            cells += td(MAY_BREAK.join([markup(part) for part in kind]), left + back)
            if self.arrives:
                cells += td(markup(e.sizes), left + back)
            cells += td("".join(div(markup(line) + " ") for line in e.kept), left + back)
            cells += td(self._bar(e, most), f"{left};padding-right:0;min-width:64px{back}")
            rows.append(row(cells))
        return framed(table(rows, style=f"font:400 12px/18px {MONO}", cls="tw-module"))

    def _bar(self, e: Entry, most: int) -> str:
        if not e.numel:
            return ""
        share = round(100 * e.numel / most, 1)
        bar = div("", f"width:{max(share, 1):g}%;height:4px;background:{MID['blue']};margin:1px 0 0")
        return div(escape(f"{e.numel:,}")) + bar

    def text(self) -> str:
        lines = [list(self.heads)]
        for track, e in zip(rail_texts([e.rail for e in self.entries]), self.entries, strict=True):
            kept = ", ".join(words(line) for line in e.kept)
            sizes = [words(e.sizes)] if self.arrives else []
            lines.append([track, e.name, words(e.kind), *sizes, kept, f"{e.numel:,}" if e.numel else ""])
        return columns(lines, left=True)
