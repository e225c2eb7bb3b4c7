"""Saves and writes of one tensor's memory on one time line, red where they cross. `show.versions(x)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from ..arrays.graphs.history import History, Save, history_of
from ..arrays.values import count, shape_text
from ..drawing.html import div, escape, framed, row, table, td, th
from ..drawing.inline import Ink, Line, bold, clash, markup, muted, words
from ..drawing.picture import Picture
from ..drawing.scene import Block, Note, Sentence, Title, columns, note
from ..drawing.tokens import CLASH, HUES, INK, LINE, MONO, MUTED, PAPER, RULE, SANS
from ..parts.rails import circle
from .saved import code_at

LANES = 7
"""How many saves have a rail of their own; more at one version share one."""
WRITES = 12
"""How many writes are listed one by one."""
STEP, MIDDLE = 20, 15
"""Pixels from one rail to the next, and from the top of a row to its dot."""


def versions_picture(tensor: Any, label: str, names: Mapping[str, Any], results: Sequence[Any] = ()) -> Picture:
    """The picture of the history of a tensor's memory."""
    return history_picture(history_of(tensor, label, names, results), label)


def history_picture(history: History, label: str) -> Picture:
    """The picture of a history that is given as facts."""
    lanes = _lanes(history)
    broken = [lane for lane in lanes if lane.version < history.now]
    aside = f"version {history.now}, {count(sum(lane.saves for lane in lanes), 'save')}"
    events = _events(history, label, lanes)
    blocks: list[Block] = [Title(("Saves and writes of ", bold(label)), aside), TimeLine(tuple(events), len(lanes))]
    blocks.append(Note(_remarks(history)))
    return Picture([*blocks, _sentence(history, label, lanes, broken)])


class Lane(NamedTuple):
    """A save, or several of one version, with a rail of their own."""

    who: str
    what: str
    version: int
    saves: int
    place: Any
    last: int = -1
    """The version of the last of several saves at different ones."""

    @property
    def until(self) -> int:
        """The version up to which a write crosses one of its saves."""
        return max(self.version, self.last)


class Event(NamedTuple):
    """One row of the time line."""

    kind: str
    """made | save | write | more | now"""
    version: str
    what: Line
    where: Line
    open: tuple[str, ...]
    """For each lane: how its rail looks in this row: "" | start | open | crossed | broken"""
    keys: str
    note: str


def _what(save: Save) -> str:
    names = ["its result" if name.startswith("result") else name for name in save.kept]
    return " and ".join(dict.fromkeys(names))


def _lanes(history: History) -> list[Lane]:
    each = [Lane(s.node, _what(s), s.version, 1, s.place) for s in history.saves]
    if len(each) <= LANES:
        return each
    lanes = []
    for version, group in groupby(each, lambda lane: lane.version):
        same = list(group)
        names = ", ".join(dict.fromkeys(lane.who for lane in same))
        names = names if len(names) < 40 else names[:39] + "…"
        lanes.append(same[0] if len(same) == 1 else Lane(names, f"{len(same)} saves", version, len(same), None))
    if len(lanes) <= LANES:
        return lanes
    rest = lanes[LANES - 2 : -1]
    saves = sum(lane.saves for lane in rest)
    what = f"{saves} saves of versions {rest[0].version} to {rest[-1].version}"
    several = Lane("several nodes", what, rest[0].version, saves, None, rest[-1].version)
    return [*lanes[: LANES - 2], several, lanes[-1]]


def _events(history: History, label: str, lanes: Sequence[Lane]) -> list[Event]:
    state = [""] * len(lanes)
    memory = f"the memory of {label}: {shape_text(history.size)} {history.dtype}"
    made: Line = (bold(label), muted(f" {shape_text(history.size)} {history.dtype}"))
    events = [Event("made", "0", made, "", tuple(state), "i-version0", note("version 0", memory))]
    wanted = {lane.version for lane in lanes} | {lane.version + 1 for lane in lanes}
    versions = range(history.now + 1)
    if history.now > WRITES:
        wanted |= {0, 1, *versions[-3:]}
    else:
        wanted |= set(versions)
    left_out = 0
    for version in versions:
        if version:
            if version not in wanted:
                left_out += 1
                state = [_after(version, look, lanes[k]) for k, look in enumerate(state)]
                continue
            if left_out:
                events.append(_gap(version - left_out, version - 1, tuple(state)))
                left_out = 0
            events.append(_write(history, version, state, lanes))
        for k, lane in enumerate(lanes):
            if lane.version == version:
                state[k] = "start"
                events.append(_save(k, lane, tuple(state), history.now))
                state[k] = "open"
    if lanes:
        good = sum(lane.saves for lane in lanes if lane.version == history.now)
        bad = sum(lane.saves for lane in lanes) - good
        said: tuple[str | Ink, ...] = (bold("now"),)
        if bad:
            said += (" ", clash(f"✗ {count(bad, 'save')} out of date"))
        if good:
            said += (" ", Ink(f"✓ {count(good, 'save')} unchanged", f"color:{LINE['green']}"))
        why = f"backward finds {good} of {count(good + bad, 'save')} as they were"
        events.append(
            Event("now", str(history.now), said, "", tuple(state), f"i-version{history.now}", note("now", why))
        )
    return events


