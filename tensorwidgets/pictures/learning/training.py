"""A training as curves: loss, rate and whatever else was logged, with other runs beside. `show.training(log)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays.models.runs import Run, Series, run_of
from ..arrays.values import count, short
from ..drawing.inline import bold
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Sheet, Title, note
from ..parts.chart import BINS, WIDE, Chart, Curve
from ..parts.scale import Scale, tick_text
from .training_words import best_of, is_held_out, kind_of, story

MOST_CHARTS, MOST_CURVES, MOST_NAMED = 5, 8, 6
LONG = 200
"""Entries from which on a series is smoothed, if nothing else is asked for."""


class Look(NamedTuple):
    """How the curves are drawn."""

    smooth: int | None = None
    """The mean over this many steps; None for a fiftieth of them, where there are many."""
    log: bool | None = None
    """Whether losses are in powers of ten; None decides by their spread."""
    until: float | None = None
    """Up to which step; None for all."""
    total: float | None = None
    """How many steps there will be, where that is known."""


PLAIN = Look()


def training_picture(sources: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of several trainings; its sentences are about the first."""
    return runs_picture([run_of(one, label) for one, label in zip(sources, labels, strict=True)])


def runs_picture(runs: Sequence[Run], look: Look = PLAIN) -> Picture:
    """The picture of trainings that are given as facts."""
    runs = [until(run, look.until) for run in runs]
    last = max([run.last for run in runs], default=0.0)
    names = [run.label for run in runs if run.label]
    head: Any = ("Training ", bold(" and ".join(names))) if names else "Training"
    aside = count(int(last), "step")
    if look.total is not None and last < look.total:
        aside = f"step {int(last):,} of {int(look.total):,}"
    blocks: list[Block] = [Title(head, aside)]
    groups = _groups(runs)
    left_out = [kind for kind, _ in groups[MOST_CHARTS:]]
    for k, (kind, members) in enumerate(groups[:MOST_CHARTS]):
        chart = _chart(kind, members[:MOST_CURVES], runs, look, last, 180 if k == 0 else 90,
                       k + 1 == len(groups[:MOST_CHARTS]))  # fmt: skip
        blocks += [Gap(14) if k else Gap(0), chart]
        left_out += [_name(one, runs[n], runs) for n, one in members[MOST_CURVES:]]
    said = story(runs)
    if left_out:
        more = f" and {len(left_out) - MOST_NAMED} more" if len(left_out) > MOST_NAMED else ""
        blocks.append(Note(f"Not drawn: {', '.join(left_out[:MOST_NAMED])}{more}."))
    if groups:
        blocks += [Gap(10), _table(runs)]
    remark = _remark(runs, look)
    if remark:
        blocks.append(Note(remark))
    return Picture([*blocks, Sentence(said.subject, said.reason, said.after, "clash" if said.bad else "ink")])


def chosen_width(numbers: int) -> int:
    """Over how many numbers a curve of so many is averaged, if nothing else is asked for."""
    return numbers // 50 if numbers >= LONG else 1


def until(run: Run, step: float | None) -> Run:
    """A training up to a step."""
    if step is None:
        return run
    return run._replace(series=tuple([
        one._replace(steps=one.steps[one.steps <= step], values=one.values[one.steps <= step]) for one in run.series
    ]))  # fmt: skip


def _groups(runs: Sequence[Run]) -> list[tuple[str, list[tuple[int, Series]]]]:
    """The series of each chart, with the run that each is of: losses first, rates last.

    Of more than a chart has room for, those of held-out data are the last.
    """
    found: dict[str, list[tuple[int, Series]]] = {}
    for k, run in enumerate(runs):
        for one in run.series:
            found.setdefault(kind_of(one.name), []).append((k, one))
    for members in found.values():
        if len(members) > MOST_CURVES:
            members.sort(key=lambda member: is_held_out(member[1].name))
    order = {"loss": 0, "accuracy": 1, "rate": 3}
    return sorted(found.items(), key=lambda item: order.get(item[0], 2))


