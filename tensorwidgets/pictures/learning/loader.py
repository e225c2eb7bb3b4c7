"""Which process loads which batch when, and what waits for what. `show.loader(loader)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..arrays.models.loading import Epoch, Lane, Span, epoch_of
from ..arrays.values import count
from ..drawing.html import div, escape, framed, row, table, td, th, whole_or_none
from ..drawing.inline import bold
from ..drawing.picture import Picture
from ..drawing.scene import Block, Note, Sentence, Title, columns, note
from ..drawing.tokens import EDGE, HUES, INK, LINE, MONO, MUTED, PAPER, SANS, TINT, WASH
from .lanes import COLUMN, COLUMNS, LETTERS, over_time
from .loader_words import duration, verdict

MOST_LISTED = 12
"""How many batches have a row of their own below."""
MOST_LANES = 12


def loader_picture(source: Any, label: str, most: int) -> Picture:
    """The picture of an epoch of a loader."""
    return epoch_picture(epoch_of(source, most), label)


def epoch_picture(epoch: Epoch, label: str) -> Picture:
    """The picture of an epoch that is given as facts."""
    workers = sum(lane.worker is not None for lane in epoch.lanes)
    aside = f"{count(len(epoch.batches), 'batch', 'batches')}, {count(workers, 'worker')}, {duration(epoch.total)}"
    said = verdict(epoch)
    blocks: list[Block] = [Title(("Loading of ", bold(label)), aside), Lanes(epoch), Batches(epoch)]
    left = len(epoch.batches) - MOST_LISTED
    if left > 0:
        blocks.append(Note(f"and {count(left, 'batch', 'batches')} more"))
    return Picture([*blocks, Sentence(said.subject, said.reason, said.after)])


class Piece(NamedTuple):
    """A part of a row: some columns of time, and what happens then."""

    first: int
    last: int
    kind: str
    """load | wait | work"""
    batch: int
    hue: str
    words: str


@dataclass(frozen=True)
class Lanes:
    """A row for the loop and one for each worker, over one axis of time."""

    epoch: Epoch

    @property
    def begin(self) -> float:
        """Where the axis begins: shortly before the first batch is loaded, for workers take long to start."""
        first = min(lane.loads[0].begin for lane in self.epoch.lanes)
        return max(0.0, first - 0.04 * (self.epoch.total - first))

    @property
    def hue_of(self) -> dict[int, str]:
        """The hue of each batch: that of the worker who loaded it."""
        lanes = enumerate(self.epoch.lanes)
        return {load.batch: HUES[k % len(HUES)] for k, lane in lanes for load in lane.loads}

    def rows(self) -> list[tuple[str, list[Piece]]]:
        """The label and the pieces of each row."""
        hues = self.hue_of
        loop = [
            self._piece(s, "wait", hues, f"the loop waits {_long(s)} for batch {s.batch}")
            for s in self.epoch.waits
            if s.end > s.begin
        ]
        loop += [self._piece(s, "work", hues, f"the loop works {_long(s)} on batch {s.batch}") for s in self.epoch.work]
        found = [("loop", loop)]
        for lane in self.epoch.lanes[:MOST_LANES]:
            who = _name(lane)
            pieces = [self._piece(s, "load", hues, f"{who} loads batch {s.batch} in {_long(s)}") for s in lane.loads]
            if lane.worker is None:
                found = [("loads", pieces), ("works", [piece for piece in loop if piece.kind == "work"])]
            else:
                found.append((who, pieces))
        return found

    def _piece(self, span: Span, kind: str, hues: dict[int, str], words: str) -> Piece:
        scale = COLUMNS / max(self.epoch.total - self.begin, 1e-9)
        first = min(max(int((span.begin - self.begin) * scale), 0), COLUMNS - 1)
        return Piece(
            first,
            min(max(round((span.end - self.begin) * scale), first + 1), COLUMNS),
            kind,
            span.batch,
            hues[span.batch],
            words,
        )

    def html(self) -> str:
        rows = []
        for label, pieces in self.rows():
            cells = th(
                escape(label), "row", f"text-align:left;font:400 12px/26px {MONO};color:{MUTED};white-space:nowrap"
            )
            at = 0
            for piece in sorted(pieces):
                first = max(piece.first, at)
                if first >= piece.last:
                    continue
                if first > at:
                    cells += td("", "", span=first - at)
                cells += _cell(piece, piece.last - first)
                at = piece.last
            cells += td("", "", span=COLUMNS - at) if at < COLUMNS else ""
            rows.append(row(cells))
        gap = row(td("", "height:4px;line-height:4px;font-size:1px", span=COLUMNS + 1))
        lines = [part for line in rows for part in (line, gap)]
        return over_time(lines, self.begin, self.epoch.total, "tw-loader")

    def text(self) -> str:
        lines = []
        for label, pieces in self.rows():
            letters = [" "] * LETTERS
            for piece in sorted(pieces, key=lambda piece: piece.kind != "wait"):
                first, last = piece.first * LETTERS // COLUMNS, max(piece.last * LETTERS // COLUMNS, 1)
                for at in range(min(first, LETTERS - 1), max(last, first + 1)):
                    letters[min(at, LETTERS - 1)] = "." if piece.kind == "wait" else str(piece.batch % 10)
            lines.append([label, "".join(letters).rstrip()])
        return columns(lines, left=True)


def _cell(piece: Piece, span: int) -> str:
    name = str(piece.batch)
    fits = len(name) * 8 <= span * COLUMN
    look = f"height:26px;overflow:hidden;white-space:nowrap;font:400 11px/24px {MONO};"
    if piece.kind == "wait":
        look += f"background:{WASH};border:1px dotted {EDGE};color:{MUTED}"
        inner = "waits" if span * COLUMN > 44 else ""
    else:
        weight = 700 if piece.kind == "load" else 400
        fill = TINT[piece.hue] if piece.kind == "load" else PAPER
        look += f"background:{fill};border:1px solid {LINE[piece.hue]};color:{INK};font-weight:{weight}"
        inner = name if fits else ""
    said = note(f"batch {piece.batch}", piece.words)
    return td(whole_or_none(inner, 24), look, f"i-batch{piece.batch}", said, span)


def _name(lane: Lane) -> str:
    return "loop" if lane.worker is None else f"worker {lane.worker}"


def _long(span: Span) -> str:
    return duration(span.end - span.begin)


@dataclass(frozen=True)
class Batches:
    """A row for each batch: who loaded it, of what, and who waited for whom; and one for each worker's seed."""

    epoch: Epoch

    def lines(self) -> list[tuple[str, ...]]:
        """The words of each row."""
        found: list[tuple[str, ...]] = []
        spans = {load.batch: load for lane in self.epoch.lanes for load in lane.loads}
        names = {lane.worker: _name(lane) for lane in self.epoch.lanes}
        for load, wait in list(zip(self.epoch.batches, self.epoch.waits, strict=True))[:MOST_LISTED]:
            ready = wait.end - spans[load.number].end
            waited = f"loop waited {_long(wait)}"
            if load.worker is not None and spans[load.number].end < wait.begin:
                waited = f"batch waited {duration(max(ready, 0.0))}"
            found.append(
                (str(load.number), names[load.worker], _indices(load.index), _long(spans[load.number]), waited)
            )
        return found

    HEADS = ("batch", "loaded by", "indices", "in", "what waited")

    def html(self) -> str:
        head = f"text-align:left;font:400 11px/16px {SANS};color:{MUTED};padding:14px 18px 4px 0"
        cell = f"text-align:left;font:400 12px/19px {MONO};padding:0 18px 0 0;white-space:nowrap"
        rows = [row("".join(th(escape(text), "col", head) for text in self.HEADS))]
        for number, who, *rest in self.lines():
            said = note(f"batch {number}", f"{who} loaded it in {rest[1]}; {rest[2]}")
            first = td(escape(number), cell, f"i-batch{number}", said)
            rows.append(row(first + "".join(td(escape(text), cell) for text in (who, *rest))))
        seeds = " · ".join(self.seeds())
        below = div(escape(seeds), f"font:400 12px/18px {SANS};color:{MUTED};margin:10px 0 0") if seeds else ""
        return framed(table(rows)) + below

    def seeds(self) -> list[str]:
        """Process and seed of each worker; of one that has no seed, such as a worker on paper, nothing is said."""
        lanes = [lane for lane in self.epoch.lanes[:MOST_LANES] if lane.worker is not None]
        return [f"{_name(lane)}: process {lane.process}, seed {lane.seed}" for lane in lanes if lane.seed is not None]

    def text(self) -> str:
        return "\n" + "\n".join([columns([self.HEADS, *self.lines()], left=True), *self.seeds()])


def _indices(index: Any) -> str:
    if index is None:
        return "the next ones"
    texts = [str(i) for i in index] if isinstance(index, (list, tuple)) else [str(index)]
    shown = ", ".join(texts[:6]) + (", …" if len(texts) > 6 else "")
    return shown if len(shown) <= 40 else shown[:39] + "…"
