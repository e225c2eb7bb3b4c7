"""Which rank does what in a step of training: forward, backward, buckets on their way. `show.ranks(log)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..arrays.models.ranks import Lane, Step, step_of
from ..arrays.values import bytes_text, count
from ..drawing.html import escape, framed, row, table, td, th, whole_or_none
from ..drawing.picture import Picture
from ..drawing.scene import Block, Note, Sentence, Title, columns, note
from ..drawing.tokens import EDGE, HUES, INK, LINE, MONO, MUTED, PAPER, SANS, TINT, WASH
from .lanes import COLUMN, COLUMNS, LETTERS, over_time
from .loader_words import duration

MOST_LANES, MOST_LISTED = 8, 12
LEGEND = "each rank computes forward, then the gradients of bucket 0, 1, …; below it their sums over all ranks"


def ranks_picture(source: Any, number: int | None) -> Picture:
    """The picture of a step."""
    step = step_of(source, number)
    size = sum(step.sizes.values())
    facts = [count(len(step.buckets), "bucket"), *([bytes_text(size)] if size else []), duration(step.total)]
    blocks: list[Block] = [Title((f"Step {step.number} of {count(len(step.lanes), 'rank')}",), ", ".join(facts))]
    blocks += [Lanes(step), Note(LEGEND), Buckets(step)]
    if len(step.lanes) > MOST_LANES:
        blocks.append(Note(f"and {count(len(step.lanes) - MOST_LANES, 'rank')} more"))
    if len(step.buckets) > MOST_LISTED:
        blocks.append(Note(f"and {count(len(step.buckets) - MOST_LISTED, 'bucket')} more"))
    return Picture([*blocks, Sentence(*verdict(step))])


class Piece(NamedTuple):
    """A part of a row: from when to when, what happens, and which bucket it is about."""

    begin: float
    end: float
    kind: str
    """forward | fill | sum | wait"""
    bucket: int
    words: str


def computes(lane: Lane) -> list[Piece]:
    """What a rank computes: forward, the gradients of each bucket; then it waits for sums."""
    who = f"rank {lane.rank}"
    found = [Piece(*lane.forward, "forward", -1, f"{who} computes forward for {_long(*lane.forward)}")]
    begin = lane.backward[0]
    for bucket, full in lane.filled:
        words = f"{who} computes the gradients of bucket {bucket} in {_long(begin, full)}"
        found.append(Piece(begin, full, "fill", bucket, words))
        begin = full
    words = f"{who} waits {_long(lane.sent, lane.backward[1])} for sums"
    return [*found, Piece(lane.sent, lane.backward[1], "wait", -1, words)]


def sends(lane: Lane) -> list[Piece]:
    """What a rank's other thread does: it waits for all ranks with a bucket, then the sum is taken."""
    found = []
    for s in lane.sendings:
        waits = f"with bucket {s.bucket}, rank {lane.rank} waits {_long(s.came, s.met)} for the others"
        sums = f"bucket {s.bucket} is added up over all ranks in {_long(s.met, s.done)}"
        found += [Piece(s.came, s.met, "wait", s.bucket, waits), Piece(s.met, s.done, "sum", s.bucket, sums)]
    return found


def _long(begin: float, end: float) -> str:
    return duration(max(end - begin, 0.0))


