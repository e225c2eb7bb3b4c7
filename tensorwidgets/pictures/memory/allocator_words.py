"""What happened at a step of an allocator, in a sentence: which hole was taken, what merged, why it was refused."""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays.allocations import line_of
from ..arrays.values import count
from .allocator_rows import Unit, refused_size, unreserved
from .allocator_states import Segment, Span, State, States

Said = tuple[str, str, str, bool]
"""The subject, the reason, what else there is to say, and whether it is a refusal."""


def title_of(states: States, k: int) -> str:
    """The title: a refusal with memory to spare is one."""
    size = refused_size(states, k)
    if not size:
        return "The caching allocator"
    spare = sum(s.size for s in _holes(states, states.at(k))) + (unreserved(states, k) or 0)
    return "Out of memory, with memory to spare" if spare >= size else "Out of memory"


def said(states: States, k: int, unit: Unit) -> Said:
    """The sentence about the k-th step."""
    if not k:
        held = len(states.kept[0].blocks)
        return "at first", f"{count(held, 'block')} in use", "Nothing before this was recorded.", False
    step = states.steps[k - 1]
    where = line_of(states.recording.events[step.last - 1].frames, states.recording.own)
    kinds = {"alloc": _allocated, "free": _freed, "late": _freed, "empty": _returned, "oom": _refused}
    subject, reason, after, bad = kinds[step.kind](states, k, unit)
    return subject, reason, f"{after} From {where}".strip() if where else after, bad


def _allocated(states: States, k: int, unit: Unit) -> Said:
    event = states.recording.events[states.steps[k - 1].last - 1]
    subject = f"+ {states.name(states.about[k])} {unit.words(event.size)}"
    rows = states.rows(states.at(k))
    segment, at, spans = _place(rows, event.address)
    if segment is None:
        return subject, "", "", False
    taken = spans[at].size
    rest = spans[at + 1].size if at + 1 < len(spans) and spans[at + 1].held is None else 0
    lost = taken - event.size
    more = f" Rounding takes {unit.words(lost)}." if lost > 512 else ""
    fresh = states.recording.events[states.steps[k - 1].first].action.startswith("segment_")
    if fresh:
        reason = f"no free block holds it: the driver gives a segment of {unit.words(segment.size)}"
        after = f"The {unit.words(rest)} behind it are a free block now." if rest else "The block is the whole segment."
        return subject, reason, after + more, False
    hole = taken + rest if rest else taken
    if rest:
        reason = f"the smallest free block that holds it, {unit.words(hole)}, is split: {unit.words(rest)} stay free"
    else:
        reason = f"the smallest free block that holds it, {unit.words(hole)}, is taken whole"
    return subject, reason, "Nothing is requested from the driver." + more, False


def _freed(states: States, k: int, unit: Unit) -> Said:
    step = states.steps[k - 1]
    event = states.recording.events[step.first]
    number = states.about[k]
    subject = f"− {states.name(number)}" if number >= 0 else "− a block"
    state = states.at(k)
    if event.address in state.blocks:
        return subject, "freed, and it waits: another stream still uses it", "Until then nobody else gets it.", False
    hole = next((s for s in _holes(states, state) if s.address <= event.address < s.address + s.size), None)
    if hole is None:
        return subject, f"{unit.words(event.size)} are free", "", False
    before = states.rows(states.at(k - 1))
    merged = [s.size for s in _free_beside(before, event.address)]
    reason = f"its {unit.words(hole.size - sum(merged))} are a free block"
    if merged:
        neighbours = " and ".join(unit.words(size) for size in merged)
        reason = f"it merges with the free {neighbours} beside it: a free block of {unit.words(hole.size)}"
    after = f"The driver gets nothing back: {unit.words(states.reserved[k])} stay reserved."
    return subject, reason, after, False


def _returned(states: States, k: int, unit: Unit) -> Said:
    step = states.steps[k - 1]
    gone = [states.recording.events[at] for at in range(step.first, step.last)]
    size = sum(event.size for event in gone)
    reason = f"{count(len(gone), 'segment')} without a block in use, {unit.words(size)}, back to the driver"
    return "empty_cache()", reason, f"{unit.words(states.reserved[k])} stay reserved.", False


def _refused(states: States, k: int, unit: Unit) -> Said:
    size, state = refused_size(states, k), states.at(k)
    holes, rest = [s.size for s in _holes(states, state)], unreserved(states, k)
    largest = max([*holes, rest or 0])
    free = f"free: {unit.words(sum(holes))} cached"
    if rest is not None:
        free += f" + {unit.words(rest)} not reserved = {unit.words(sum(holes) + rest)}"
    after = f"{unit.words(size)} must be one run in one segment, and no hole is that long. "
    after += _what_helps(states, state, size, unit)
    return f"+ {unit.words(size)} ✕", f"{free}; largest hole: {unit.words(largest)}", after, True


def _what_helps(states: States, state: State, size: int, unit: Unit) -> str:
    """Which block's end opens a hole that is large enough."""
    openings = []
    for _, spans in states.rows(state):
        for at, span in enumerate(spans):
            if span.held is not None and not span.held.waiting:
                beside = [s.size for s in (*spans[max(at - 1, 0) : at], *spans[at + 1 : at + 2]) if s.held is None]
                openings.append((span.size + sum(beside), span.size, states.name(span.held.number)))
    enough = sorted((own, hole, name) for hole, own, name in openings if hole >= size)
    if enough:
        _, hole, name = enough[0]
        words = f"Freeing {name} opens a hole of {unit.words(hole)} and lets it in"
        short = max((o for o in openings if o[0] < size), default=None)
        return words + (f"; freeing {short[2]}, only {unit.words(short[0])}." if short else ".")
    return "No single block makes enough room." if openings else "empty_cache() and smaller tensors are the ways out."


def _holes(states: States, state: State) -> list[Span]:
    return [span for _, spans in states.rows(state) for span in spans if span.held is None]


def _place(rows: Sequence[tuple[Segment, list[Span]]], address: int) -> tuple[Segment | None, int, list[Span]]:
    """The segment of an address, and the place of its span there."""
    for segment, spans in rows:
        if segment.address <= address < segment.address + segment.size:
            for at, span in enumerate(spans):
                if span.address <= address < span.address + span.size:
                    return segment, at, spans
    return None, 0, []


def _free_beside(rows: Sequence[tuple[Segment, list[Span]]], address: int) -> list[Span]:
    _, at, spans = _place(rows, address)
    return [s for s in (*spans[max(at - 1, 0) : at], *spans[at + 1 : at + 2]) if s.held is None]
