"""What has the allocator done with its memory? Segments to scale, and the history that led there."""

from __future__ import annotations

from typing import Any

from ..arrays.allocations import recording_of
from ..arrays.values import count
from ..drawing.picture import Origin, Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Title, Wide
from .allocator_history import History
from .allocator_rows import Legend, Rows, unit_of
from .allocator_states import States
from .allocator_words import said, title_of


def allocator_picture(source: Any, step: int | None = None, device: int | None = None) -> Picture:
    """The picture after one step: the last one, or the refusal if the last step is one."""
    states = States(recording_of(source, device))
    picture = states_picture(states, step)
    return Picture(picture.blocks, Origin("AllocatorExplorer", (states,), {"step": step}))


def states_picture(states: States, step: int | None = None) -> Picture:
    """The picture of one of the states of a recording."""
    last = len(states.steps)
    if step is not None and not -last <= step <= last:
        raise IndexError(f"there is no step {step}: there are {count(last, 'step')}")
    k = last if step is None else step % (last + 1) if step >= 0 else last + 1 + step
    if not last and not states.kept[0].segments:
        return Picture([Title("An empty allocator", states.recording.what), Note("Nothing was allocated yet.")])
    unit = unit_of(states)
    rows = Rows(states, k, unit)
    blocks: list[Block] = [Title(title_of(states, k), _aside(states, unit))]
    drawn: list[Block] = [History(states, k, unit), Gap(16), rows] if last else [rows]
    return Picture([*blocks, Wide(drawn), Legend(), _sentence(states, k, rows)])


def _aside(states: States, unit: Any) -> str:
    recording = states.recording
    size = f", {unit.words(recording.total)}" if recording.total is not None else ""
    return f"{recording.what}{size}"


def _sentence(states: States, k: int, rows: Rows) -> Sentence:
    subject, reason, after, bad = said(states, k, rows.unit)
    return Sentence(subject, (reason,), after, "clash" if bad else "ink")
