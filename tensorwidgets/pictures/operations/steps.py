"""View or copy: the steps of an expression over the storage that they share, and the step that had to copy.

`show.steps("x.t()[1:].reshape(-1)", x=x)`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...engine.expressions.brief import brief
from ..arrays.expression import Step, redo, steps_of
from ..arrays.layout import Layout
from ..arrays.sources import is_array
from ..arrays.storages import Storage, storage_of, storages_of
from ..arrays.values import count, shape_text, spell
from ..drawing.html import div, row, table, td
from ..drawing.inline import Ink, Line, axis, bold, chip, markup, muted, words
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Gap, Sentence, Title
from ..drawing.tokens import CLASH, CLASH_TINT, EDGE, INK, LINE, MONO, MUTED, SANS, axis_colour
from ..memory.views import Drawn, Named, facts
from ..parts.strip import Lane
from ..parts.view_grid import ViewGrid
from .refusals import copy_reason, is_refused_view, refused, ways_out

SMALL = 120
"""The largest step, in elements, that is drawn whole."""


@dataclass(frozen=True)
class Stage:
    """A step with what it turned out to be: start, view, itself, copy, new, value or refused."""

    step: Step
    kind: str
    view: Named | None = None
    sources: tuple[int, ...] | None = None
    """For a copy: the unit of the storage before that each element was taken from."""
    of: Named | None = None
    """The array that the step was taken on."""


def steps(source: str, names: Mapping[str, Any]) -> Picture:
    """The picture of `show.steps`."""
    return steps_picture(steps_of(source, names))


def steps_picture(taken: Sequence[Step]) -> Picture:
    """The picture of steps that have been taken."""
    stages, storages = stages_of(taken)
    drawn = _drawn(stages, storages)
    blocks: list[Block] = [Title(*_title(stages))]
    blocks.append(Beside([_block(s, drawn, len(storages) > 1) for s in stages], gap=20, below=12))
    for k, storage in enumerate(storages):
        blocks.append(Gap(14 if k else 12))
        blocks.append(_strip(drawn[storage.letter], stages))
    blocks.append(_sentence(stages))
    return Picture(blocks)


# -- what happened ---------------------------------------------------------------------------------------------------


def stages_of(taken: Sequence[Step]) -> tuple[list[Stage], list[Storage]]:
    """What each step turned out to be, and the storages that they lie in."""
    layouts: dict[int, Layout] = {
        k: Layout.of(s.value, SMALL) for k, s in enumerate(taken) if s.error is None and is_array(s.value)
    }
    storages = storages_of(list(layouts.values()), [step.source for step in taken])
    stages: list[Stage] = []
    last: Named | None = None
    for k, step in enumerate(taken):
        if k not in layouts:
            stages.append(Stage(step, "refused" if step.error is not None else "value", of=last))
            continue
        storage = storage_of(layouts[k], storages)
        view = Named(step.source, layouts[k], storage)
        known = {s.view.storage.letter for s in stages if s.view is not None}
        sources = None
        if last is None:
            kind = "start"
        elif step.value is next(s.step.value for s in reversed(stages) if s.view is last):
            kind = "itself"
        elif storage.letter in known:
            kind = "view"
        else:
            sources = _sources(step, last, view, next(s.step.value for s in reversed(stages) if s.view is last))
            kind = "new" if sources is None else "copy"
        stages.append(Stage(step, kind, view, sources, last))
        last = view
    return stages, storages


def _sources(step: Step, before: Named, after: Named, array: Any) -> tuple[int, ...] | None:
    """Where a copy took each element from: the step is done again on an array of the same strides that holds its own
    offsets. None where the values are not copies, or where there is no telling."""
    one, other = before.layout, after.layout
    if not (one.window.whole and other.window.whole and one.in_elements) or one.values is None or other.values is None:
        return None
    if other.dtype != one.dtype or not {str(v) for v in other.values} <= {str(v) for v in one.values}:
        return None
    numbers = _numbers(array, one)
    if numbers is None:
        return None
    try:
        result = Layout.of(redo(step, numbers), SMALL)
    except Exception:
        # A step that works on values only may well refuse whole numbers; then it did not merely copy.
        return None
    if result.size != other.size or result.values is None:
        return None
    offsets = _whole(result.values)
    if offsets is None:
        return None
    places = dict(zip(_offsets(one), one.values, strict=True))
    if any(k not in places or str(places[k]) != str(v) for k, v in zip(offsets, other.values, strict=True)):
        return None
    first = (one.owner.start - before.storage.start) // before.storage.unit
    wide = one.itemsize // before.storage.unit
    return tuple(first + k * wide for k in offsets)


def _whole(values: Sequence[Any]) -> tuple[int, ...] | None:
    """The values as integers; None if one of them is not an integer.

    >>> _whole([2.0, 0.0]), _whole([2.5]), _whole([float("nan")])
    ((2, 0), None, None)
    """
    try:
        numbers = tuple(int(v) for v in values)
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if all(n == v for n, v in zip(numbers, values, strict=True)) else None


def _offsets(layout: Layout) -> list[int]:
    return [
        layout.offset + sum(i * s for i, s in zip(index, layout.stride, strict=True))
        for index in layout.window.indices()
    ]


def _numbers(array: Any, layout: Layout) -> Any:
    """An array of the same library and the same strides that holds its own offsets."""
    total = layout.owner.nbytes // max(layout.itemsize, 1)
    if total > 100_000:
        return None
    if isinstance(array, np.ndarray):
        base = np.arange(total)
        strides = tuple(s * base.itemsize for s in layout.stride)
        return np.lib.stride_tricks.as_strided(base[layout.offset :], layout.size, strides)
    library = sys.modules.get(type(array).__module__.partition(".")[0])
    if library is None or not hasattr(library, "as_strided"):
        return None
    return library.as_strided(library.arange(total), layout.size, layout.stride, layout.offset)


# -- what is drawn ---------------------------------------------------------------------------------------------------


def _drawn(stages: Sequence[Stage], storages: Sequence[Storage]) -> dict[str, Drawn]:
    drawn: dict[str, Drawn] = {}
    for storage in storages:
        views = [s.view for s in stages if s.view is not None and s.view.storage is storage]
        made = next(s for s in stages if s.view is views[0])
        origin = None
        if made.sources is not None and made.of is not None:
            units = {}
            for index, unit in zip(views[0].layout.window.indices(), made.sources, strict=True):
                span = storage.span(views[0].layout, index)
                units.update({span[k]: unit + k for k in range(len(span))})
            origin = (drawn[made.of.storage.letter], units)
        drawn[storage.letter] = Drawn(storage, views, storages, origin)
    return drawn


@dataclass(frozen=True)
class StageBlock:
    """One step: its source, its verdict, its strides and cells, or why it could not be."""

    stage: Stage
    head: Line
    grid: ViewGrid | None
    remarks: tuple[Line, ...]
    jumps: tuple[int, ...] = ()
    fills: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def html(self) -> str:
        colour = {"copy": LINE["purple"], "new": LINE["purple"], "refused": CLASH}.get(self.stage.kind, INK)
        body = self.grid.html() if self.grid is not None else div(markup(self.head), f"font:400 13px/20px {MONO}")
        for k, line in enumerate(self.remarks):
            face = f"font:400 12px/18px {SANS};max-width:216px"
            body += div(markup(line), f"{face};margin:{8 if k == 0 else 4}px 0 6px")
        if self.jumps:
            body += self._jumps()
        return div(body, f"border-top:2px solid {colour};padding:6px 0 0")

    def _jumps(self) -> str:
        """The offsets in reading order with the step between each two; the step that breaks the run is the clash."""
        usual = self.jumps[1] - self.jumps[0]
        line = ""
        for k, at in enumerate(self.jumps):
            look = f"width:20px;height:20px;font-size:11px;background:{self.fills[k]};border:1px solid {EDGE}"
            line += td(str(at), look, self.keys[k], f"read number {k} | element {at}")
            if k < len(self.jumps) - 1:
                step = self.jumps[k + 1] - at
                bad = f";color:{CLASH};background:{CLASH_TINT};font-weight:700" if step != usual else ""
                sign = "+" if step >= 0 else "−"
                style = f"width:{32 if bad else 24}px;font-size:11px;color:{axis_colour(1)}{bad}"
                line += td(f"{sign}{abs(step)}{'≠' if bad else ''}", style)
        return table([row(line + td("…", f"width:20px;color:{MUTED}"))], spacing="1px 0")

    def text(self) -> str:
        lines = [words(line) for line in self.remarks]
        if self.jumps:
            steps = [f"{b - a:+d}" for a, b in zip(self.jumps, self.jumps[1:], strict=False)]
            pairs = [str(self.jumps[0])]
            for step, at in zip(steps, self.jumps[1:], strict=True):
                pairs += [f"({step})", str(at)]
            lines.append(" ".join(pairs) + " …")
        head = self.grid.text() if self.grid is not None else "\n" + words(self.head)
        return "\n".join([head, *lines])


def _block(stage: Stage, drawn: dict[str, Drawn], several: bool) -> StageBlock:
    step = stage.step
    before = step.before if len(step.before + step.code) <= 14 else "…"
    head: tuple[str | Ink, ...] = (bold(step.code),)
    if before and "…" not in step.code:
        head = (muted(before), *head)
    verdict = {
        "view": chip("view", "green"), "itself": chip("itself", "green"), "copy": chip("copy", "purple", "double"),
        "new": chip("new", "purple", "double"), "refused": chip("refused ✕", "clash"), "value": chip("value", "blue"),
    }  # fmt: skip
    if stage.kind in verdict:
        head = (*head, " ", verdict[stage.kind])
    if stage.kind == "refused":
        return _refused(stage, head, drawn)
    if stage.view is None:
        lines: tuple[Line, ...] = (_describe(stage),)
        return StageBlock(stage, head, None, lines)
    grid = drawn[stage.view.storage.letter].view(stage.view, None, several)
    grid = replace(grid, caption=(head, *facts(stage.view, several)[1:]), small=True)
    remarks: tuple[Line, ...] = ()
    jumps: tuple[int, ...] = ()
    fills: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    if stage.kind == "copy" and stage.of is not None and stage.sources is not None:
        reason = copy_reason(step.method, stage.of.layout, stage.view.layout)
        if reason.rule == "view.span":
            letter = stage.of.storage.letter
            size = shape_text(stage.view.layout.size)
            remarks = (f"The size {size} needs even steps. Read in order, the steps over {letter} are:",)
            jumps = _telling(stage.sources)
            source = drawn[letter]
            fills = tuple(source.fill(unit) for unit in jumps)
            keys = tuple(f"k-{letter}{unit}" for unit in jumps)
    return StageBlock(stage, head, grid, remarks, jumps, fills, keys)


def _refused(stage: Stage, head: Line, drawn: dict[str, Drawn]) -> StageBlock:
    """A step that raised: for a view that would have to jump, the jumps; the message is in the sentence below."""
    error, before = stage.step.error, stage.of
    name = type(error).__name__
    if error is None or before is None or not is_refused_view(error, before.layout):
        return StageBlock(stage, head, None, (name,))
    storage = before.storage
    units = [storage.span(before.layout, index)[0] for index in before.layout.window.indices()]
    jumps = _telling(units) if before.layout.window.whole else ()
    remarks = (name, f"A view needs even steps. Read in order, the steps over {storage.letter} are:")
    return StageBlock(
        stage, head, None, remarks if jumps else (name,), jumps,
        tuple(drawn[storage.letter].fill(unit) for unit in jumps),
        tuple(f"k-{storage.letter}{unit}" for unit in jumps),
    )  # fmt: skip


def _telling(order: Sequence[int]) -> tuple[int, ...]:
    """Five elements in reading order, around the first step that breaks the run."""
    broken = next((k for k in range(2, len(order)) if order[k] - order[k - 1] != order[1] - order[0]), 2)
    first = max(0, broken - 3)
    return tuple(order[first : first + 5])


def _describe(stage: Stage) -> Line:
    if stage.step.error is not None:
        return words(f"{type(stage.step.error).__name__}: {stage.step.error}")[:240]
    value = stage.step.value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float, complex, bool, str, tuple, list)) and len(brief(value, 80)) < 80:
        return f"= {value!r}, no array"
    return f"= {type(value).__name__}, no array"


def _strip(drawn: Drawn, stages: Sequence[Stage]) -> Block:
    s = drawn.storage
    made = next(stage for stage in stages if stage.view is not None and stage.view.storage is s)
    strip = drawn.strip(None, False)
    if made.kind == "start":
        last = strip.lanes[-1:] if len(strip.lanes) > 1 else ()
        views = len(strip.lanes) - 1
        tail = made.step.source + (f" and {spell(views)} {'view' if views == 1 else 'views'}" if views else "")
        return replace(strip, lanes=last, tail=_short(tail))
    name = (*((strip.name,) if isinstance(strip.name, (str, Ink)) else strip.name), ", new")
    lanes = strip.lanes[1:]
    if drawn.origin is not None:
        source, units = drawn.origin
        marks = tuple(f"{source.storage.letter}{units[k]}" if k in units else None for k in strip.units)
        n = len(made.sources or ())
        lanes = (Lane("copied from", marks, f"{n} reads, {n} writes"), *lanes)
    return replace(strip, lanes=lanes, tail=_short(made.step.source), name=name)


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"


# -- what is said ----------------------------------------------------------------------------------------------------


def _title(stages: Sequence[Stage]) -> tuple[str, str]:
    source = stages[-1].step.source
    copies = [s for s in stages if s.kind in ("copy", "new") and s.view is not None]
    views = sum(s.kind in ("start", "view", "itself") for s in stages)
    seen = f"{spell(views)} {'view' if views == 1 else 'views'}"
    if stages[-1].kind == "refused":
        return f"{source}: why is it refused?", f"{seen}, then {type(stages[-1].step.error).__name__}"
    if not copies:
        return f"{source}: nothing is copied", f"{seen} of one storage"
    nbytes = sum(s.view.layout.numel * s.view.layout.itemsize for s in copies if s.view is not None)
    made = f"{seen}, {spell(len(copies))}"
    size = count(nbytes, "byte")
    if all(s.kind == "new" for s in copies):
        return f"{source}: what is new?", f"{made} new of {size}"
    return f"{source}: where does it copy?", f"{made} {'copy' if len(copies) == 1 else 'copies'} of {size}"


def _sentence(stages: Sequence[Stage]) -> Block:
    last = stages[-1]
    if last.kind == "refused" and last.step.error is not None:
        because, message, known = refused(last.step.error, last.of.layout if last.of else None, last.step.code)
        ways = ways_out(last.step.error)
        after = message
        if ways:
            stop = "." if message and not message.endswith(".") else ""
            after = f"{message}{stop} Ways out: {', '.join(ways)}.".strip()
        return Sentence(last.step.code, _coloured(because, known), after, bar="clash")
    copied = next((s for s in stages if s.kind == "copy"), None)
    if copied is not None and copied.view is not None and copied.of is not None:
        reason = copy_reason(copied.step.method, copied.of.layout, copied.view.layout)
        layout = copied.view.layout
        nbytes = layout.numel * layout.itemsize
        after = f"So {count(layout.numel, 'element')} were copied: {count(nbytes, 'byte')} in a storage of their own."
        if reason.rule == "view.span":
            after += " view() would have refused here."
        return Sentence(copied.step.code, _coloured(reason.because, reason.facts), after, bar="purple")
    made = next((s for s in stages if s.kind == "new"), None)
    if made is not None and made.view is not None:
        nbytes = made.view.layout.numel * made.view.layout.itemsize
        return Sentence(
            made.step.code, f"computes new values: {count(nbytes, 'byte')} in a storage of their own", bar="purple"
        )
    view = next((s.view for s in reversed(stages) if s.view is not None), None)
    if view is None:
        return Sentence(
            stages[-1].step.source, _describe(stages[-1]), "The step gives no array, so there are no strides to draw."
        )
    return Sentence(
        stages[-1].step.source,
        f"size {shape_text(view.layout.size)}, stride {shape_text(view.layout.stride)}, offset {view.layout.offset}",
        f"Only these numbers changed. Writing through it changes {stages[0].step.source}.",
    )


def _coloured(text: str, facts: Mapping[str, Any]) -> Line:
    """The reason's words with the two dimensions that do not merge in their colours."""
    if "dims" not in facts:
        return text
    outer, inner = facts["dims"]
    term = f"{facts['sizes'][1]} * {facts['strides'][1]}"
    before, result, after = text.partition(term)
    if not result or not after.endswith(f"{facts['found']}."):
        return text
    return (before, axis(term, inner), after[: -len(f"{facts['found']}.")], axis(facts["found"], outer), ".")
