"""A loss over two parameters with the paths of several optimizers. `show.surface(f)`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from ..arrays.labels import labels_of, source_of_argument
from ..arrays.models.descents import RULES, Point, Way, descend
from ..arrays.models.landscapes import Landscape
from ..arrays.values import count, short
from ..drawing.curves import sample_of_path
from ..drawing.html import escape, framed, row, table, td, th
from ..drawing.inline import Ink, Line, bold, markup, whole, words
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Title, columns
from ..drawing.tokens import CLASH, CURVE, MONO, MUTED, RULE, SANS
from .surface_map import HUES, Ground, Map

MOST_STEPS = 2000


@dataclass
class Setting:
    """What is drawn."""

    land: Landscape
    ground: Ground
    label: str
    start: Point
    optimizers: tuple[str, ...] = ("SGD", "momentum", "Adam")
    lr: float | Mapping[str, float] = 0.01
    steps: int = 60

    def rate(self, name: str) -> float:
        return float(self.lr.get(name, 0.01) if isinstance(self.lr, Mapping) else self.lr)

    def ways(self) -> tuple[Way, ...]:
        """The paths, computed anew."""
        land, steps = self.land, min(max(self.steps, 0), MOST_STEPS)
        return tuple([descend(land.loss, land.slope, n, self.start, self.rate(n), steps) for n in self.optimizers])


def setting_of(
    f: Callable[..., Any], label: str, x: Point, y: Point, start: Point | None, optimizers: Sequence[str],
    lr: float | Mapping[str, float], steps: int,
) -> Setting:  # fmt: skip
    """Reads the arguments of `show.surface`."""
    for name, ends in (("x", x), ("y", y)):
        if not isinstance(ends, (tuple, list)):
            raise TypeError(f"{name}={ends!r} is not a range: write {name}=(-2, 2)")
        if not (len(ends) == 2 and all(map(math.isfinite, ends)) and ends[0] < ends[1]):
            raise ValueError(f"{name}={ends!r} is not a range: write {name}=(-2, 2)")
    if start is not None and not (isinstance(start, (tuple, list)) and len(start) == 2):
        raise TypeError(f"start= is a pair of numbers such as (-1.5, 1), not {start!r}")
    for rate in lr.values() if isinstance(lr, Mapping) else (lr,):
        if isinstance(rate, str) or not 0 <= float(rate) < math.inf:
            raise ValueError(f"lr= is a positive number, or a dictionary with one for each optimizer, not {rate!r}")
    if not isinstance(steps, int):
        raise TypeError(f"steps= is how many steps are taken, a whole number, not {steps!r}")
    if steps < 0:
        raise ValueError(f"steps= is how many steps are taken, not {steps}")
    optimizers = (optimizers,) if isinstance(optimizers, str) else optimizers
    unknown = [name for name in (*optimizers, *(lr if isinstance(lr, Mapping) else ())) if name not in RULES]
    if unknown:
        raise ValueError(f"no optimizer is called {unknown[0]!r}: choose from {', '.join(RULES)}")
    xs, ys = (float(x[0]), float(x[1])), (float(y[0]), float(y[1]))
    begin = (xs[0] + 0.15 * (xs[1] - xs[0]), ys[0] + 0.8 * (ys[1] - ys[0])) if start is None else start
    begin = (float(begin[0]), float(begin[1]))
    land = Landscape(f, begin)
    heights = land.grid(xs, ys)
    if not math.isfinite(heights.min()):
        raise ValueError(f"the function has no finite value for x in {xs} and y in {ys}")
    ground = Ground(heights, xs, ys, _names(f))
    return Setting(land, ground, label, begin, tuple(optimizers), lr, steps)


def name_of(f: Any, frame: FrameType | None, labels: Sequence[str] | None) -> str:
    """What a function is called in the source of the call, or by itself; empty if it has no name."""
    if labels is not None:
        return labels_of(frame, 1, labels)[0]
    names = (source_of_argument(frame, 0) or "", str(getattr(f, "__name__", "")))
    return next((name for name in names if name.isidentifier()), "")


def _names(f: Callable[..., Any]) -> tuple[str, str]:
    """What the function calls its two numbers."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    return (names[0], names[1]) if len(names) >= 2 else ("x", "y")


def surface_picture(setting: Setting, hidden: bool = False) -> Picture:
    """The picture of a setting; `hidden` leaves the paths out."""
    ways = () if hidden else setting.ways()
    order = list(RULES)
    hues = tuple(order.index(way.name) for way in ways)
    head: Any = ("The loss ", bold(setting.label)) if setting.label else "A loss over two parameters"
    rates = sorted({setting.rate(name) for name in setting.optimizers})
    aside = f"lr {', '.join(map(short, rates))}, {count(setting.steps, 'step')}" if rates else ""
    blocks: list[Block] = [Title(head, aside), Map(setting.ground, ways, hues, setting.start)]
    if ways:
        blocks += [Gap(10), Ends(setting, ways, hues)]
    blocks.append(Note(_remark(setting.ground, setting.start)))
    return Picture([*blocks, Sentence(*told(setting, ways))])


