"""What a timer found: several runs of a statement, how long each took, and how much they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, floor, log10, sqrt
from typing import Any

import numpy as np

_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_MANY = 4
"""So many runs say how much runs differ."""


def select_unit(seconds: float) -> tuple[str, float]:
    """The unit in which a time is easily read, and its length.

    >>> select_unit(2e-5)
    ('us', 1e-06)
    """
    for name, length in reversed(_UNITS.items()):
        if seconds >= length:
            return name, length
    return "ns", 1e-9


@dataclass(frozen=True)
class TaskSpec:
    """What is measured: the statement, what comes before it, and how results of it are labelled."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, or the statement."""
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        return "stmt:" + (f" ({self.sub_label})" if self.sub_label else "") + "\n" + _indented(self.stmt)

    def setup_str(self) -> str:
        """What comes before the statement, as text; empty if it is nothing."""
        if self.setup == "pass" or not self.setup:
            return ""
        return f"setup:\n{_indented(self.setup)}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self) -> str:
        """All of it in a few lines."""
        return "\n".join(part for part in (self.title, self.description or "", self.setup_str()) if part)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n")) + "\n"


@dataclass(repr=False)
class Measurement:
    """How long runs of a statement took: `times` has the seconds of one execution, for each run.

    >>> task = TaskSpec("work()", "pass")
    >>> measured = Measurement(2, [2e-3, 4e-3, 6e-3, 8e-3], task)
    >>> measured.median
    0.0025
    >>> print(measured.significant_figures, measured.has_warnings)
    1 True
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = field(default=None)

    @property
    def times(self) -> list[float]:
        """The seconds of one execution, for each run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def mean(self) -> float:
        """The mean of the runs."""
        return sum(self.times) / len(self.raw_times) if self.raw_times else -1.0

    @property
    def median(self) -> float:
        """Half of the runs took longer."""
        return float(np.median(self.times)) if self.raw_times else -1.0

    @property
    def iqr(self) -> float:
        """How far the middle half of the runs reaches."""
        low, high = self._quartiles()
        return high - low

    @property
    def significant_figures(self) -> int:
        """How many digits of the median mean something, one to four, as the middle half of the runs differs."""
        ordered = sorted(self.times)
        middle = ordered[len(ordered) // 4 : ceil(3 * len(ordered) / 4)]
        spread = float(np.std(middle, ddof=1)) if len(middle) > 1 else 0.0
        if not spread or self.median <= 0:
            return 4
        return max(1, min(4, floor(log10(self.median * sqrt(len(ordered)) / (1.645 * spread)))))

    @property
    def has_warnings(self) -> bool:
        """Whether the runs differ so much that the median says little."""
        return not self.meets_confidence()

    def meets_confidence(self, threshold: float = 0.1) -> bool:
        """Whether the middle half of the runs is within a part of the median."""
        return self.iqr <= threshold * abs(self.median)

    @property
    def title(self) -> str:
        """What was measured, in short."""
        return self.task_spec.title

    @property
    def as_row_name(self) -> str:
        """The name of its row in a table."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.task_spec, name)

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """One measurement for each task, of the runs of all measurements of it."""
        grouped: dict[TaskSpec, list[Measurement]] = {}
        for measured in measurements:
            grouped.setdefault(measured.task_spec, []).append(measured)
        return [Measurement(1, [t for m in group for t in m.times], task) for task, group in grouped.items()]

    def __repr__(self) -> str:
        unit, length = select_unit(self.median)
        runs = len(self.raw_times)
        lines = [
            f"<torch.utils.benchmark.utils.common.Measurement object at {id(self):#x}>",
            self.task_spec.summarize(),
        ]
        lines.append(f"  {'Median: ' if runs > 1 else ''}{self.median / length:.2f} {unit}")
        if runs >= _MANY:
            low, high = self._quartiles()
            lines.append(f"  IQR:    {self.iqr / length:.2f} {unit} ({low / length:.2f} to {high / length:.2f})")
        per_run = f"{self.number_per_run} runs {'per measurement' if runs > 1 else ''}"
        threads = f"{self.task_spec.num_threads} thread{'s' if self.task_spec.num_threads > 1 else ''}"
        lines.append(f"  {runs} measurement{'s' if runs > 1 else ''}, {per_run}, {threads}")
        if runs >= _MANY and self.has_warnings:
            strong = not self.meets_confidence(0.25)
            lines.append(f"  WARNING: Interquartile range is {self.iqr / self.median:.1%} of the median measurement.")
            could = "suggests significant environmental influence" if strong else "could indicate system fluctuation"
            lines.append(f"           This {could}.")
        return "\n".join(lines)

    def _quartiles(self) -> tuple[float, float]:
        low, high = np.quantile(self.times, (0.25, 0.75)) if self.raw_times else (0.0, 0.0)
        return float(low), float(high)