def _gap(first: int, last: int, state: tuple[str, ...]) -> Event:
    said = f"{count(last - first + 1, 'more write')}"
    return Event("more", f"{first}–{last}", muted(said), "", state, f"i-version{first}", note(said, "not drawn"))


def _write(history: History, version: int, state: list[str], lanes: Sequence[Lane]) -> Event:
    crossed = [k for k, s in enumerate(state) if s == "open"]
    saves = sum(save.version == version - 1 for save in history.saves)
    place = history.writes[version - 1].place
    row_state = tuple("crossed" if k in crossed else s for k, s in enumerate(state))
    what: Line = bold("write")
    said = f"makes version {version}"
    if crossed:
        them = ", ".join(f"{lanes[k].who} ({lanes[k].what})" for k in crossed)
        what = (clash("✗ write"), f" crosses {count(saves, 'save')}")
        said += f", but backward still needs version {version - 1}: {them}"
    for k in crossed:
        state[k] = _after(version, state[k], lanes[k])
    keys = " ".join([f"i-version{version}", *[f"i-save{k}" for k in crossed]])
    where = code_at(place) if place is not None else muted("line not known")
    return Event("write", str(version), what, where, row_state, keys, note(f"write {version}", said))


def _after(version: int, look: str, lane: Lane) -> str:
    """How a rail looks behind a write: broken, if the write crossed the last of its saves."""
    return "" if not look else "open" if look == "open" and lane.until >= version else "broken"


def _save(k: int, lane: Lane, state: tuple[str, ...], now: int) -> Event:
    what: Line = (bold(lane.who), f" saves {lane.what}") if lane.saves == 1 else (bold(lane.who), f": {lane.what}")
    fate = "still as it was saved" if lane.version == now else f"now at version {now}, so backward is refused"
    said = note(f"{lane.who} saves {lane.what}", f"saved at version {lane.version}; {fate}")
    where = code_at(lane.place) if lane.place is not None else ""
    return Event("save", str(lane.version), what, where, state, f"i-save{k}", said)


def _sentence(history: History, label: str, lanes: Sequence[Lane], broken: Sequence[Lane]) -> Sentence:
    if not lanes:
        return Sentence(label, "no graph here has saved it", "Writes to it disturb no backward pass.")
    if not broken:
        unless = ", unless it came by .data" if history.apart else ""
        return Sentence(label, f"every save is of version {history.now}, the one that it has now",
                        f"A write to it now would make backward refuse{unless}.")  # fmt: skip
    first = broken[0]
    place = history.writes[first.version].place
    line = f"line {place.number}" if place is not None else "a write"
    reason = f"{first.who} saved it at version {first.version}, and {line} made it version {first.version + 1}"
    ways = (
        f"Instead: {label} = {label} * 2, which makes a new tensor; or save {label}.clone(); or write after backward()."
    )
    return Sentence(label, reason, ways if label.isidentifier() else ways.replace(label, "x"), "clash")


def _remarks(history: History) -> str:
    said = []
    if history.names:
        more = f" and {len(history.names) - 4} more" if len(history.names) > 4 else ""
        verb = "shares" if len(history.names) == 1 else "share"
        said.append(f"{', '.join(history.names[:4])}{more} {verb} this memory and its versions.")
    if history.apart:
        more = f" and {len(history.apart) - 4} more" if len(history.apart) > 4 else ""
        verb = "shares" if len(history.apart) == 1 else "share"
        said.append(
            f"{', '.join(history.apart[:4])}{more} {verb} this memory, but not its versions: what .data returns counts "
            "writes of its own."
        )
    if any(w.place is None for w in history.writes):
        why = (
            "PyTorch does not note lines."
            if history.library == "PyTorch"
            else "Lines are known of the last eight writes since the first save."
        )
        said.append(why)
    if not history.saves and history.now:
        said.append("Saves are found in the graphs that names lead to, and in results that are passed.")
    return " ".join(said)


