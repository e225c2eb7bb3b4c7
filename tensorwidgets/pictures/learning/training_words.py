"""What happened in a training: how far the loss fell, where it was lowest, and what there is to worry about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays.models.runs import Run, Series
from ..arrays.values import count, short
from ..parts.scale import WIDE, tick_text


class Story(NamedTuple):
    """A training in a sentence."""

    subject: str
    reason: str
    after: str = ""
    bad: bool = False


def kind_of(name: str) -> str:
    """Which numbers belong into one chart: losses, rates, accuracies; others are alone.

    >>> [kind_of(n) for n in ("loss", "val_loss", "lr", "train_acc", "grad_norm")]
    ['loss', 'loss', 'rate', 'accuracy', 'grad_norm']
    """
    low = name.lower()
    if "loss" in low:
        return "loss"
    if low in ("lr", "rate") or "learning_rate" in low or low.endswith("_lr"):
        return "rate"
    return "accuracy" if "acc" in low else name


def is_held_out(name: str) -> bool:
    """Whether a series is of data that the model does not learn from.

    >>> [is_held_out(n) for n in ("val_loss", "loss", "test_acc")]
    [True, False, True]
    """
    return any(word in name.lower() for word in ("val", "test", "eval", "held"))


def story(runs: Sequence[Run]) -> Story:
    """The sentence below the charts."""
    told = [(run, main) for run in runs if (main := main_series(run)) is not None]
    if not told:
        return Story("training", "has no numbers yet", "log(loss=loss) adds one of each step.")
    run, main = told[0]
    name = f"{run.label} {main.name}" if len(runs) > 1 and run.label else main.name
    odd = np.flatnonzero(~np.isfinite(main.values))
    if odd.size:
        first = int(odd[0])
        fell = f"; before that it was {short(float(main.values[first - 1]))}" if first else ""
        lasts = len(odd) == len(main.values) - first
        when = f"{'from' if lasts else 'at'} step {tick_text(float(main.steps[first]))}{' on' if lasts else ''}"
        helps = "A smaller learning rate, or clip_grad_norm_, helps."
        after = f"Nothing is learned from then on. {helps}" if lasts else helps
        return Story(name, f"is {main.values[first]:g} {when}{fell}", after, True)
    at = best_of(main)
    best = int(np.searchsorted(main.steps, at))
    word = "highest" if rises(main) else "lowest"
    said = f"{short(float(main.values[0]))} → {short(float(main.values[-1]))} in {count(int(main.steps[-1]), 'step')}"
    said += f", {word} {short(float(main.values[best]))} at step {tick_text(at)}"
    return Story(name, said, " ".join(filter(None, [_others(told), _overfits(run), _end(main)])))


def main_series(run: Run) -> Series | None:
    """The series that a training is about: its first loss, else its first series."""
    filled = [one for one in run.series if len(one.values)]
    losses = [one for one in filled if kind_of(one.name) == "loss" and not is_held_out(one.name)]
    return next(iter(losses or filled), None)


def rises(series: Series) -> bool:
    """Whether more is better."""
    return kind_of(series.name) == "accuracy"


def best_of(series: Series) -> float:
    """The step of the best number: the lowest, of an accuracy the highest."""
    finite = np.where(np.isfinite(series.values), series.values, np.nan)
    return float(series.steps[int(np.nanargmax(finite) if rises(series) else np.nanargmin(finite))])


def _others(told: Sequence[tuple[Run, Series]]) -> str:
    """Which run is ahead at the end."""
    if len(told) < 2:
        return ""
    ends = [(float(_tail(main).mean()), run.label) for run, main in told if main.finite.size]
    best = short((max if rises(told[0][1]) else min)(ends)[0])
    first = [label for value, label in ends if short(value) == best]
    rest = ", ".join(f"{label} {short(value)}" for value, label in ends if short(value) != best)
    if not rest:
        return f"{'Both' if len(first) == 2 else 'All'} end at {best} (means of the last tenth)."
    verb = "ends" if len(first) == 1 else "end"
    return f"{' and '.join(first)} {verb} best: {best}, and {rest} (means of the last tenth)."


def _tail(main: Series) -> np.ndarray:
    return main.finite[-max(len(main.finite) // 10, 1) :]


def _overfits(run: Run) -> str:
    """Whether the loss of held-out data rises while the other falls."""
    for one in run.series:
        if kind_of(one.name) != "loss" or not is_held_out(one.name) or len(one.finite) < 4:
            continue
        k = int(np.nanargmin(one.values))
        end = float(one.finite[-1])
        if k < len(one.values) * 0.8 and end > 1.05 * float(one.values[k]):
            return (
                f"{one.name} was lowest at step {tick_text(float(one.steps[k]))} and has risen since: the model learns "
                "its data by heart (overfitting)."
            )
    return ""


def _end(main: Series) -> str:
    """Whether it was still getting better at the end."""
    n = len(main.finite)
    if n < 20:
        return ""
    values = main.finite
    powers = bool(values.min() > 0 and values.max() / values.min() > WIDE)  # as the chart has it then
    values = np.log(values) if powers else values
    last, before = values[-n // 10 :], values[-2 * (n // 10) - n % 10 : -n // 10]
    gain = float(before.mean() - last.mean()) * (-1 if rises(main) else 1)
    # A difference that the noise alone would make is no trend, nor is one of less than a hundredth.
    noise = 2 * float(np.hypot(last.std(), before.std())) / np.sqrt(len(last))
    least = max(noise, 0.01 if powers else 0.01 * abs(float(before.mean())))
    if gain > least:
        return "It was still getting better at the end."
    if gain < -least:
        return "It was getting worse at the end."
    return "It was level at the end."