def _remark(g: Ground, start: Point) -> str:
    """How to read the map."""
    inside = g.xs[0] <= start[0] <= g.xs[1] and g.ys[0] <= start[1] <= g.ys[1]
    said = (
        f"The ring is the start: {g.called(start)}." if inside else f"The start, {g.called(start)}, is not on the map."
    )
    if g.low == g.high:
        return f"{said} The loss is {short(g.low)} everywhere."
    levels = ", ".join(dict.fromkeys(short(level) for level in g.levels[1::2]))
    said += f" The colour is stronger where the loss is higher; contours are at {levels}."
    return said + (" Where it is hatched, the loss is no finite number." if g.has_holes else "")


def ahead(ways: Sequence[Way]) -> list[Way]:
    """Those that end lowest, as far as the picture says it: several if they are equal."""
    kept = [way for way in ways if way.left is None]
    least = short(min([way.losses[-1] for way in kept], default=0.0))
    return [way for way in kept if short(way.losses[-1]) == least]


def told(setting: Setting, ways: Sequence[Way]) -> tuple[str, str, str, str]:
    """Which optimizer is ahead, and which are lost."""
    if not ways or not setting.steps:
        return setting.label or "loss", f"is {short(setting.land.loss(setting.start))} at the start", "", "ink"
    if not math.isfinite(ways[0].losses[0]):
        said = f"is no finite number at {setting.ground.called(setting.start)}, where the paths start"
        return setting.label or "loss", said, "start= is another place.", "clash"
    lost = [way for way in ways if way.left is not None]
    kept = [way for way in ways if way.left is None]
    flees = "; ".join(f"{way.name} diverges: its loss is {_size(way)} at step {way.left}" for way in lost)
    if not kept:
        return "all", f"diverge from {setting.ground.called(setting.start)}", f"{flees}. A smaller rate helps.", "clash"
    first = ahead(ways)
    best, names = first[0], [way.name for way in first]
    subject = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    said = "is lowest" if len(first) == 1 else "are equally low"
    said += f" after {count(len(best.losses) - 1, 'step')}: {short(best.losses[0])} → {short(best.losses[-1])}"
    others = ", ".join(f"{way.name} {short(way.losses[-1])}" for way in kept if way not in first)
    after = f"{others[:1].upper()}{others[1:]}. " if others else ""
    return subject, said, after + (f"{flees}." if flees else ""), "clash" if lost else "ink"


def _lost(text: str) -> Ink:
    return Ink(text, f"color:{CLASH};font-weight:700;white-space:nowrap")


def _size(way: Way) -> str:
    assert way.left is not None
    return _loss(way.losses[way.left])


def _loss(value: float) -> str:
    """A loss in a few characters; a function that has no number somewhere is drawn as infinite there."""
    return short(value) if math.isfinite(value) else "not finite"


@dataclass(frozen=True)
class Ends:
    """Where each path ends."""

    setting: Setting
    ways: tuple[Way, ...]
    hues: tuple[int, ...]

    def _rows(self) -> list[list[Line]]:
        out: list[list[Line]] = []
        for way in self.ways:
            steps = len(way.points) - 1
            x, y = self.setting.ground.called(way.points[-1]).split(", ")
            end: Line = (whole(f"{x},"), " ", whole(y))
            if way.left is not None:
                end = (_lost("✗ diverges"), " ", _lost(f"at step {way.left:,}"))
            best = min(range(len(way.losses)), key=lambda k: way.losses[k])
            lowest = (whole(_loss(way.losses[best])), " ", whole(f"at step {best:,}"))
            out.append([way.name, short(self.setting.rate(way.name)), f"{steps:,}", _loss(way.losses[-1]), lowest, end])
        return out

    HEADS = ("optimizer", "lr", "steps", "last loss", "lowest", "ends at")

    def html(self) -> str:
        left = "text-align:left;vertical-align:top;padding:4px 14px 4px 0"
        head = f"{left};font:400 11px/16px {SANS};color:{MUTED};border-bottom:1px solid {RULE}"
        rows = [row("".join(th(escape(text), "col", head) for text in self.HEADS))]
        for entry, hue in zip(self._rows(), self.hues, strict=True):
            sign = sample_of_path(CURVE[HUES[hue % len(HUES)]], hue)
            cells = th(sign + markup(bold(words(entry[0]))), "row", f"{left};white-space:nowrap")
            cells += "".join(td(markup(e), left) for e in entry[1:])
            rows.append(row(cells))
        return framed(table(rows, style=f"font:400 12px/18px {MONO}", cls="tw-ends"))

    def text(self) -> str:
        return columns([list(self.HEADS), *([words(e) for e in entry] for entry in self._rows())], left=True)