@dataclass(frozen=True)
class TimeLine:
    """The events, the oldest first, with a rail for each save from where it is made until now."""

    events: tuple[Event, ...]
    lanes: int

    def html(self) -> str:
        head = f"text-align:left;vertical-align:bottom;padding:0 12px 4px 0;font:400 11px/16px {SANS};color:{MUTED}"
        head += f";border-bottom:1px solid {RULE}"
        left = "text-align:left;vertical-align:top;padding:6px 12px 6px 0;overflow-wrap:break-word"
        wide = (self.lanes + 1) * STEP + 10
        rows = [row("".join(th(escape(h), "col", head) for h in ("", "version", "what happened")))]
        for event in self.events:
            what = div(markup(event.what) + " ") + (div(markup(event.where)) if words(event.where) else "")
            rows.append(row(
                td(self._rails(event), f"position:relative;width:{wide}px;min-width:{wide}px")
                + th(markup(muted(event.version)), "row", left)
                + td(what, left, event.keys, event.note)
            ))  # fmt: skip
        return framed(table(rows, style=f"font:400 12px/18px {MONO}", cls="tw-versions"))

    def _rails(self, event: Event) -> str:
        out = ""
        last = max([k for k, s in enumerate(event.open) if s == "crossed"], default=-1)
        trunk = STEP // 2
        first, end = event.kind == "made", event.kind == "now" or event is self.events[-1]
        if event.kind == "write" and last >= 0:
            out += _line(f"left:{trunk}px;top:{MIDDLE - 1}px;width:{(last + 1) * STEP}px;border-top:2px", CLASH)
        out += _down(trunk, first, end, INK, "dotted" if event.kind == "more" else "solid")
        for k, look in enumerate(event.open):
            x = (k + 1) * STEP + trunk
            hue = LINE[HUES[k % len(HUES)]]
            if look == "crossed":
                out += _half(x, "top", hue, "solid") + ("" if end else _half(x, "bottom", CLASH, "dotted"))
                out += _mark(x, "✗")
            elif look:
                colour, pattern = (CLASH, "dotted") if look == "broken" else (hue, "solid")
                out += _down(x, look == "start", end, colour, pattern)
            if look == "start":
                out += _dot(x, hue, hue)
            elif look and end and look != "crossed":
                out += _mark(x, "✗") if look == "broken" else _dot(x, hue, PAPER)
        if event.kind == "write":
            out += _square(trunk, CLASH if last >= 0 else INK)
        elif event.kind in ("made", "now"):
            out += _dot(trunk, INK, PAPER if event.kind == "made" else INK)
        return out

    def text(self) -> str:
        lines = [["", "version", "what happened", ""]]
        for event in self.events:
            lines.append([_glyphs(event), event.version, words(event.what), words(event.where)])
        return columns(lines, left=True)


def _glyphs(event: Event) -> str:
    last = max([k for k, s in enumerate(event.open) if s == "crossed"], default=-1)
    out = {"made": "○", "write": "■", "more": "⋮", "now": "●"}.get(event.kind, "│")
    shapes = {"start": "●", "open": "│", "crossed": "✗", "broken": "┊"}
    for k, look in enumerate(event.open):
        glyph = shapes.get(look, " ")
        if event.kind == "now" and look:
            glyph = "✗" if look == "broken" else "✓"
        if k < last and not look:
            glyph = "─"
        out += ("─" if k <= last else " ") + glyph
    return out.rstrip()


def _line(place: str, colour: str, pattern: str = "solid") -> str:
    return div("", f"position:absolute;{place} {pattern} {colour}")


def _down(x: int, first: bool, last: bool, colour: str, pattern: str) -> str:
    top, bottom = (f"{MIDDLE}px" if first else "0"), ("bottom:0" if not last else f"height:{MIDDLE}px")
    return "" if first and last else _line(f"left:{x - 1}px;top:{top};{bottom};border-left:2px", colour, pattern)


def _half(x: int, side: str, colour: str, pattern: str) -> str:
    place = f"top:0;height:{MIDDLE}px" if side == "top" else f"top:{MIDDLE}px;bottom:0"
    return _line(f"left:{x - 1}px;{place};border-left:2px", colour, pattern)


def _dot(x: int, edge: str, fill: str) -> str:
    return circle(x, MIDDLE, edge, fill == PAPER)


def _square(x: int, colour: str) -> str:
    return div("", f"position:absolute;left:{x - 5}px;top:{MIDDLE - 5}px;width:10px;height:10px;background:{colour}")


def _mark(x: int, glyph: str, colour: str = CLASH) -> str:
    """A glyph on paper, so that the lines end beside it."""
    place = f"position:absolute;left:{x - 7}px;top:{MIDDLE - 8}px;width:14px;height:16px"
    return div(glyph, f"{place};background:{PAPER};color:{colour};font:700 13px/16px {MONO};text-align:center")