def _chart(
    kind: str, members: Sequence[tuple[int, Series]], runs: Sequence[Run], look: Look, last: float, high: int,
    axis: bool,
) -> Chart:  # fmt: skip
    log = look.log if kind == "loss" else False if kind in ("rate", "accuracy") else None
    curves = [_curve(one, hue, _name(one, runs[k], runs), look) for hue, (k, one) in enumerate(members)]
    seen = [v for c in curves for part in (c.values, c.low, c.high) if part is not None for v in part.tolist()]
    # Where a mean is drawn, single numbers far off may leave the chart.
    values = [v for c in curves for v in c.values.tolist()] if len(seen) > LONG else seen
    # All charts have one axis.
    first = min([float(one.steps[0]) for run in runs for one in run.series if len(one.steps)], default=0.0)
    end = max(last, look.total or 0.0, first + 1)
    title = {"loss": "loss", "rate": "learning rate", "accuracy": "accuracy"}.get(kind, kind)
    return Chart(title, tuple(curves), first, end, Scale.over(values, log), high, _notes(curves, first, end), axis)


def _name(one: Series, run: Run, runs: Sequence[Run]) -> str:
    """What a series is called: of several runs, with the name of its own."""
    return f"{run.label} {one.name}".strip() if len(runs) > 1 else one.name


def _curve(one: Series, hue: int, name: str, look: Look) -> Curve:
    said = short(float(one.values[-1])) if len(one.values) else ""
    broken = tuple(one.steps[~np.isfinite(one.values)].tolist())
    width = look.smooth if look.smooth is not None else chosen_width(len(one.values))
    level = kind_of(one.name) == "rate"
    if width < 2 or level:
        return Curve(name, one.steps, one.values, None, None, hue, _best(one, one.values), broken, said)
    means = one.smooth(width)
    low, high = _band(one, means, width)
    return Curve(name, one.steps, means, low, high, hue, _best(one, means), broken, said)


def _best(one: Series, values: np.ndarray) -> tuple[float, ...]:
    """The step of the best value, which has a dot; none of a rate."""
    if kind_of(one.name) not in ("loss", "accuracy") or not np.isfinite(values).any():
        return ()
    return (best_of(one._replace(values=values)),)


def _band(one: Series, means: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Where most numbers around each entry lie: one deviation above and below the mean, and not below all of them."""
    squares = one._replace(values=(np.where(np.isfinite(one.values), one.values, 0.0) - means) ** 2).smooth(width)
    spread = np.sqrt(np.nan_to_num(squares))
    return np.maximum(means - spread, np.minimum(one.lowest(width), means)), means + spread


def _notes(curves: Sequence[Curve], first: float, last: float) -> tuple[str, ...]:
    """What each part of the steps says: its last step, and every curve there."""
    out = []
    for k in range(BINS):
        end = first + (k + 1) * (last - first) / BINS
        said = []
        step = None
        for curve in curves:
            at = int(np.searchsorted(curve.steps, end, side="right")) - 1
            if at >= 0 and curve.steps[at] > end - (last - first) / BINS:
                step = float(curve.steps[at])
                said.append(f"{curve.name} {short(float(curve.values[at]))}")
        subject = f"step {tick_text(round(step))}" if step is not None else f"step {tick_text(round(end))}"
        out.append(note(subject, ", ".join(said) or "no number here"))
    return tuple(out)


def _table(runs: Sequence[Run]) -> Sheet:
    """First, best and last of each series."""
    rows = []
    for run in runs:
        for one in run.series:
            if not len(one.values):
                continue
            best, at = "", ""
            for step in _best(one, one.values):
                k = int(np.searchsorted(one.steps, step))
                best, at = short(float(one.values[k])), tick_text(step)
            first, last = short(float(one.values[0])), short(float(one.values[-1]))
            rows.append((_name(one, run, runs), f"{len(one.values):,}", first, best, at, last))
    return Sheet(("series", "numbers", "first", "best", "at step", "last"), tuple(rows), (200, 100, 90, 90, 120, 90))


def _remark(runs: Sequence[Run], look: Look) -> str:
    longest = max([len(one.values) for run in runs for one in run.series], default=0)
    width = min(look.smooth, longest) if look.smooth is not None else chosen_width(longest)
    if width < 2:
        return ""
    return (
        f"Each curve is the mean over {width:,} numbers around each step, and the pale band one deviation above and "
        "below it; the dot is its best."
    )


__all__ = ["WIDE", "Look", "runs_picture", "training_picture"]
