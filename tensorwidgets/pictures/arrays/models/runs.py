"""What numbers did a training give? Series over steps, from a log, a list of losses, or lists and dictionaries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..layout import Layout
from ..sources import is_array
from ..values import shape_text, with_article

MOST_STEPS = 10**6
"""Of one series: more are read number by number for a picture that is a few hundred pixels wide."""


class Series(NamedTuple):
    """One number over the steps."""

    name: str
    steps: np.ndarray
    values: np.ndarray

    @property
    def finite(self) -> np.ndarray:
        return self.values[np.isfinite(self.values)]

    def smooth(self, steps: int) -> np.ndarray:
        """The mean over this many entries around each; over fewer at the ends. What is not finite is left out.

        >>> Series("loss", np.arange(5), np.array([4.0, 2.0, 0.0, 2.0, 4.0])).smooth(3).tolist()
        [3.0, 2.0, 1.3333333333333333, 2.0, 3.0]
        """
        if steps < 2:
            return self.values
        good = np.isfinite(self.values)
        sums, counts = (_around(np.add, v, steps, 0.0) for v in (np.where(good, self.values, 0.0), good.astype(float)))
        with np.errstate(invalid="ignore"):
            means = sums / counts
        return np.where(good, means, self.values)

    def lowest(self, steps: int) -> np.ndarray:
        """The lowest of so many entries around each, without those that are not finite.

        >>> Series("loss", np.arange(5), np.array([4.0, 2.0, 0.0, 2.0, 4.0])).lowest(3).tolist()
        [2.0, 0.0, 0.0, 0.0, 2.0]
        """
        return _around(np.minimum, np.where(np.isfinite(self.values), self.values, np.inf), max(steps, 1), np.inf)


def _around(add: np.ufunc, values: np.ndarray, wide: int, nothing: float) -> np.ndarray:
    """What `add` makes of so many entries around each; `nothing` stands beyond the ends.

    A difference of two running sums would lose a small number behind large ones that came long before. So the entries
    are cut into pieces of this width: what is around an entry is the rest of one piece and the beginning of the next.
    """
    wide = min(wide, 2 * len(values) + 1)
    padded = np.full((-(-len(values) // wide) + 1) * wide, nothing)
    padded[wide // 2 : wide // 2 + len(values)] = values
    pieces = padded.reshape(-1, wide)
    begins = add.accumulate(pieces, axis=1).ravel()
    rests = add.accumulate(pieces[:, ::-1], axis=1)[:, ::-1].ravel()
    at = np.arange(len(values))
    around: np.ndarray = add(rests[at], np.where(at % wide, begins[at + wide - 1], nothing))
    return around


class Run(NamedTuple):
    """One training."""

    label: str
    series: tuple[Series, ...]

    @property
    def last(self) -> float:
        """Its last step."""
        return max([float(one.steps[-1]) for one in self.series if len(one.steps)], default=0.0)


def number_of(value: Any, name: str) -> float:
    """One number of a tensor, an array or a number; nothing of a graph is kept."""
    if type(value) is float:
        return value
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    elif is_array(value):
        size = tuple(value.shape)
        if math.prod(size) != 1:
            raise ValueError(
                f"{name} has size {size}, and a log takes one number: {name}.mean()" if 0 not in size
                else f"{name} has no elements, and a log takes one number"
            )  # fmt: skip
        value = value.item()
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"a log takes numbers, and {name} is {with_article(type(value).__name__)}") from None


def names_of(sources: Sequence[Any], written: Sequence[str]) -> tuple[str, ...]:
    """What runs are called if nobody says so: by their own name, else as they are written in the call.

    >>> names_of([{}, {}], ["slow", "make(3)"]), names_of([{}], ["make(3)"])
    (('slow', 'make(3)'), ('',))
    """
    own = [getattr(one, "name", "") for one in sources]
    names = [name if name and isinstance(name, str) else code for name, code in zip(own, written, strict=True)]
    if len(set(names)) < len(names):
        names = list(written)
    return tuple(names) if len(names) > 1 or names[0].replace(" ", "").isalnum() else ("",)


def run_of(source: Any, label: str) -> Run:
    """The facts of one training."""
    series = getattr(source, "series", None)
    if callable(series):
        return Run(label, tuple([Series(*one) for one in series()]))
    if isinstance(source, Run):
        return source
    if isinstance(source, Mapping):
        return Run(label, tuple([_series(str(name), values) for name, values in source.items()]))
    if isinstance(source, Sequence) and source and all(isinstance(entry, Mapping) for entry in source):
        names = dict.fromkeys(str(name) for entry in source for name in entry)
        found = []
        for name in names:
            pairs = [(k, number_of(entry[name], name)) for k, entry in enumerate(source, 1) if name in entry]
            found.append(Series(name, *(np.array(part, float) for part in zip(*pairs, strict=True))))
        return Run(label, tuple(found))
    if is_array(source) or isinstance(source, (list, tuple)) and not any(isinstance(one, Mapping) for one in source):
        return Run(label, (_series("loss", source),))
    raise TypeError(
        "show.training draws a TrainingLog, a list of losses, a dictionary of lists such as {'loss': [...]}, or a list "
        f"of dictionaries, not {with_article(type(source).__name__)}"
    )


def _series(name: str, values: Any) -> Series:
    if is_array(values):
        layout = Layout.of(values, values=False)
        size = layout.size
        if layout.device == "meta":
            raise TypeError(f"{name} has no numbers: its device is meta")
        if len(size) != 1:
            raise TypeError(
                f"a series has a number for each step, in one dimension; {name} has size {shape_text(size)}"
            )
        if size[0] > MOST_STEPS:
            raise ValueError(f"{name} has {size[0]:,} steps, and at most {MOST_STEPS:,} are drawn: {name}[::100]")
        values = values.tolist()
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"a series is a list of numbers, and {name} is {with_article(type(values).__name__)}")
    numbers = np.array([number_of(value, name) for value in values], float)
    return Series(name, np.arange(1.0, len(numbers) + 1), numbers)