@dataclass(frozen=True)
class Lanes:
    """Two rows for each rank, over one axis of time: what it computes, and what it sends."""

    step: Step

    def rows(self) -> list[tuple[str, list[Piece]]]:
        """The label and the pieces of each row."""
        found = []
        for lane in self.step.lanes[:MOST_LANES]:
            found += [(f"rank {lane.rank}", computes(lane)), ("  sends", sends(lane))]
        return found

    def _columns(self, piece: Piece) -> tuple[int, int]:
        scale = COLUMNS / max(self.step.total, 1e-9)
        return round(max(piece.begin, 0.0) * scale), min(round(piece.end * scale), COLUMNS)

    def html(self) -> str:
        rows = []
        for label, pieces in self.rows():
            low = label.startswith(" ")
            look = f"text-align:left;font:400 12px/{18 if low else 26}px {MONO};color:{MUTED};white-space:nowrap"
            cells = th(escape(label.strip()), "row", look + (";padding-left:12px" if low else ""))
            at = 0
            for piece in pieces:
                first, last = self._columns(piece)
                first = max(first, at)
                if piece.kind != "wait":
                    last = max(last, min(first + 1, COLUMNS))
                if first >= last:
                    continue
                cells += (td("", "", span=first - at) if first > at else "") + _cell(piece, last - first, low)
                at = last
            rows.append(row(cells + (td("", "", span=COLUMNS - at) if at < COLUMNS else "")))
            rows.append(row(td("", f"height:{10 if low else 2}px;font-size:1px;line-height:1px", span=COLUMNS + 1)))
        return over_time(rows, 0.0, self.step.total, "tw-ranks")

    def text(self) -> str:
        lines = []
        for label, pieces in self.rows():
            letters = [" "] * LETTERS
            for piece in sorted(pieces, key=lambda piece: piece.kind != "wait"):
                first, last = (n * LETTERS // COLUMNS for n in self._columns(piece))
                sign = {"wait": ".", "forward": "f"}.get(piece.kind, str(piece.bucket % 10))
                for at in range(min(first, LETTERS - 1), max(last, first + (piece.kind != "wait"))):
                    letters[min(at, LETTERS - 1)] = sign
            lines.append([label, "".join(letters).rstrip()])
        return columns(lines, left=True)


def _cell(piece: Piece, span: int, low: bool) -> str:
    height, wide = (18, 16) if low else (26, 24)
    look = f"height:{height}px;overflow:hidden;white-space:nowrap;font:400 11px/{wide}px {MONO};"
    room = span * COLUMN
    if piece.kind == "wait":
        look += f"background:{WASH};border:1px dotted {EDGE};color:{MUTED}"
        inner = "waits" if room > 44 else ""
    elif piece.kind == "forward":
        look += f"background:{PAPER};border:1px solid {EDGE};color:{INK}"
        inner = "forward" if room > 58 else ""
    else:
        hue = HUES[piece.bucket % len(HUES)]
        fill = TINT[hue] if piece.kind == "sum" else PAPER
        look += f"background:{fill};border:1px solid {LINE[hue]};color:{INK}"
        look += ";font-weight:700" if piece.kind == "sum" else ""
        inner = str(piece.bucket) if len(str(piece.bucket)) * 8 <= room else ""
    about = f"bucket {piece.bucket}" if piece.bucket >= 0 else piece.kind
    linked = f"i-bucket{piece.bucket}" if piece.bucket >= 0 else ""
    return td(whole_or_none(inner, wide), look, linked, note(about, piece.words), span)


@dataclass(frozen=True)
class Buckets:
    """A row for each bucket: its bytes, when it was full on each rank, who waited, how long the sum took."""

    step: Step

    def heads(self) -> list[str]:
        """The words above."""
        lanes = self.step.lanes[:MOST_LANES]
        full = [f"full on rank {lane.rank}" for lane in lanes]
        return ["bucket", *(["bytes"] if self.step.sizes else []), *full, "who waited", "sum in"]

    def lines(self) -> list[list[str]]:
        """The words of each row."""
        found = []
        for bucket in self.step.buckets[:MOST_LISTED]:
            full = [duration(dict(lane.filled)[bucket]) for lane in self.step.lanes[:MOST_LANES]]
            last, others = self.step.waited(bucket)
            rank = max(others, key=others.__getitem__) if others else None
            waited = duration(others[rank]) if rank is not None else ""
            who = "nobody" if waited in ("", duration(0.0)) else f"rank {rank} for rank {last.rank}, {waited}"
            took = max(s.done - s.met for lane in self.step.lanes for s in lane.sendings if s.bucket == bucket)
            size = [f"{self.step.sizes[bucket]:,}"] if self.step.sizes else []
            found.append([str(bucket), *size, *full, who, duration(took)])
        return found

    def html(self) -> str:
        head = f"text-align:left;font:400 11px/16px {SANS};color:{MUTED};padding:14px 18px 4px 0"
        cell = f"text-align:left;font:400 12px/19px {MONO};padding:0 18px 0 0;white-space:nowrap"
        rows = [row("".join(th(escape(text), "col", head) for text in self.heads()))]
        for number, *rest in self.lines():
            first = td(escape(number), cell, f"i-bucket{number}", note(f"bucket {number}", f"waited: {rest[-2]}"))
            rows.append(row(first + "".join(td(escape(text), cell) for text in rest)))
        return framed(table(rows))

    def text(self) -> str:
        return "\n" + columns([self.heads(), *self.lines()], left=True)


def verdict(step: Step) -> tuple[str, str, str]:
    """Who waits for whom, and how much of the sums is hidden behind backward."""
    last = max(step.lanes, key=lambda lane: lane.sent)
    first = min(step.lanes, key=lambda lane: lane.sent)
    waits = first.backward[1] - first.sent
    sums = sum(s.done - s.met for s in last.sendings)
    hidden = sum(max(0.0, min(s.done, last.sent) - s.met) for s in last.sendings)
    part = f"{duration(hidden)} of them" if hidden > 0.01 * sums else "none of it"
    after = f"Sums take {duration(sums)}, {part} while backward goes on."
    if len(step.lanes) == 1:
        return f"rank {first.rank}", "is alone and waits for nobody", after
    behind = last.sent - first.sent
    if behind > 0.1 * step.total:
        reason = f"waits {duration(waits)} of {duration(step.total)}, for rank {last.rank}"
        cause = f"Rank {last.rank} has its last bucket full {duration(behind)} later: give it less to compute."
        return f"rank {first.rank}", reason, f"{cause} {after}"
    return "the ranks", f"are ready within {duration(behind)} of each other", after
